/* estimate.h - the instant answer: hit rates from the profile, then a closed queueing network.
 *
 * Pure: no allocation, no I/O; a profile may serve many threads at once.
 * Smooth: no ceil, no jumps along continuous parameters.
 * Source: reference modelling notes D2, D3; docs/models/estimator.md states assumptions and
 * validity. */
#ifndef PLUMB_ESTIMATOR_MODEL_ESTIMATE_H
#define PLUMB_ESTIMATOR_MODEL_ESTIMATE_H

#include "base/error.h"
#include "estimator/profile/profile.h"
#include "gpu/machine/params/clock.h"
#include "gpu/machine/params/coherence.h"
#include "gpu/machine/params/dram.h"
#include "gpu/machine/params/noc.h"
#include "gpu/machine/params/scalar.h"
#include "gpu/metrics/metrics.h"

/* Changes whenever estimates may change; part of every stored result's key and of calibration
 * files. */
enum { EST_MODEL_VERSION = 9 };

struct est_params {
    const struct sm_params *sm;
    const struct l1_params *l1;
    const struct scalar_params *scalar;
    const struct l2_params *l2;
    const struct coherence_params *coherence;
    const struct noc_params *noc;
    const struct dram_params *dram;
    struct clocks clocks;
    const struct est_params *caches; /* what they let through is as there; NULL: as here */
    bool near; /* the profile may be of caches of other sizes: profile_view_near */
};

struct scope {                  /* which part of the program */
    uint32_t launch0, launches; /* launches = 0: all */
};

/* Physical coefficients that calibration fits; 1 (or 0 where said) = uncalibrated. */
enum coef {
    COEF_LATENCY, /* x unloaded memory latency (L1 miss to data) */
    COEF_DRAM,    /* x DRAM service time per burst (scheduling and turn-around losses) */
    COEF_MLP,     /* x loads in flight per warp */
    COEF_ISSUE,   /* x issue time per instruction */
    COEF_L2,      /* x L2 and network service time */
    COEF_N
};
extern const char *const coef_name[COEF_N];

struct correction {
    double coef[COEF_N];
    double log_sd; /* standard deviation of log(simulated / estimated) left after the fit; a wide
                      default without one */
};
struct correction correction_none(void);

enum { STATION_MAX = 16, NOT_MODELLED_MAX = 48 };
struct station {
    const char *name;   /* "issue", "l1", "mshr", "noc", "l2", "dram" ... */
    double utilization; /* 0..1 of the busiest server of its kind */
    double queue;       /* mean customers waiting or in service there, whole machine */
    double latency;     /* core cycles per visit, waiting included */
    double gain;        /* share of the cycles that an infinitely fast station would save, 0..1 */
};
struct explanation {
    struct station station[STATION_MAX];
    uint32_t n;
    const char *bottleneck;
    const char *not_modelled[NOT_MODELLED_MAX]; /* parameter paths that are off their neutral value
                                                   but have no term */
    uint32_t n_not_modelled;
};

/* What a station stands for, in two or three words; "": there is none of that name. */
const char *estimate_station_meaning(const char *name);

/* *x may be NULL.  Fills what the estimator can know and leaves the rest absent. */
bool estimate(const struct profile *p, const struct scope *s, const struct est_params *e,
              const struct correction *c, struct metrics *m, struct explanation *x,
              struct error *err);
/* Cycles per launch only (no explanation): what the sampler's control variate and planners need. */
bool estimate_launches(const struct profile *p, const struct est_params *e,
                       const struct correction *c, double *cycles,
                       struct error *err); /* cycles[profile_launches] */

/* How a launch's cycles lie over it: it is cut into parts of about equally many memory accesses, in
 * order, each solved as if all of the launch were like it.  access[], cycles[COURSE_PARTS]: shares,
 * sums 1; *parts >= 1.  What the sampler's control variate knows of an interval. */
enum { COURSE_PARTS = 16 };
struct launch_course {
    double access[COURSE_PARTS], cycles[COURSE_PARTS];
    uint32_t parts;
};
bool estimate_course(const struct profile *p, uint32_t launch, const struct est_params *e,
                     const struct correction *c, struct launch_course *out, struct error *err);

#endif
