/* functional_caches.c - the L1s and scalar caches of the functional machine, and the operations
 * that functional_issue.c calls (memory_ops.h). A memory instruction is coalesced into accesses;
 * each touches the L1 of its SM, and what misses or is written through goes on to the L2
 * (functional_caches_l2.c). An L1 performs an access by the table of its protocol, by what its
 * bypass predictor has learnt, or by its write policy.
 *
 * A fill comes at once, so that an L1 has no MSHRs here: fluid_timing.h bounds what is in flight.
 */
#include "gpu/functional/memory/functional_caches.h"

#include "base/memory/alloc.h"
#include "gpu/functional/memory/directory_l1s.h"
#include "gpu/functional/memory/functional_partitions.h"
#include "gpu/functional/memory/split_caches.h"
#include "gpu/geometry/coalesce.h"
#include "gpu/geometry/l1_instruction.h"
#include "gpu/geometry/occupancy.h"
#include "gpu/machine/machine.h"
#include "gpu/policies/scalar_rule.h"

#include <string.h>

void functional_caches_write_back(struct functional_caches *w, const struct cache *c,
                                  const struct victim *v)
{
    bool down = w->copies_down;
    double done = w->timing.done;
    w->copies_down = false;
    for (uint32_t k = 0; v->dirty && k < c->sectors; k++) {
        if (!(v->dirty >> k & 1)) continue;
        struct access a = {.kind = ACCESS_WRITE};
        cache_dirty_bytes(c, v, k, a.mask);
        functional_caches_touch_l2(w, (v->tag << c->line_shift) + ((uint64_t)k << c->sector_shift),
                                   &a);
    }
    w->copies_down = down;
    w->timing.done = done;
}

static void empty_l1(struct functional_caches *w, uint32_t sm)
{
    struct cache *c = &w->l1[sm];
    if (split_caches_apply(w)) return; /* a release has dropped what is old */
    if (w->owner) {
        directory_l1s_synchronise(w, sm, OWN_ACQUIRE);
        return;
    }
    for (uint32_t i = 0; c->p.write == WRITE_BACK && i < c->n_lines; i++) {
        struct victim v = cache_dirty(c, i, UINT8_MAX);
        functional_caches_write_back(w, c, &v);
    }
    cache_invalidate(c);
}

/* Removes the L1's copy of the sector, for atomics and bypassing accesses. */
static void drop_copy(struct functional_caches *w, struct cache *c, uint64_t addr)
{
    uint32_t line = cache_find(c, cache_tag(c, addr));
    if (line == LINE_NONE) return;
    uint8_t bit = (uint8_t)(1u << cache_sector(c, addr));
    struct victim v = cache_dirty(c, line, bit);
    functional_caches_write_back(w, c, &v);
    cache_forget(c, line, bit);
}

/* Performs an access that bypasses the L2: the L2's copy is removed, and memory serves the access.
 */
static void pass_l2(struct functional_caches *w, const struct access *a)
{
    uint32_t slice = map_slice(&w->map, a->addr);
    struct cache *c = &w->slice[slice];
    uint32_t line = cache_find(c, cache_tag(c, a->addr));
    if (line != LINE_NONE) {
        if (w->copies)
            inclusion_filter_evict(&w->copies[slice], c, line, cache_tag(c, a->addr), w->l1);
        cache_forget(c, line, (uint8_t)(1u << cache_sector(c, a->addr)));
    }
    double queued;
    bool writes = a->kind == ACCESS_WRITE;
    enum fluid_level level = (writes ? functional_caches_write_memory
                                     : functional_caches_read_memory)(w, a->addr, &queued);
    if (writes)
        fluid_store(&w->timing, level, queued);
    else
        fluid_serve(&w->timing, level, queued);
}

/* A newly allocated line holds no sector but the accessed one. */
void functional_caches_find_line(struct functional_caches *w, const struct cache *c, uint64_t addr)
{
    uint32_t line = cache_find(c, cache_tag(c, addr));
    bool more = line != LINE_NONE && c->line[line].valid & ~(1u << cache_sector(c, addr));
    fluid_take_line(&w->timing, line, !more);
}

/* Times an access that the L1 serves alone. */
static void pace_here(struct fluid_timing *p, enum access_kind kind)
{
    if (kind == ACCESS_WRITE)
        fluid_store(p, FLUID_L1, 0);
    else
        fluid_serve(p, FLUID_L1, 0);
}

bool functional_caches_is_here(const struct cache *c, uint64_t addr)
{
    uint32_t line = cache_find(c, cache_tag(c, addr));
    return line != LINE_NONE && c->line[line].valid >> cache_sector(c, addr) & 1;
}

