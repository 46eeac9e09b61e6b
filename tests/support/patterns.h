/* patterns.h - programs of which a test writes what a warp does at one of its steps. */
#pragma once

#include "tests/support/hand.h"

/* Addresses of arrays, and a line of the caches. */
enum { BASE = 1 << 20, TABLE = 1 << 26, LINE = 128 };

/* What a warp does at each of its steps; several launches are alike. */
struct pattern {
    uint64_t copied; /* bytes, to the device, before the first launch */
    uint32_t launches, ctas, warps, steps;
    void (*step)(struct writer *w, uint32_t cta, uint32_t warp, uint32_t step, uint32_t width);
};

/* Writes an instruction of all lanes that accesses global memory. */
void pattern_vector(struct writer *w, uint32_t warp, struct hand_op op, uint32_t width);

/* The program of the pattern for warps of that width; the caller closes it. */
struct program *pattern_program(const struct pattern *p, uint32_t width);
