/* compare.h - how far a machine's curves are from measured ones, feature by feature. */
#pragma once

#include "base/error.h"
#include "cards/probe/curve.h"

enum probe_feature {
    PROBE_PLATEAU,   /* the value of a plateau */
    PROBE_KNEE,      /* the x between two plateaus */
    PROBE_SATURATED, /* the mean of the last third of a stream */
    PROBE_RISING,    /* the points of a stream below 90 % of it, mean of the errors' sizes */
    PROBE_STRIDES,   /* all strides, mean of the errors' sizes */
    PROBE_FEATURES
};
extern const char *const probe_feature_name[PROBE_FEATURES];

struct probe_error {
    enum probe_id id;
    enum probe_feature feature;
    double x; /* where: the plateau's middle, the measured knee; of a mean: its worst */
    double measured, ours; /* values, of a knee x's; NAN: the machine's curve has no such feature */
    double error;          /* relative: ours / measured - 1, or the mean of the sizes of such */
    double target;         /* the largest error that passes */
};

struct probe_comparison {
    struct probe_error *error;
    size_t n, cap;
};

/* Compares every experiment that both have.  false: no memory; call probe_comparison_fini all the
 * same. */
bool probe_compare(const struct probe_curves *measured, const struct probe_curves *ours,
                   struct probe_comparison *out, struct error *e);
void probe_comparison_fini(struct probe_comparison *c);
bool probe_error_passes(const struct probe_error *x);
/* The error that exceeds its target most, as a multiple of it; NULL: there are none. */
const struct probe_error *probe_worst(const struct probe_comparison *c);
