/* engine.h - one face for the three engines: machine + program -> answer.
 *
 * Here estimator and cycle model meet.  The command line and sweeps use nothing below this. */
#ifndef PLUMB_ENGINE_ENGINE_H
#define PLUMB_ENGINE_ENGINE_H

#include "base/run/progress.h"
#include "base/text/digest.h"
#include "base/text/error.h"
#include "base/text/json.h"
#include "engine/causes.h"
#include "engine/difference.h"
#include "estimator/model/estimate.h"
#include "gpu/metrics/metrics.h"
#include "trace/program/program.h"

struct machine;

enum engine { ENGINE_ESTIMATE, ENGINE_SAMPLE, ENGINE_SIMULATE, ENGINE_N };
extern const char *const engine_name[ENGINE_N];
/* Part of store keys.  The sampler's covers the cycle model's and the estimator's. */
int engine_version(enum engine e);

/* What happened in a stretch of a simulation; m: of the stretch alone.  Cycles count on over ranges
 * of launches, each of which begins with an empty machine. */
typedef void run_each_fn(double first_cycle, double last_cycle, const struct metrics *m, void *ctx);

/* An interval that a sample rests on.  Instructions: warp instructions of its launch. */
struct sampled_interval {
    uint32_t launch, stratum;
    const char *kind; /* "whole", "ramp", "steady", "tail" */
    uint64_t begin, length, warmup;
    double weight;           /* total = sum of weight x metric */
    double estimated_cycles; /* by the estimator */
    const struct metrics *m; /* of the measured part */
};
typedef void sampled_interval_fn(const struct sampled_interval *i, void *ctx);

struct run_opts {
    uint32_t launch0, launches; /* --kernel N[-M], by position; launches = 0: all */
    const char *kernel_name;    /* --kernel NAME: only launches of that name; NULL: all */
    uint64_t max_instructions;  /* 0 = no limit */
    double error, confidence; /* sample: stop at this relative half width of cycles (0.03, 0.95) */
    uint64_t budget;  /* sample: at most so many simulated warp instructions; 0: docs/sampling.md */
    unsigned threads; /* 0 = all */
    uint64_t seed;
    bool per_kernel;           /* keep metrics of each launch */
    bool sites;                /* simulate: count by instruction and buffer */
    bool causes;               /* estimate: find what would help */
    bool cold;                 /* sample: no functional warming (tests) */
    bool no_cache;             /* do not read or write cached profiles */
    struct progress *progress; /* NULL: silent */
    uint64_t every;            /* simulate: call `each` about every so many core cycles; 0: never */
    run_each_fn *each;
    void *each_ctx;
    sampled_interval_fn *interval; /* sample: called for each at the end; NULL: never */
    void *interval_ctx;
};
void run_opts_default(struct run_opts *o);

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
    struct sites *sites;          /* run_opts.sites, else NULL; answer_fini frees */
    struct answer_kernel *kernel; /* per_kernel; answer_fini frees */
    uint32_t n_kernels;
    double seconds;
    unsigned threads;
    double peak_rss_mb;
};

struct calibration; /* sampler/calibration/calibrate.h */
/* cal may be NULL.  profile: may be NULL, else reused instead of building one.
 * On false *a is to be answer_fini'd like on true; after an interrupt it holds what was simulated
 * so far. */
bool engine_run(enum engine e, const struct machine *m, const struct program *p,
                const struct calibration *cal, const struct profile *profile,
                const struct run_opts *o, struct answer *a, struct error *err);
/* Whether that program may be sampled on that machine; false: it is simulated whole. */
bool engine_may_sample(const struct machine *m, const struct program *p, const struct run_opts *o);
/* Whether intervals chosen for `first` serve m, too: warps as wide, not many more of them at once,
 * and the program fits on both. */
bool engine_shares(const struct machine *first, const struct machine *m, const struct program *p);
/* Called when the i-th of several machines has ended, from any thread: *a is answer_fini'd
 * afterwards.  failed: NULL, or why there is no answer, which stops no other.  false: stop. */
typedef bool engine_each_fn(uint32_t i, struct answer *a, const struct error *failed, void *ctx);
/* Samples all machines on the same intervals, chosen for the first, machine[0] (whose answer is
 * *a): the others' answers say how they differ from it.  All have the program's warp width; the
 * profile is made for the first.  n: machines, the first counted.  false: the first failed, it was
 * interrupted (what is done was told), or `each` stopped it. */
bool engine_sample_all(const struct machine *const *machine, uint32_t n, const struct program *p,
                       const struct calibration *cal, const struct run_opts *o, struct answer *a,
                       engine_each_fn *each, void *ctx, struct error *err);
/* The same of two; the second's answer is in *b. */
bool engine_sample_pair(const struct machine *m, const struct machine *second,
                        const struct program *p, const struct calibration *cal,
                        const struct run_opts *o, struct answer *a, struct answer *b,
                        struct error *err);
/* Simulates what *a sampled, whole, into a->full. */
bool engine_compare_full(const struct machine *m, const struct program *p, const struct run_opts *o,
                         struct answer *a, struct error *err);
void answer_fini(struct answer *a);
/* Beyond WARNINGS_MAX they are dropped. */
void answer_warn(struct answer *a, const char *fmt, ...) PLUMB_PRINTF(2, 3);
/* The JSON object of the command line's contract (docs/metrics.schema.json). */
void answer_json(const struct answer *a, struct json *j);
/* Pointers into *m; a machine that machine_load accepted. */
struct est_params engine_est_params(const struct machine *m);

#endif
