/* hit_curve.h - how often a kind of access hits, as a function of the cache: histograms of stack
 * distances.
 *
 * Fully associative distances stand in log-linear buckets (base/memory/histogram.h, exact at k/16
 * of an octave); beside them, for each profiled set count, those inside the set.  A curve answers a
 * geometry: of a profiled set count as the sets have it, of any other by the binomial law, as if
 * lines met their sets by chance (Smith 1978), one set exactly.  See curve_hits. */
#ifndef PLUMB_ESTIMATOR_PROFILE_HIT_CURVE_H
#define PLUMB_ESTIMATOR_PROFILE_HIT_CURVE_H

#include "base/memory/histogram.h"
#include "estimator/profile/stack_distance.h"

enum { CURVE_STEP = 16, CURVE_STEPS = HISTOGRAM_BUCKETS / CURVE_STEP };

struct curve {
    float total, far; /* all accesses; those that hit in no cache */
    float near[HISTOGRAM_BUCKETS];
    float below[CURVE_STEPS], sum_below[CURVE_STEPS]; /* of buckets before CURVE_STEP * k: accesses,
                                                         and their distances summed */
    float in_set[REUSE_ORGS][REUSE_SET_BUCKETS]; /* [organisation]; the rest of total is farther */
};

struct hit_tally { /* a curve being collected: doubles, so that large counts stay exact */
    double total, far;
    double near[HISTOGRAM_BUCKETS];
    double in_set[REUSE_ORGS][REUSE_SET_BUCKETS];
};
void hit_tally_add(struct hit_tally *t, uint32_t distance, const uint8_t *in_set, uint32_t n_orgs);
void hit_tally_merge(struct hit_tally *to, const struct hit_tally *from);
void hit_tally_curve(const struct hit_tally *t, struct curve *c);

struct geometry_view { /* what a curve is asked */
    double lines;      /* capacity; may be fractional */
    double sets;       /* 1 = fully associative */
    uint32_t org;      /* the curve's organisation with so many sets; ORG_NONE: by chance */
    uint32_t org_ways; /* distances inside its sets are known up to here */
};
enum { ORG_NONE = REUSE_ORGS };
/* Hit probability by bucket of fully associative distance; computed once per geometry. */
struct hit_law {
    double p[HISTOGRAM_BUCKETS];
    double set_p[REUSE_SET_BUCKETS]; /* by distance inside the set, of the organisation */
    double set_tail;                 /* of those beyond, but not far */
    struct geometry_view g;
};
void hit_law_init(struct hit_law *h, const struct geometry_view *g);
double curve_hits(const struct curve *c, const struct hit_law *h); /* accesses, 0..total */
/* Hits in a fully associative cache of `lines` (fractional: linear inside the bucket). */
double curve_full_hits(const struct curve *c, double lines);
double curve_mean_below(const struct curve *c, double lines); /* mean distance of those hits */
/* The fully associative capacity with as many hits: how large a cache of `lines` acts.  Where the
 * curve is flat it does not say; a slight slope is laid over it that leads to `lines`. */
double curve_effective_lines(const struct curve *c, double hits, double lines);
/* P(a line at stack distance d is still in its set): fewer than `ways` of d others fell into one of
 * `sets`. */
double hit_curve_binomial(double d, double ways, double sets);
double hit_curve_bucket_low(
    uint32_t b); /* least distance of a bucket; hit_curve_bucket_low(b + 1) ends it */

#endif
