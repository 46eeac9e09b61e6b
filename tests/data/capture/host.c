/* A small OpenCL program that ends in the way its argument names; see
 * tests/cli/capture_failures.sh. */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ITEMS = 256 };

static cl_context context;
static cl_command_queue queue;
static cl_kernel kernel;

static void prepare(void)
{
    static const char *source =
        "__kernel void twice(__global int *a) { int i = get_global_id(0); a[i] = 2 * a[i] + i; }";
    cl_platform_id platform;
    cl_device_id device;
    if (clGetPlatformIDs(1, &platform, NULL) != CL_SUCCESS) exit(3);
    if (clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL) != CL_SUCCESS) exit(3);
    context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
    queue = clCreateCommandQueue(context, device, 0, NULL);
    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, NULL);
    if (clBuildProgram(program, 1, &device, "", NULL, NULL) != CL_SUCCESS) exit(3);
    kernel = clCreateKernel(program, "twice", NULL);
}

static void launch(void)
{
    size_t items = ITEMS;
    cl_mem buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, sizeof(int) * ITEMS, NULL, NULL);
    clSetKernelArg(kernel, 0, sizeof buffer, &buffer);
    if (clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL) != CL_SUCCESS)
        exit(3);
    clFinish(queue);
}

int main(int argc, char **argv)
{
    const char *how = argc > 1 ? argv[1] : "";
    pid_t child = 1;
    if (strcmp(how, "two") == 0) child = fork(); /* OpenCL in both processes */
    prepare();
    if (strcmp(how, "idle") == 0) return 0;
    launch();
    if (strcmp(how, "helper") == 0) child = fork(); /* the child does something else */
    if (strcmp(how, "forked") == 0 && (child = fork()) == 0) launch();
    if (child == 0) return 0;
    if (strcmp(how, "_exit") == 0) _exit(0);
    if (strcmp(how, "abort") == 0) abort();
    if (strcmp(how, "fails") == 0) exit(5);
    if (strcmp(how, "returns") == 0) return 6;
    if (strcmp(how, "killed") == 0) kill(getpid(), SIGKILL);
    wait(NULL);
    launch();
    return 0;
}
