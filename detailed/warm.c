#include "detailed/warm.h"

#include "base/mem.h"
#include "base/progress.h"
#include "detailed/cache/l1.h"
#include "detailed/coherence/agent.h"
#include "detailed/warm_internal.h"
#include "geometry/coalesce.h"
#include "geometry/map.h"
#include "geometry/occupancy.h"
#include "machine/machine.h"
#include "trace/cursor.h"

#include <stdlib.h>
#include <string.h>

/* A warp of the functional machine. */
struct fwarp {
    struct cursor cursor;
    struct warp_inst inst; /* next */
    uint64_t done;         /* instructions behind it */
    bool ended, at_barrier;
};

struct fcta {
    uint64_t cta;
    struct fwarp *warp; /* [warps_per_cta] */
    uint32_t live, arrived;
    bool active;
};

struct pass {
    const struct machine *m;
    const struct program *p;
    struct reader *reader;
    struct map map;
    uint32_t access_bytes; /* what lanes join into */
    struct cache *l1, *slice;
    struct coherence coherence;
    struct bypass *bypass; /* [sms] */
    uint32_t *row;
    uint32_t banks;
    bool warm;
    /* the launch under way */
    const struct launch *launch;
    uint32_t launch_index, slots; /* CTA slots per SM */
    struct fcta *cta;             /* [sms * slots] */
    struct fwarp *warps;          /* [sms * slots * warps_per_cta] */
    uint32_t active;
    uint64_t next_cta, launch_done, done;
    /* what is wanted */
    const uint64_t *moments;
    uint32_t n, at;
    struct snapshot *out;
    struct error *e;
};

static void touch_memory(struct pass *w, uint64_t addr)
{
    struct coord c = map_addr(&w->map, addr);
    w->row[c.channel * w->banks + c.flat_bank] = c.row;
}

static void touch_l2(struct pass *w, uint64_t addr, const struct access *in)
{
    struct cache *c = &w->slice[map_slice(&w->map, addr)];
    struct access a = {.addr = addr, .kind = in->kind};
    struct victim v;
    /* the mask is relative to the grain of the level above */
    bytemask_up(in->mask, (uint32_t)(addr & (c->p.sector_bytes - 1)), a.mask);
    bool hit = cache_touch(c, &a, &v);
    if (v.dirty) touch_memory(w, v.tag << c->line_shift);
    bool passes = a.kind != ACCESS_READ &&
                  (c->p.write == WRITE_THROUGH || c->p.write_miss == WRITE_MISS_NO_ALLOCATE);
    if (!hit && (a.kind != ACCESS_WRITE || passes)) touch_memory(w, addr);
}

/* Dirty sectors that leave a write-back L1. */
static void write_back(struct pass *w, const struct cache *c, const struct victim *v)
{
    for (uint32_t k = 0; v->dirty && k < c->sectors; k++) {
        if (!(v->dirty >> k & 1)) continue;
        struct access a = {.kind = ACCESS_WRITE};
        cache_dirty_bytes(c, v, k, a.mask);
        touch_l2(w, (v->tag << c->line_shift) + ((uint64_t)k << c->sector_shift), &a);
    }
}

static void empty_l1(struct pass *w, uint32_t sm)
{
    struct cache *c = &w->l1[sm];
    for (uint32_t i = 0; c->p.write == WRITE_BACK && i < c->n_lines; i++) {
        struct victim v = cache_dirty(c, i, UINT8_MAX);
        write_back(w, c, &v);
    }
    cache_invalidate(c);
}

/* Atomics and bypassing accesses: the L1's copy of the sector leaves. */
static void drop_copy(struct pass *w, struct cache *c, uint64_t addr)
{
    uint32_t line = cache_find(c, cache_tag(c, addr));
    if (line == LINE_NONE) return;
    uint8_t bit = (uint8_t)(1u << cache_sector(c, addr));
    struct victim v = cache_dirty(c, line, bit);
    write_back(w, c, &v);
    cache_forget(c, line, bit);
}

/* Round the L2: its copy leaves, memory sees the access. */
static void pass_l2(struct pass *w, const struct access *a)
{
    struct cache *c = &w->slice[map_slice(&w->map, a->addr)];
    uint32_t line = cache_find(c, cache_tag(c, a->addr));
    if (line != LINE_NONE) cache_forget(c, line, (uint8_t)(1u << cache_sector(c, a->addr)));
    touch_memory(w, a->addr);
}

