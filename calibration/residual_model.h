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
 * to (residual_crossval.h): `stretch` scales the stated 95 % interval so that it contains 95 % of
 * those points.  Where a constant predicts a program better than the process does, or the process
 * puts the program's machines in a worse order than the estimates did, only the constant is used,
 * which changes no order; where neither helps, nothing is.  A program that was not trained is not
 * corrected.  Source: Kennedy & O'Hagan 2001 (model discrepancy); docs/models/calibration.md. */
#pragma once

#include "base/text/digest.h"
#include "calibration/gp.h"
#include "estimator/model/estimate.h"

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

/* What corrects the estimates of a program. */
enum residual_use { RESIDUAL_NOTHING, RESIDUAL_LEVEL, RESIDUAL_PROCESS, RESIDUAL_USES };
extern const char *const residual_use_name[RESIDUAL_USES];

struct residual_program {
    struct digest digest;
    double middle, spread; /* of the logarithms of its estimates at the trained points */
    /* On the machine itself: the logarithm of its estimate, NaN: not trained; and that of simulated
     * over estimated. */
    double own, own_error;
    enum residual_use use;
    bool worse_order;       /* the process is not used because of the order of machines */
    double level, level_sd; /* the constant; level_sd of RESIDUAL_NOTHING: of the raw errors */
};

struct residual {
    struct residual_axis axis[RESIDUAL_AXES_MAX];
    uint32_t axes;
    struct residual_program *program; /* indexed by group */
    uint32_t programs;
    struct gp gp; /* n = 0: there is no fit */
    double stretch;
};

struct residual_point {
    const struct machine *machine;
    struct digest program;
    bool own; /* its machine is the one around which the others lie */
    double feature[RESIDUAL_FEATURES];
    double estimate; /* logarithm of the estimated cycles */
    double y, sd;
};

void residual_features(const struct metrics *m, const struct explanation *x,
                       double out[RESIDUAL_FEATURES]);
/* path[paths]: the parameters that vary.  left_out[n]: each point's y less its prediction from the
 * points of the other folds (residual_crossval.h), by what is used for its program; if there are
 * too few points for folds, from all other points. */
bool residual_fit(struct residual *r, const char *const *path, uint32_t paths,
                  const struct residual_point *pts, uint32_t n, double *left_out, struct error *e);
void residual_fini(struct residual *r);
struct residual_value {
    double mean, sd; /* of y; sd: noise and stretch included; for a stranger it is not stated */
    enum residual_use use;
    bool worse_order;
    bool stranger;         /* a program, or a part of one, that was not trained */
    double own, own_error; /* as in struct residual_program; NaN for a stranger */
    const char *outside; /* an axis on which the machine is outside of what was trained; or NULL */
};
/* program: NULL for a part of a program. */
bool residual_predict(const struct residual *r, const struct machine *m,
                      const struct digest *program, const double feature[RESIDUAL_FEATURES],
                      double estimate, struct residual_value *v, struct error *e);
/* Whether that parameter is one of the axes. */
bool residual_has_axis(const struct residual *r, const char *path);

/* The shape of the covariance over that many columns of parameters. */
void residual_kernel(struct gp_kernel *k, uint32_t columns);
uint32_t residual_columns(const struct residual *r); /* of parameters */
uint32_t residual_width(const struct residual *r);   /* of all */

/* Write and read the residual in a calibration's file. */
struct outfile;
struct conf_node;
void residual_write(const struct residual *r, struct outfile *f);
bool residual_read(struct residual *r, const struct conf_node *n, struct error *e);
