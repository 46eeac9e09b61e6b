/* host.h - what the host programs in workloads/ share: a device, a program from its .cl file,
 * buffers, launches.  They are test programs: any failure prints a line and ends the process with
 * status 1. */
#pragma once

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include <stddef.h>

struct host {
    cl_device_id device;
    cl_context context;
    cl_command_queue queue;
    cl_program program;
};

/* The first device of any platform, and the program in the file `source`, looked for in
 * $PLUMB_WORKLOADS, else in the folder that this was built from. */
struct host host_open(const char *source);
void host_close(struct host *h);

cl_kernel host_kernel(const struct host *h, const char *name);
/* `init` may be NULL. */
cl_mem host_buffer(const struct host *h, size_t bytes, const void *init);
void host_read(const struct host *h, cl_mem buffer, void *out, size_t bytes);
void host_arg(cl_kernel kernel, cl_uint index, size_t bytes, const void *value);
/* One-dimensional; waits for the end. */
void host_launch(const struct host *h, cl_kernel kernel, size_t items, size_t group);
void host_check(cl_int status, const char *what);
void host_fail(const char *what);
