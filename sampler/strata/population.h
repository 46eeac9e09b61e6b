/* population.h - cuts a program into units that can be simulated separately, and sorts them into
 * strata.
 *
 * Short launches are one unit each.  A longer one is cut into intervals of equal numbers of warp
 * instructions.  Its first interval (launch latency, caches and queues filling) and its last (drain
 * to the launch's end) are in strata apart from the steady part.  The steady part is divided by
 * quarters, so that drift lies between strata, not inside.  Similar launches share strata
 * (launch_clusters.h); how similar they must be depends on how many strata the budget can pay for.
 *
 * Units: warp instructions from the launch's beginning. Invariant: the units of a launch cover it
 * without gap or overlap, up to the limit of max_instructions. */
#pragma once

#include "base/error.h"
#include "estimator/model/estimate.h"
#include "sampler/statistics/access_count.h"

#include <stdbool.h>
#include <stdint.h>

/* A launch as population_build sees it. */
struct launch_size {
    uint64_t instructions; /* to cover; 0: the launch is not selected */
    bool truncated;        /* max_instructions ends it before the launch's end */
    uint32_t resident;     /* resident warps of the machine */
    uint64_t least;        /* smallest length of an interval */
    uint64_t drain;        /* instructions of a last wave with fewer CTAs than SMs */
    double cycles;         /* estimated for the covered part: the control variate */
    double covered;        /* profiled share of the launch; 0: all */
    /* how the cycles are spread over the launch; without parts: evenly */
    struct launch_course course;
};

enum unit_kind { UNIT_WHOLE, UNIT_RAMP, UNIT_STEADY, UNIT_TAIL, UNIT_KINDS };
extern const char *const unit_kind_name[UNIT_KINDS];
struct sample_unit {
    uint32_t launch, stratum;
    enum unit_kind kind;
    uint64_t begin, length;
    bool to_end; /* the unit ends where the launch ends */
    bool drains; /* the unit ends in such a last wave */
    double x;    /* estimated cycles */
    double pass; /* by the functional pass's clock, if the population is timed */
};

struct population {
    struct sample_unit *unit; /* sorted by launch, then by position */
    uint32_t units;
    uint32_t *group, groups; /* group[launch]; the last group is the first launch's own */
    uint32_t first;          /* the first selected launch */
    uint32_t strata;
    bool timed;        /* the functional pass has run: unit[].pass is known */
    uint32_t per_warp; /* interval length, instructions per resident warp */
    double drains;     /* number of launches with such a last wave, as if they weighed the same */
    uint64_t instructions;         /* of all units */
    struct access_counts accesses; /* of all units; total 0: unknown */
};

struct population_opts {
    uint32_t per_warp;        /* longest interval, instructions per resident warp */
    uint32_t min_whole;       /* this many launches, if all are short, are taken whole; else ... */
    uint32_t min_units;       /* intervals are shortened until there are so many units ... */
    uint32_t min_per_warp;    /* ... but not below this */
    uint64_t pilot_budget;    /* instructions that two units of every stratum may cost ... */
    uint32_t pilot_units;     /* ... but at least so many units of mean length */
    uint64_t refined_budget;  /* the same, if larger, with strata cut by the pass's clock */
    uint64_t dear_budget;     /* the same, if larger, with cuts that save a large part */
    uint32_t warmup_per_warp; /* assumed warm-up of an interval */
};

/* features[launches][width], normalised.  false: no memory. */
bool population_build(struct population *p, const struct launch_size *size, uint32_t launches,
                      const double *features, uint32_t width, const struct population_opts *o,
                      struct error *e);
void population_fini(struct population *p);
/* For a timed population: cuts strata where the pass's clock separates their units, rare long units
 * first, as long as the budget can pay for two units of each. */
bool population_refine(struct population *p, const struct launch_size *size,
                       const struct population_opts *o, struct error *e);
/* The cost of the first two units of every stratum. */
uint64_t population_pilot_cost(const struct population *p, uint32_t strata,
                               const struct launch_size *size, uint32_t warmup);
/* Whether two units of every stratum cost no more than the options allow, or than `least`. */
bool population_bears(const struct population *p, uint32_t strata, const struct launch_size *size,
                      const struct population_opts *o, uint64_t least);
/* The warm-up before a unit: it never reaches back beyond the launch's beginning. */
uint64_t sample_unit_warmup(const struct sample_unit *u, const struct launch_size *size,
                            uint32_t per_warp);
