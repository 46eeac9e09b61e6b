/* kernel_times.c - a library that times each kernel launch of an OpenCL program by its events.
 *
 *   cc -O2 -shared -fPIC kernel_times.c -o libkernel_times.so      OpenCL 1.2's headers, C11, Linux
 *   KERNEL_TIMES_PROGRAM=fwt LD_PRELOAD=$PWD/libkernel_times.so ./fwt 1048576
 *
 *   KERNEL_TIMES_OUT       the file, to whose end a row of each launch goes (kernel_times.csv)
 *   KERNEL_TIMES_PROGRAM   the program's name in the rows (that of its executable)
 *   KERNEL_TIMES_WARM      seconds of a spinning kernel that raise the clocks first (0.3)
 *
 * Columns: program, device, launch (from 0), kernel, items (of all dimensions), group (work-items
 * of one; 0: the driver chose), us (from the start to the end of the command).  Before the first
 * launch comes launch -1, an empty kernel of one group: the least time that a launch can take here.
 * Queues become profiled ones, and each launch is waited for, so that no two overlap; a program
 * that holds launches back with user events would wait for ever.  A failure of the timing itself
 * prints a line and ends the program with status 1; the program's own failures are left to it. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* RTLD_NEXT, program_invocation_short_name */
#endif
#define CL_TARGET_OPENCL_VERSION 120
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    EMPTY_RUNS = 20,      /* of the empty kernel; the fastest counts */
    SPIN_GROUP = 256,     /* work-items of a group of the spinning kernel */
    SPIN_GROUPS = 8,      /* of them for each compute unit */
    SPIN_LOOPS = 16,      /* of its first launch; four times as many in the next, while */
    SPIN_LONG_US = 10000, /* a launch takes less than this */
    PROPERTIES_MOST = 32, /* words of a queue's list of properties */
};

static const char *const spin_and_nothing =
    "__kernel void spin(__global uint *out, uint n)\n"
    "{\n"
    "    uint x = get_global_id(0);\n"
    "    for (uint i = 0; i < n; i++) x = x * 1664525 + 1013904223;\n"
    "    if (x == n) out[0] = x;\n"
    "}\n"
    "__kernel void nothing(__global uint *out, uint n)\n"
    "{\n"
    "    if (n == 12345) out[0] = n;\n"
    "}\n";

typedef cl_int launch_fn(cl_command_queue, cl_kernel, cl_uint, const size_t *, const size_t *,
                         const size_t *, cl_uint, const cl_event *, cl_event *);

static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;
static FILE *out; /* NULL before the first launch */
static char program_name[128], device_name[128];
static long launches;

static void fail(const char *what, const char *why)
{
    fprintf(stderr, "error: kernel_times: %s: %s\n", what, why);
    exit(1);
}

static void check(cl_int status, const char *what)
{
    char why[40];
    snprintf(why, sizeof why, "OpenCL status %d", (int)status);
    if (status != CL_SUCCESS) fail(what, why);
}

/* The OpenCL library's own function of that name. */
static void *real(const char *name)
{
    void *f = dlsym(RTLD_NEXT, name);
    if (!f) fail(name, "the OpenCL library that the program is linked with does not have it");
    return f;
}

/* --- queues ----------------------------------------------------------------------------------- */

cl_command_queue clCreateCommandQueue(cl_context context, cl_device_id device,
                                      cl_command_queue_properties properties, cl_int *status)
{
    cl_command_queue (*create)(cl_context, cl_device_id, cl_command_queue_properties, cl_int *);
    *(void **)&create = real("clCreateCommandQueue");
    return create(context, device, properties | CL_QUEUE_PROFILING_ENABLE, status);
}

/* OpenCL 2.0's, whose properties are pairs of a name and a value up to a 0. */
cl_command_queue clCreateCommandQueueWithProperties(cl_context context, cl_device_id device,
                                                    const cl_ulong *properties, cl_int *status);
cl_command_queue clCreateCommandQueueWithProperties(cl_context context, cl_device_id device,
                                                    const cl_ulong *properties, cl_int *status)
{
    cl_ulong list[PROPERTIES_MOST + 3] = {CL_QUEUE_PROPERTIES, CL_QUEUE_PROFILING_ENABLE};
    size_t n = 2;
    for (const cl_ulong *p = properties; p && *p; p += 2) {
        if (*p == CL_QUEUE_PROPERTIES)
            list[1] |= p[1];
        else if (n == PROPERTIES_MOST)
            fail("clCreateCommandQueueWithProperties", "a list too long");
        else {
            memcpy(list + n, p, 2 * sizeof *p);
            n += 2;
        }
    }
    cl_command_queue (*create)(cl_context, cl_device_id, const cl_ulong *, cl_int *);
    *(void **)&create = real("clCreateCommandQueueWithProperties");
    return create(context, device, list, status);
}

/* --- times ------------------------------------------------------------------------------------ */

/* Waits for a launch; how long it took. */
static double microseconds(cl_event e)
{
    cl_ulong from = 0, to = 0;
    check(clWaitForEvents(1, &e), "waiting for a kernel");
    check(clGetEventProfilingInfo(e, CL_PROFILING_COMMAND_START, sizeof from, &from, NULL),
          "the start of a kernel");
    check(clGetEventProfilingInfo(e, CL_PROFILING_COMMAND_END, sizeof to, &to, NULL),
          "the end of a kernel");
    return to > from ? 1e-3 * (double)(to - from) : 0;
}

static double run(cl_command_queue queue, cl_kernel k, size_t items, cl_uint n)
{
    launch_fn *launch;
    const size_t group = SPIN_GROUP;
    cl_event e;
    *(void **)&launch = real("clEnqueueNDRangeKernel");
    check(clSetKernelArg(k, 1, sizeof n, &n), "an argument");
    check(launch(queue, k, 1, NULL, &items, &group, 0, NULL, &e), "a launch");
    double us = microseconds(e);
    clReleaseEvent(e);
    return us;
}

