/* sampling.h - the state of one sampling run, for the files that sample and for benches.
 *
 * sampling_start cuts the program into units (population.h) and orders them (rounds.h); pilots
 * measure the warm-up; then rounds run units until there are enough. */
#pragma once

#include "answer/answer.h"
#include "sampler/run/intervals.h"
#include "sampler/run/rounds.h"
#include "sampler/strata/long_program.h"

struct energy_costs;

/* The functional pass from which units start. */
struct sampling_pass {
    struct checkpoints *track;
    char *path; /* its file in the cache; NULL: it is not cached */
};

struct sampling {
    const struct machine *m;
    const struct program *p;
    const struct energy_costs *costs;
    const struct run_opts *o;
    struct answer *a; /* only sample.c fills it */
    uint32_t launches;
    bool is_long; /* the selected part is long (long_program.h) */
    struct sample_price price;
    bool *selected;
    struct launch_size *size;
    uint64_t *before; /* [launch] warp instructions of the program before the launch */
    double *features; /* [launches][SAMPLING_FEATURES] */
    struct population_opts cutting;
    struct population pop;
    uint32_t warmup; /* index of warmup_length */
    uint64_t
        /* the smallest budget that pays for a pilot; 0: one was run, or none is needed */
        pilot_budget;
    struct rounds r;
    struct intervals windows;
    struct sampling_pass pass;
};
enum { SAMPLING_FEATURES = PROFILE_FEATURES + 2 };

/* Whether sampling_start needs a profile: false if all of the program will be simulated. */
bool sampling_needs_profile(const struct machine *m, const struct program *p, const bool *selected,
                            const struct run_opts *o);
/* Fills all but the first five members.  profile = NULL: units are only counted. */
bool sampling_start(struct sampling *s, const struct profile *profile, struct error *e);
/* Runs the functional pass before the pilots, if it is needed whole anyway: its clock is the best
 * control variate.  Refines the strata by that clock and orders the units of each so that they
 * spread over it.  Meanwhile other threads count the program's accesses, for extrapolation
 * (access_count.h). */
bool sampling_look(struct sampling *s, struct error *e);
/* Call after the population was cut: the default budget follows from its strata. */
void sampling_set_budget(struct sampling *s);
/* Whether the program is long and the user set no budget. */
bool sampling_is_lean(const struct sampling *s);
void sampling_fini(struct sampling *s); /* call it after sampling_start in either case */
/* Opens that machine's pass through the program, with the cached part of it; closing caches it. */
bool sampling_open_pass(const struct sampling *s, const struct machine *m,
                        struct sampling_pass *pass, struct error *e);
void sampling_close_pass(struct sampling_pass *pass);
/* The key is equal for machines whose passes are equal. */
bool sampling_pass_key(const struct sampling *s, const struct machine *m, struct digest *key,
                       struct error *e);
/* Called before pilots; *worth = false: the whole program shall be simulated, which is exact: a
 * sample would be too dear (s->price), or the program has too few intervals. */
bool sampling_worth(struct sampling *s, bool *worth, struct error *e);
/* After the rounds *r: *wide if the half width is so large that simulating the whole program is
 * better, provided the user allows it: intervals that differ so much may miss the true mean
 * altogether. */
bool sampling_too_wide(const struct sampling *s, const struct rounds *r, bool *wide,
                       struct error *e);
/* Runs the rounds.  If those of the default budget leave the half width too wide, they may spend up
 * to a quarter of the program on it, provided the observed spread predicts that this is enough.
 * *wide: it is still too wide, and so little was spent that the whole program shall be simulated.
 * Runs no round if the pilots' systematic error alone says so. */
bool sampling_rounds(const struct sampling *s, struct rounds *r, bool *wide, struct error *e);
/* Whether the rounds went on in this way, which they do up to SAMPLING_WIDE and no further. */
bool sampling_went_on(const struct sampling *s, const struct rounds *r);

/* Raises a default budget until it pays for the first round with the warm-up that the pilots chose,
 * because a shortened warm-up leaves a bias that no interval shows.  It rises to a quarter of the
 * program at most, or to six intervals of each stratum, up to half, if that is more; a first round
 * with the shortest warm-up that was tried is run at any cost. */
void sampling_bear_warmup(struct sampling *s);
/* Runs a few units with several warm-ups, chooses one and determines the systematic error that it
 * leaves. */
bool sampling_run_pilots(struct sampling *s, struct error *e);
/* Whether the budget pays for two units of every stratum, and for a pilot if there can be one. */
bool sampling_pilots_affordable(const struct sampling *s);