void functional_caches_tell_policies(struct functional_caches *w, uint32_t sm,
                                     const struct access *a, bool miss)
{
    struct warp_admission *policies = w->admission ? &w->admission[sm] : NULL;
    if (!policies) return;
    const struct throttle_access seen = {.warp = w->warp,
                                         .block = cache_tag(&w->l1[sm], a->addr),
                                         .load = a->kind == ACCESS_READ,
                                         .miss = miss};
    admission_access(&policies->policies, &seen, policies->issued, (uint64_t)w->timing.issued);
}

/* Performs an access by the protocol agent's table; no fill is ever in flight in a functional pass.
 */
static void touch_agent(struct functional_caches *w, uint32_t sm, const struct access *a,
                        uint8_t hint)
{
    struct cache *c = &w->l1[sm];
    uint32_t line = cache_find(c, cache_tag(c, a->addr));
    uint8_t bit = (uint8_t)(1u << cache_sector(c, a->addr));
    bool valid = line != LINE_NONE && (c->line[line].valid & bit);
    struct access_plan p;
    bool whole = cache_stores_whole_sector(c, a, &p);
    bool slc = hint & HINT_BYPASS_L2 && a->kind != ACCESS_ATOMIC;
    const struct transitions *t = &w->coherence.agent;
    bool round = hint & (HINT_BYPASS_L1 | HINT_BYPASS_L2);
    uint32_t event = transitions_event(t, a->kind, round, whole);
    uint32_t action = t->at[valid ? BLOCK_V : BLOCK_I][event].action;
    struct victim v;
    if (event == AGENT_LOAD || a->kind == ACCESS_WRITE)
        functional_caches_tell_policies(w, sm, a, !valid);
    if (action & (DO_HIT | DO_FETCH)) cache_touch(c, a, &v);
    if (action & DO_INSTALL) cache_apply(c, &p, a, &v);
    if (action & DO_INSTALL) w->copies_down = true;
    if (action & DO_DROP) cache_forget(c, line, bit);
    functional_caches_find_line(w, c, a->addr);
    if (!(action & (DO_FETCH | DO_WRITE | DO_ROUND)))
        pace_here(&w->timing, a->kind);
    else if (slc)
        pass_l2(w, a);
    else
        functional_caches_touch_l2(w, a->addr, a);
}

/* Whether the L1 keeps a copy of what it sends to the L2: a fill, or a store to a line that it has
 * allocated. */
static bool takes_copy(const struct functional_caches *w, enum access_kind kind, enum l1_way way,
                       uint8_t hint)
{
    if (kind == ACCESS_WRITE) return way != L1_PROTOCOL && l1_keeps_stores(&w->m->l1);
    return kind == ACCESS_READ && way != L1_ROUND && !(hint & HINT_BYPASS_L1 && w->ways.hints);
}

#define OPS_OF(name) extern const struct func_l1_ops func_l1_##name;
L1_MECHANISM_FUNCTIONAL(OPS_OF)
#define ROW(name) &func_l1_##name,
static const struct func_l1_ops *const l1_ops[] = {L1_MECHANISM_FUNCTIONAL(ROW) NULL};

static void tell_looked_up(struct functional_caches *w, uint32_t sm, const struct access *a,
                           const struct static_inst *si, bool hit)
{
    for (const struct func_l1_ops *const *o = l1_ops; *o; o++)
        if (w->mechanisms >> (*o)->id & 1) (*o)->looked_up(w, sm, a, si, hit);
}

/* Performs a load or a store in the tags of an L1. */
static void touch_tags(struct functional_caches *w, uint32_t sm, struct access *a,
                       const struct static_inst *si, enum l1_way way)
{
    struct cache *c = &w->l1[sm];
    uint64_t base = a->addr;
    struct victim v;
    l1_way_store(way, a);
    if (way == L1_EVICT) drop_copy(w, c, base);
    bool hit = cache_touch(c, a, &v);
    functional_caches_write_back(w, c, &v);
    bool passes = !hit && !a->allocate && c->p.write_miss == WRITE_MISS_NO_ALLOCATE;
    bool goes_on = a->kind == ACCESS_READ ? !hit : a->through || passes;
    functional_caches_find_line(w, c, base);
    if (goes_on)
        functional_caches_touch_l2(w, base, a);
    else
        pace_here(&w->timing, a->kind);
    if (a->kind == ACCESS_READ) tell_looked_up(w, sm, a, si, hit);
}

