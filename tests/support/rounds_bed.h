/* rounds_bed.h - a launch of made-up intervals for tests of rounds: what each takes is known. */
#pragma once

#include "base/memory/rng.h"
#include "sampler/run/rounds.h"
#include "tests/support/check.h"

/* The launch, and how its intervals behave. */
struct bed {
    struct population pop;
    struct launch_size size;
    double slope, chance; /* cycles = slope x estimate x (1 + chance x noise) */
    uint32_t asked;
};

/* Makes one launch whose estimate differs much from interval to interval. */
void rounds_bed_setup(struct bed *b, double slope, double chance);

/* The cycles of a unit. */
double rounds_bed_truth(const struct bed *b, const struct sample_unit *u);

/* A rounds_source: what the units take; ctx: the bed. */
bool rounds_bed_source(struct interval_run *run, uint32_t n, void *ctx, struct error *e);

/* Runs rounds on the bed to the end; plain: without a control variate. */
struct rounds rounds_bed_run(struct bed *b, double error, bool plain);
/* Gives back the rounds and the bed. */
void rounds_bed_done(struct bed *b, struct rounds *r);
