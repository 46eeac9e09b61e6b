/* probe_device.h - what probe.c runs on: its options, the device, kernels and their times.  A
 * failure prints a line and ends the program with status 1. */
#pragma once

#define CL_TARGET_OPENCL_VERSION 120
#include "probe_kernels.h"

#include <CL/cl.h>
#include <ctype.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct probe {
    /* options */
    const char *experiment, *name, *output;
    double mhz, seconds, max_mb, local_kb;
    unsigned device, points;
    /* the device */
    cl_device_id id;
    cl_context context;
    cl_command_queue queue;
    cl_program wide, narrow; /* of doubles (0: the device has none) and of floats */
    cl_uint sms;
    size_t group;      /* work-items of a group, at most 1,024 */
    size_t most_local; /* bytes of local memory that a group may have */
    char card[96], source[192];
    /* the run */
    FILE *out;
    double start; /* of this experiment */
    unsigned long written, wrong;
};

static void fail(const char *what, cl_int status)
{
    if (status)
        fprintf(stderr, "error: %s: OpenCL status %d\n", what, status);
    else
        fprintf(stderr, "error: %s\n", what);
    exit(1);
}

static void check(cl_int status, const char *what)
{
    if (status != CL_SUCCESS) fail(what, status);
}

static double now(void)
{
    struct timespec t;
    timespec_get(&t, TIME_UTC);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* --- OpenCL ----------------------------------------------------------------------------------- */

static cl_mem buffer(const struct probe *p, size_t bytes)
{
    cl_int status;
    cl_mem b = clCreateBuffer(p->context, CL_MEM_READ_WRITE, bytes, NULL, &status);
    check(status, "a buffer; --max-mb makes them smaller");
    return b;
}

static void put(const struct probe *p, cl_mem to, const void *from, size_t bytes)
{
    check(clEnqueueWriteBuffer(p->queue, to, CL_TRUE, 0, bytes, from, 0, NULL, NULL), "write");
}

static void get(const struct probe *p, cl_mem from, size_t at, void *to, size_t bytes)
{
    check(clEnqueueReadBuffer(p->queue, from, CL_TRUE, at, bytes, to, 0, NULL, NULL), "read");
}

static cl_kernel kernel(cl_program of, const char *name)
{
    cl_int status;
    cl_kernel k = clCreateKernel(of, name, &status);
    check(status, name);
    return k;
}

static void arg(cl_kernel k, cl_uint i, size_t bytes, const void *value)
{
    check(clSetKernelArg(k, i, bytes, value), "clSetKernelArg");
}

/* A number of the program's type. */
static void arg_real(cl_kernel k, cl_uint i, bool wide, double value)
{
    float narrow = (float)value;
    arg(k, i, wide ? sizeof value : sizeof narrow, wide ? (void *)&value : (void *)&narrow);
}

/* Runs a kernel; the seconds that it took by its event. */
static double run(const struct probe *p, cl_kernel k, size_t items, size_t group)
{
    cl_event e;
    cl_ulong from = 0, to = 0;
    check(clEnqueueNDRangeKernel(p->queue, k, 1, NULL, &items, &group, 0, NULL, &e), "a launch");
    check(clWaitForEvents(1, &e), "a kernel");
    check(clGetEventProfilingInfo(e, CL_PROFILING_COMMAND_START, sizeof from, &from, NULL), "time");
    check(clGetEventProfilingInfo(e, CL_PROFILING_COMMAND_END, sizeof to, &to, NULL), "time");
    clReleaseEvent(e);
    return to > from ? 1e-9 * (double)(to - from) : 0;
}

/* A buffer of n elements, or some more, that are all `value`. */
static cl_mem filled(const struct probe *p, bool wide, size_t n, double value)
{
    cl_program program = wide ? p->wide : p->narrow;
    cl_kernel k = kernel(program, "fill");
    size_t whole = (n + p->group - 1) / p->group * p->group;
    cl_mem b = buffer(p, whole * (wide ? sizeof(double) : sizeof(float)));
    arg(k, 0, sizeof b, &b);
    arg_real(k, 1, wide, value);
    run(p, k, whole, p->group);
    clReleaseKernel(k);
    return b;
}

/* The kernels' counter of wrong sums, 0 at first; `add_wrong` adds it to the program's. */
static cl_mem wrong_counter(const struct probe *p)
{
    cl_uint zero = 0;
    cl_mem b = buffer(p, sizeof zero);
    put(p, b, &zero, sizeof zero);
    return b;
}

static void add_wrong(struct probe *p, cl_mem counter)
{
    cl_uint n;
    get(p, counter, 0, &n, sizeof n);
    p->wrong += n;
    clReleaseMemObject(counter);
}

/* --- the device ------------------------------------------------------------------------------- */

/* Device number p->device over all platforms. */
static void find_device(struct probe *p)
{
    cl_platform_id platform[16];
    cl_uint n = 0, seen = 0;
    if (clGetPlatformIDs(16, platform, &n) != CL_SUCCESS) fail("no OpenCL platform", 0);
    for (cl_uint i = 0; i < n && i < 16; i++) {
        cl_device_id device[16];
        cl_uint found = 0;
        if (clGetDeviceIDs(platform[i], CL_DEVICE_TYPE_ALL, 16, device, &found) != CL_SUCCESS)
            continue;
        if (p->device < seen + found && p->device - seen < 16) {
            p->id = device[p->device - seen];
            return;
        }
        seen += found;
    }
    fail(seen ? "there is no device of that number" : "no OpenCL device", 0);
}

/* Whether a kernel that asks for groups of `size` runs.  What drivers say of a kernel's largest
 * group does not tell: some say 256 of all. */
static bool runs_with(const struct probe *p, cl_program program, bool wide, size_t size)
{
    cl_kernel k = kernel(program, "fill");
    cl_mem b = buffer(p, size * sizeof(double));
    arg(k, 0, sizeof b, &b);
    arg_real(k, 1, wide, 0);
    bool runs =
        clEnqueueNDRangeKernel(p->queue, k, 1, NULL, &size, &size, 0, NULL, NULL) == CL_SUCCESS &&
        clFinish(p->queue) == CL_SUCCESS;
    clReleaseMemObject(b);
    clReleaseKernel(k);
    return runs;
}

/* The kernels with groups of `size`; NULL if the device does not take them. */
static cl_program build_with(const struct probe *p, bool wide, size_t size)
{
    const char *text[] = {probe_macros, probe_kernels};
    char options[80], log[4096] = "";
    cl_int status;
    snprintf(options, sizeof options, "-DREAL=%s -DEDGE=2 -DGROUP=%zu", wide ? "double" : "float",
             size);
    cl_program program = clCreateProgramWithSource(p->context, 2, text, NULL, &status);
    check(status, "clCreateProgramWithSource");
    bool built = clBuildProgram(program, 1, &p->id, options, NULL, NULL) == CL_SUCCESS;
    if (built && runs_with(p, program, wide, size)) return program;
    clGetProgramBuildInfo(program, p->id, CL_PROGRAM_BUILD_LOG, sizeof log - 1, log, NULL);
    if (!built) fprintf(stderr, "%s\n", log);
    clReleaseProgram(program);
    return NULL;
}

/* Builds the kernels for the largest groups up to p->group, a power of two, and lowers p->group to
 * them. */
static cl_program build(struct probe *p, bool wide)
{
    for (; p->group >= 32; p->group /= 2) {
        cl_program program = build_with(p, wide, p->group);
        if (program) return program;
    }
    fail("the kernels do not build", 0);
    return NULL;
}

/* Letters, digits and what else a cell of a CSV may hold. */
static void clean(char *s)
{
    for (; *s; s++)
        if (!isalnum((unsigned char)*s) && !strchr("-._()/@", *s)) *s = ' ';
}

static void name_device(struct probe *p)
{
    char name[96] = "", driver[48] = "";
    clGetDeviceInfo(p->id, CL_DEVICE_NAME, sizeof name - 1, name, NULL);
    clGetDeviceInfo(p->id, CL_DRIVER_VERSION, sizeof driver - 1, driver, NULL);
    clean(name);
    clean(driver);
    snprintf(p->source, sizeof p->source, "plumb workloads/probe: %s driver %s", name, driver);
    snprintf(p->card, sizeof p->card, "%s", p->name ? p->name : name);
    clean(p->card);
}

/* What the device says of itself, unless an option said it. */
static void open_device(struct probe *p)
{
    cl_uint mhz = 0;
    cl_ulong local = 0, largest = 0, all = 0;
    cl_device_fp_config doubles = 0;
    cl_int status;
    find_device(p);
    name_device(p);
    clGetDeviceInfo(p->id, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof p->sms, &p->sms, NULL);
    clGetDeviceInfo(p->id, CL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof p->group, &p->group, NULL);
    clGetDeviceInfo(p->id, CL_DEVICE_MAX_CLOCK_FREQUENCY, sizeof mhz, &mhz, NULL);
    clGetDeviceInfo(p->id, CL_DEVICE_LOCAL_MEM_SIZE, sizeof local, &local, NULL);
    clGetDeviceInfo(p->id, CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof largest, &largest, NULL);
    clGetDeviceInfo(p->id, CL_DEVICE_GLOBAL_MEM_SIZE, sizeof all, &all, NULL);
    clGetDeviceInfo(p->id, CL_DEVICE_DOUBLE_FP_CONFIG, sizeof doubles, &doubles, NULL);
    if (p->mhz == 0) p->mhz = mhz;
    if (p->mhz == 0) fail("the device does not say its clock; give --mhz", 0);
    p->most_local = (size_t)local;
    if (p->local_kb == 0) p->local_kb = (double)local / 1024;
    p->max_mb = fmin(p->max_mb, fmin((double)largest, (double)all / 4) / 1048576);
    p->context = clCreateContext(NULL, 1, &p->id, NULL, NULL, &status);
    check(status, "clCreateContext");
    p->queue = clCreateCommandQueue(p->context, p->id, CL_QUEUE_PROFILING_ENABLE, &status);
    check(status, "clCreateCommandQueue");
    size_t most = p->group;
    for (p->group = 1024; p->group > most;)
        p->group /= 2;
    if (doubles) p->wide = build(p, true);
    most = p->group;
    p->narrow = build(p, false);
    if (doubles && p->group < most) p->wide = build(p, true);
}

/* --- the command line ------------------------------------------------------------------------- */

static const char usage[] =
    "usage: probe [OPTION VALUE]...\n"
    "  --experiment NAME  only those whose name begins so: pchase_latency, stream_, l2_read_bw,\n"
    "                     shared_buffer_read_bw, l1_stride_\n"
    "  --device N         of all platforms, from 0 on (0)\n"
    "  --points N         of a curve, 1 to 1000 (40)\n"
    "  --max-mb N         largest buffer, 1 to 65536 (1024, and a quarter of the memory)\n"
    "  --seconds S        of an experiment, after which it starts no further point (30)\n"
    "  --mhz F            clock of the SMs under load (the device's highest)\n"
    "  --local-kb N       shared memory of an SM (the most that a group may have)\n"
    "  --name CARD        in the column gpu (the device's name)\n"
    "  -o FILE            instead of standard output\n";

static double number(const char *value, double low, double high)
{
    char *end;
    double v = strtod(value, &end);
    if (end != value && !*end && v >= low && v <= high) return v;
    if (high > low) fprintf(stderr, "probe: '%s' is no number from %g to %g\n", value, low, high);
    fputs(usage, stderr);
    exit(1);
}

static void option(struct probe *p, const char *name, const char *value)
{
    if (strcmp(name, "--experiment") == 0)
        p->experiment = value;
    else if (strcmp(name, "--device") == 0)
        p->device = (unsigned)number(value, 0, 255);
    else if (strcmp(name, "--points") == 0)
        p->points = (unsigned)number(value, 1, 1000);
    else if (strcmp(name, "--max-mb") == 0)
        p->max_mb = number(value, 1, 65536);
    else if (strcmp(name, "--seconds") == 0)
        p->seconds = number(value, 0.001, 1e6);
    else if (strcmp(name, "--mhz") == 0)
        p->mhz = number(value, 1, 1e5);
    else if (strcmp(name, "--local-kb") == 0)
        p->local_kb = number(value, 1, 1024);
    else if (strcmp(name, "--name") == 0)
        p->name = value;
    else if (strcmp(name, "-o") == 0)
        p->output = value;
    else
        number("", 0, 0);
}
