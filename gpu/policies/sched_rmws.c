/* sched_rmws.c - racetrack-aware warp scheduling: the warp whose operands are the fewest shifts
 * from their access ports, then the oldest [A] (Mao 3.3.2, figure 8). Where the owner knows no
 * operands, the oldest. */
#include "gpu/policies/sched.h"

static uint32_t rmws_pick(const struct sched *s, uint64_t ready, const uint64_t *age)
{
    return sched_oldest(s->v.nearest ? s->v.nearest(s->v.owner, ready) : ready, age);
}

const struct sched_ops sched_rmws = {.name = "rmws", .pick = rmws_pick};
