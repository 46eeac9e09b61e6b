/* train_internal.h - a calibration under way: trainer.c holds what train_choose.c (which runs come
 * next) and train.c (runs them and fits) share. */
#ifndef PLUMB_SWEEPS_TRAIN_TRAIN_INTERNAL_H
#define PLUMB_SWEEPS_TRAIN_TRAIN_INTERNAL_H

#include "sweeps/run/profile_pool.h"
#include "sweeps/train/train.h"

struct trainer {
    const struct plan *plan;
    struct training *out;
    struct store *store;
    uint32_t *point, n_points; /* [room] that may be sampled */
    uint32_t room;
    uint32_t runs;           /* that may be asked for */
    struct machine *machine; /* of each point */
    uint32_t *order;         /* [workloads][room] places in point[], as the program is run there */
    uint32_t *asked;         /* [workloads] runs asked for: the first so many of its order */
    struct profiles profiles;
    struct cal_point *cal; /* of each row of *out */
    double *residual;
    unsigned threads;
};

/* Adds a point at the end of those there are; room for it is there. */
bool trainer_add(struct trainer *t, uint32_t point, struct error *e);
/* Lays out the points and asks for the first runs. */
bool trainer_first(struct trainer *t, const struct train_request *q, struct error *e);
/* Asks for at most that many further runs, shared out by what they are expected to teach; *asked:
 * for how many. */
bool trainer_next(struct trainer *t, uint32_t runs, uint32_t *asked, struct error *e);
uint32_t trainer_asked(const struct trainer *t);
/* What the fit is given of machine i, but for what was sampled. */
bool trainer_find_point(struct trainer *t, uint32_t i, uint32_t workload, struct cal_point *out,
                        struct error *e);
/* What the process is given of machine i's estimate, uncalibrated. */
bool trainer_estimate(struct trainer *t, uint32_t i, uint32_t workload, struct residual_point *out,
                      struct error *e);

#endif