/* As the agent's table says; without time no fill is ever in flight. */
static void touch_agent(struct pass *w, struct cache *c, const struct access *a, uint8_t hint)
{
    uint32_t line = cache_find(c, cache_tag(c, a->addr));
    uint8_t bit = (uint8_t)(1u << cache_sector(c, a->addr));
    bool valid = line != LINE_NONE && (c->line[line].valid & bit);
    struct plan p;
    bool whole = agent_stores_whole(c, a, &p);
    bool slc = hint & HINT_BYPASS_L2 && a->kind != ACCESS_ATOMIC;
    enum agent_event event =
        agent_event_of(a->kind, hint & (HINT_BYPASS_L1 | HINT_BYPASS_L2), whole);
    uint16_t action = w->coherence.agent.at[valid ? AGENT_V : AGENT_I][event].action;
    struct victim v;
    if (action & (DO_HIT | DO_FETCH)) cache_touch(c, a, &v);
    if (action & DO_INSTALL) cache_apply(c, &p, a, &v);
    if (action & DO_DROP) cache_forget(c, line, bit);
    if (!(action & (DO_FETCH | DO_WRITE | DO_ROUND))) return;
    if (slc)
        pass_l2(w, a);
    else
        touch_l2(w, a->addr, a);
}

/* A load of an L1 with a predictor: without time every reply is at once. */
static void touch_learning(struct pass *w, uint32_t sm, const struct access *a, uint16_t pc)
{
    struct cache *c = &w->l1[sm];
    struct bypass *b = &w->bypass[sm];
    struct victim v;
    uint32_t line = cache_find(c, cache_tag(c, a->addr));
    bool here = line != LINE_NONE && c->line[line].valid >> cache_sector(c, a->addr) & 1;
    bool predicted = b->ops->predict(b, pc);
    if (here && b->ops->first(b, pc)) {
        touch_l2(w, a->addr, a);
        return;
    }
    if (here) {
        cache_touch(c, a, &v);
        bypass_hit(b, c, line, pc);
        return;
    }
    touch_l2(w, a->addr, a);
    struct cache *l2 = &w->slice[map_slice(&w->map, a->addr)];
    uint32_t below = cache_find(l2, cache_tag(l2, a->addr));
    bool came_back = below != LINE_NONE && bypass_verify(l2, below, a->addr, predicted);
    if (predicted && !came_back) return;
    bypass_evict(b, c, a->addr);
    cache_touch(c, a, &v);
    line = cache_find(c, cache_tag(c, a->addr));
    if (line != LINE_NONE) c->note[line] = (uint16_t)(pc + 1);
}

static void touch_l1(struct pass *w, uint32_t sm, const struct access *in,
                     const struct static_inst *si)
{
    const struct l1_params *p = &w->m->l1;
    const struct bypass_ops *ops = w->bypass[sm].ops;
    struct cache *c = &w->l1[sm];
    uint8_t hint = si->hint;
    bool bypass = (hint & HINT_BYPASS_L1 && ops->hints) || (in->kind == ACCESS_READ && ops->loads);
    if (!w->m->l1.enabled) {
        touch_l2(w, in->addr, in);
        return;
    }
    uint64_t base = in->addr & ~(uint64_t)(c->p.sector_bytes - 1);
    struct access a = {.addr = in->addr, .kind = in->kind};
    struct victim v;
    bytemask_up(in->mask, (uint32_t)(in->addr - base), a.mask);
    if (w->coherence.protocol) {
        a.addr = base;
        touch_agent(w, c, &a, hint);
        return;
    }
    if (bypass || in->kind == ACCESS_ATOMIC) {
        drop_copy(w, c, base);
        touch_l2(w, base, &a);
        return;
    }
    if (a.kind == ACCESS_READ && ops->predict) {
        a.addr = base;
        touch_learning(w, sm, &a, bypass_pc(p, si->pc));
        return;
    }
    bool local_back = p->write_local == LOCAL_BACK && si->space == SPACE_LOCAL;
    bool stays = p->cache.write == WRITE_BACK || local_back;
    a.through = !stays;
    a.allocate = local_back;
    if (a.kind == ACCESS_WRITE && !stays && p->cache.write == WRITE_EVICT) drop_copy(w, c, base);
    bool hit = cache_touch(c, &a, &v);
    write_back(w, c, &v);
    bool goes_on = a.kind == ACCESS_READ ? !hit : !stays;
    if (goes_on) touch_l2(w, base, &a);
}

