/* dependence.h - one warp's registers: what it waits for, and how long dependent arithmetic is
 * apart.
 *
 * Two clocks: `own` counts the warp's instructions with a load taking DEPEND_LOAD of them, so that
 * a wait is told from a value that had long arrived; `time` is the pass's.  A wait counts when it
 * is longer than half a load. */
#ifndef PLUMB_ESTIMATOR_PROFILE_DEPENDENCE_H
#define PLUMB_ESTIMATOR_PROFILE_DEPENDENCE_H

#include "gpu/machine/params/sm.h"
#include "trace/program/inst.h"

#include <stdbool.h>
#include <stdint.h>

enum { DEPEND_LOAD = 4096 };

struct depend_reg {
    uint64_t own, time; /* the load into it ends; own = 0: no load */
    uint32_t made_at;   /* instruction that made it, 0 = none */
    uint8_t made_by;    /* its class */
};
struct depend {
    struct depend_reg *reg; /* [n] */
    uint32_t n;
    uint32_t instructions;
    uint64_t own, all_own, all_time; /* all: the last of the loads in flight */
};

struct depend_wait {
    bool waits;       /* long enough to count */
    uint64_t time;    /* the pass's time at which the value is there; 0 = no wait at all */
    uint32_t overlap; /* instructions since the load */
};

void depend_start(struct depend *d);
/* Before an instruction: what its sources wait for. */
struct depend_wait depend_check(struct depend *d, const struct static_inst *si,
                                enum memory_wait rule);
/* The youngest arithmetic source: its class in *cls, returns how many instructions ago (0 = none).
 */
uint32_t depend_distance(const struct depend *d, const struct static_inst *si, uint8_t *cls);
/* After issue. */
void depend_issue(struct depend *d, const struct static_inst *si);
void depend_load(struct depend *d, const struct static_inst *si,
                 uint64_t ready);                  /* loads, after depend_issue */
struct depend_wait depend_drain(struct depend *d); /* waits for every load in flight */

#endif
