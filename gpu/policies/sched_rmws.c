/* sched_rmws.c - racetrack-aware warp scheduling: the warp whose operands are the fewest shifts
 * from their access ports, then the oldest [A] (Mao 3.3.2, figure 8). Where the owner knows no
 * operands, the oldest. */
#include "gpu/policies/sched.h"

static uint32_t rmws_pick(const struct sched *s, uint64_t ready, const uint64_t *age)
{
    uint64_t nearest = s->v.nearest ? s->v.nearest(s->v.owner, ready) : ready;
    uint32_t best = (uint32_t)__builtin_ctzll(nearest);
    for (uint64_t rest = nearest & (nearest - 1); rest; rest &= rest - 1) {
        uint32_t slot = (uint32_t)__builtin_ctzll(rest);
        if (age[slot] < age[best]) best = slot;
    }
    return best;
}

const struct sched_ops sched_rmws = {.name = "rmws", .pick = rmws_pick};
