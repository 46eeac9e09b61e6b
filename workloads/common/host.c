/* host.c - see host.h. */
#include "common/host.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void host_fail(const char *what)
{
    fprintf(stderr, "error: %s\n", what);
    exit(1);
}

void host_check(cl_int status, const char *what)
{
    if (status == CL_SUCCESS) return;
    fprintf(stderr, "error: %s: OpenCL status %d\n", what, status);
    exit(1);
}

/* Kernels lie in the folder $PLUMB_WORKLOADS, else where an installation has them (found from where
 * the program lies), else in the source tree. */
static FILE *open_source(const char *name, char *path, size_t size)
{
    const char *named = getenv("PLUMB_WORKLOADS");
    char self[4096];
    ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    self[n > 0 ? n : 0] = '\0';
    char *slash = strrchr(self, '/');
    if (slash) *slash = '\0';
    if (named)
        snprintf(path, size, "%s/%s", named, name);
    else
        snprintf(path, size, "%s/%s/%s", self, PLUMB_KERNELS_FROM_BINARY, name);
    FILE *f = fopen(path, "rb");
    if (f || named) return f;
    snprintf(path, size, "%s/%s", PLUMB_WORKLOADS_DIR, name);
    return fopen(path, "rb");
}

static char *read_source(const char *name)
{
    char path[8192];
    FILE *f = open_source(name, path, sizeof path);
    char *text = calloc(1, 1 << 20);
    if (!f || !text) {
        fprintf(stderr, "error: %s cannot be read; PLUMB_WORKLOADS names its folder\n", path);
        exit(1);
    }
    size_t n = fread(text, 1, (1 << 20) - 1, f);
    text[n] = '\0';
    fclose(f);
    return text;
}

static cl_device_id first_device(void)
{
    cl_platform_id platform[16];
    cl_uint n = 0;
    host_check(clGetPlatformIDs(16, platform, &n), "no OpenCL platform");
    for (cl_uint i = 0; i < n && i < 16; i++) {
        cl_device_id device;
        if (clGetDeviceIDs(platform[i], CL_DEVICE_TYPE_ALL, 1, &device, NULL) == CL_SUCCESS)
            return device;
    }
    host_fail("no OpenCL device");
    return NULL;
}

static void build(struct host *h, const char *source)
{
    cl_int status;
    char *text = read_source(source);
    h->program = clCreateProgramWithSource(h->context, 1, (const char **)&text, NULL, &status);
    host_check(status, "clCreateProgramWithSource");
    free(text);
    status = clBuildProgram(h->program, 1, &h->device, "", NULL, NULL);
    if (status == CL_SUCCESS) return;
    static char log[65536];
    clGetProgramBuildInfo(h->program, h->device, CL_PROGRAM_BUILD_LOG, sizeof log - 1, log, NULL);
    fprintf(stderr, "error: %s does not build:\n%s\n", source, log);
    exit(1);
}

struct host host_open(const char *source)
{
    struct host h = {.device = first_device()};
    cl_int status;
    h.context = clCreateContext(NULL, 1, &h.device, NULL, NULL, &status);
    host_check(status, "clCreateContext");
    h.queue = clCreateCommandQueue(h.context, h.device, 0, &status);
    host_check(status, "clCreateCommandQueue");
    build(&h, source);
    return h;
}

void host_close(struct host *h)
{
    clReleaseProgram(h->program);
    clReleaseCommandQueue(h->queue);
    clReleaseContext(h->context);
}

cl_kernel host_kernel(const struct host *h, const char *name)
{
    cl_int status;
    cl_kernel kernel = clCreateKernel(h->program, name, &status);
    host_check(status, name);
    return kernel;
}

cl_mem host_buffer(const struct host *h, size_t bytes, const void *init)
{
    cl_int status;
    cl_mem buffer = clCreateBuffer(h->context, CL_MEM_READ_WRITE, bytes, NULL, &status);
    host_check(status, "clCreateBuffer");
    if (init)
        host_check(clEnqueueWriteBuffer(h->queue, buffer, CL_TRUE, 0, bytes, init, 0, NULL, NULL),
                   "clEnqueueWriteBuffer");
    return buffer;
}

void host_read(const struct host *h, cl_mem buffer, void *out, size_t bytes)
{
    host_check(clEnqueueReadBuffer(h->queue, buffer, CL_TRUE, 0, bytes, out, 0, NULL, NULL),
               "clEnqueueReadBuffer");
}

void host_arg(cl_kernel kernel, cl_uint index, size_t bytes, const void *value)
{
    host_check(clSetKernelArg(kernel, index, bytes, value), "clSetKernelArg");
}

void host_launch(const struct host *h, cl_kernel kernel, size_t items, size_t group)
{
    host_check(clEnqueueNDRangeKernel(h->queue, kernel, 1, NULL, &items, &group, 0, NULL, NULL),
               "clEnqueueNDRangeKernel");
    host_check(clFinish(h->queue), "clFinish");
}
