/* scalar_rule.h - which loads use a scalar cache: a pure function of the instruction.
 *
 * These are loads from constant memory, or optionally from global memory, whose active lanes all
 * access one address: the loads that GCN's compilers turn into scalar loads. Loads with cache hints
 * stay vector loads. Source: Candel 2.3; [A] that equal addresses stand for what a compiler knows.
 */
#pragma once

#include "base/memory/popcount.h"
#include "gpu/machine/params/scalar.h"
#include "trace/stream/inst.h"

static inline bool scalar_one_address(const struct warp_inst *w)
{
    if (w->form == ADDR_STRIDE) return w->stride == 0 || !(w->mask & (w->mask - 1));
    uint32_t n = popcount(w->mask);
    for (uint32_t k = 1; k < n; k++)
        if (w->list[k] != w->list[0]) return false;
    return w->form == ADDR_LIST;
}

static inline bool scalar_takes(enum scalar_loads loads, const struct warp_inst *w)
{
    const struct static_inst *si = w->si;
    if (loads == SCALAR_NONE || si->cls != OP_LOAD || si->hint || !w->mask) return false;
    bool space = si->space == SPACE_CONST || (loads == SCALAR_UNIFORM && si->space == SPACE_GLOBAL);
    return space && scalar_one_address(w);
}
