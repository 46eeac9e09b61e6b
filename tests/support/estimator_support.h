/* estimator_support.h - a machine, a generated program, its profile and its estimate. */
#pragma once

#include "gpu/machine/machine.h"
#include "sampler/strata/est_params.h"
#include "tests/support/check.h"
#include "tests/support/folder.h"

/* Starts with bed_machine or bed_init; f: the profile, NULL before bed_profile. */
struct bed {
    struct machine m;
    struct program *p;
    struct profile *f;
};

/* Loads the machine with n overrides.  All of these fail the test where they cannot. */
void bed_machine(struct bed *b, const char *name, const char *const *sets, size_t n);

/* Opens a generator given as the text of its .cfg; needs the folder of folder.h. */
void bed_program(struct bed *b, const char *text);

/* Makes the exact profile of the program for the machine's view. */
void bed_profile(struct bed *b, unsigned threads, bool use_cache);

/* Machine, program and profile at once. */
void bed_init(struct bed *b, const char *machine, const char *program);

/* Sets an override; where the machine's view becomes another, a new profile follows. */
void bed_set(struct bed *b, const char *set);

/* The machine's parameters as the estimator takes them. */
struct est_params bed_params(const struct bed *b);

/* Estimates from the profile; x may be NULL. */
void bed_estimate(const struct bed *b, struct metrics *m, struct explanation *x);

/* The estimated cycles. */
double bed_cycles(const struct bed *b);
void bed_fini(struct bed *b);