static void execute(struct pass *w, uint32_t sm, const struct warp_inst *inst)
{
    uint8_t cls = inst->si->cls;
    if (!w->warm) return;
    if (cls == OP_ACQUIRE || (cls == OP_FENCE && w->m->coherence.fence_invalidates))
        empty_l1(w, sm);
    if (!op_is_global(cls)) return;
    struct txn txn[COALESCE_MAX];
    struct coalesce_params cp = {coalesce_group(&w->m->sm, cls), w->access_bytes};
    uint32_t n = coalesce(&cp, inst, txn);
    for (uint32_t k = 0; k < n; k++) {
        struct access a = {.addr = txn[k].addr, .mask = {txn[k].mask[0], txn[k].mask[1]}};
        a.kind = cls == OP_LOAD ? ACCESS_READ : cls == OP_STORE ? ACCESS_WRITE : ACCESS_ATOMIC;
        touch_l1(w, sm, &a, inst->si);
    }
}

static bool advance(struct pass *w, struct fcta *c, struct fwarp *f)
{
    switch (cursor_next(&f->cursor, &f->inst, w->e)) {
    case GOT_INST: return true;
    case GOT_ERROR: return false;
    case GOT_END:
        f->ended = true;
        c->live--;
        cursor_release(&f->cursor);
    }
    return true;
}

static bool dispatch(struct pass *w, struct fcta *c)
{
    if (w->next_cta >= w->launch->ctas) return true;
    c->cta = w->next_cta++;
    c->active = true;
    c->live = w->launch->warps_per_cta;
    c->arrived = 0;
    w->active++;
    for (uint32_t i = 0; i < w->launch->warps_per_cta; i++) {
        struct fwarp *f = &c->warp[i];
        f->done = 0;
        f->ended = f->at_barrier = false;
        if (!cursor_seek(&f->cursor, w->reader, w->launch_index, c->cta, i, 0, w->e)) return false;
        if (!advance(w, c, f)) return false;
    }
    return true;
}

/* Everyone who still runs has arrived: the barrier counts as executed by all at once. */
static bool open_barrier(struct pass *w, struct fcta *c)
{
    if (!c->arrived || c->arrived < c->live) return true;
    c->arrived = 0;
    for (uint32_t i = 0; i < w->launch->warps_per_cta; i++) {
        struct fwarp *f = &c->warp[i];
        if (!f->at_barrier) continue;
        f->at_barrier = false;
        f->done++;
        w->done++;
        w->launch_done++;
        if (!advance(w, c, f)) return false;
    }
    return true;
}

static bool step_warp(struct pass *w, uint32_t sm, struct fcta *c, struct fwarp *f)
{
    if (f->inst.si->cls == OP_BARRIER) {
        f->at_barrier = true;
        c->arrived++;
        return true;
    }
    execute(w, sm, &f->inst);
    f->done++;
    w->done++;
    w->launch_done++;
    return advance(w, c, f);
}

/* Every warp of the CTA executes one instruction; a finished CTA makes room for the next. */
static bool step_cta(struct pass *w, uint32_t sm, struct fcta *c)
{
    for (uint32_t i = 0; i < w->launch->warps_per_cta; i++) {
        struct fwarp *f = &c->warp[i];
        if (!f->ended && !f->at_barrier && !step_warp(w, sm, c, f)) return false;
    }
    if (!open_barrier(w, c)) return false;
    if (c->live) return true;
    c->active = false;
    w->active--;
    return dispatch(w, c);
}

/* --- snapshots --- */

static bool save(struct image *to, const struct cache *c)
{
    struct line_image *all = mem_new(c->index.n ? c->index.n : 1, sizeof *all);
    if (!all) return false;
    to->line = all;
    to->n = cache_save(c, all);
    return true;
}

