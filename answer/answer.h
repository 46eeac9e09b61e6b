/* answer.h - the result of a run of any engine. */
#pragma once

#include "answer/run_options.h"
#include "answer/what_if.h"
#include "base/error.h"
#include "base/text/digest.h"
#include "estimator/model/estimate.h"
#include "gpu/metrics/metrics.h"
#include "trace/program/program.h"

enum engine { ENGINE_ESTIMATE, ENGINE_SAMPLE, ENGINE_SIMULATE, ENGINE_N };
extern const char *const engine_name[ENGINE_N];

enum { WARNINGS_MAX = 24, WARNING_BYTES = 256, ANSWER_KERNEL_BYTES = 96 };
struct answer_kernel {
    char name[128];
    uint32_t launch;
    struct metrics m;
};
/* What the control variate gains for a sample. */
struct answer_control {
    const char *name;      /* NULL: not sampled */
    double variance_ratio; /* variance of total cycles with it, over that without, same intervals */
    /* intervals that would give the same variance with the control variate (and the strata's
     * spread) and without it */
    uint32_t intervals, intervals_without;
};
/* The relative parts of a half width of cycles; their squares add up.  placing: error of the warps'
 * positions after functional warming; warming: error that the warm-up leaves, instead of placing,
 * where it is larger than that; drain: how the last CTAs of launches are distributed over SMs;
 * accesses: accesses of the program that the weights miss; phases: of the functional pass's cycles,
 * which no interval has met. */
struct answer_parts {
    double sampling, placing, warming, drain, accesses, phases;
};
/* The ranges of metrics at the answer's level, as metrics_key(i). */
struct answer_ranges {
    bool has[METRICS_KEYS_MAX];
    double low[METRICS_KEYS_MAX], high[METRICS_KEYS_MAX];
};
/* A parameter in which two machines differ, and both values, as in a machine file. */
struct answer_apart {
    const char *param; /* static; NULL: none */
    double mine, its;
    const char *mine_name, *its_name; /* of a choice, static; NULL: it is a number */
};
enum { BEYOND_MAX = 3 }; /* of these that an answer names */
/* How runs of the program corrected an estimate. */
struct answer_correction {
    char file[256];  /* that the runs are from, beside the bank; "": there was no calibration */
    uint32_t runs;   /* of this program that corrected it */
    uint32_t banked; /* those of them that the bank had */
    struct digest digest; /* of these runs */
    /* The parameters in which the nearest run's machine differs, most first; apart: how many. */
    struct answer_apart beyond[BEYOND_MAX];
    uint32_t apart;
    double log_sd;              /* of the cycles, as if they were normal in the logarithm */
    double half_width_with_run; /* that a simulation would leave; 0: not known */
    bool bank;                  /* such a simulation would be kept */
};
/* Where the estimate lay before it was corrected (calibration/place.h, range_model.h): what ratios
 * of two answers need. */
enum { ANSWER_USE = 16, ANSWER_FEATURES = 16 };
struct answer_place {
    double use[ANSWER_USE], feature[ANSWER_FEATURES];
    double log_cycles;
};
/* The difference of another machine on the same intervals. */
struct answer_paired {
    bool known;
    double ratio;      /* its cycles over the first machine's */
    double half_width; /* of the ratio, absolute */
    double apart;      /* the half width, had each machine been sampled on its own intervals */
};
/* The range of this estimate's time over another one's, at the answer's level. */
struct answer_ratio {
    bool known;
    double value, low, high;
};
struct answer {
    enum engine engine;
    char machine[64], program[256];
    struct digest machine_digest, program_digest;
    char kernel_chosen[ANSWER_KERNEL_BYTES]; /* program_chosen for this machine */
    uint64_t seed;                           /* of the random choices */
    const char *const *set;                  /* the user's overrides, as written; borrowed */
    uint32_t n_sets;
    struct metrics m;
    struct explanation x; /* x.n = 0: none */
    struct causes helps;  /* filled if run_opts.causes */
    bool has_confidence;
    double level, half_width; /* relative, of cycles: half of the range over the value */
    struct answer_ranges ranges;
    struct answer_correction correction;
    struct answer_place place; /* of an estimate */
    const char *profile;       /* how its profile was made: "exact", "sampled"; NULL: it has none */
    struct answer_parts parts; /* of a sample; all 0: exact or partial */
    bool partial;              /* an interrupted sample: only the finished intervals count */
    struct answer_control control;
    struct answer_paired paired;  /* relative to another machine's sample */
    struct difference difference; /* relative to another machine's estimate */
    struct answer_ratio ratio;    /* likewise */
    uint32_t intervals;         /* 0: not sampled (the half width is the estimator's uncertainty) */
    double simulated_share;     /* of the program's warp instructions, warm-up included */
    struct metrics half_widths; /* per metric, absolute; only v/has are used */
    uint64_t simulated_instructions;
    uint64_t warmup_instructions; /* part of these, run before the measured parts */
    struct metrics full;          /* if it has cycles: the whole simulation, for comparison */
    double full_seconds;
    char doubt[WARNING_BYTES]; /* why the engine is not to be relied on; "": no such thing is known
                                */
    char warnings[WARNINGS_MAX][WARNING_BYTES];
    uint32_t n_warnings;
    bool is_detail[WARNINGS_MAX]; /* tables show such a warning with --verbose alone */
    struct site_counters *sites;  /* run_opts.sites, else NULL; answer_fini frees */
    struct answer_kernel *kernel; /* per_kernel; answer_fini frees */
    uint32_t n_kernels;
    double seconds;
    unsigned threads;
    double peak_rss_mb;
};

void answer_fini(struct answer *a);
/* Adds a warning; those beyond WARNINGS_MAX are dropped. */
void answer_warn(struct answer *a, const char *fmt, ...) PLUMB_PRINTF(2, 3);
/* A warning of little weight: tables show it with --verbose alone. */
void answer_detail(struct answer *a, const char *fmt, ...) PLUMB_PRINTF(2, 3);

/* Allocates per-launch metrics of the selected launches, with names; false: no memory. */
bool answer_kernels(struct answer *a, const struct program *p, const bool *selected,
                    struct error *e);
/* The record of a launch; NULL: it has none. */
struct answer_kernel *answer_kernel(struct answer *a, uint32_t launch);
