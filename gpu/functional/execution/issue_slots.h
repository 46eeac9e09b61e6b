/* issue_slots.h - the issue slots and execution units of an SM's sub-cores, as fluid queues: each
 * has a backlog in cycles, to which every instruction adds its own. Units: core cycles. */
#pragma once

#include "gpu/machine/params/sm.h"
#include "gpu/policies/exec_unit.h"

struct issue_slots {
    double busy[SM_MAX_SUBCORES];             /* when each sub-core's issue slots are free */
    double unit[SM_MAX_SUBCORES][UNIT_OWN_N]; /* when each of its units is free */
};

static inline void issue_slots_drain(struct issue_slots *s, double now)
{
    for (uint32_t k = 0; k < SM_MAX_SUBCORES; k++) {
        s->busy[k] = now;
        for (uint32_t u = 0; u < UNIT_OWN_N; u++)
            s->unit[k][u] = now;
    }
}
/* Whether the sub-core, or the unit, has time left before `end`. */
static inline bool issue_slots_free(const struct issue_slots *s, uint32_t subcore, double end)
{
    return s->busy[subcore] < end;
}
static inline bool issue_slots_unit_free(const struct issue_slots *s, uint32_t subcore,
                                         enum unit unit, double end)
{
    return unit >= UNIT_OWN_N || s->unit[subcore][unit] < end;
}
/* An instruction that occupies its unit for `interval` cycles issues in the quantum at `now`. */
static inline void issue_slots_take(struct issue_slots *s, uint32_t subcore, enum unit unit,
                                    double interval, double now)
{
    s->busy[subcore] = (s->busy[subcore] > now ? s->busy[subcore] : now) + 1;
    if (unit >= UNIT_OWN_N) return;
    double *free = &s->unit[subcore][unit];
    *free = (*free > now ? *free : now) + interval;
}