static bool save_counters(struct image *to, const struct bypass *b)
{
    if (!b->counter) return true;
    to->counter = mem_new(b->p->agcb.entries, sizeof *to->counter);
    if (to->counter) memcpy(to->counter, b->counter, b->p->agcb.entries);
    return to->counter != NULL;
}

static void warm_free(struct warm_state *s)
{
    if (!s) return;
    for (uint32_t i = 0; s->l1 && i < s->sms; i++)
        mem_free(s->l1[i].line), mem_free(s->l1[i].counter);
    for (uint32_t i = 0; s->slice && i < s->slices; i++)
        mem_free(s->slice[i].line);
    mem_free(s->l1);
    mem_free(s->slice);
    mem_free(s->row);
    mem_free(s);
}

static struct warm_state *save_caches(const struct pass *w)
{
    struct warm_state *s = mem_new(1, sizeof *s);
    if (!s) return NULL;
    size_t rows = (size_t)w->m->dram.channels * w->banks;
    *s = (struct warm_state){.sms = w->m->sm.count, .slices = w->m->l2.banks, .banks = w->banks};
    s->l1 = mem_new(s->sms, sizeof *s->l1);
    s->slice = mem_new(s->slices, sizeof *s->slice);
    s->row = mem_new(rows, sizeof *s->row);
    bool ok = s->l1 && s->slice && s->row;
    for (uint32_t i = 0; ok && i < s->sms; i++)
        ok = save(&s->l1[i], &w->l1[i]) && save_counters(&s->l1[i], &w->bypass[i]);
    for (uint32_t i = 0; ok && i < s->slices; i++)
        ok = save(&s->slice[i], &w->slice[i]);
    if (ok) {
        memcpy(s->row, w->row, rows * sizeof *s->row);
        return s;
    }
    warm_free(s);
    return NULL;
}

static void save_resident(struct resident *r, uint64_t *done, const struct pass *w,
                          const struct fcta *c, uint32_t sm)
{
    *r = (struct resident){.cta = c->cta, .sm = sm, .warp_done = done};
    for (uint32_t i = 0; i < w->launch->warps_per_cta; i++)
        done[i] = c->warp[i].ended ? UINT64_MAX : c->warp[i].done;
}

static int by_cta(const void *a, const void *b)
{
    uint64_t x = ((const struct resident *)a)->cta, y = ((const struct resident *)b)->cta;
    return x < y ? -1 : x > y;
}

/* Residents in the order in which their CTAs were dispatched: the cycle model gives ages in it. */
static uint32_t save_residents(const struct pass *w, struct resident *r, uint64_t *done)
{
    uint32_t n = 0, warps = w->launch->warps_per_cta;
    for (uint32_t i = 0; i < w->m->sm.count * w->slots; i++) {
        if (!w->cta[i].active) continue;
        save_resident(&r[n], done + (size_t)n * warps, w, &w->cta[i], i / w->slots);
        n++;
    }
    qsort(r, n, sizeof *r, by_cta);
    return n;
}

static bool snapshot(struct pass *w)
{
    struct snapshot *s = &w->out[w->at];
    struct resident *r = mem_new(w->active + 1, sizeof *r);
    uint64_t *done = mem_new(((size_t)w->active + 1) * w->launch->warps_per_cta, sizeof *done);
    *s = (struct snapshot){.launch_done = w->launch_done, .residents = r, .warp_done = done};
    s->window = (struct window){.launch = w->launch_index, .next_cta = w->next_cta, .residents = r};
    if (w->warm) s->warm = save_caches(w);
    w->at++; /* what there is of it is freed by the caller */
    if (!r || !done || (w->warm && !s->warm)) return error_no_memory(w->e);
    s->window.n_residents = save_residents(w, r, done);
    return true;
}

void snapshot_fini(struct snapshot *s)
{
    mem_free(s->residents);
    mem_free(s->warp_done);
    warm_free(s->warm);
    *s = (struct snapshot){0};
}

/* --- launches --- */

static bool init_l1(struct pass *w, uint32_t sm, const struct cache_params *p)
{
    struct cache *c = &w->l1[sm];
    return cache_init(c, p, 1, 0, false) && (!bypass_learns(&w->bypass[sm]) || cache_keep_notes(c));
}

