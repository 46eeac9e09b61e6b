/* vmb.h - the vector memory buffer of one SM: which vector memory instructions hold an entry, and
 * when it is free for another one.
 *
 * An instruction takes an entry when it issues. The owner says when it is finished: all data have
 * returned, or, for a non-blocking store, all its accesses have been issued. Out of order, its
 * entry is free then; in order, it waits until the older ones of its list (the SM's or its warp's)
 * are free, too. Entries belong to the SM, or each warp slot has its own.
 *
 * Time: core cycles. Memory: vmb_init allocates; vmb_enter when a list in order grows past every
 * earlier length. Invariants: see vmb_check. Source: Candel 2019, 3.5.2, 3.5.3 (per CU, in program
 * order); Multi2Sim since 2017 (per slot). */
#pragma once

#include "base/memory/pool.h"
#include "gpu/machine/params/sm.h"

enum { VMB_NONE = UINT32_MAX, VMB_WARPS = 512, VMB_GROUP = 64 };

struct vmb_entry {
    uint32_t warp, next; /* next younger one of the list, or next free one */
    bool finished;
};

struct vmb_list {
    uint32_t head, tail; /* oldest and youngest entry */
};

struct vmb {
    bool on, per_warp;
    enum vmb_release release;
    uint32_t entries;                     /* of the SM or of a warp slot */
    uint32_t limit, used;                 /* of the SM; UINT32_MAX: unlimited */
    uint32_t *used_by;                    /* [VMB_WARPS] per warp slot, else NULL */
    uint64_t full[VMB_WARPS / VMB_GROUP]; /* warp slots (bits) whose own entries are all used */
    struct vmb_list *list;                /* in order: one, or [VMB_WARPS] */
    struct vmb_entry *entry;
    struct pool listed;
    /* Cycles in which it is full and an instruction waits. */
    uint64_t blocked_cycles, blocked_since;
    bool blocked;
};

bool vmb_init(struct vmb *b, const struct sm_params *p); /* false: no memory */
void vmb_fini(struct vmb *b);
void vmb_clear(struct vmb *b);
static inline bool vmb_has_room(const struct vmb *b) /* in the SM's entries */
{
    return b->used < b->limit;
}
static inline bool vmb_warp_has_room(const struct vmb *b, uint32_t warp) /* in the slot's entries */
{
    return !(b->full[warp / VMB_GROUP] >> warp % VMB_GROUP & 1);
}
static inline void vmb_leave(struct vmb *b, uint32_t warp)
{
    b->used--;
    if (!b->used_by) return;
    b->used_by[warp]--;
    b->full[warp / VMB_GROUP] &= ~(UINT64_C(1) << warp % VMB_GROUP);
}
uint32_t vmb_enlist(struct vmb *b, uint32_t warp);      /* in order: appends to the list */
void vmb_finish_listed(struct vmb *b, uint32_t handle); /* in order */
/* Takes an entry; there must be room. Returns the handle for vmb_finish; VMB_NONE: no memory. */
static inline uint32_t vmb_enter(struct vmb *b, uint32_t warp)
{
    uint32_t handle = b->list ? vmb_enlist(b, warp) : warp;
    if (handle == VMB_NONE) return VMB_NONE;
    b->used++;
    if (b->used_by && ++b->used_by[warp] == b->entries)
        b->full[warp / VMB_GROUP] |= UINT64_C(1) << warp % VMB_GROUP;
    return handle;
}
static inline void vmb_finish(struct vmb *b, uint32_t handle)
{
    if (b->list)
        vmb_finish_listed(b, handle);
    else
        vmb_leave(b, handle);
}
/* Records whether, from `now` on, an instruction waits for an entry. */
void vmb_block(struct vmb *b, bool blocked, uint64_t now);
bool vmb_check(const struct vmb *b);
