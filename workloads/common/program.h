/* program.h - the frame of a workload: its arguments, arrays and buffers that go with it, kernels
 * with their arguments, launches of one and two dimensions, the verdict.
 *
 * Order of calls: program_open, the arguments one by one, program_start, anything, program_end.
 * As with host.h, a failure prints a line and ends the process with status 1. */
#pragma once

#include "common/data.h"
#include "common/host.h"

#include <stdbool.h>
#include <stdint.h>

enum { PROGRAM_MOST = 256, PROGRAM_GROUP = 256 };

struct program {
    struct host host;
    const char *name, *usage;
    int argc, next;
    char **argv;
    void *array[PROGRAM_MOST];
    cl_mem buffer[PROGRAM_MOST];
    cl_kernel kernel[PROGRAM_MOST];
    unsigned arrays, buffers, kernels;
};

/* `usage` begins with the program's name; NAME/NAME.cl holds its kernels. */
void program_open(struct program *p, const char *name, const char *usage, int argc, char **argv);
/* The next argument, `standard` where it is missing. */
cl_uint program_number(struct program *p, cl_uint standard, cl_uint least, cl_uint most);
/* That must be a multiple of `step`, with 0 a power of two. */
cl_uint program_step(struct program *p, cl_uint standard, cl_uint least, cl_uint most,
                     cl_uint step);
const char *program_word(struct program *p, const char *standard);
/* Ends the process with the usage when an argument does not hold. */
void program_demand(const struct program *p, bool holds);
/* No argument may be left over; opens the device. */
void program_start(struct program *p);

/* Zeroed; lives until program_end, as buffers and kernels do. */
void *program_array(struct program *p, size_t n, size_t size);
cl_mem program_buffer(struct program *p, size_t bytes, const void *init);
void program_write(const struct program *p, cl_mem buffer, const void *from, size_t bytes);
void *program_read(struct program *p, cl_mem buffer, size_t bytes);

/* `args` has a letter per argument: b buffer, u cl_uint, f float (as double). */
cl_kernel program_kernel(struct program *p, const char *name, const char *args, ...);
void program_set_uint(cl_kernel kernel, cl_uint index, cl_uint value);
/* At least so many work-items, rounded up to whole groups of PROGRAM_GROUP. */
void program_launch(const struct program *p, cl_kernel kernel, size_t items);
/* At least x * y work-items, rounded up to whole groups of side * side. */
void program_launch_2d(const struct program *p, cl_kernel kernel, size_t x, size_t y, size_t side);

/* Evenly distributed from low to high; owned as program_array's. */
float *program_floats(struct program *p, size_t n, uint64_t seed, float low, float high);

/* Prints "NAME: WHAT, WRONG wrong" and gives the exit status. */
int program_end(struct program *p, size_t wrong, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
