/* answer.h - the record that a run of any engine hands back. */
#ifndef PLUMB_SAMPLER_ANSWER_ANSWER_H
#define PLUMB_SAMPLER_ANSWER_ANSWER_H

#include "base/error.h"
#include "base/text/digest.h"
#include "estimator/model/estimate.h"
#include "gpu/metrics/metrics.h"
#include "sampler/answer/run_options.h"
#include "sampler/answer/what_if.h"
#include "trace/program/program.h"

enum engine { ENGINE_ESTIMATE, ENGINE_SAMPLE, ENGINE_SIMULATE, ENGINE_N };
extern const char *const engine_name[ENGINE_N];

enum { WARNINGS_MAX = 16 };
struct answer_kernel {
    char name[128];
    uint32_t launch;
    struct metrics m;
};
/* What a sample owes to its control variate. */
struct answer_control {
    const char *name;      /* NULL: not sampled */
    double variance_ratio; /* of the total of cycles, with it over without, on the same intervals */
    /* that give the same variance, with (as the strata's spread has it) and without */
    uint32_t intervals, intervals_without;
};
/* What a half width of cycles is made of, as squares; relative.  Warming: in place of placing.
 * Drain: how the last CTAs of launches are shared out.  Accesses: of the program that the weights
 * leave out. */
struct answer_parts {
    double sampling, placing, warming, drain, accesses;
};
/* How another machine differs on the same intervals. */
struct answer_paired {
    bool known;
    double ratio;      /* its cycles over the first machine's */
    double half_width; /* of the ratio, absolute */
    double apart;      /* the same, had the two been sampled each by itself */
};
struct answer {
    enum engine engine;
    char machine[64], program[128];
    struct digest machine_digest, program_digest;
    uint64_t seed;          /* of random choices */
    const char *const *set; /* overrides as the user gave them, for the record; borrowed */
    uint32_t n_sets;
    struct metrics m;
    struct explanation x; /* x.n = 0: none */
    struct causes helps;  /* run_opts.causes */
    bool has_confidence;
    double level, half_width;  /* relative, of cycles */
    struct answer_parts parts; /* of a sample; all 0: exact, or partial */
    bool partial;              /* sample: interrupted; of the intervals done so far */
    struct answer_control control;
    struct answer_paired paired;  /* beside another machine's sample */
    struct difference difference; /* beside another machine's estimate */
    uint32_t intervals;           /* 0: not sampled (the estimator's own uncertainty) */
    double simulated_share;       /* of the program's warp instructions; warm-up counted */
    struct metrics half_widths;   /* per metric, absolute; only v/has are used */
    uint64_t simulated_instructions;
    uint64_t warmup_instructions; /* of these, before each interval's measured part */
    struct metrics full;          /* has cycles: the cycle model over the whole, to compare with */
    double full_seconds;
    char warnings[WARNINGS_MAX][160];
    uint32_t n_warnings;
    struct site_counters *sites;  /* run_opts.sites, else NULL; answer_fini frees */
    struct answer_kernel *kernel; /* per_kernel; answer_fini frees */
    uint32_t n_kernels;
    double seconds;
    unsigned threads;
    double peak_rss_mb;
};

void answer_fini(struct answer *a);
/* Beyond WARNINGS_MAX they are dropped. */
void answer_warn(struct answer *a, const char *fmt, ...) PLUMB_PRINTF(2, 3);

/* Room for per-launch metrics of the selected launches, named; false: no memory. */
bool answer_kernels(struct answer *a, const struct program *p, const bool *selected,
                    struct error *e);
/* The record of a launch; NULL: none kept. */
struct answer_kernel *answer_kernel(struct answer *a, uint32_t launch);

#endif
