/* vmb.c - lists of the vector memory buffer's entries. With release in order an entry is freed when
 * it and all older ones of its list (one for the SM, or one per warp) are finished; out of order
 * there are no lists, and counts are enough. Entries lie in an array that grows when none is free.
 * Source: Candel 2019, 3.5.2, 3.5.3. */
#include "detailed/sm/vmb.h"

#include "base/memory/alloc.h"

#include <string.h>

static uint32_t count_lists(const struct vmb *b)
{
    return b->release == VMB_IN_ORDER_WARP ? VMB_WARPS : 1;
}

static void chain_free(struct vmb *b, uint32_t from)
{
    for (uint32_t i = from; i < b->cap; i++)
        b->entry[i].next = i + 1 < b->cap ? i + 1 : VMB_NONE;
    b->free = from;
}

bool vmb_init(struct vmb *b, const struct sm_params *p)
{
    *b = (struct vmb){.on = p->vmb_entries != 0,
                      .entries = p->vmb_entries,
                      .limit = UINT32_MAX,
                      .free = VMB_NONE};
    if (!b->on) return true;
    b->release = p->vmb_release;
    b->per_warp = p->vmb_scope == VMB_PER_WARP;
    if (b->per_warp)
        b->used_by = mem_new(VMB_WARPS, sizeof *b->used_by);
    else
        b->limit = p->vmb_entries;
    bool ok = !b->per_warp || b->used_by;
    if (ok && b->release != VMB_OUT_OF_ORDER) {
        b->cap = 32;
        b->list = mem_new(count_lists(b), sizeof *b->list);
        b->entry = mem_new(b->cap, sizeof *b->entry);
        ok = b->list && b->entry;
    }
    if (ok)
        vmb_clear(b);
    else
        vmb_fini(b);
    return ok;
}

void vmb_fini(struct vmb *b)
{
    mem_free(b->used_by);
    mem_free(b->list);
    mem_free(b->entry);
    *b = (struct vmb){0};
}

void vmb_clear(struct vmb *b)
{
    b->used = 0;
    if (b->used_by) memset(b->used_by, 0, VMB_WARPS * sizeof *b->used_by);
    memset(b->full, 0, sizeof b->full);
    for (uint32_t i = 0; b->list && i < count_lists(b); i++)
        b->list[i] = (struct vmb_list){VMB_NONE, VMB_NONE};
    if (b->entry) chain_free(b, 0);
    b->blocked_cycles = 0;
    b->blocked = false;
}

static struct vmb_list *list_of(const struct vmb *b, uint32_t warp)
{
    return &b->list[b->release == VMB_IN_ORDER_WARP ? warp : 0];
}

uint32_t vmb_enlist(struct vmb *b, uint32_t warp)
{
    if (b->free == VMB_NONE) {
        size_t cap = b->cap;
        uint32_t old = b->cap;
        if (!mem_grow(&b->entry, &cap, cap * 2, sizeof *b->entry)) return VMB_NONE;
        b->cap = (uint32_t)cap;
        chain_free(b, old);
    }
    uint32_t i = b->free;
    struct vmb_list *l = list_of(b, warp);
    b->free = b->entry[i].next;
    b->entry[i] = (struct vmb_entry){.warp = warp, .next = VMB_NONE};
    if (l->head == VMB_NONE)
        l->head = i;
    else
        b->entry[l->tail].next = i;
    l->tail = i;
    return i;
}

void vmb_finish_listed(struct vmb *b, uint32_t handle)
{
    b->entry[handle].finished = true;
    struct vmb_list *l = list_of(b, b->entry[handle].warp);
    while (l->head != VMB_NONE && b->entry[l->head].finished) {
        uint32_t i = l->head;
        l->head = b->entry[i].next;
        vmb_leave(b, b->entry[i].warp);
        b->entry[i].next = b->free;
        b->free = i;
    }
}

void vmb_block(struct vmb *b, bool blocked, uint64_t now)
{
    if (b->blocked) b->blocked_cycles += now - b->blocked_since;
    b->blocked = blocked;
    b->blocked_since = now;
}

bool vmb_check(const struct vmb *b)
{
    uint32_t sum = 0, listed = 0;
    for (uint32_t i = 0; b->used_by && i < VMB_WARPS; i++) {
        if (b->used_by[i] > b->entries) return false;
        if (vmb_warp_has_room(b, i) != (b->used_by[i] < b->entries)) return false;
        sum += b->used_by[i];
    }
    if (b->used_by && sum != b->used) return false;
    for (uint32_t k = 0; b->list && k < count_lists(b); k++) {
        uint32_t i = b->list[k].head;
        if (i != VMB_NONE && b->entry[i].finished)
            return false; /* a finished entry should have been freed */
        for (; i != VMB_NONE && listed <= b->used; i = b->entry[i].next)
            listed++;
    }
    return b->used <= b->limit && (!b->list || listed == b->used);
}
