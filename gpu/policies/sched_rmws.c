/* sched_rmws.c - racetrack-aware warp scheduling: the warp whose operands are the fewest shifts
 * from their access ports, then the oldest [A] (Mao 3.3.2, figure 8). An owner that knows no
 * operands has all of them at no distance. */
#include "gpu/policies/sched.h"

static uint64_t score_of(const struct sched *s, uint32_t slot)
{
    return s->v.score ? s->v.score(s->v.owner, slot) : 0;
}

static uint32_t rmws_pick(const struct sched *s, uint64_t ready, const uint64_t *age)
{
    uint32_t best = (uint32_t)__builtin_ctzll(ready);
    uint64_t least = score_of(s, best);
    for (uint64_t rest = ready & (ready - 1); rest; rest &= rest - 1) {
        uint32_t slot = (uint32_t)__builtin_ctzll(rest);
        uint64_t score = score_of(s, slot);
        if (score > least || (score == least && age[slot] > age[best])) continue;
        best = slot;
        least = score;
    }
    return best;
}

const struct sched_ops sched_rmws = {.name = "rmws", .pick = rmws_pick};
