/* copy_groups.h - when a warp's asynchronous copies are over, group by group, for engines that know
 * the end of an access when it issues.
 *
 * A warp's copies since its last commit are its open group; a commit closes it. A wait that leaves
 * n groups open waits for every committed group but the n youngest, and for nothing that is not
 * committed. Groups need not end in order.
 *
 * Time: the owner's; times only grow. Source: PTX ISA, cp.async.commit_group, cp.async.wait_group.
 */
#pragma once

#include "trace/stream/inst.h"

#include <stdbool.h>

struct copy_groups {
    uint64_t committed;
    double latest;                 /* when the last of all copies so far is over; 0: none */
    double over[INST_COPY_GROUPS]; /* by group modulo that: it and all older ones are over */
};

static inline void copy_groups_add(struct copy_groups *g, double over)
{
    if (over > g->latest) g->latest = over;
}

static inline void copy_groups_commit(struct copy_groups *g)
{
    g->over[g->committed++ % INST_COPY_GROUPS] = g->latest;
}

/* When a wait that leaves `open` groups open is over; 0: it does not wait. */
static inline double copy_groups_wait(const struct copy_groups *g, uint32_t open)
{
    return g->committed <= open ? 0 : g->over[(g->committed - 1 - open) % INST_COPY_GROUPS];
}

/* Whether code has asynchronous copies: engines keep no groups for what has none. */
static inline bool copy_groups_needed(const struct static_inst *code, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        if (inst_is_copy(&code[i])) return true;
    return false;
}
