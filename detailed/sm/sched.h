/* sched.h - warp schedulers: which of the warps that could issue now does.
 *
 * The sub-core says who could issue (a bit per slot) and how old each warp is; the policy picks one
 * and remembers what it must.  Names: machine/sm.h. */
#ifndef PLUMB_DETAILED_SM_SCHED_H
#define PLUMB_DETAILED_SM_SCHED_H

#include "machine/sm.h"

#include <stdint.h>

struct sched {
    const struct sched_ops *ops;
    uint32_t last; /* slot that issued last */
};

struct sched_ops {
    const char *name;
    /* Precondition: `ready` != 0.  age[slot]: order of arrival on the SM, smaller = older. */
    uint32_t (*pick)(const struct sched *s, uint64_t ready, const uint64_t *age);
};

extern const struct sched_ops sched_lrr, sched_gto;
extern const struct sched_ops *const sched_table[SCHED_N];

#endif
