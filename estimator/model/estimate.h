/* estimate.h - the analytical estimate: hit rates from the profile, then a closed queueing network.
 *
 * It allocates nothing and does no I/O; several threads may share a profile. It is smooth: it has
 * no ceil and no jumps along continuous parameters.
 * docs/models/estimator.md states assumptions and validity. */
#pragma once

#include "base/error.h"
#include "estimator/est_params.h"
#include "estimator/profile/profile.h"
#include "gpu/metrics/metrics.h"
#include "gpu/policies/exec_unit.h"

/* Changes whenever estimates may change; a part of every stored result's key and of calibration
 * files. */
enum { EST_MODEL_VERSION = 23 };

struct scope {                  /* the part of the program to estimate */
    uint32_t launch0, launches; /* launches = 0: all */
};

enum { STATION_MAX = 20, TERM_CYCLES_MAX = 20, NOT_MODELLED_MAX = 64 };
struct station {
    const char *name;   /* "issue", "l1", "mshr", "noc", "l2", "dram" ... */
    double utilization; /* 0..1, of the busiest server of its kind */
    double queue;       /* mean number of customers waiting or in service, in the whole machine */
    double latency;     /* core cycles per visit, waiting included */
    bool held;          /* its entries are held while others are visited */
    double gain;        /* share of the cycles that an infinitely fast station would save, 0..1 */
};
/* A term of the estimate (estimator/model/term_list.c) and the cycles that it adds. */
struct term_cycles {
    const char *name;
    double cycles;
};
struct explanation {
    struct station station[STATION_MAX];
    uint32_t n;
    const char *bottleneck;
    struct term_cycles term[TERM_CYCLES_MAX]; /* in their order; sums to the cycles */
    uint32_t terms;
    /* Core cycles that the execution units of all SMs would take at their full rate. */
    double unit_cycles[UNIT_OWN_N];
    /* Means over time.  l1_knee: share of the L1's reads that hit in 4/3 of it and not in 3/4;
     * l2_conflicts: share of the L2's reads that a fully associative L2 of its size would not
     * miss.  channels_doubt: standard deviation of the logarithm of the cycles that comes from
     * samples with few accesses to memory. */
    double l1_knee, l2_conflicts, channels_doubt;
    /* paths of parameters that are not neutral but have no term in the model */
    const char *not_modelled[NOT_MODELLED_MAX];
    bool no_term[NOT_MODELLED_MAX]; /* of these: what there is of a term does not reach its value */
    uint32_t n_not_modelled;
};

/* The term that puts a station into the network; "": no station has that name. */
const char *estimate_station_term(const char *name);
/* What a station represents, in two or three words; "": no station has that name. */
const char *estimate_station_meaning(const char *name);

/* *x may be NULL.  Sets the metrics that the estimator models and leaves the others absent. */
bool estimate(const struct profile *p, const struct scope *s, const struct est_params *e,
              struct metrics *m, struct explanation *x, struct error *err);
/* Computes only each launch's cycles, for the sampler's control variate and for planners. */
bool estimate_launches(const struct profile *p, const struct est_params *e, double *cycles,
                       struct error *err); /* cycles[profile_launches] */

/* How a launch's cycles are spread over it: it is cut into parts of about equally many memory
 * accesses, in order, and each is solved as if all of the launch were like it.  access[],
 * cycles[COURSE_PARTS]: shares, sums 1; *parts >= 1.  The sampler's control variate for an interval
 * uses it. */
enum { COURSE_PARTS = 16 };
struct launch_course {
    double access[COURSE_PARTS], cycles[COURSE_PARTS];
    uint32_t parts;
};
bool estimate_course(const struct profile *p, uint32_t launch, const struct est_params *e,
                     struct launch_course *out, struct error *err);
