/* range_cases.h - for sampler_ranges: presets and what-ifs around them, each with programs, both
 * simulated and estimated.
 *
 * Simulations are kept in a database (sweeps/store): a killed run goes on where it was, and a
 * change of the estimator costs no simulation. */
#pragma once

#include "base/run/parallel.h"
#include "calibration/range_model.h"
#include "detailed/core/sim.h"
#include "gpu/machine/machine.h"
#include "sweeps/store/store.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME = 64, LISTED_MAX = 128, CASES_MAX = 8192, SETS_TEXT = 160, KNOB_FACTORS = 4 };

/* A row of sampler_ranges.csv. */
struct listed_row {
    char kind[NAME], name[NAME], family[NAME], half[NAME];
};

/* The rows of the file. */
struct range_list {
    struct listed_row row[LISTED_MAX];
    uint32_t n;
};

/* false: it cannot be read. */
bool range_list_read(struct range_list *l, const char *path);

/* A machine and a program. */
struct range_case {
    const struct listed_row *machine, *program;
    const char *spec;     /* of the program */
    char sets[SETS_TEXT]; /* "": the preset itself */
    uint32_t base;        /* the case of the preset itself */
    struct machine m;
    bool ok;
    struct record sim, est;
    double feature[RANGE_FEATURES];
    struct explanation x; /* of the estimate */
};

/* All cases, and where their simulations are kept. */
struct range_cases {
    struct range_case *at;
    uint32_t n;
    struct store *store;
    pthread_mutex_t reading;
};

/* A task for base/run/parallel.h: simulates and estimates case i of ctx, and notes in its `ok`
 * whether both went well. */
bool run_case(size_t i, unsigned worker, void *ctx);

/* Adds the cases of one program on one preset: itself, then `what_ifs` machines around it. */
bool add_cases(struct range_cases *all, const struct range_list *l,
               const struct listed_row *machine, const char *spec, uint32_t what_ifs);
