/* dependence.h - one warp's register dependences: what it waits for, and how far apart dependent
 * arithmetic instructions are.
 *
 * Its clock counts the warp's instructions, with a load taking DEPEND_LOAD of them; it
 * distinguishes a wait from a value that arrived long ago. A wait counts if it is longer than half
 * a load. */
#pragma once

#include "gpu/machine/params/sm.h"
#include "gpu/policies/copy_groups.h"
#include "trace/stream/inst.h"

#include <stdbool.h>
#include <stdint.h>

enum { DEPEND_LOAD = 4096 };

struct depend_reg {
    uint64_t own;     /* end of the load into the register; 0: no load */
    uint32_t made_at; /* the instruction that produced the value, 0 = none */
    uint8_t made_by;  /* class of that instruction */
};
struct depend {
    struct depend_reg *reg;     /* [n] */
    struct copy_groups *copies; /* on its clock; NULL: the launch has no asynchronous copies */
    uint32_t n;
    uint32_t instructions;
    uint64_t own, all_own; /* all_own: end of the last load in flight */
};

struct depend_wait {
    bool waits;       /* long enough to count */
    uint32_t overlap; /* instructions issued since the load */
};

void depend_start(struct depend *d);
/* Call before an instruction: what its sources wait for, or a wait for copies. */
struct depend_wait depend_check(struct depend *d, const struct static_inst *si,
                                enum memory_wait rule);
/* The youngest arithmetic source: sets *cls to its class and returns how many instructions ago it
 * was issued (0 = none). */
uint32_t depend_distance(const struct depend *d, const struct static_inst *si, uint8_t *cls);
/* Call depend_issue after each issue. */
void depend_issue(struct depend *d, const struct static_inst *si);
/* Call for loads, after depend_issue. */
void depend_load(struct depend *d, const struct static_inst *si);
struct depend_wait depend_drain(struct depend *d); /* waits for every load in flight */
struct depend_wait depend_end(struct depend *d);   /* ... and for every copy */
