/* summary.h - where a sweep stands: what is done, the best points, the Pareto front.
 *
 * With several workloads a point's value for a metric is the geometric mean over them; a point
 * counts only when all its runs are done.  Parameters are taken as they are. */
#ifndef PLUMB_SWEEPS_ANALYSE_SUMMARY_H
#define PLUMB_SWEEPS_ANALYSE_SUMMARY_H

#include "sweeps/plan/plan.h"
#include "sweeps/store/store.h"

struct summary {
    uint32_t points, complete;   /* points; points with all their runs done */
    uint64_t done, failed, left; /* runs */
    double *value;               /* [point * n_objectives + objective]; NaN: not known */
    double *low, *high;          /* of each value, at the runs' own level; NaN: nobody says */
    bool *front;                 /* [point] */
    bool *confirmed;             /* [point] all its runs are the cycle model's, whole */
    const char **rests_on; /* [point] engine auto: the weakest source of its programs' answers,
                            * "simulate", "calibrated" or "estimate"; NULL: nothing yet */
    uint32_t best[OBJECTIVES_MAX]; /* point; UINT32_MAX: none is complete */
    char first_failure[512];       /* with its point and program */
};

/* s = NULL: nothing is stored.  false: *e; call summary_fini in either case. */
bool summary_make(struct summary *out, const struct plan *p, struct store *s, struct error *e);
/* The arrays alone, everything unknown: for who ranks by other answers. */
bool summary_new(struct summary *out, const struct plan *p, struct error *e);
/* Fills best and front from value.  false: no memory. */
bool summary_rank(struct summary *out, const struct plan *p);
/* Metrics that are the cycles times or over a constant: their relative error is that of cycles. */
bool summary_goes_with_cycles(const char *metric);
bool summary_rises_with_cycles(const char *metric); /* of these; the others fall */
void summary_fini(struct summary *m);

#endif
