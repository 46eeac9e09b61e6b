// opencl_host.cpp - the functions of OpenCL that workloads/common calls, on CUDA's runtime, for
// programs whose kernels are compiled as CUDA (scripts/twin.sh).
//
// Buffers lie as in a capture under Oclgrind: one behind the other at multiples of 256 bytes.
#define CL_TARGET_OPENCL_VERSION 120
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>

#include <cuda_runtime_api.h>

#include <dlfcn.h>

#include <cstdio>
#include <cstring>
#include <set>
#include <string>
#include <vector>

struct _cl_mem {
    char *at;
    size_t bytes;
};
struct _cl_kernel {
    const void *host;
    std::vector<std::vector<char>> arg;
};

static std::set<const void *> buffers;
static char *next_place;
constexpr size_t ARENA = size_t{1} << 32, ALIGN = 256;

template <class T> static T some(cl_int *status)
{
    static char thing;
    if (status) *status = CL_SUCCESS;
    return (T)(void *)&thing;
}

extern "C" {

cl_int clGetPlatformIDs(cl_uint, cl_platform_id *p, cl_uint *n)
{
    *p = some<cl_platform_id>(nullptr);
    *n = 1;
    return CL_SUCCESS;
}

cl_int clGetDeviceIDs(cl_platform_id, cl_device_type, cl_uint, cl_device_id *d, cl_uint *)
{
    *d = some<cl_device_id>(nullptr);
    return CL_SUCCESS;
}

cl_context clCreateContext(const cl_context_properties *, cl_uint, const cl_device_id *,
                           void (*)(const char *, const void *, size_t, void *), void *, cl_int *s)
{
    return some<cl_context>(s);
}

cl_command_queue clCreateCommandQueue(cl_context, cl_device_id, cl_command_queue_properties,
                                      cl_int *s)
{
    return some<cl_command_queue>(s);
}

cl_program clCreateProgramWithSource(cl_context, cl_uint, const char **, const size_t *, cl_int *s)
{
    return some<cl_program>(s);
}

cl_int clBuildProgram(cl_program, cl_uint, const cl_device_id *, const char *,
                      void (*)(cl_program, void *), void *)
{
    return CL_SUCCESS;
}

cl_int clGetProgramBuildInfo(cl_program, cl_device_id, cl_program_build_info, size_t, void *,
                             size_t *)
{
    return CL_SUCCESS;
}

cl_kernel clCreateKernel(cl_program, const char *name, cl_int *s)
{
    const void *host = dlsym(RTLD_DEFAULT, (std::string("__device_stub__") + name).c_str());
    *s = host ? CL_SUCCESS : CL_INVALID_KERNEL_NAME;
    return host ? new _cl_kernel{host, {}} : nullptr;
}

cl_int clSetKernelArg(cl_kernel k, cl_uint index, size_t bytes, const void *value)
{
    if (!value) return CL_INVALID_ARG_VALUE; // local memory: CUDA has no such arguments
    if (k->arg.size() <= index) k->arg.resize(index + 1);
    const char *from = (const char *)value;
    const void *pointer = nullptr;
    if (bytes == sizeof pointer) memcpy(&pointer, value, bytes);
    if (buffers.count(pointer)) from = (const char *)&((cl_mem)pointer)->at;
    k->arg[index].assign(from, from + bytes);
    return CL_SUCCESS;
}

cl_mem clCreateBuffer(cl_context, cl_mem_flags flags, size_t bytes, void *from, cl_int *s)
{
    if (!next_place) cudaMalloc((void **)&next_place, ARENA);
    cl_mem m = new _cl_mem{next_place, bytes};
    next_place += (bytes + ALIGN - 1) / ALIGN * ALIGN;
    buffers.insert(m);
    *s = CL_SUCCESS;
    if (flags & CL_MEM_COPY_HOST_PTR) cudaMemcpy(m->at, from, bytes, cudaMemcpyHostToDevice);
    return m;
}

cl_int clEnqueueWriteBuffer(cl_command_queue, cl_mem m, cl_bool, size_t offset, size_t bytes,
                            const void *from, cl_uint, const cl_event *, cl_event *)
{
    return cudaMemcpy(m->at + offset, from, bytes, cudaMemcpyHostToDevice);
}

cl_int clEnqueueReadBuffer(cl_command_queue, cl_mem m, cl_bool, size_t offset, size_t bytes,
                           void *to, cl_uint, const cl_event *, cl_event *)
{
    return cudaMemcpy(to, m->at + offset, bytes, cudaMemcpyDeviceToHost);
}

cl_int clEnqueueNDRangeKernel(cl_command_queue, cl_kernel k, cl_uint n, const size_t *,
                              const size_t *items, const size_t *group, cl_uint, const cl_event *,
                              cl_event *)
{
    unsigned grid[3] = {1, 1, 1}, block[3] = {1, 1, 1};
    if (!group) return CL_INVALID_WORK_GROUP_SIZE;
    for (cl_uint d = 0; d < n; d++) {
        block[d] = (unsigned)group[d];
        grid[d] = (unsigned)(items[d] / group[d]);
    }
    std::vector<void *> args;
    for (std::vector<char> &a : k->arg)
        args.push_back(a.data());
    return cudaLaunchKernel(k->host, dim3(grid[0], grid[1], grid[2]),
                            dim3(block[0], block[1], block[2]), args.data(), 0, nullptr);
}

cl_int clFinish(cl_command_queue)
{
    return cudaDeviceSynchronize();
}
cl_int clReleaseKernel(cl_kernel k)
{
    delete k;
    return CL_SUCCESS;
}
cl_int clReleaseMemObject(cl_mem m)
{
    buffers.erase(m);
    delete m;
    return CL_SUCCESS;
}
cl_int clReleaseProgram(cl_program)
{
    return CL_SUCCESS;
}
cl_int clReleaseCommandQueue(cl_command_queue)
{
    return CL_SUCCESS;
}
cl_int clReleaseContext(cl_context)
{
    return CL_SUCCESS;
}
}
