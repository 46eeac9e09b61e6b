/* trainer.h - a calibration under way: for train.c and train_choose.c alone. */
#ifndef PLUMB_SWEEPS_TRAINER_H
#define PLUMB_SWEEPS_TRAINER_H

#include "sweeps/profiles.h"
#include "sweeps/train.h"

struct trainer {
    const struct plan *plan;
    struct training *out;
    struct store *store;
    uint32_t *point, n_points; /* chosen so far */
    uint32_t room;             /* points that may be chosen */
    struct machine *machine;   /* of each point */
    struct profiles profiles;
    struct cal_point *cal; /* of each row of *out */
    double *residual;
    unsigned threads;
};

/* Adds a point at the end of those chosen; room for it is there. */
bool trainer_add(struct trainer *t, uint32_t point, struct error *e);
/* Adds the first points: spread evenly, or by chance. */
bool trainer_first(struct trainer *t, const struct train_request *q, struct error *e);
/* Adds the point whose runs would teach most, by what the rows so far taught, or the next of the
 * evenly spread ones where they are too few to teach; *none: there is none left. */
bool trainer_next(struct trainer *t, bool *none, struct error *e);
/* Fits t->out->calibration to the rows so far; calibration_fini is the caller's. */
bool trainer_fit(struct trainer *t, struct error *e);

#endif