/* Performs an access by the tables of a protocol. */
static void touch_protocol(struct functional_caches *w, uint32_t sm, const struct access *a,
                           uint8_t hint)
{
    bool split = split_caches_apply(w);
    if (w->admission && (w->owner || split))
        functional_caches_tell_policies(w, sm, a, !functional_caches_is_here(&w->l1[sm], a->addr));
    if (w->owner)
        directory_l1s_access(w, sm, a, hint);
    else if (split)
        split_caches_access(w, sm, a, hint);
    else
        touch_agent(w, sm, a, hint);
}

static void touch_l1(struct functional_caches *w, uint32_t sm, const struct access *in,
                     const struct static_inst *si)
{
    struct cache *c = &w->l1[sm];
    enum l1_way way =
        l1_way(&w->ways, in->kind, si->hint & HINT_BYPASS_L1, si->space == SPACE_LOCAL);
    fluid_take_line(&w->timing, LINE_NONE, false);
    w->copies_down = takes_copy(w, in->kind, way, si->hint);
    uint64_t base = in->addr & ~(uint64_t)(c->p.sector_bytes - 1);
    struct access a = {.addr = base, .kind = in->kind};
    bytemask_up(in->mask, (uint32_t)(in->addr - base), a.mask);
    switch (way) {
    case L1_NONE: functional_caches_touch_l2(w, in->addr, in); return;
    case L1_PROTOCOL: touch_protocol(w, sm, &a, si->hint); return;
    case L1_ROUND:
        drop_copy(w, c, base);
        functional_caches_touch_l2(w, base, &a);
        return;
    case L1_PREDICTED: functional_caches_touch_predicted(w, sm, &a, si->pc); return;
    case L1_LOAD:
    case L1_THROUGH:
    case L1_EVICT:
    case L1_COMBINE:
    case L1_BACK:
    case L1_OWN: break;
    }
    if (w->admission)
        functional_caches_tell_policies(w, sm, in, !functional_caches_is_here(c, base));
    touch_tags(w, sm, &a, si, way);
}

static uint32_t count_scalars(const struct functional_caches *w)
{
    return scalar_caches(&w->m->scalar, w->m->sm.count);
}

static const struct cache_params *scalar_params(const struct functional_caches *w)
{
    return &w->m->scalar.cache;
}

const struct func_shared_ops func_shared_scalar = {.count = count_scalars, .params = scalar_params};

static struct cache *scalar_of(const struct functional_caches *w, uint32_t sm)
{
    uint32_t i = scalar_cache_of(&w->m->scalar, w->m->sm.count, sm);
    return &w->shared[w->shared_from[SHARED_scalar] + i];
}

static inline uint64_t physical_of(struct functional_caches *w, uint64_t addr)
{
    struct page_table *pages = functional_caches_pages(w);
    return pages ? page_table_translate(pages, addr, w->sm) : addr;
}

static void touch_scalar(struct functional_caches *w, struct cache *c, const struct warp_inst *inst)
{
    struct txn txn[COALESCE_MAX];
    fluid_take_line(&w->timing, LINE_NONE, false);
    struct coalesce_params cp = {.lanes = w->m->sm.warp_width, .bytes = c->p.sector_bytes};
    uint32_t n = coalesce(&cp, inst, txn);
    for (uint32_t k = 0; k < n; k++) {
        struct access a = {.addr = physical_of(w, txn[k].addr), .kind = ACCESS_READ};
        struct victim v;
        if (!cache_touch(c, &a, &v))
            functional_caches_touch_l2(w, a.addr, &a);
        else
            fluid_serve(&w->timing, FLUID_L1, 0);
    }
}

/* --- the operations (memory_ops.h) --- */

static void begin_instruction(struct functional_caches *w, uint32_t sm, double time)
{
    w->sm = sm;
    w->copies_down = false;
    fluid_begin(&w->timing, sm, time);
}

static void acquire(void *memory, uint32_t sm, double time)
{
    struct functional_caches *w = memory;
    begin_instruction(w, sm, time);
    empty_l1(w, sm);
    if (w->m->scalar.loads == SCALAR_UNIFORM) cache_invalidate(scalar_of(w, sm));
}

static void release(void *memory, uint32_t sm, double time)
{
    struct functional_caches *w = memory;
    begin_instruction(w, sm, time);
    if (w->owner) directory_l1s_synchronise(w, sm, OWN_RELEASE);
}

static bool needs_room(const void *memory, const struct warp_inst *inst)
{
    const struct functional_caches *w = memory;
    return inst_op_is_global(inst->si->cls) && !scalar_takes(w->m->scalar.loads, inst);
}

static double room_at(const void *memory, uint32_t sm)
{
    const struct functional_caches *w = memory;
    return fluid_room_at(&w->timing, sm);
}

