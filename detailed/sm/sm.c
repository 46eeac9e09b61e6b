/* sm.c - a cycle of an SM, and what the end of an access means to its instruction and warp.
 *
 * A step takes replies from the network (fill_ports a cycle), steps the TLB and the L1, then the
 * sub-cores that are due, then places CTAs. A sub-core finds the warps whose registers and unit are
 * free, lets its scheduler pick one and issues it; with none it sleeps until the first could be
 * free, or until memory wakes it. An instruction is done with its last access; its warp may then
 * issue again, or end. Which sub-core goes first at a shared unit takes turns. More:
 * docs/models/cycle-model.md. */
#include "detailed/sm/sm_side.h"

#include "base/memory/alloc.h"
#include "detailed/l1/l1_internal.h"
#include "detailed/parts/component.h"
#include "detailed/parts/port.h"

#include <assert.h>
#include <string.h>

static uint64_t sooner(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* Releases the warps. Unused slots are not touched, since a small launch needs only a small part of
 * a large machine's memory. */
static void release_warps(struct sm *s)
{
    for (uint32_t i = 0; i < s->p->subcores; i++)
        for (uint64_t rest = s->sub[i].used; rest; rest &= rest - 1) {
            struct warp *w = sm_warp(s, i * SM_SUBCORE_SLOTS + (uint32_t)__builtin_ctzll(rest));
            cursor_release(&w->cursor);
            w->state = WARP_FREE;
        }
}

static void reset_sm(struct sm *s)
{
    memset(s->cta, 0, s->p->max_ctas * sizeof *s->cta);
    for (uint32_t i = 0; i < s->p->subcores; i++) {
        s->sub[i] = (struct subcore){.accounted = 0};
        s->wake[i] = UINT64_MAX;
        memset(s->sub[i].ready, 0xff, sizeof s->sub[i].ready);
        s->admission.core[i] = &s->sub[i].warps;
    }
    admission_reset(&s->admission);
    for (uint32_t i = 0; i < s->vinst_cap; i++)
        s->vinst[i].next = i + 1 < s->vinst_cap ? i + 1 : UINT32_MAX;
    s->first_wake = UINT64_MAX;
    s->vinst_free = 0;
    s->l1_due = 0;
    s->fills_used = 0;
    s->l1_waits = false;
    s->wants_memory = s->with_stuck = 0;
    s->ctas = s->next_subcore = s->first_subcore = s->vinsts = 0;
    vmb_clear(&s->vmb);
    pool_clear(&s->bundles.nodes, &s->bundles.node);
    pool_clear(&s->copies.nodes, &s->copies.node);
    s->memory_free = s->shared_free = s->scalar_free = s->untranslated = 0;
    struct histogram *load = s->s.load_latency, *max = s->s.max_latency;
    s->s = (struct sm_stats){.load_latency = load, .max_latency = max};
    s->failed = false;
}

/* Lanes that coalesce over more than a sector still make one access per sector. */
static uint32_t access_bytes(const struct sm_wiring *w)
{
    uint32_t sector = w->l1->enabled ? w->l1->cache.sector_bytes : w->l2_sector;
    return coalesce_block(w->sm, sector);
}

static bool init_sides(struct sm *s, const struct sm_wiring *w)
{
    static const struct sm_side_ops *const table[SM_SIDES] = {&sm_side_operands,
                                                              &sm_side_translation};
    for (uint32_t i = 0; i < SM_SIDES; i++) {
        if (!w->l1_wiring->mechanisms.has[table[i]->id]) continue;
        s->side[s->sides++] = table[i];
        if (!table[i]->init(s, w)) return false;
    }
    return true;
}

bool sm_init(struct sm *s, uint32_t id, const struct sm_wiring *w)
{
    *s = (struct sm){.p = w->sm,
                     .id = id,
                     .governed = admission_restricts(w->sm),
                     .slots = w->sm->max_warps / w->sm->subcores,
                     .reader = w->reader,
                     .run = w->run,
                     .counts = &w->run->counts,
                     .scalar = scalar_of_sm(w->wiring, id),
                     .reply = w->reply,
                     .locality = w->locality,
                     .placement = w->wiring->placement,
                     .core_period = w->l1_wiring->core_period,
                     .noc_period = w->l1_wiring->noc_period,
                     .fill_ports = w->l1->fill_ports,
                     .error = w->error,
                     .bundles.nodes = POOL(struct bundle_node, next),
                     .copies.nodes = POOL(struct copy_node, younger),
                     .vinst_cap = 64};
    assert(s->slots <= SM_SUBCORE_SLOTS &&
           w->sm->subcores <= SM_MAX_SUBCORES); /* machine_check reports it to users */
    s->s.load_latency = w->load_latency;
    s->s.max_latency = w->max_latency;
    s->warp = mem_new_aligned((size_t)w->sm->subcores * s->slots, sizeof *s->warp, 64);
    s->cta = mem_new_unset(w->sm->max_ctas, sizeof *s->cta);
    s->vinst = mem_new_unset(s->vinst_cap, sizeof *s->vinst);
    s->access_room =
        w->l1->access_queue ? w->l1->access_queue : (uint64_t)w->sm->memory_latency * w->l1->ports;
    bool ok = s->warp && s->cta && s->vinst && vmb_init(&s->vmb, w->sm) &&
              admission_init(&s->admission, w->sm, cache_params_lines(&w->l1->cache)) &&
              l1_init(&s->l1, w->l1, access_bytes(w), id, w->l1_wiring, s) && init_sides(s, w);
    s->access_bytes = access_bytes(w);
    s->l1_limits = w->l1->enabled && l1_limits_instructions(&w->l1->instruction);
    if (ok) s->sub = mem_new_unset(w->sm->subcores, sizeof *s->sub);
    if (s->sub)
        reset_sm(s);
    else
        sm_fini(s);
    return s->sub != NULL;
}

void sm_fini(struct sm *s)
{
    if (s->sub) release_warps(s);
    mem_free(s->sub);
    mem_free(s->warp);
    mem_free(s->cta);
    mem_free(s->vinst);
    mem_free(s->site_of);
    conflict_memo_fini(&s->conflicts);
    mem_free(s->registers);
    mem_free(s->bundles.node);
    mem_free(s->copies.node);
    SM_EACH_SIDE(s, o) o->fini(s);
    vmb_fini(&s->vmb);
    admission_fini(&s->admission);
    l1_fini(&s->l1);
    *s = (struct sm){0};
}

void sm_clear(struct sm *s)
{
    l1_clear(&s->l1);
    SM_EACH_SIDE(s, o) o->clear(s);
    release_warps(s);
    reset_sm(s);
}

bool sm_launch(struct sm *s, const struct occupancy *occ, uint64_t now)
{
    uint32_t registers = s->run->launch->n_registers ? s->run->launch->n_registers : 1;
    uint32_t warps = s->p->subcores * s->slots;
    s->occ = *occ;
    s->next_subcore = 0;
    s->turn = UINT64_MAX;
    if (registers > s->register_cap) {
        mem_free(s->registers);
        s->registers = mem_new_unset((size_t)warps * registers, sizeof *s->registers);
        s->register_cap = s->registers ? registers : 0;
        if (!s->registers) return false;
    }
    if (s->l1.p->adaptive && !l1_resize(&s->l1, occ->l1_kb, now)) return false;
    sm_l1_touched(s);
    sm_admission_launch(s);
    SM_EACH_SIDE(s, o)
    if (o->launch && !o->launch(s)) return false;
    return true;
}

void sm_vinst_issued(void *owner, uint32_t accesses)
{
    struct sm *s = owner;
    uint32_t vinst = l1_accesses_vinst(accesses);
    struct vinst *v = &s->vinst[vinst];
    if (v->bundle)
        sm_bundle_issued(s, vinst);
    else if ((v->to_issue -= l1_accesses_count(accesses)) == 0 && !v->load &&
             s->p->nonblocking_stores)
        vmb_finish(&s->vmb, v->vmb);
}

uint32_t sm_vinst_warp(const void *owner, uint32_t accesses)
{
    return ((const struct sm *)owner)->vinst[l1_accesses_vinst(accesses)].warp;
}

/* Prefetches what a warp that is about to issue will touch: its stream, and room for its accesses.
 */
static inline void expect_issue(const struct sm *s, const struct warp *w)
{
    prefetch_line(&w->cursor);
    prefetch_line((const char *)&w->cursor + 64);
    prefetch_line(&w->cursor.list);
    prefetch_line(&s->l1.access[(s->l1.tail + 4) & s->l1.access_mask]);
}

static inline void warp_came(struct sm *s, uint32_t index, uint64_t now)
{
    struct warp *w = sm_warp(s, index);
    if (w->state == WARP_WAITS_MEMORY || w->state == WARP_RUNS) {
        sm_refresh(s, index, now);
        if (w->state == WARP_RUNS) expect_issue(s, w);
    } else if (w->state == WARP_EXITED && sm_warp_is_quiet(s, w)) {
        sm_end_warp(s, index, now);
    }
}

void sm_warp_came(struct sm *s, uint32_t index, uint64_t now)
{
    warp_came(s, index, now);
}

void sm_vinst_done(void *owner, uint32_t accesses, uint64_t now)
{
    struct sm *s = owner;
    uint32_t vinst = l1_accesses_vinst(accesses), n = l1_accesses_count(accesses);
    struct vinst *v = &s->vinst[vinst];
    if (v->bundle) {
        sm_bundle_done(s, vinst, now);
        return;
    }
    if (v->load) histogram_add(s->s.load_latency, now - v->born, n);
    if (v->left -= n) return;
    struct warp *w = sm_warp(s, v->warp);
    uint32_t index = v->warp;
    histogram_add(s->s.max_latency, now - v->born, 1);
    if (s->sites) sm_site_done(s, vinst, now - v->born);
    if (v->copy)
        sm_copy_done(s, w, vinst);
    else if (v->load)
        w->loads--;
    else if (sm_store_is_behind(w, v))
        s->counts->requests_behind--;
    else
        w->stores--;
    bool brings = v->load && v->dst != REG_NONE;
    if (brings) w->reg_ready[v->dst] = now;
    bool holds = v->vmb != VMB_NONE && (v->load || !s->p->nonblocking_stores);
    if (holds) vmb_finish(&s->vmb, v->vmb);
    if (brings && s->operands) {
        const struct vinst load = *v; /* what follows may move it */
        sm_operands_loaded(s, &load, now);
    }
    sm_vinst_free(s, vinst);
    warp_came(s, index, now);
}

static bool memory_has_room(const struct sm *s)
{
    /* the address pipeline holds the accesses that enter the L1 within its latency */
    return vmb_has_room(&s->vmb) && l1_queued(&s->l1) + s->untranslated <= s->access_room;
}

static inline uint64_t unit_free_at(const struct sm *s, const struct subcore *sc, uint8_t unit,
                                    uint32_t slot, uint64_t now)
{
    if (unit < UNIT_OWN_N) return (uint64_t)(int64_t)sc->unit_free[unit];
    if (unit == UNIT_SHARED)
        return s->p->shared_pipeline == SHARED_MEMORY ? s->memory_free : s->shared_free;
    if (unit == UNIT_SCALAR) return s->scalar_free;
    if (unit != UNIT_MEMORY) return 0;
    if (s->memory_free > now) return s->memory_free;
    if (!memory_has_room(s)) return UINT64_MAX;
    uint32_t warp = (uint32_t)(sc - s->sub) * SM_SUBCORE_SLOTS + slot;
    return vmb_warp_has_room(&s->vmb, warp) ? 0 : UINT64_MAX;
}

uint64_t sm_unit_free_at(const struct sm *s, const struct subcore *sc, uint8_t unit, uint32_t slot,
                         uint64_t now)
{
    return unit_free_at(s, sc, unit, slot, now);
}

static void find_stuck(struct sm *s, struct subcore *sc, uint32_t slot, uint64_t now)
{
    s->wants_memory |= 1u << (sc - s->sub);
    if (sc->stuck >> slot & 1) return;
    s->with_stuck |= 1u << (sc - s->sub);
    sc->stuck |= UINT64_C(1) << slot;
    sm_warp(s, (uint32_t)(sc - s->sub) * SM_SUBCORE_SLOTS + slot)->blocked_since = now;
}

FOR_BOTH void step_subcore(struct sm *s, uint32_t i, uint64_t now, bool collects)
{
    struct subcore *sc = &s->sub[i];
    uint64_t could = 0, wake = UINT64_MAX;
    if (!collects) s->wants_memory &= ~(1u << i);
    uint64_t rest = s->governed ? sm_admitted(s, sc, now) : sc->awake;
    if (!collects && (rest & sc->stuck) && s->memory_free <= now && !memory_has_room(s)) {
        s->wants_memory |= 1u << i; /* as find_stuck for each that was stuck before */
        rest &= ~sc->stuck;
    }
    for (; rest; rest &= rest - 1) {
        uint32_t slot = (uint32_t)__builtin_ctzll(rest);
        uint64_t at = sc->ready[slot];
        if (at <= now) {
            at = unit_free_at(s, sc, sc->unit[slot], slot, now);
            if (at <= now)
                could |= UINT64_C(1) << slot;
            else if (at == UINT64_MAX)
                find_stuck(s, sc, slot, now);
        }
        if (at > now) wake = sooner(wake, at);
    }
    sm_account_stall(s, sc, now);
    if (!could) {
        sc->cause = sm_classify_stall(s, sc, wake);
        s->wake[i] = sooner(wake, s->admission.throttle.due);
        return;
    }
    uint32_t slot = sc->warps.sched.ops->pick(&sc->warps.sched, could, sc->warps.age);
    s->wake[i] = now + 1;
    if (collects) {
        slot = sm_operands_settle(s, sc, slot, could, now);
        if (slot == UINT32_MAX) {
            sc->cause = CAUSE_COMPUTE;
            return;
        }
    }
    sc->warps.sched.last = slot;
    s->s.slots++;
    sc->accounted = now + 1;
    sc->cause = CAUSE_COMPUTE;
    /* the sub-core that took a shared unit is the last to find it free the next time */
    uint8_t none = collects ? UNIT_COLLECTED + UNIT_NONE : UNIT_NONE;
    if (sc->unit[slot] >= UNIT_OWN_N && sc->unit[slot] != none)
        s->first_subcore = i + 1 == s->p->subcores ? 0 : i + 1;
    if (collects)
        sm_issue_collected(s, i * SM_SUBCORE_SLOTS + slot, now);
    else
        sm_issue(s, i * SM_SUBCORE_SLOTS + slot, now);
}

/* Steps the sub-cores that are due; returns whether there was one. */
FOR_BOTH bool step_subcores(struct sm *s, uint64_t now, bool collects)
{
    uint32_t wants = s->wants_memory && memory_has_room(s) ? s->wants_memory : 0;
    if (s->first_wake > now && !wants) return false;
    uint32_t at = s->first_subcore;
    for (uint32_t k = 0; k < s->p->subcores; k++, at = at + 1 == s->p->subcores ? 0 : at + 1)
        if (s->wake[at] <= now || (wants >> at & 1)) step_subcore(s, at, now, collects);
    s->first_wake = UINT64_MAX;
    for (uint32_t i = 0; i < s->p->subcores; i++)
        s->first_wake = sooner(s->first_wake, s->wake[i]);
    return true;
}

/* With a register file: what has been collected goes before what issues, which goes before the
 * results of this cycle. Returns whether accesses may have been sent to the L1. */
static __attribute__((noinline)) bool step_collecting(struct sm *s, uint64_t now)
{
    bool dispatched = sm_operands_dispatch(s, now), issued = step_subcores(s, now, true);
    sm_operands_step(s, now);
    return issued || dispatched;
}

/* Passes a reply on to the page walkers or the scalar cache, which have it in the next cycle. Out
 * of line: replies to the L1 pay nothing for it. */
static __attribute__((noinline)) void pass_on(struct sm *s, uint32_t req, uint64_t now)
{
    if (req_is_of_walk(&s->l1.w->reqs->item[req])) {
        sm_translation_reply(s, req, now + 1);
        return;
    }
    scalar_reply(s->scalar, req, now + 1);
}

static void take_replies(struct sm *s, uint64_t now, uint64_t noc_now)
{
    const uint32_t ports = s->fill_ports;
    uint32_t req;
    for (uint64_t at; (at = noc_ready_at(s->reply, s->id)) <= noc_now;) {
        const struct req *r = &s->l1.w->reqs->item[noc_next(s->reply, s->id)];
        uint32_t more = l1_more(&s->l1, r);
        if (!port_lets_in(&s->fills_used, ports, 1 + more, at == noc_now, now)) return;
        if (noc_take_train(s->reply, s->id, more, &req)) s->l1.w->noc_due(s->l1.w->sim);
        if (r->scalar && r->reply != REPLY_NACK)
            pass_on(s, req, now);
        else
            l1_reply(&s->l1, req, now);
    }
}

/* Whether an instruction waits for an entry of the vector memory buffer. */
static bool wants_entry(const struct sm *s)
{
    if (!s->vmb.per_warp) return !vmb_has_room(&s->vmb) && s->with_stuck;
    for (uint32_t subs = s->with_stuck; subs; subs &= subs - 1) {
        uint32_t i = (uint32_t)__builtin_ctz(subs);
        if (s->sub[i].stuck & s->vmb.full[i]) return true;
    }
    return false;
}
_Static_assert((int)VMB_GROUP == (int)SM_SUBCORE_SLOTS, "a sub-core's warp slots are a group");

uint64_t sm_step(struct sm *s, uint64_t now)
{
    uint64_t noc_now = clock_floor(now, s->core_period, s->noc_period);
    bool answered = noc_ready_at(s->reply, s->id) <= noc_now;
    if (answered) take_replies(s, now, noc_now);
    if (s->tlb) sm_translation_step(s, now);
    assert((answered || s->l1_waits == l1_waits(&s->l1)) && "who touches the L1 says so");
    bool moves = s->l1_due <= now || (answered ? l1_waits(&s->l1) : s->l1_waits);
    if (moves) l1_step(&s->l1, now);
    bool issued = s->operands ? step_collecting(s, now) : step_subcores(s, now, false);
    /* under QuickRelease a reply may have ended the last warp, and begun a release */
    if (issued || moves || (answered && s->l1.sync)) s->l1_due = l1_due(&s->l1, now);
    if (issued || moves || answered) sm_l1_touched(s);
    if (s->vmb.on && wants_entry(s) != s->vmb.blocked) vmb_block(&s->vmb, !s->vmb.blocked, now);
    uint64_t next = sm_dispatch(s, now);
    if (s->tlb) next = sooner(next, sm_translation_due(s));
    next = sooner(next, sooner(s->l1_due, s->first_wake));
    uint64_t arrival = noc_ready_at(s->reply, s->id);
    if (arrival != UINT64_MAX) {
        next = sooner(next, clock_ceil(arrival, s->noc_period, s->core_period));
    }
    return next > now ? next : now + 1;
}

void sm_vinst_free(struct sm *s, uint32_t vinst)
{
    s->vinst[vinst].next = s->vinst_free;
    s->vinst_free = vinst;
    s->vinsts--;
}

bool sm_idle(const struct sm *s)
{
    SM_EACH_SIDE(s, o)
    if (!o->is_idle(s)) return false;
    return !s->ctas && !s->vinsts && l1_idle(&s->l1);
}
