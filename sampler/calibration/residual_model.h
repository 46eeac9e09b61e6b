/* residual_model.h - what a calibrated estimate still gets wrong, learned as a Gaussian process
 * over what the estimate says of itself and over the parameters that vary.
 *
 * y = log(simulated / estimated) with the fitted coefficients.  A point's columns are features of
 * the estimate (what each station holds up, hit rates: they carry over to programs never seen),
 * then the swept parameters: numbers on a scale of logarithms from the least value trained to the
 * largest, 0 ("without bound") apart; choices one column each; last the logarithm of the estimate
 * itself, as it spreads over the program's points.  The covariance has a term over the features,
 * one over the parameters, one over parameters and estimate within a program, a plane through the
 * same, and a constant of each program.  Each column of the last two kinds has a reach of its own,
 * and each program a load: how much it takes part in what is learned of all.
 *
 * How far the truth lies off, in units of what the process says, is measured at points of which it
 * has learned nothing (residual_crossval.h): `stretch` brings the stated 90 % interval to what it
 * held there.  A program of which a constant says more than the process has that alone.  For a
 * program never seen all points of one program are left out at a time: that spread, drawn towards
 * the uncalibrated one where programs are few, is the least that is stated. Source: Kennedy &
 * O'Hagan 2001 (model discrepancy); docs/models/calibration.md. */
#ifndef PLUMB_SAMPLER_CALIBRATION_RESIDUAL_MODEL_H
#define PLUMB_SAMPLER_CALIBRATION_RESIDUAL_MODEL_H

#include "base/text/digest.h"
#include "estimator/model/estimate.h"
#include "sampler/calibration/gp.h"

struct machine;

enum {
    RESIDUAL_AXES_MAX = 40,
    RESIDUAL_VALUES_MAX = 12, /* choices of an axis */
    RESIDUAL_TEXT = 48,
    RESIDUAL_FEATURES = 16,
    RESIDUAL_POINTS_MAX = 1024
};

struct residual_axis {
    char path[RESIDUAL_TEXT];
    bool number, zero;                              /* zero: among the values, beside others */
    double lo, hi;                                  /* of the values but 0 */
    char value[RESIDUAL_VALUES_MAX][RESIDUAL_TEXT]; /* of a choice */
    uint32_t values;
};

/* The logarithms of its estimates at the points trained. */
struct residual_program {
    struct digest digest;
    double middle, spread;
    /* The process errs more at points that it has not seen than this level does, and is not asked.
     */
    bool level_alone;
    double level, level_sd;
};

struct residual {
    struct residual_axis axis[RESIDUAL_AXES_MAX];
    uint32_t axes;
    struct residual_program *program; /* by group */
    uint32_t programs;
    struct gp gp; /* n = 0: nothing was learned */
    double stretch;
    double stranger; /* least standard deviation for a program that is not among them */
};

struct residual_point {
    const struct machine *machine;
    struct digest program;
    double feature[RESIDUAL_FEATURES];
    double estimate; /* logarithm of the estimated cycles */
    double y, sd;
};

void residual_features(const struct metrics *m, const struct explanation *x,
                       double out[RESIDUAL_FEATURES]);
/* path[paths]: the parameters that vary.  left_out[n]: each point's y less what is said of it by
 * the points of the other folds (residual_crossval.h), by the process or the level, whichever is
 * used of its program; where points are too few for folds, by all others. */
bool residual_fit(struct residual *r, const char *const *path, uint32_t paths,
                  const struct residual_point *pts, uint32_t n, double *left_out, struct error *e);
void residual_fini(struct residual *r);
/* program: NULL for a part of one.  *outside: an axis on which the machine lies beyond what was
 * trained; NULL: none. v->sd holds noise and stretch. */
bool residual_predict(const struct residual *r, const struct machine *m,
                      const struct digest *program, const double feature[RESIDUAL_FEATURES],
                      double estimate, struct gp_value *v, const char **outside, struct error *e);

/* The shape of the covariance over that many columns of parameters. */
void residual_kernel(struct gp_kernel *k, uint32_t columns);
uint32_t residual_columns(const struct residual *r); /* of parameters */
uint32_t residual_width(const struct residual *r);   /* of all */

/* In a calibration's file. */
struct outfile;
struct conf_node;
void residual_write(const struct residual *r, struct outfile *f);
bool residual_read(struct residual *r, const struct conf_node *n, struct error *e);

#endif