static cl_kernel kernel(cl_program p, const char *name, cl_mem buffer)
{
    cl_int status;
    cl_kernel k = clCreateKernel(p, name, &status);
    check(status, name);
    check(clSetKernelArg(k, 0, sizeof buffer, &buffer), "an argument");
    return k;
}

static double seconds_of_warming(void)
{
    const char *text = getenv("KERNEL_TIMES_WARM");
    char *end = NULL;
    double seconds = text ? strtod(text, &end) : 0.3;
    if (text && (end == text || *end || !(seconds >= 0 && seconds <= 60)))
        fail("KERNEL_TIMES_WARM", "expected seconds from 0 to 60");
    return seconds;
}

/* Raises the clocks; the time of the empty kernel. */
static double warm(cl_context context, cl_device_id device, cl_command_queue queue)
{
    cl_int status;
    cl_uint units = 1, loops = SPIN_LOOPS;
    const char *text = spin_and_nothing;
    cl_program p = clCreateProgramWithSource(context, 1, &text, NULL, &status);
    check(status, "a program");
    check(clBuildProgram(p, 1, &device, "", NULL, NULL), "building a program");
    cl_mem buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, sizeof(cl_uint), NULL, &status);
    check(status, "a buffer");
    cl_kernel spin = kernel(p, "spin", buffer), nothing = kernel(p, "nothing", buffer);
    clGetDeviceInfo(device, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof units, &units, NULL);
    double left = 1e6 * seconds_of_warming(), least = 1e30;
    while (left > 0) {
        double us = run(queue, spin, (size_t)units * SPIN_GROUPS * SPIN_GROUP, loops);
        left -= us > 1 ? us : 1;
        if (us < SPIN_LONG_US && loops < UINT32_MAX / 4) loops *= 4;
    }
    for (int i = 0; i < EMPTY_RUNS; i++) {
        double us = run(queue, nothing, SPIN_GROUP, 0);
        if (us < least) least = us;
    }
    clReleaseKernel(spin);
    clReleaseKernel(nothing);
    clReleaseMemObject(buffer);
    clReleaseProgram(p);
    return least;
}

/* --- the file --------------------------------------------------------------------------------- */

/* Takes a name into a cell: commas, quotes and ends of lines become blanks. */
static void cell(char *to, size_t size, const char *from)
{
    snprintf(to, size, "%s", from);
    for (char *c = to; *c; c++)
        if (strchr(",\"\r\n", *c)) *c = ' ';
}

static void row(long launch, const char *kernel_name, size_t items, size_t group, double us)
{
    fprintf(out, "%s,%s,%ld,%s,%zu,%zu,%.3f\n", program_name, device_name, launch, kernel_name,
            items, group, us);
    if (fflush(out)) fail("writing a row", strerror(errno));
}

/* Opens the file and writes the row of the empty kernel. */
static void begin(cl_command_queue queue)
{
    cl_context context;
    cl_device_id device;
    char name[128] = "";
    const char *file = getenv("KERNEL_TIMES_OUT"), *program = getenv("KERNEL_TIMES_PROGRAM");
    check(clGetCommandQueueInfo(queue, CL_QUEUE_CONTEXT, sizeof context, &context, NULL),
          "a queue's context");
    check(clGetCommandQueueInfo(queue, CL_QUEUE_DEVICE, sizeof device, &device, NULL),
          "a queue's device");
    clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof name - 1, name, NULL);
    cell(device_name, sizeof device_name, name);
    cell(program_name, sizeof program_name,
         program && *program ? program : program_invocation_short_name);
    if (!file || !*file) file = "kernel_times.csv";
    out = fopen(file, "a");
    if (!out || fseek(out, 0, SEEK_END)) fail(file, strerror(errno));
    if (ftell(out) == 0) fprintf(out, "program,device,launch,kernel,items,group,us\n");
    row(-1, "nothing", SPIN_GROUP, SPIN_GROUP, warm(context, device, queue));
}

/* --- launches --------------------------------------------------------------------------------- */

cl_int clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel k, cl_uint dimensions,
                              const size_t *offset, const size_t *global, const size_t *local,
                              cl_uint waits, const cl_event *wait, cl_event *event)
{
    launch_fn *launch;
    cl_event own;
    char name[128] = "", clean[128];
    size_t items = 1, group = local ? 1 : 0;
    *(void **)&launch = real("clEnqueueNDRangeKernel");
    pthread_mutex_lock(&one_at_a_time);
    if (!out) begin(queue);
    cl_int status = launch(queue, k, dimensions, offset, global, local, waits, wait, &own);
    if (status == CL_SUCCESS) {
        double us = microseconds(own);
        clGetKernelInfo(k, CL_KERNEL_FUNCTION_NAME, sizeof name - 1, name, NULL);
        cell(clean, sizeof clean, name);
        for (cl_uint i = 0; i < dimensions; i++) {
            items *= global ? global[i] : 0;
            if (local) group *= local[i];
        }
        row(launches++, clean, items, group, us);
        if (event)
            *event = own;
        else
            clReleaseEvent(own);
    }
    pthread_mutex_unlock(&one_at_a_time);
    return status;
}

/* A launch of one work-item. */
cl_int clEnqueueTask(cl_command_queue queue, cl_kernel k, cl_uint waits, const cl_event *wait,
                     cl_event *event)
{
    const size_t one = 1;
    return clEnqueueNDRangeKernel(queue, k, 1, NULL, &one, &one, waits, wait, event);
}
