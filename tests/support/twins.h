/* twins.h - captures of an OpenCL program under Oclgrind and of its twin, whose kernels are
 * compiled as CUDA (scripts/twin.sh), side by side. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct twin {
    const char *program; /* and its arguments */
    /* Why a lane's accesses, or the lines of warp instructions, are not the same; NULL: they are.
     */
    const char *lanes_differ, *lines_differ;
};

/* Whether both front ends are there. */
bool twins_possible(void);

/* Captures both and compares each warp of each launch: what each lane loads, stores and changes by
 * atomics, in global and in shared memory, byte by byte in any order; and how many lines of
 * global memory each load, store and atomic touches. Fails where they differ and the row does not
 * say so, and where the row says so and they do not. */
void twins_compare(const struct twin *t, size_t n);
