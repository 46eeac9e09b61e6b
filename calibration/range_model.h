/* range_model.h - how far an estimate may be off, from case to case.
 *
 * |error| <= quantile(level) * scale(features) holds in a share `level` of cases: a quantile of
 * the scaled errors of cases that were simulated, too (split conformal prediction with a scale:
 * Papadopoulos et al. 2002, Lei et al. 2018, section 5.2).  The scale is the exponential of a
 * linear function of features.  Outside the range of a feature that was learned it only widens, for
 * each feature to twice as much in the end.  Errors of rates are differences; all others are
 * logarithms of the factor between the simulated and the estimated value, which makes ranges that
 * reach farther up than down.
 *
 * There are three tables: of estimates of a program that was never simulated, by five features of
 * the answer; of estimates that runs of the program corrected (posterior.h), by those and by what
 * the runs say; and of the ratio of two estimates of one program, in which what both have wrong
 * alike cancels.
 *
 * Errors of a parameter that the estimator has no term for follow no law that could be learned. The
 * model knows the values of such parameters that its cases had; a machine with another one has no
 * range.
 *
 * The model is a file (configs/calibrations/ranges.cfg) that bench_error_model makes; it is refused
 * for other versions of the models.  docs/models/calibration.md. */
#pragma once

#include "calibration/posterior.h"
#include "calibration/range_unit.h"
#include "estimator/model/estimate.h"
#include "gpu/machine/rows/param.h"

struct machine;

enum range_feature {
    RANGE_BUSY,         /* utilization of the busiest station, 0..1 */
    RANGE_ON_CHIP,      /* what faster L1s, MSHRs, networks and L2 would save, summed */
    RANGE_L2_MIXED,     /* 4 h (1 - h) of the L2's hit rate h: 1 where half of the accesses hit */
    RANGE_L2_CONFLICTS, /* share of the L2's reads that miss because of their set */
    RANGE_L1_KNEE,      /* share of the L1's reads that hit in 4/3 of it and not in 3/4 */
    RANGE_ANSWER_FEATURES, /* those above are of the answer alone */
    /* Logarithms: of the standard deviation that the runs leave; of the change of the estimated
     * cycles since the nearest run; of the correction; of the number of runs.  The distance of the
     * use from that of the nearest run (PLACE_USE). */
    RANGE_DOUBT = RANGE_ANSWER_FEATURES,
    RANGE_MOVED_TIME,
    RANGE_CORRECTION,
    RANGE_RUNS,
    RANGE_MOVED_USE,
    RANGE_FEATURES
};
extern const char *const range_feature_name[RANGE_FEATURES];

enum { RANGE_LEVELS = 6 };
extern const double range_levels[RANGE_LEVELS]; /* ascending */

/* Scale and quantiles of one metric's errors.  cases = 0: none were learned. */
struct range_scale {
    double base, weight[RANGE_FEATURES];
    double quantile[RANGE_LEVELS];
    uint32_t cases;
};

/* Values of a parameter without a term that cases had: of a number from lo to hi, of a choice one.
 */
struct range_seen {
    char path[PARAM_TEXT_MAX];
    double lo, hi;
};
enum { RANGE_SEEN_MAX = 64 };

/* The scales of metrics for one kind of estimate. */
struct range_table {
    double lo[RANGE_FEATURES], hi[RANGE_FEATURES]; /* what was learned */
    struct range_scale metric[METRICS_KEYS_MAX];   /* as metrics_key(i) */
};

struct range_model {
    struct error_kernel kernel;
    struct range_table bare, known, ratio; /* ratio: of cycles alone */
    struct range_seen seen[RANGE_SEEN_MAX];
    uint32_t n_seen;
    int est_version, sim_version;
};

/* Whether an estimate has no term for a parameter: it is named itself, or it is a part of the
 * choice that is. */
bool range_no_term(const struct explanation *x, const struct param *p);
/* Notes those of a case's machine, which has that explanation; beyond RANGE_SEEN_MAX they are
 * dropped, so that ranges are left out. */
void range_model_see(struct range_model *r, const struct machine *m, const struct explanation *x);
bool range_model_saw(const struct range_model *r, const char *path, double value);

/* Those of the answer; the others are 0. */
void range_features_find(const struct metrics *m, const struct explanation *x,
                         double out[RANGE_FEATURES]);
double range_scale_at(const struct range_table *t, uint32_t metric,
                      const double feature[RANGE_FEATURES]);
/* The error that a share `level` of such cases stays below; INFINITY: none were learned. */
double range_of_case(const struct range_table *t, uint32_t metric,
                     const double feature[RANGE_FEATURES], double level);
/* The quantile at a level between those in range_levels, along that of the normal distribution;
 * beyond the last it grows as that one does. */
double range_quantile(const double quantile[RANGE_LEVELS], double level);
bool range_model_load(struct range_model *r, const char *path, struct error *e);
bool range_model_save(const struct range_model *r, const char *path, struct error *e);
