/* summary.h - the state of a sweep: how much is done, the best points, the Pareto front.
 *
 * With several workloads a point's value for a metric is the geometric mean over them; a point
 * counts only when all its runs are done.  An objective that is a parameter uses the parameter's
 * value. */
#pragma once

#include "sweeps/plan/plan.h"
#include "sweeps/store/store.h"

/* A point that may be better than the best by that objective. */
struct rival {
    uint32_t objective, point;
    double low, high; /* range of its value over the best's */
};

struct summary {
    uint32_t points, complete;   /* complete: points with all their runs done */
    uint64_t done, failed, left; /* runs */
    double *value;               /* [point * n_objectives + objective]; NaN: not known */
    double *low, *high; /* bounds of each value, at the runs' own confidence; NaN: unknown */
    bool *front;        /* [point] */
    bool *confirmed;    /* [point] the cycle model ran all its programs, whole */
    /* [point] engine auto: the weakest source of its programs' answers, "simulate", "calibrated" or
     * "estimate"; NULL: none yet */
    const char **rests_on;
    uint32_t best[OBJECTIVES_MAX]; /* point; UINT32_MAX: no point is complete */
    struct rival *rival;           /* [n_rivals] by objective and point (rivals.h) */
    size_t n_rivals;
    char first_failure[512]; /* its message, with point and program */
};

/* s = NULL: nothing is stored.  false: *e says why; the caller calls summary_fini in either
 * case. */
bool summary_make(struct summary *out, const struct plan *p, struct store *s, struct error *e);
/* Allocates the arrays with every value unknown, for callers that rank by their own values. */
bool summary_new(struct summary *out, const struct plan *p, struct error *e);
/* Fills best and front from value.  false: no memory. */
bool summary_rank(struct summary *out, const struct plan *p);
/* Metrics that are the cycles times a constant, or a constant over the cycles: their relative error
 * is that of the cycles. */
bool summary_goes_with_cycles(const char *metric);
/* The range of a value of that engine, from half of it over the value: an estimate is off by a
 * factor, a sample by as much up as down. */
void summary_range(enum engine engine, double value, double half_width, double *low, double *high);
/* Of the mean of n programs' errors, from the sum of their half ranges and that of the squares:
 * any two go together by PROGRAMS_ALIKE. */
double summary_joint(double sum, double squares, uint32_t n);
bool summary_rises_with_cycles(const char *metric); /* of these metrics; the rest fall */
/* Records the points' objectives and the Pareto front of a sweep (sweep_tables.h), and replaces
 * those recorded before. sweep 0: the plan is not recorded. */
bool summary_save(const struct summary *m, const struct plan *p, struct store *s, int64_t sweep,
                  struct error *e);
void summary_fini(struct summary *m);
