/* train_internal.h - a calibration under way: trainer.c holds the state shared by train_choose.c,
 * which chooses the next runs, and train.c, which makes them and fits. */
#pragma once

#include "sweeps/train/fit_points.h"
#include "sweeps/train/train.h"

struct trainer {
    const struct plan *plan;
    struct training *out;
    struct store *store;
    uint32_t *point, n_points; /* [room] points that may be sampled */
    uint32_t room;
    uint32_t own;            /* train_own_point */
    uint32_t runs;           /* the most runs that may be requested */
    struct machine *machine; /* of each point */
    /* [workloads][room] indices into point[], in the order in which the program samples them */
    uint32_t *order;
    uint32_t *asked;       /* [workloads] number of runs requested: the first of its order */
    struct fit_points fit; /* a run for each row of *out */
    double *doubt; /* [workloads][room] in the program's order: the variance before that run */
    double *residual;
    unsigned threads;
};

/* Appends a point; there must be room for it. */
bool trainer_add(struct trainer *t, uint32_t point, struct error *e);
/* Lays out the points and requests the first runs. */
bool trainer_first(struct trainer *t, const struct train_request *q, struct error *e);
/* Requests at most that many further runs, shared out by the variance that they are expected to
 * remove; *asked: how many. */
bool trainer_next(struct trainer *t, uint32_t runs, uint32_t *asked, struct error *e);
uint32_t trainer_asked(const struct trainer *t);
/* The inputs of the fit for machine i, without its sampled cycles. */
bool trainer_find_point(struct trainer *t, uint32_t i, uint32_t workload, struct cal_point *out,
                        struct error *e);
/* Where machine i's estimate lies, which nothing corrected. */
bool trainer_estimate(struct trainer *t, uint32_t i, uint32_t workload, struct known_run *out,
                      struct error *e);
