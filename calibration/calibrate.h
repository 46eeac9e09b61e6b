/* calibrate.h - what runs of the cycle model teach about estimates.
 *
 * A calibration holds runs of programs on machines, each with the estimate of the same.  An
 * estimate of one of these programs is corrected by what its runs say (posterior.h); one of another
 * program is not.  Both have ranges (range_model.h).  A calibration is refused for another machine
 * family (the name of the preset it was made for) or another model version. */
#pragma once

#include "answer/answer.h"
#include "calibration/posterior.h"
#include "calibration/range_model.h"

struct machine;

struct calibrated_program {
    struct digest digest;
    struct posterior posterior;
};

/* The metrics whose errors a file has, if all its runs have them. */
enum { CALIBRATION_METRICS = 7 };
extern const char *const calibration_metric[CALIBRATION_METRICS];

/* What a file has of a run besides what corrects estimates: from this a later version of the
 * estimator finds the run's errors again (sweeps/train/renew.h). */
struct kept_run {
    char program[64];                      /* its name */
    double simulated[CALIBRATION_METRICS]; /* NaN: not known */
};

struct calibration {
    struct known_run *run; /* [n] */
    struct kept_run *kept; /* [n]; NULL: not known, and no file can be written */
    uint32_t n;
    struct calibrated_program *program; /* [programs], of these runs */
    uint32_t programs;
    struct error_kernel kernel;
    /* Mean |log ratio| of the cycles: of the estimates as they are, and corrected by all other runs
     * of the program. */
    double raw_error, cv_error;
    double cv_worst;
    int est_version, sim_version;
    char machine[64];       /* preset family; "": any machine */
    struct digest training; /* digest of the runs' keys */
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
    /* All its metrics by key, NaN where there is none; NULL: only the cycles are known. */
    const double *simulated;
    double log_sd; /* standard error of log(cycles) */
    const struct machine *machine;
    struct digest program;
    const char *name; /* of the program; NULL: none */
};
enum { CALIBRATE_POINTS_MIN = 3, CALIBRATE_POINTS_MAX = 65536 };

/* Fills in the errors of a run from the values of an estimate that nothing corrected and of the
 * cycle model: of each key, NaN where there is none. */
void calibrate_errors(struct known_run *out, const double estimated[METRICS_KEYS_MAX],
                      const double simulated[METRICS_KEYS_MAX]);
/* Likewise, and the place. */
void calibrate_know(struct known_run *out, const struct machine *m, const struct metrics *estimated,
                    const struct explanation *x, const double simulated[METRICS_KEYS_MAX]);

/* A run with its estimate made here; it has the error of its cycles alone, none if they are not
 * known. */
bool calibrate_describe(const struct cal_point *p, struct known_run *out, struct error *e);

/* Makes a calibration of these points.  left_out[n] (may be NULL): each point's log(simulated /
 * predicted), predicted from the program's other runs.  The caller sets out->machine and
 * out->training, and calls calibration_fini in either case. */
bool calibrate_fit(const struct cal_point *pts, uint32_t n, const struct range_model *ranges,
                   struct calibration *out, double *left_out, struct error *e);
/* Whether it has a run of that program. */
bool calibration_knows(const struct calibration *c, struct digest program);
/* Makes c ready after its runs were changed.  */
bool calibration_prepare(struct calibration *c, const struct range_model *ranges, struct error *e);
void calibration_fini(struct calibration *c);

/* What the calibration says of an estimate. */
struct calibrated {
    double factor; /* of the cycles */
    /* A share `level` of simulations lies within exp(-range) to exp(range) of the corrected
     * cycles. */
    double range;
    double log_sd;         /* of a normal distribution with the same 95 % range */
    double range_with_run; /* what a simulation of the program here would leave; 0: not known */
    uint32_t runs;         /* of the program that corrected it; 0: none, or a part of a program */
    uint32_t banked;       /* those of them that the bank had */
    struct digest digest;  /* of these runs and their errors */
    /* As answer_correction has them. */
    struct answer_apart beyond[BEYOND_MAX];
    uint32_t apart;
    /* One that the estimate has no term for, with a value that no machine had which was learned
     * from: no range is known, and `range` is infinite.  NULL: none. */
    const char *no_term;
    /* For calibrate_metric. */
    const struct posterior *posterior; /* NULL: runs = 0 */
    struct place place;
    struct posterior_view view;
    double feature[RANGE_FEATURES];
};
/* program: NULL for a part of a program.  c: may have learned nothing (calibration_bare). */
void calibrate_apply(const struct calibration *c, const struct machine *m,
                     const struct digest *program, const struct metrics *estimated,
                     const struct explanation *x, double level, struct calibrated *out);

/* The part of calibrate_apply that follows from out->place and the answer's part of out->feature.
 */
void calibrate_place(const struct calibration *c, const struct digest *program,
                     struct calibrated *out);

/* The features of a metric's range and its expected error.  false: no run corrects it. */
bool calibrate_features(const struct calibration *c, const struct calibrated *at, uint32_t metric,
                        double *mean, double feature[RANGE_FEATURES]);

/* What is known of a metric's error. */
enum known_error {
    ERROR_UNKNOWN,
    ERROR_OF_OTHERS, /* its range; no run of the program says its mean, which is 0 */
    ERROR_OF_RUNS    /* both; a mean of 0 confirms the estimate */
};
/* The error of another metric, in the units of range_error: its expected value and its range around
 * that. */
enum known_error calibrate_metric(const struct calibration *c, const struct calibrated *at,
                                  uint32_t metric, double level, double *mean, double *range);

/* Two estimates of one program: their places and features of the answers (range_features_find). */
struct calibrated_pair {
    struct digest program;
    const struct place *a, *b;
    const double *feature_a, *feature_b;
};
/* The range of the logarithm of the ratio of their corrected cycles.  INFINITY: none is known. */
double calibrate_ratio(const struct calibration *c, const struct calibrated_pair *pair,
                       double level);
/* Its features, and the logarithm of b's correction over a's. */
double calibrate_ratio_features(const struct calibration *c, const struct calibrated_pair *pair,
                                double feature[RANGE_FEATURES]);

/* One that corrects nothing, but has ranges. */
struct calibration calibration_bare(const struct range_model *ranges);

/* precondition: c->n == 0 or c->kept */
bool calibration_save(const struct calibration *c, const char *path, struct error *e);
/* Reads it, with what is kept of its runs; calibration_prepare makes it ready. */
bool calibration_load(struct calibration *c, const char *path, struct error *e);

/* false: the calibration is for another machine family (m is not its machine and does not build on
 * it) or model version. */
bool calibration_fits(const struct calibration *c, const struct machine *m, struct error *e);
