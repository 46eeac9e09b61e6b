/* sched_two_level.c - a first level of few warps that issue round-robin. A warp that meets a long
 * wait (memory, a barrier) leaves it, and the next runnable slot after the one that entered last
 * takes its place (Mao 3.4.2, 4.2.3; Gebhart 2011). A runnable warp waits at most until every other
 * slot has had its turn. */
#include "gpu/policies/sched.h"

static uint64_t two_level_admit(struct sched *s, uint64_t runnable)
{
    s->first &= runnable;
    uint64_t pending = runnable & ~s->first;
    uint32_t n = (uint32_t)__builtin_popcountll(s->first);
    for (; pending && n < s->p->two_level_warps; n++) {
        s->promoted = sched_slot_after(pending, s->promoted);
        s->first |= UINT64_C(1) << s->promoted;
        pending &= ~(UINT64_C(1) << s->promoted);
    }
    return s->first;
}

static uint32_t two_level_pick(const struct sched *s, uint64_t ready, const uint64_t *age)
{
    (void)age;
    return sched_slot_after(ready, s->last);
}

const struct sched_ops sched_two_level = {
    .name = "two_level", .pick = two_level_pick, .admit = two_level_admit};
