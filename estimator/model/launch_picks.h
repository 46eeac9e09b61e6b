/* launch_picks.h - launches that stand for a program's time, for trials of other machines.
 *
 * Launches with equal estimates are solved once.  If more than `most` differ, the time is cut into
 * `most` equal parts, in an order in which neighbours are alike, and the launch in the middle of
 * each part stands for it (systematic sampling with probabilities in proportion to size; Madow
 * 1949).  On the machine for which they are chosen, the picks take as long as the launches for
 * which they stand. */
#pragma once

#include "estimator/model/estimate.h"

struct launch_picks {
    uint32_t n;
    struct launch_pick {
        uint32_t launch;
        double weight; /* number of launches for which it stands */
    } * at;
};

/* selected[profile_launches]: those to stand for.  most: 0 = no limit. */
bool launch_picks_find(struct launch_picks *k, const struct profile *p, const bool *selected,
                       uint32_t most, const struct est_params *e, struct error *err);
/* Whether one of them issues instructions of these classes, bits of enum op_class. */
bool launch_picks_issue(const struct launch_picks *k, const struct profile *p, uint32_t classes);
void launch_picks_fini(struct launch_picks *k);
/* The time of a machine for those launches. */
bool launch_picks_time(const struct launch_picks *k, const struct profile *p,
                       const struct est_params *e, double *us, struct error *err);
