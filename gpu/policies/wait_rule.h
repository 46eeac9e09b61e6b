/* wait_rule.h - what must be over before a warp's next instruction issues: a pure function of the
 * instruction's class and of the machine's rule (sm.memory_wait, sm.nonblocking_stores).
 *
 * Every instruction waits for the registers that it reads and writes. What more it waits for is
 * asked with the two predicates, which serve counts and times alike:
 *
 *     waits = pending || (wait_rule_loads(need, pending) && loads) ||
 *             (wait_rule_stores(need) && stores);
 *
 *     at = registers_ready;
 *     if (wait_rule_loads(need, pending) && loads_over > at) at = loads_over;
 *     if (wait_rule_stores(need) && stores_over > at) at = stores_over;
 *
 * A wait for asynchronous copies (OP_COPY_WAIT) waits for these, too (copy_groups.h); nothing else
 * does, fences and barriers included.
 *
 * A warp that blocks at its memory instruction (WAIT_BLOCK) is one whose every next instruction
 * waits, so there is no rule for the time after an issue.
 *
 * Source: Candel 2.5.B (block), 3.5.3 (barriers without a scoreboard); M2S (s_waitcnt 0). */
#pragma once

#include "gpu/machine/params/sm.h"
#include "trace/stream/inst.h"

enum wait_need {
    NEEDS_REGISTERS,
    NEEDS_LOADS_AT_USE, /* all loads, too, if one of the registers waits for a load */
    NEEDS_LOADS,        /* all loads, too */
    NEEDS_ALL           /* all loads and stores, too: the instruction drains */
};

/* Whether an instruction of that class always waits for all outstanding accesses of its warp. */
static inline bool wait_rule_drains(enum memory_wait wait, uint8_t cls)
{
    return cls == OP_FENCE || cls == OP_ACQUIRE || cls == OP_RELEASE ||
           (cls == OP_BARRIER && wait != WAIT_SCOREBOARD);
}

static inline enum wait_need wait_rule(const struct sm_params *p, uint8_t cls)
{
    if (wait_rule_drains(p->memory_wait, cls)) return NEEDS_ALL;
    switch (p->memory_wait) {
    case WAIT_BLOCK: return p->nonblocking_stores ? NEEDS_LOADS : NEEDS_ALL;
    case WAIT_ALL_AT_USE:
        /* it waits for copies, whose loads are others */
        return cls == OP_COPY_WAIT ? NEEDS_REGISTERS : NEEDS_LOADS_AT_USE;
    case WAIT_SCOREBOARD: break;
    }
    return NEEDS_REGISTERS;
}

/* Whether all loads must be over. at_use: a register of the instruction waits for a load, or did so
 * when the instruction first tried to issue. */
static inline bool wait_rule_loads(enum wait_need need, bool at_use)
{
    return need >= NEEDS_LOADS || (need == NEEDS_LOADS_AT_USE && at_use);
}
/* Whether all stores must be over. */
static inline bool wait_rule_stores(enum wait_need need)
{
    return need == NEEDS_ALL;
}
