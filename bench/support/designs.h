/* designs.h - what the benches of random designs share: simulations kept in a file, estimates, and
 * how well the two go together.
 *
 * A kept line is "key,cycles,program" and, where a bench wants more, further metrics behind it. The
 * key is of model version, design (with all settings) and program: a killed run goes on where it
 * was, and a change of the estimator costs no simulation. */
#pragma once

#include "base/memory/rng.h"
#include "gpu/machine/machine.h"
#include "sampler/strata/est_params.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_KEPT = 1 << 16, KEPT_VALUES = 8 };

enum { MOST_DESIGNS = 512, MOST_PROGRAMS = 64, BASES = 2, SETS = 64, SET_TEXT = 64 };

/* The presets around which designs are drawn. */
extern const char *const base_name[BASES];

/* A machine around a base; sets: its overrides as one text. */
struct design {
    uint32_t base;
    struct machine m;
    struct digest key;
    char sets[SETS * SET_TEXT];
};

/* The designs of this bench, which its program allocates. */
extern struct design *designs;
extern uint32_t n_designs;

/* A kept line. */
struct kept {
    char key[33];
    double v[KEPT_VALUES]; /* cycles first */
};

/* The kept lines of a file. */
struct truths {
    struct kept *at; /* [MOST_KEPT] */
    uint32_t n;
    FILE *out;
    const char *const *metric; /* names of what is kept; cycles first */
    uint32_t metrics;
};

/* Reads the file at `path`, if it is there.  false: no memory, or it cannot be written. */
bool truths_open(struct truths *t, const char *path, const char *const *metric, uint32_t metrics);
void truths_close(struct truths *t);

/* v[t->metrics]: from the file, or simulated and kept. */
bool design_simulated(struct truths *t, struct digest design, const struct machine *m,
                      const struct program *p, double *v, struct error *e);

/* Estimates without calibration.  x may be NULL. */
bool design_estimated(const struct machine *m, const struct program *p, struct metrics *r,
                      struct explanation *x, struct error *e);

/* A value by both. */
struct point {
    double simulated, estimated;
};

/* Pairs of points that compare: n of them, in agree more that go together than that do not. */
struct pairs {
    double agree, n;
};

/* Pairs whose simulated values lie at least that many times apart. */
struct pairs pairs_apart(const struct point *p, uint32_t n, double times);

/* Pairs whose simulated values differ by more than 2 %. */
struct pairs pairs_of(const struct point *p, uint32_t n);

/* Prints a line: the errors of n points, and how well their pairs go together. */
void print_errors(const char *name, const char *base, const struct point *p, uint32_t n,
                  struct pairs k);

/* What totals_add counts; `at` has room for every point. */
struct totals {
    struct point *at; /* of every program */
    uint32_t n;
    struct pairs pairs;
    double least_tau;
};

/* A program's points on all designs around one base lie behind those before: prints and counts
 * them. */
void totals_add(struct totals *t, const char *program, uint32_t base, uint32_t n);
