/* An OpenCL program that leaves the size of its work-groups to the driver; see
 * tests/cli/capture_groups.sh. Arguments: the global size, in one to three dimensions; or
 * "demanded" and the global size of a kernel that demands groups of 32 x 2. Status 4: a wrong
 * result. */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdlib.h>
#include <string.h>

static const char *source = "#define INDEX (get_global_id(0) + get_global_size(0) * \\\n"
                            "    (get_global_id(1) + get_global_size(1) * get_global_id(2)))\n"
                            "__kernel void any(__global int *y) { y[INDEX] = 2 * INDEX + 1; }\n"
                            "__kernel __attribute__((reqd_work_group_size(32, 2, 1)))\n"
                            "void demanded(__global int *y) { y[INDEX] = 2 * INDEX + 1; }\n";

int main(int argc, char **argv)
{
    int demanded = argc > 1 && strcmp(argv[1], "demanded") == 0, first = 1 + demanded;
    size_t global[3] = {1, 1, 1}, items = 1;
    for (int i = first; i < argc; i++)
        items *= global[i - first] = (size_t)atoi(argv[i]);
    cl_platform_id platform;
    cl_device_id device;
    if (clGetPlatformIDs(1, &platform, NULL) ||
        clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL))
        return 3;
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
    cl_command_queue queue = clCreateCommandQueue(context, device, 0, NULL);
    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, NULL);
    if (clBuildProgram(program, 1, &device, "", NULL, NULL)) return 3;
    cl_kernel kernel = clCreateKernel(program, demanded ? "demanded" : "any", NULL);
    int *y = calloc(items, sizeof *y);
    cl_mem buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, items * sizeof *y, NULL, NULL);
    clSetKernelArg(kernel, 0, sizeof buffer, &buffer);
    if (clEnqueueNDRangeKernel(queue, kernel, (cl_uint)(argc - first), NULL, global, NULL, 0, NULL,
                               NULL))
        return 3;
    clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, items * sizeof *y, y, 0, NULL, NULL);
    for (size_t i = 0; i < items; i++)
        if (y[i] != (int)(2 * i + 1)) return 4;
    free(y);
    return 0;
}
