/* sched_gto.c - greedy then oldest: the warp that issued last as long as it can issue, then the
 * oldest (Rogers 2012). */
#include "gpu/policies/sched.h"

static uint32_t gto_pick(const struct sched *s, uint64_t ready, const uint64_t *age)
{
    if (ready >> s->last & 1) return s->last;
    return sched_oldest(ready, age);
}

const struct sched_ops sched_gto = {.name = "gto", .pick = gto_pick};
