/* population.h - a program cut into units that can be simulated by themselves, sorted into strata.
 *
 * Short launches are one unit each.  A longer one is cut into intervals of equal numbers of warp
 * instructions; its first (launch latency, caches and queues filling) and its last (drain to the
 * launch's end) are kept apart from the steady part, and the steady part by quarters, so that drift
 * lies between strata, not inside. Strata are shared by launches that are alike
 * (launch_clusters.h); how alike depends on how many strata the budget bears.
 *
 * Units: warp instructions from the launch's beginning.
 * Invariant: the units of a launch cover it without gap or overlap, up to what max_instructions
 * leaves of it. */
#ifndef PLUMB_SAMPLER_DESIGN_POPULATION_H
#define PLUMB_SAMPLER_DESIGN_POPULATION_H

#include "base/error.h"
#include "estimator/model/estimate.h"
#include "sampler/statistics/access_count.h"

#include <stdbool.h>
#include <stdint.h>

/* One launch as the cutting sees it. */
struct launch_size {
    uint64_t instructions;       /* to be covered; 0: not selected */
    bool truncated;              /* ends before the launch does (max_instructions) */
    uint32_t resident;           /* warps that the machine holds at once */
    uint64_t least;              /* instructions that an interval has at least */
    uint64_t drain;              /* instructions of a last wave of fewer CTAs than SMs */
    double cycles;               /* estimated, of what is covered: the control variate */
    double covered;              /* share of the launch; 0: all */
    struct launch_course course; /* how the cycles lie over the launch; no parts: evenly */
};

enum unit_kind { UNIT_WHOLE, UNIT_RAMP, UNIT_STEADY, UNIT_TAIL, UNIT_KINDS };
extern const char *const unit_kind_name[UNIT_KINDS];
struct sample_unit {
    uint32_t launch, stratum;
    enum unit_kind kind;
    uint64_t begin, length;
    bool to_end; /* ends with the launch */
    bool drains; /* ends in such a last wave */
    double x;    /* estimated cycles */
    double pass; /* cycles of the functional pass's clock, where the population is timed */
};

struct population {
    struct sample_unit *unit; /* by launch, then by position */
    uint32_t units;
    uint32_t *group, groups; /* group[launch] */
    uint32_t strata;
    bool timed;                    /* the functional pass has been walked: unit[].pass is known */
    uint32_t per_warp;             /* interval length, instructions per resident warp */
    double drains;                 /* number of launches that drain so, as if they were alike */
    uint64_t instructions;         /* of all units */
    struct access_counts accesses; /* of all units; total 0: not known */
};

struct population_opts {
    uint32_t per_warp;       /* longest interval, instructions per resident warp */
    uint32_t min_whole;      /* with so many launches, all short, take them whole; else ... */
    uint32_t min_units;      /* shorten intervals until there are so many ... */
    uint32_t min_per_warp;   /* ... but not below this */
    uint64_t pilot_budget;   /* instructions that two units of every stratum may cost ... */
    uint32_t pilot_units;    /* ... but not less than so many units of mean length */
    uint64_t refined_budget; /* so much, if it is more, with those that the pass's clock cuts out */
    uint64_t dear_budget;    /* so much, if it is more, with cuts that save a large part */
    uint32_t warmup_per_warp; /* what an interval's warm-up is thought to cost */
};

/* features[launches][width], normalised.  false: no memory. */
bool population_build(struct population *p, const struct launch_size *size, uint32_t launches,
                      const double *features, uint32_t width, const struct population_opts *o,
                      struct error *e);
void population_fini(struct population *p);
/* Of a timed population: cuts strata where the pass's clock sets units apart, rare long ones first
 * of all, as far as the budget bears two units of each. */
bool population_refine(struct population *p, const struct launch_size *size,
                       const struct population_opts *o, struct error *e);
/* What the first two units of every stratum cost. */
uint64_t population_pilot_cost(const struct population *p, uint32_t strata,
                               const struct launch_size *size, uint32_t warmup);
/* Whether two units of every stratum cost no more than the options allow, or than `least`. */
bool population_bears(const struct population *p, uint32_t strata, const struct launch_size *size,
                      const struct population_opts *o, uint64_t least);
/* Warm-up before a unit: none at a launch's beginning, never beyond it. */
uint64_t sample_unit_warmup(const struct sample_unit *u, const struct launch_size *size,
                            uint32_t per_warp);

#endif