static bool begin_launch(struct pass *w, uint32_t index)
{
    w->launch = program_launch(w->p, index);
    w->launch_index = index;
    struct occupancy occ = occupancy(&w->m->sm, &w->m->l1, w->launch);
    if (!occ.ctas)
        return error_input(w->e, "a CTA of launch %u ('%s') does not fit on an SM", index,
                           w->launch->name);
    w->slots = occ.ctas;
    w->next_cta = w->launch_done = 0;
    w->active = 0;
    uint32_t n = w->m->sm.count * w->slots, warps = w->launch->warps_per_cta;
    w->cta = mem_new(n, sizeof *w->cta);
    w->warps = mem_new((size_t)n * warps, sizeof *w->warps);
    if (!w->cta || !w->warps) return error_no_memory(w->e);
    for (uint32_t i = 0; i < n; i++)
        w->cta[i].warp = w->warps + (size_t)i * warps;
    for (uint32_t i = 0; i < w->m->sm.count; i++) {
        struct cache_params p = l1_tag_params(&w->m->l1);
        if (w->m->l1.adaptive)
            p.ways = (uint32_t)((uint64_t)occ.l1_kb * 1024 / p.line_bytes / p.sets);
        if (p.ways != w->l1[i].p.ways) {
            empty_l1(w, i);
            cache_fini(&w->l1[i]);
            if (!init_l1(w, i, &p)) return error_no_memory(w->e);
        } else if (w->m->l1.flush_at_launch) {
            empty_l1(w, i);
        }
    }
    return true;
}

static void end_launch(struct pass *w)
{
    uint32_t n = w->m->sm.count * w->slots;
    for (uint32_t i = 0; w->warps && i < n * w->launch->warps_per_cta; i++)
        cursor_release(&w->warps[i].cursor);
    mem_free(w->cta);
    mem_free(w->warps);
    w->cta = NULL;
    w->warps = NULL;
}

static bool run_launch(struct pass *w)
{
    /* a moment at the very beginning sees an empty machine: residents are dispatched by the window
     * itself */
    while (w->at < w->n && w->moments[w->at] <= w->done)
        if (!snapshot(w)) return false;
    for (uint32_t k = 0; k < w->slots; k++)
        for (uint32_t sm = 0; sm < w->m->sm.count; sm++)
            if (!dispatch(w, &w->cta[sm * w->slots + k])) return false;
    while (w->active && w->at < w->n) {
        if (plumb_interrupted) {
            w->e->kind = ERROR_INTERRUPTED;
            return false;
        }
        for (uint32_t i = 0; i < w->m->sm.count * w->slots; i++)
            if (w->cta[i].active && !step_cta(w, i / w->slots, &w->cta[i])) return false;
        while (w->active && w->at < w->n && w->moments[w->at] <= w->done)
            if (!snapshot(w)) return false;
    }
    return true;
}

static void copy(struct pass *w, const struct command *c)
{
    if (c->kind != COMMAND_COPY_TO_DEVICE || !w->m->l2.copy_warms || !w->warm) return;
    uint64_t step = w->m->l2.cache.sector_bytes,
             capacity = (uint64_t)w->m->l2.banks * w->m->l2.bank_kb * 1024;
    uint64_t from = c->bytes > 2 * capacity ? c->addr + c->bytes - 2 * capacity : c->addr;
    struct access read = {.kind = ACCESS_READ};
    for (uint64_t a = from & ~(step - 1); a < c->addr + c->bytes; a += step) {
        touch_l2(w, a, &read);
        if (w->m->l2.copy_dirty) cache_soil(&w->slice[map_slice(&w->map, a)], a);
    }
}

static bool run_program(struct pass *w)
{
    for (uint32_t i = 0; i < program_commands(w->p) && w->at < w->n; i++) {
        const struct command *c = program_command(w->p, i);
        copy(w, c);
        if (c->kind != COMMAND_LAUNCH) continue;
        bool ok = begin_launch(w, c->launch) && run_launch(w);
        end_launch(w);
        if (!ok) return false;
    }
    if (w->at == w->n) return true;
    return error_run(w->e, "%s ends before the last moment asked for", program_name(w->p));
}

