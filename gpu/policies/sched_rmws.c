/* sched_rmws.c - racetrack-aware warp scheduling: the warp whose operands are the fewest shifts
 * from their access ports (Mao 3.3.2, figure 8). Of equals the one that greedy-then-oldest takes:
 * with more ports the decisions approach GTO's (3.5.2), and with a port for every register all
 * scores are equal. Where the owner knows no operands, GTO. */
#include "gpu/policies/sched.h"

static uint32_t rmws_pick(const struct sched *s, uint64_t ready, const uint64_t *age)
{
    uint64_t nearest = s->v.nearest ? s->v.nearest(s->v.owner, ready) : ready;
    return sched_gto.pick(s, nearest, age);
}

const struct sched_ops sched_rmws = {.name = "rmws", .pick = rmws_pick};
