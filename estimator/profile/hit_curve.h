/* hit_curve.h - how often a kind of access hits, as a function of the cache: histograms of stack
 * distances.
 *
 * Fully associative distances are in log-linear buckets (base/memory/histogram.h, exact at k/16 of
 * an octave); for each profiled set count there is a histogram of distances inside the set, too.
 * For a profiled set count a curve uses the distances inside the set; for others the binomial law,
 * as if lines chose their sets at random (Smith 1978); one set is exact.  See curve_hits. */
#pragma once

#include "base/memory/histogram.h"
#include "estimator/profile/stack_distance.h"

enum { CURVE_STEP = 16, CURVE_STEPS = HISTOGRAM_BUCKETS / CURVE_STEP };

struct curve {
    float total, far; /* all accesses; those that hit in no cache of any size */
    float near[HISTOGRAM_BUCKETS];
    /* cumulative over buckets before CURVE_STEP * k: accesses, and the sum of their distances */
    float below[CURVE_STEPS], sum_below[CURVE_STEPS];
    /* [organisation]; accesses missing from it have larger distances */
    float in_set[REUSE_ORGS][REUSE_SET_BUCKETS];
};

struct hit_tally { /* a curve being collected; doubles, so that large counts stay exact */
    double total, far;
    double near[HISTOGRAM_BUCKETS];
    double in_set[REUSE_ORGS][REUSE_SET_BUCKETS];
};
/* Whoever adds to `near` adds to `total`, so that what has no total is empty. */
void hit_tally_add(struct hit_tally *t, uint32_t distance, const uint8_t *in_set, uint32_t n_orgs);
void hit_tally_clear(struct hit_tally *t);
void hit_tally_merge(struct hit_tally *to, const struct hit_tally *from);
/* Makes a tally of a sample one of the whole: so many accesses for each of its own, at so many
 * times the distance; distances inside sets stay. */
void hit_tally_scale(struct hit_tally *t, double accesses, double distance);
void hit_tally_curve(const struct hit_tally *t, struct curve *c);

struct geometry_view { /* the cache for which a curve is evaluated */
    double lines;      /* capacity; may be fractional */
    double sets;       /* 1 = fully associative */
    uint32_t org;      /* the curve's organisation with so many sets; ORG_NONE: sets are random */
    uint32_t org_ways; /* distances inside its sets are recorded up to here */
};
enum { ORG_NONE = REUSE_ORGS };
/* Hit probability by bucket of fully associative distance; computed once per geometry. */
struct hit_law {
    double p[HISTOGRAM_BUCKETS];
    double set_p[REUSE_SET_BUCKETS]; /* by distance inside the set, for the organisation */
    double set_tail;                 /* for distances beyond those, but within the bound */
    struct geometry_view g;
};
void hit_law_init(struct hit_law *h, const struct geometry_view *g);
/* Accesses, at most the total; at least 0 unless the curve is the difference of two tallies. */
double curve_hits(const struct curve *c, const struct hit_law *h);
/* The same in a fully associative cache of `lines` (fractional: linear inside the bucket). */
double curve_full_hits(const struct curve *c, double lines);
double curve_mean_below(const struct curve *c, double lines); /* mean distance of those hits */
/* The fully associative capacity with as many hits: the effective size of a cache of `lines`.
 * Where the curve is flat this is undetermined; a slight slope is added that leads to `lines`. */
double curve_effective_lines(const struct curve *c, double hits, double lines);
/* P(a line at stack distance d is still in its set): fewer than `ways` of d other lines fell into
 * one of `sets`. */
double hit_curve_binomial(double d, double ways, double sets);
double hit_curve_bucket_low(
    uint32_t b); /* smallest distance of bucket b; hit_curve_bucket_low(b + 1) ends it */
