/* sched_lrr.c - loose round robin: the next ready slot after the one that issued last. */
#include "gpu/policies/sched.h"

static uint32_t lrr_pick(const struct sched *s, uint64_t ready, const uint64_t *age)
{
    (void)age;
    return sched_slot_after(ready, s->last);
}

const struct sched_ops sched_lrr = {.name = "lrr", .pick = lrr_pick};
