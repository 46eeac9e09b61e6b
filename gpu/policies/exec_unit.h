/* exec_unit.h - which execution unit an instruction's class uses, and for how long. Classes without
 * a unit (global memory, barriers, fences, exits) occupy their sub-core only for the issue; memory
 * time is modelled elsewhere. Source: gpu/machine/tables/sm_params.c has each unit's. */
#pragma once

#include "gpu/machine/params/sm.h"
#include "trace/stream/inst.h"

#include <stddef.h>

/* Execution units of a sub-core (behind collectors, of the SM), and the three that all sub-cores
 * share. */
enum unit {
    UNIT_INT,
    UNIT_FP32,
    UNIT_FP64,
    UNIT_SFU,
    UNIT_TENSOR,
    UNIT_BRANCH,
    UNIT_OWN_N,
    UNIT_MEMORY = UNIT_OWN_N,
    UNIT_SHARED,
    UNIT_SCALAR, /* loads that a scalar cache serves */
    UNIT_NONE,
    UNIT_COLLECTED /* added to one of the above: a collector stands in front of it */
};

/* An instruction that has a result after a fixed time, by the unit that makes it. */
enum { RESULT_SHARED = UNIT_OWN_N, RESULT_MASKED, RESULT_UNITS };

/* The unit of an enum op_class, in a machine without scalar caches. */
static inline enum unit unit_of(uint8_t cls)
{
    switch ((enum op_class)cls) {
    case OP_INT: return UNIT_INT;
    case OP_FP32: return UNIT_FP32;
    case OP_FP64: return UNIT_FP64;
    case OP_SFU: return UNIT_SFU;
    case OP_TENSOR:
    case OP_WGMMA: return UNIT_TENSOR;
    case OP_BRANCH: return UNIT_BRANCH;
    case OP_LOAD:
    case OP_STORE:
    case OP_ATOMIC: return UNIT_MEMORY;
    case OP_SHARED_LOAD:
    case OP_SHARED_STORE: return UNIT_SHARED;
    case OP_BARRIER:
    case OP_FENCE:
    case OP_ACQUIRE:
    case OP_RELEASE:
    case OP_EXIT:
    case OP_COPY_COMMIT:
    case OP_COPY_WAIT:
    case OP_N: break;
    }
    return UNIT_NONE;
}

/* Cycles from issue to result of a shared-memory instruction without conflicts. */
static inline uint32_t exec_unit_shared_cycles(const struct sm_params *p)
{
    return p->shared_latency + (p->shared_pipeline == SHARED_MEMORY ? p->memory_latency : 0);
}

/* Precondition: unit < UNIT_OWN_N. */
static inline const struct unit_params *unit_params_of(const struct sm_params *p, uint8_t unit)
{
#define AT(unit) offsetof(struct sm_params, unit)
    static const size_t at[UNIT_OWN_N] = {
        [UNIT_INT] = AT(int32), [UNIT_FP32] = AT(fp32),     [UNIT_FP64] = AT(fp64),
        [UNIT_SFU] = AT(sfu),   [UNIT_TENSOR] = AT(tensor), [UNIT_BRANCH] = AT(branch)};
#undef AT
    return (const void *)((const char *)p + at[unit]);
}

/* Cycles for which an instruction of a class keeps its unit, a mean. */
static inline double exec_unit_interval(const struct sm_params *p, uint8_t cls)
{
    uint8_t unit = (uint8_t)unit_of(cls);
    if (cls == OP_TENSOR && p->mma_sync_interval > 0) return p->mma_sync_interval;
    if (cls == OP_FP32 && p->fp32_interval > 0) return p->fp32_interval;
    return unit < UNIT_OWN_N ? unit_params_of(p, unit)->interval : 1;
}

/* Cycles from issue to the result of a class. */
static inline uint32_t exec_unit_latency(const struct sm_params *p, uint8_t cls)
{
    uint8_t unit = (uint8_t)unit_of(cls);
    if (unit < UNIT_OWN_N) return unit_params_of(p, unit)->latency;
    return unit == UNIT_SHARED ? exec_unit_shared_cycles(p) : 1;
}
