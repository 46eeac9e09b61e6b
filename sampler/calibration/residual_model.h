/* residual_model.h - the error of an estimate, learned as a Gaussian process
 * over features of the estimate and over the parameters that vary.
 *
 * y = log(simulated / estimated).  A point's columns are features of
 * the estimate (the stations' shares of the time, hit rates; they transfer to programs never seen),
 * then the swept parameters: numbers on a logarithmic scale from the smallest trained value to the
 * largest, with 0 ("without bound") apart; choices one column each; last the logarithm of the
 * estimate itself, scaled over the program's points.  The covariance has a term over the features,
 * one over the parameters, one over parameters and estimate within a program, a plane through the
 * same, and a constant of each program.  Each column of the terms within a program has its own
 * length scale.  Each program has a load: its weight in the terms that all programs share.
 *
 * The calibration of the standard deviation is measured at points that the process was not fitted
 * to (residual_crossval.h): `stretch` scales the stated 90 % interval so that it contains 90 % of
 * those points.  Where a constant predicts a program better than the process does, only the
 * constant is used.  For programs never seen, all points of one program at a time are left out: the
 * spread of their errors, averaged with the uncalibrated spread where programs are few, is the
 * smallest stated standard deviation. Source: Kennedy & O'Hagan 2001 (model discrepancy);
 * docs/models/calibration.md. */
#pragma once

#include "base/text/digest.h"
#include "estimator/model/estimate.h"
#include "sampler/calibration/gp.h"

struct machine;

enum {
    RESIDUAL_AXES_MAX = 40,
    RESIDUAL_VALUES_MAX = 12, /* the most choices of an axis */
    RESIDUAL_TEXT = 48,
    RESIDUAL_FEATURES = 16,
    RESIDUAL_POINTS_MAX = 1024
};

struct residual_axis {
    char path[RESIDUAL_TEXT];
    bool number, zero;                              /* zero: 0 is one of several values */
    double lo, hi;                                  /* range of the values other than 0 */
    char value[RESIDUAL_VALUES_MAX][RESIDUAL_TEXT]; /* names of the choices */
    uint32_t values;
};

/* The range of the logarithms of its estimates at the trained points. */
struct residual_program {
    struct digest digest;
    double middle, spread;
    /* The constant predicts points left out better than the process, which is not used. */
    bool level_alone;
    double level, level_sd;
};

struct residual {
    struct residual_axis axis[RESIDUAL_AXES_MAX];
    uint32_t axes;
    struct residual_program *program; /* indexed by group */
    uint32_t programs;
    struct gp gp; /* n = 0: there is no fit */
    double stretch;
    double stranger; /* smallest standard deviation for a program outside the training */
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
/* path[paths]: the parameters that vary.  left_out[n]: each point's y less its prediction from the
 * points of the other folds (residual_crossval.h), by the process or the constant, whichever is
 * used for its program; if there are too few points for folds, from all other points. */
bool residual_fit(struct residual *r, const char *const *path, uint32_t paths,
                  const struct residual_point *pts, uint32_t n, double *left_out, struct error *e);
void residual_fini(struct residual *r);
/* program: NULL for a part of a program.  *outside: an axis on which the machine lies outside the
 * trained range; NULL: none.  v->sd includes noise and stretch. */
bool residual_predict(const struct residual *r, const struct machine *m,
                      const struct digest *program, const double feature[RESIDUAL_FEATURES],
                      double estimate, struct gp_value *v, const char **outside, struct error *e);

/* The shape of the covariance over that many columns of parameters. */
void residual_kernel(struct gp_kernel *k, uint32_t columns);
uint32_t residual_columns(const struct residual *r); /* of parameters */
uint32_t residual_width(const struct residual *r);   /* of all */

/* Write and read the residual in a calibration's file. */
struct outfile;
struct conf_node;
void residual_write(const struct residual *r, struct outfile *f);
bool residual_read(struct residual *r, const struct conf_node *n, struct error *e);