static bool init_pass(struct pass *w)
{
    if (!coherence_init(&w->coherence, w->m->coherence.protocol))
        return error_run(w->e, "the tables of the coherence protocol are incomplete");
    if (!map_init(&w->map, &w->m->l2, &w->m->dram, w->e) || !(w->reader = reader_new(w->p, w->e)))
        return false;
    w->banks = w->m->dram.ranks * w->m->dram.bankgroups * w->m->dram.banks_per_group;
    uint32_t sector = w->m->l1.enabled ? w->m->l1.cache.sector_bytes : w->m->l2.cache.sector_bytes;
    w->access_bytes = w->m->sm.coalesce_bytes < sector ? w->m->sm.coalesce_bytes : sector;
    w->l1 = mem_new(w->m->sm.count, sizeof *w->l1);
    w->slice = mem_new(w->m->l2.banks, sizeof *w->slice);
    w->bypass = mem_new(w->m->sm.count, sizeof *w->bypass);
    struct cache_params tags = l1_tag_params(&w->m->l1);
    size_t rows = (size_t)w->m->dram.channels * w->banks;
    w->row = mem_new(rows, sizeof *w->row);
    bool ok = w->l1 && w->slice && w->row && w->bypass;
    if (ok) memset(w->row, 0xff, rows * sizeof *w->row);
    for (uint32_t i = 0; ok && i < w->m->sm.count; i++)
        ok = bypass_init(&w->bypass[i], &w->m->l1) && init_l1(w, i, &tags);
    for (uint32_t i = 0; ok && i < w->m->l2.banks; i++)
        ok = cache_init(&w->slice[i], &w->m->l2.cache, w->m->l2.banks, w->m->l2.interleave_bytes,
                        false) &&
             (w->m->l1.bypass != BYPASS_AGCB || cache_keep_notes(&w->slice[i]));
    return ok || error_no_memory(w->e);
}

static void fini_pass(struct pass *w)
{
    for (uint32_t i = 0; w->l1 && i < w->m->sm.count; i++)
        cache_fini(&w->l1[i]);
    for (uint32_t i = 0; w->slice && i < w->m->l2.banks; i++)
        cache_fini(&w->slice[i]);
    for (uint32_t i = 0; w->bypass && i < w->m->sm.count; i++)
        bypass_fini(&w->bypass[i]);
    mem_free(w->bypass);
    mem_free(w->l1);
    mem_free(w->slice);
    mem_free(w->row);
    reader_free(w->reader);
}

bool warm_pass(const struct machine *m, const struct program *p, const uint64_t *moments,
               uint32_t n, bool want_warm, struct snapshot *out, struct error *e)
{
    struct error scratch;
    struct pass w = {.m = m,
                     .p = p,
                     .warm = want_warm,
                     .moments = moments,
                     .n = n,
                     .out = out,
                     .e = e ? e : &scratch};
    memset(out, 0, n * sizeof *out);
    bool ok = init_pass(&w) && run_program(&w);
    fini_pass(&w);
    for (uint32_t i = 0; !ok && i < n; i++)
        snapshot_fini(&out[i]);
    return ok;
}

static bool count_launch(const struct program *p, struct reader *r, uint32_t launch, uint64_t *n,
                         struct error *e)
{
    const struct launch *l = program_launch(p, launch);
    struct cursor c = {0};
    *n = 0;
    for (uint64_t cta = 0; cta < l->ctas; cta++)
        for (uint32_t warp = 0; warp < l->warps_per_cta; warp++) {
            struct error own = {0};
            if (!cursor_seek(&c, r, launch, cta, warp, 0, e)) return false;
            *n += cursor_skip(&c, UINT64_MAX, &own);
            cursor_release(&c);
            if (own.kind != ERROR_NONE) {
                *e = own;
                return false;
            }
        }
    return true;
}

bool program_count(const struct program *p, uint64_t *out, struct error *e)
{
    struct reader *r = NULL;
    bool ok = true;
    for (uint32_t i = 0; ok && i < program_launches(p); i++) {
        out[i] = program_launch(p, i)->warp_instructions;
        if (out[i]) continue;
        if (!r && !(r = reader_new(p, e))) return false;
        ok = count_launch(p, r, i, &out[i], e);
    }
    reader_free(r);
    return ok;
}
