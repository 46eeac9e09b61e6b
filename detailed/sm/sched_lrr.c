/* sched_lrr.c - loose round robin: the next ready slot after the one that issued last. */
#include "detailed/sm/sched.h"

static uint32_t lrr_pick(const struct sched *s, uint64_t ready, const uint64_t *age)
{
    (void)age;
    uint64_t after = s->last == 63 ? 0 : ready & ~((UINT64_C(2) << s->last) - 1);
    return (uint32_t)__builtin_ctzll(after ? after : ready);
}

const struct sched_ops sched_lrr = {.name = "lrr", .pick = lrr_pick};
