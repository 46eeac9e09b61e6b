/* run_options.h - the options of a run of any engine, and the callbacks that it makes. */
#pragma once

#include "base/run/progress.h"
#include "base/text/digest.h"
#include "gpu/metrics/metrics.h"

#include <stdbool.h>
#include <stdint.h>

/* Reports one interval of a simulation; m: the counts of that interval alone.  Cycles count on over
 * ranges of launches, each of which begins with an empty machine. */
typedef void run_each_fn(double first_cycle, double last_cycle, const struct metrics *m, void *ctx);

/* An interval of a sample.  Instructions: warp instructions of its launch. */
struct sampled_interval {
    uint32_t launch, stratum;
    const char *kind; /* "whole", "ramp", "steady", "tail" */
    uint64_t begin, length, warmup;
    double weight;           /* total = sum of weight x metric */
    double estimated_cycles; /* the estimator's cycles for it */
    const struct metrics *m; /* of the measured part */
};
typedef void sampled_interval_fn(const struct sampled_interval *i, void *ctx);

struct profile_pool; /* engine/profile_pool.h */
struct bank;         /* calibration/bank/bank.h */

struct run_opts {
    uint32_t launch0, launches; /* --kernel N[-M], launches by position; launches = 0: all */
    const char *kernel_name;    /* --kernel NAME: only launches of that name; NULL: all */
    uint64_t max_instructions;  /* 0 = no limit */
    double error, confidence; /* sample: stop at this relative half width of cycles (0.03, 0.95) */
    /* sample: the most warp instructions to simulate; 0: docs/models/sampling.md */
    uint64_t budget;
    unsigned threads; /* 0 = all */
    uint64_t seed;
    bool per_kernel;               /* report metrics of each launch */
    bool sites;                    /* simulate: count by instruction and buffer */
    bool causes;                   /* estimate: find what would help */
    bool cold;                     /* sample: no functional warming (tests) */
    bool exact_profile;            /* every access of every SM (profile.h) */
    struct digest machine_digest;  /* of the machine, where the caller knows it; 0: found here */
    bool in_sweep;                 /* its profile serves many machines, and may cost more */
    bool no_cache;                 /* do not read or write cached profiles */
    struct profile_pool *profiles; /* keeps profiles in memory; NULL: each run loads its own */
    struct bank *bank;             /* whole simulations and samples are kept there; NULL: nowhere */
    struct progress *progress;     /* NULL: silent */
    uint64_t every; /* simulate: call `each` about every so many core cycles; 0: never */
    run_each_fn *each;
    void *each_ctx;
    sampled_interval_fn *interval; /* sample: called for each interval at the end; NULL: never */
    void *interval_ctx;
};
void run_opts_default(struct run_opts *o);
/* What the command line and the library allow. */
enum { RUN_THREADS_MAX = 4096 };
#define RUN_SEED_MAX INT64_MAX
#define RUN_INSTRUCTIONS_MAX (UINT64_MAX - 1)
