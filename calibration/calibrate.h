/* calibrate.h - calibrates the estimator: learns its error from runs of the cycle model.
 *
 * A Gaussian process (residual_model.h) learns log(simulated / estimated).  The error is
 * cross-validated, each point against what is learned without it, and stands in the file with its
 * provenance.  A calibration is refused for another machine family (the name of the preset it was
 * made for) or another model version. */
#pragma once

#include "answer/answer.h"
#include "calibration/range_model.h"
#include "calibration/residual_model.h"

struct machine;

struct calibration {
    struct residual residual;
    double raw_error, cv_error; /* mean |log ratio|: before the fit, cross-validated */
    double cv_worst;
    uint32_t points;
    int est_version, sim_version;
    char machine[64];       /* preset family */
    struct digest training; /* digest of the training points' keys */
    char file[256];         /* it was read from, as users know it; "": none */
    /* Borrowed; not in the file.  ranges: NULL: answers state no range.  base: the machine around
     * which it was made; NULL: not known. */
    const struct range_model *ranges;
    const struct machine *base;
};

struct cal_point {
    const struct profile *profile;
    struct est_params params; /* its pointers must stay valid during the fit */
    double cycles;            /* of a sample or a simulation */
    double log_sd;            /* standard error of log(cycles) */
    const struct machine *machine;
    struct digest program;
    bool own; /* the machine is the one around which the others lie */
};

enum { CALIBRATE_POINTS_MIN = 3 };
/* path[paths]: the parameters in which the machines differ.  left_out[n] (may be NULL): each
 * point's log(simulated / predicted), cross-validated.  The caller sets out->machine and
 * out->training, and calls calibration_fini in either case. */
bool calibrate_fit(const struct cal_point *pts, uint32_t n, const char *const *path, uint32_t paths,
                   struct calibration *out, double *left_out, struct error *e);
void calibration_fini(struct calibration *c);

/* Computes a point's inputs for the residual's process; y is 0 where its cycles are not known. */
bool calibrate_describe(const struct cal_point *p, struct residual_point *out, struct error *e);

/* What the calibration says of an estimate. */
struct calibrated {
    double factor; /* of the cycles */
    /* A share `level` of simulations lies within exp(-range) to exp(range) of the corrected
     * cycles. */
    double range;
    double log_sd; /* of a normal distribution with the same 95 % range */
    enum residual_use use;
    bool worse_order;    /* the process is not used because of the order of machines */
    bool stranger;       /* the program, or the part of one, was not trained */
    const char *outside; /* a parameter outside the trained range; NULL: none */
    const char *changed; /* one that differs though no training varied it; NULL: none */
    /* One that the estimate has no term for, with a value that no machine had which was learned
     * from: no range is known, and `range` is infinite.  NULL: none. */
    const char *no_term;
};
/* program: NULL for a part of a program.  c: may have learned nothing (calibration_bare). */
bool calibrate_apply(const struct calibration *c, const struct machine *m,
                     const struct digest *program, const struct metrics *estimated,
                     const struct explanation *x, double level, struct calibrated *out,
                     struct error *e);
/* One that corrects nothing, but has ranges. */
struct calibration calibration_bare(const struct range_model *ranges);
bool calibration_save(const struct calibration *c, const char *path, struct error *e);
bool calibration_load(struct calibration *c, const char *path, struct error *e);
/* false: the calibration is for another machine family (m is not its machine and does not build on
 * it) or model version. */
bool calibration_fits(const struct calibration *c, const struct machine *m, struct error *e);
