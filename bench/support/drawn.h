/* drawn.h - random machines around rx540 and qv100, for the benches that judge estimates. */
#pragma once

#include "bench/support/designs.h"

enum { CHOICES = 8, TRIES = 1000 };

/* A parameter that varies, and its values. */
struct axis {
    const char *path;
    const char *choice[BASES][CHOICES]; /* of rx540, of qv100; none: as the base has it */
};

enum { AXES = 30 };
extern const struct axis drawn_axes[AXES];

/* Draws the first n of `designs`, in turn around each base.  false: one was refused too often. */
bool draw_all(uint32_t n, uint64_t seed);
