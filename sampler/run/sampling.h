/* sampling.h - one sampling run under way: for the files that sample, and benches.
 *
 * sampling_start cuts the program into units (population.h) and puts them into an order (rounds.h);
 * pilots measure the warm-up; then rounds run units until it is enough. */
#ifndef PLUMB_SAMPLER_RUN_SAMPLING_H
#define PLUMB_SAMPLER_RUN_SAMPLING_H

#include "sampler/answer/answer.h"
#include "sampler/run/intervals.h"
#include "sampler/run/rounds.h"

struct energy_costs;

/* The functional pass that units begin from. */
struct sampling_pass {
    struct checkpoints *track;
    char *path; /* in the cache; NULL: it is not kept */
};

struct sampling {
    const struct machine *m;
    const struct program *p;
    const struct energy_costs *costs;
    const struct run_opts *o;
    struct answer *a; /* sample.c alone fills it */
    uint32_t launches;
    bool is_long; /* what is selected of the program is (long_program.h) */
    bool *selected;
    struct launch_size *size;
    uint64_t *before; /* [launches] warp instructions of the program before it */
    double *features; /* [launches][SAMPLING_FEATURES] */
    double log_sd;    /* of an estimate's logarithm */
    struct population_opts cutting;
    struct population pop;
    uint32_t warmup; /* index of warmup_length */
    uint64_t
        pilot_budget; /* the least budget that bears a pilot; 0: one was run, or none is needed */
    struct rounds r;
    struct intervals windows;
    struct sampling_pass pass;
};
enum {
    SAMPLING_FEATURES = PROFILE_FEATURES + 2,
    /* so many launches, all short, are taken whole; fewer units are not worth their warm-up */
    SAMPLING_UNITS_LEAST = 12
};

/* Whether sampling_start wants one: false where all of the program will be simulated. */
bool sampling_needs_profile(const struct machine *m, const struct program *p, const bool *selected,
                            const struct run_opts *o);
/* Fills all but the first five members.  c: of the estimates that are the control variate.  profile
 * = NULL: units are only counted. */
bool sampling_start(struct sampling *s, const struct profile *profile, const struct correction *c,
                    struct error *e);
/* Before pilots: walks the functional pass through, whose clock is the best control variate, where
 * it is walked whole anyway; strata are made finer by it, and the units of each are taken in an
 * order that spreads over it.  Beside it the program's accesses are counted, for extrapolation
 * (access_count.h). */
bool sampling_look(struct sampling *s, struct error *e);
/* After the population was cut: the default budget follows from its strata. */
void sampling_set_budget(struct sampling *s);
/* A long program, and nobody said what it may cost. */
bool sampling_is_lean(const struct sampling *s);
void sampling_fini(struct sampling *s); /* in either case */
/* That machine's pass through the program, with what the cache has of it; closing keeps it there.
 */
bool sampling_open_pass(const struct sampling *s, const struct machine *m,
                        struct sampling_pass *pass, struct error *e);
void sampling_close_pass(struct sampling_pass *pass);
/* Equal for machines whose passes are the same. */
bool sampling_pass_key(const struct sampling *s, const struct machine *m, struct digest *key,
                       struct error *e);
/* Asked before pilots: false where all of the program is as cheap, and exact. */
bool sampling_worth(const struct sampling *s);
/* After the rounds *r: *wide where the sample says so little that the program is better run whole,
 * if the user lets it: intervals that differ so much may all lie beside the truth. */
bool sampling_too_wide(const struct sampling *s, const struct rounds *r, bool *wide,
                       struct error *e);
/* The rounds; where those of the default budget say so little, a quarter of the program may be
 * spent on it before all of it is simulated, where the spread seen so far says that this serves. No
 * round is run where the pilots' doubt is too wide by itself. */
bool sampling_rounds(const struct sampling *s, struct rounds *r, bool *wide, struct error *e);
/* Whether they went on so, to SAMPLING_WIDE and no further. */
bool sampling_went_on(const struct sampling *s, const struct rounds *r);
#define SAMPLING_WIDE 0.1 /* half width */

/* A default budget grows until it bears the first round after the warm-up that the pilots asked
 * for: shortened, that warm-up leaves a bias that no interval shows.  To a quarter of the program
 * at most, or to six intervals of each stratum, up to half, where these are more; a first
 * round after the shortest that was tried is run whatever it costs. */
void sampling_bear_warmup(struct sampling *s);
/* Runs a few units with several warm-ups and settles which one serves and what it leaves in doubt.
 */
bool sampling_run_pilots(struct sampling *s, struct error *e);
/* Whether the budget bears two units of every stratum, and a pilot where there can be one. */
bool sampling_pilots_affordable(const struct sampling *s);

#endif