static void advance(void *memory, double now)
{
    struct functional_caches *w = memory;
    fluid_advance(&w->timing, now);
}

/* The accesses of an instruction to the L1, in order. */
static void touch_transactions(struct functional_caches *w, uint32_t sm,
                               const struct warp_inst *inst, const struct txn *txn, uint32_t n)
{
    uint8_t cls = inst->si->cls;
    const struct l1_params *l1 = &w->m->l1;
    if (w->admission) admission_asked(&w->admission[sm].policies, w->warp);
    if (l1->enabled && l1_limits_instructions(&l1->instruction))
        fluid_take_turns(&w->timing,
                         l1_instruction_cycles(&l1->instruction, l1->cache.line_bytes, inst), n);
    fluid_enter_buffer(&w->timing);
    for (uint32_t k = 0; k < n; k++) {
        struct access a = {.addr = physical_of(w, txn[k].addr),
                           .mask = {txn[k].mask[0], txn[k].mask[1]}};
        a.kind = cls == OP_LOAD ? ACCESS_READ : cls == OP_STORE ? ACCESS_WRITE : ACCESS_ATOMIC;
        w->first = k == 0;
        if (w->tlbs.l1) w->timing.translation = functional_tlbs_translate(w, sm, txn[k].addr);
        touch_l1(w, sm, &a, inst->si);
    }
    w->timing.translation = 0;
    fluid_leave_buffer(&w->timing,
                       cls == OP_LOAD || (cls == OP_ATOMIC && inst->si->dst != REG_NONE));
}

static double access(void *memory, const struct func_issue *i)
{
    struct functional_caches *w = memory;
    begin_instruction(w, i->sm, i->time);
    w->warp = i->name;
    if (scalar_takes(w->m->scalar.loads, i->inst)) {
        touch_scalar(w, scalar_of(w, i->sm), i->inst);
        return w->timing.done;
    }
    struct txn txn[COALESCE_MAX];
    struct coalesce_params cp = coalesce_of(&w->m->sm, i->inst->si->cls, w->access_bytes);
    uint32_t n = coalesce(&cp, i->inst, txn);
    if (!n) return i->time; /* every lane is masked off */
    touch_transactions(w, i->sm, i->inst, txn, n);
    return w->timing.done;
}

static void copy(void *memory, const struct command *c)
{
    struct functional_caches *w = memory;
    if (c->kind != COMMAND_COPY_TO_DEVICE || !w->m->l2.copy_warms) return;
    uint64_t step = w->m->l2.cache.sector_bytes,
             capacity = (uint64_t)w->m->l2.banks * w->m->l2.bank_kb * 1024;
    struct copy_pieces left = copy_tail(c, 2 * capacity, step);
    struct access read = {.kind = ACCESS_READ};
    w->copies_down = false;
    for (uint64_t i = 0, at = left.first; i < left.n; i++, at += step) {
        uint64_t a = at;
        const struct page_table *pages = functional_caches_pages(w);
        if (pages && !page_table_find(pages, at, &a)) continue;
        if (w->map.partitions > 1) functional_partitions_at_home(w, a);
        functional_caches_touch_l2(w, a, &read);
        if (w->m->l2.copy_dirty) cache_soil(&w->slice[map_slice(&w->map, a)], a);
    }
    fluid_drain(&w->timing);
}

static bool launch(void *memory, const struct launch *l, const struct occupancy *fit)
{
    struct functional_caches *w = memory;
    (void)l;
    for (uint32_t i = 0; i < w->shared_from[SHARED_KINDS]; i++)
        cache_invalidate(&w->shared[i]);
    for (uint32_t i = 0; i < w->m->sm.count; i++) {
        const struct l1_params *l1 = &w->m->l1;
        struct cache_params p = l1->adaptive ? l1_tags_of(l1, fit->l1_kb) : l1_tag_params(l1);
        if (cache_params_lines(&p) != cache_params_lines(&w->l1[i].p)) {
            empty_l1(w, i);
            cache_fini(&w->l1[i]);
            if (!functional_caches_init_l1(w, i, &p)) return false;
        } else if (w->m->l1.flush_at_launch) {
            empty_l1(w, i);
        }
    }
    functional_partitions_launch(w);
    fluid_drain(&w->timing); /* what is written back above is over, too */
    return true;
}

const struct func_memory_ops functional_caches_ops = {.access = access,
                                                      .acquire = acquire,
                                                      .release = release,
                                                      .launch = launch,
                                                      .copy = copy,
                                                      .advance = advance,
                                                      .needs_room = needs_room,
                                                      .room_at = room_at,
                                                      .restart = functional_caches_restart,
                                                      .serialize = functional_caches_serialize};
