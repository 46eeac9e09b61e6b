/* coverage.h - every unit of a program run once, then the sampling procedure repeated in memory.
 *
 * A census holds what the cycle model said of the whole program and of its windows: each unit after
 * each warm-up that was asked for.  They are kept as lines of text, "key,truth,values" and
 * "key,launch,begin,length,warm-up,cost,values", the first under a key of the machine, the program
 * and the cycle model, windows under one of the functional pass, too: however the program is cut
 * into units, and whatever rules the sampler has, a window that was run once is never run again.
 *
 * Pilots are drawn CENSUS_DRAWS times, since what they choose is a matter of chance, too; a
 * repetition goes on from one of the draws. */
#pragma once

#include "base/memory/alloc.h"
#include "gpu/energy/account.h"
#include "gpu/functional/warming/checkpoints.h"
#include "gpu/machine/machine.h"
#include "sampler/constants.h"
#include "sampler/run/sampling.h"
#include "sampler/run/warmup.h"
#include "sampler/strata/long_program.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CENSUS_DRAWS = 16, CENSUS_LENGTHS = WARMUPS + 1 };

/* A program, cut into units, and what is known of them. */
struct census {
    struct sampling s; /* cut; its rounds are not used */
    struct energy_costs costs;
    struct run_opts o;
    struct metrics truth;
    struct interval_run *run; /* [s.pop.units][CENSUS_LENGTHS]; no unit: not known */
    struct rounds pilots[CENSUS_DRAWS];
    char truth_key[33], key[33];
    FILE *f;
};

void census_fini(struct census *c);

/* Computes the keys: what the whole simulation depends on, and what windows depend on besides their
 * place: that and the functional pass. */
void census_keys(struct census *c);

/* Only cuts: c->s.pop says into how many units.  budget: share of the program, 0 = none given. */
bool census_start(struct census *c, const struct machine *m, const struct program *p,
                  const struct profile *profile, double error, double budget, struct error *e);

/* Runs what the file at `path` does not know, and keeps it there. */
bool census_take(struct census *c, const char *path, struct error *e);

/* Unit i of the population. */
const struct sample_unit *census_unit(const struct census *c, uint32_t i);

/* Cycles of unit i after the warm-up of that draw. */
double census_unit_cycles(const struct census *c, uint32_t draw, uint32_t i);

/* Cycles of all units together. */
double census_cycles(const struct census *c, uint32_t draw);

/* One repetition. */
struct repetition {
    uint32_t units, draw;
    double cycles, half_sampling, half_width; /* relative half widths */
    double plain;                             /* cycles, the same units without a control variate */
    enum control control;
    bool believed; /* no warning of too few observations */
    bool whole;    /* says so little that sample runs the program whole */
    struct metrics m, half_widths;
    double share; /* of the instructions, pilots and warm-up included */
};

/* Repeats the sampling procedure, from the pilots of one of the draws; plain: without a control
 * variate. */
bool census_repeat(struct census *c, uint64_t seed, bool plain, struct repetition *out,
                   struct error *e);
