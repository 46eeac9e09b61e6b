/* data.h - what the host programs share beside host.h: arguments, random data from a seed,
 * comparison with a reference, launches of two dimensions.
 *
 * Equal seeds give equal data everywhere: no call of the C library's generators. */
#pragma once

#include "common/host.h"

#include <stdbool.h>
#include <stdint.h>

/* --- arguments: numbers by position, each with a default --- */

struct data_arg {
    const char *name, *rule; /* for the message of data_args */
    size_t value;            /* the default, replaced by what is given */
    size_t low, high, step;  /* allowed: low <= value <= high, a multiple of step; step 0: a power
                                of two */
};

/* A decimal number in `text` that is allowed, as above; false: it is not one. */
bool data_number(const char *text, size_t low, size_t high, size_t step, size_t *value);

/* Ends the process with a usage line when there are too many arguments or one is not allowed. */
void data_args(int argc, char **argv, struct data_arg *arg, int n);

/* --- memory and random data --- */

/* Zeroed; ends the process when there is none. */
void *data_new(size_t n, size_t bytes);

struct data_random {
    uint64_t state;
};
uint32_t data_next(struct data_random *r);     /* 32 bits (splitmix64) */
float data_uniform(struct data_random *r);     /* in [0, 1) */
float *data_floats(size_t n, uint64_t seed);   /* in [0, 1); the caller frees */
uint32_t *data_words(size_t n, uint64_t seed); /* any 32 bits */
/* An RGBA picture, row by row: smooth shades, edges and some noise, alpha 255. */
uint8_t *data_picture(size_t width, size_t height, uint64_t seed);

/* --- launches --- */

/* `items` and `group` are (x, y); waits for the end. */
void host_launch_2d(const struct host *h, cl_kernel kernel, const size_t items[2],
                    const size_t group[2]);
/* Arguments 0, 1, ... of the kernel, all buffers. */
void host_buffers(cl_kernel kernel, cl_uint n, const cl_mem *buffer);
void host_release(size_t n, const cl_mem *buffer);
/* An argument of 32 bits. */
void host_word(cl_kernel kernel, cl_uint index, uint32_t value);
/* Reads a buffer into memory of its own, which the caller frees. */
void *host_fetch(const struct host *h, cl_mem buffer, size_t bytes);

/* --- comparison --- */

/* How many elements differ by more than `tolerance` (relative to the larger of 1 and the wanted
 * value), or are no numbers. */
size_t data_wrong_floats(const float *got, const float *want, size_t n, double tolerance);
/* How many of n elements of `bytes` bytes are not the same. */
size_t data_wrong_bytes(const void *got, const void *want, size_t n, size_t bytes);
/* Prints "NAME: N UNIT, WRONG wrong" and returns the status of the process. */
int data_verdict(const char *name, size_t n, const char *unit, size_t wrong);
