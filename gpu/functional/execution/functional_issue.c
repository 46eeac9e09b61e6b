/* functional_issue.c - which warps issue in a quantum of FLUID_QUANTUM cycles, and how far they
 * get; see functional.h. */
#include "gpu/functional/execution/functional.h"

#include "gpu/functional/memory/functional_caches.h"

#include <math.h>
#include <string.h>

static inline double later(double a, double b)
{
    return a > b ? a : b;
}
static inline double sooner(double a, double b)
{
    return a < b ? a : b;
}

/* The warp that issues now, and its CTA. */
struct going {
    struct functional_cta *cta;
    struct functional_warp *clock;
    struct functional_stream *stream;
    double *ready;
};

static struct going going_of(const struct functional *w, uint32_t slot, uint32_t warp)
{
    size_t i = (size_t)slot * w->launch->warps_per_cta + warp;
    return (struct going){.cta = &w->cta[slot],
                          .clock = &w->clock[i],
                          .stream = &w->stream[i],
                          .ready = w->ready + i * w->launch->n_registers};
}

/* Fetches the warp's next instruction. A warp that has ended counts as ended only when its
 * outstanding accesses have been served. */
static bool advance_warp(struct functional *w, const struct going *g, struct error *e)
{
    struct functional_warp *f = g->clock;
    switch (cursor_next(&g->stream->cursor, &g->stream->inst, e)) {
    case GOT_INST: return true;
    case GOT_ERROR: return false;
    case GOT_END:
        f->ended = true;
        if (--g->cta->live == 0) w->sm[(uint32_t)(g->cta - w->cta) / w->slots].over = true;
        g->cta->latest = later(g->cta->latest, later(f->time, later(f->loads, f->stores)));
        cursor_release(&g->stream->cursor);
        if (w->admission) warp_admission_end_warp(w, (size_t)(f - w->clock));
    }
    return true;
}

/* Free warp slots of a sub-core, where all warps of a CTA share one sub-core. */
static uint32_t free_slots(const struct functional *w, uint32_t sm, uint32_t subcore)
{
    const uint32_t *slots = w->slot + (size_t)sm * w->slots;
    uint32_t taken = 0;
    for (uint32_t i = 0; i < w->sm[sm].n; i++)
        if (w->cta[slots[i]].subcore == subcore) taken += w->cta[slots[i]].live;
    return w->params->max_warps / w->params->subcores - taken;
}

/* Assigns sub-cores as sm/cta.c does: a CTA that stays on one sub-core goes to the next one with
 * room. */
static uint32_t next_subcore(struct functional *w, uint32_t sm)
{
    const struct sm_params *p = w->params;
    struct functional_sm *s = &w->sm[sm];
    uint32_t warps = w->launch->warps_per_cta, at = s->next_subcore;
    bool one = p->cta_binding == CTA_ONE_SUBCORE;
    for (uint32_t k = 1; one && k < p->subcores && free_slots(w, sm, at) < warps; k++)
        at = (at + 1) % p->subcores;
    s->next_subcore = (s->next_subcore + (one ? 1 : warps)) % p->subcores;
    return at;
}

/* Takes the next CTA for an SM; NO_CTA: there is none. */
static uint64_t take_cta(struct functional *w, uint32_t sm)
{
    enum dispatch_kind kind = w->params->dispatch;
    if (kind == DISPATCH_INTERLEAVED) return w->next_cta < w->launch->ctas ? w->next_cta : NO_CTA;
    if (!cta_queues_any(&w->queues, kind, sm)) return NO_CTA;
    uint64_t cta = cta_queues_next(&w->queues, sm);
    cta_queues_take(&w->queues, sm);
    return cta;
}

bool functional_dispatch(struct functional *w, uint32_t sm, uint32_t slot, double time,
                         struct error *e)
{
    struct functional_sm *s = &w->sm[sm];
    const struct launch *l = w->launch;
    uint64_t cta = take_cta(w, sm);
    if (cta == NO_CTA) return true;
    struct functional_cta *c = &w->cta[slot];
    *c = (struct functional_cta){.cta = cta,
                                 .order = w->next_cta++,
                                 .live = l->warps_per_cta,
                                 .subcore = next_subcore(w, sm),
                                 .latest = time,
                                 .wake = time,
                                 .active = true};
    w->slot[sm * w->slots + s->n++] = slot;
    s->wake = sooner(s->wake, time);
    w->active++;
    for (uint32_t i = 0; i < l->warps_per_cta; i++) {
        struct going g = going_of(w, slot, i);
        *g.clock = (struct functional_warp){.time = time, .loads = time, .stores = time};
        memset(g.ready, 0, l->n_registers * sizeof *g.ready);
        if (!cursor_seek(&g.stream->cursor, w->reader, w->launch_index, c->cta, i, 0, e))
            return false;
        if (w->admission) warp_admission_add_warp(w, sm, (size_t)(g.clock - w->clock));
        if (!advance_warp(w, &g, e)) return false;
    }
    return true;
}

static void count_done(struct functional *w, struct functional_warp *f, uint32_t sm)
{
    if (w->admission) w->admission[sm].issued++;
    f->done++;
    w->done++;
    w->launch_done++;
}

/* Opens the CTA's barrier if every running warp has arrived; all of them execute it at once. */
static bool open_barrier(struct functional *w, uint32_t slot, struct error *e)
{
    struct functional_cta *c = &w->cta[slot];
    if (!c->arrived || c->arrived < c->live) return true;
    c->arrived = 0;
    if (w->admission) warp_admission_invalidate(w, slot / w->slots);
    for (uint32_t i = 0; i < w->launch->warps_per_cta; i++) {
        struct going g = going_of(w, slot, i);
        if (!g.clock->at_barrier) continue;
        g.clock->at_barrier = false;
        g.clock->time = c->latest + 1;
        count_done(w, g.clock, slot / w->slots);
        if (!advance_warp(w, &g, e)) return false;
    }
    return true;
}

/* When the next instruction can issue, by the wait rules (gpu/machine/params/sm.h).
 */
static double can_issue(const struct sm_params *p, const struct going *g)
{
    const struct static_inst *si = g->stream->inst.si;
    const struct functional_warp *f = g->clock;
    uint8_t cls = si->cls;
    double registers = si->dst == REG_NONE ? 0 : g->ready[si->dst];
    for (uint32_t k = 0; k < si->n_src; k++)
        if (si->src[k] != REG_NONE) registers = later(registers, g->ready[si->src[k]]);
    bool drains = cls == OP_FENCE || cls == OP_ACQUIRE || cls == OP_RELEASE ||
                  (cls == OP_BARRIER && p->memory_wait != WAIT_SCOREBOARD);
    if (drains) return later(f->time, later(f->loads, f->stores));
    if (registers <= f->time) return f->time;
    return p->memory_wait == WAIT_ALL_AT_USE && registers <= f->loads ? f->loads : registers;
}

static void synchronise(struct functional *w, const struct func_issue *i)
{
    uint8_t cls = i->inst->si->cls;
    if (cls == OP_ACQUIRE || (cls == OP_FENCE && w->use.fence_acquires))
        w->use.ops->acquire(w->use.memory, i->sm, i->time);
    if (cls == OP_RELEASE || cls == OP_FENCE) w->use.ops->release(w->use.memory, i->sm, i->time);
}

/* Executes the next instruction at that time. */
static void issue_instruction(struct functional *w, uint32_t sm, uint32_t k, const struct going *g,
                              double now)
{
    const struct sm_params *p = w->params;
    const struct static_inst *si = g->stream->inst.si;
    struct functional_warp *f = g->clock;
    struct unit_params unit = unit_times(p, si->cls);
    const struct func_issue i = {.sm = w->use.first_sm + sm,
                                 .warp = (uint32_t)(f - w->clock),
                                 .inst = &g->stream->inst,
                                 .time = now};
    if (w->admission)
        functional_caches_set_warp(w->use.memory, w->name[f - w->clock], w->admission[sm].issued);
    if (w->use.ops->issues) w->use.ops->issues(w->use.memory, &i);
    double result = now + unit.latency;
    if (inst_op_is_global(si->cls)) {
        result = w->use.ops->access(w->use.memory, &i);
        bool load = si->cls == OP_LOAD || (si->cls == OP_ATOMIC && si->dst != REG_NONE);
        double *last = load ? &f->loads : &f->stores;
        *last = later(*last, result);
    } else {
        synchronise(w, &i);
    }
    if (si->dst != REG_NONE) g->ready[si->dst] = result;
    f->time = si->cls == OP_BRANCH ? result : now + 1;
    bool blocks = p->memory_wait == WAIT_BLOCK && inst_op_is_global(si->cls);
    if (blocks) f->time = later(f->loads, p->nonblocking_stores ? now + 1 : f->stores);
    issue_slots_take(&w->sm[sm].slots, k, unit_of(si->cls), unit.interval ? unit.interval : 1,
                     w->now);
}

static bool has_room(const struct functional *w, uint32_t sm)
{
    return w->use.ops->room_at(w->use.memory, w->use.first_sm + sm) < w->now + FLUID_QUANTUM;
}

/* Issues from a warp until the quantum ends, its sub-core has no issue slot left or its unit no
 * time. A warp that finds no room in the L1's input queue or in the buffer tries again, the oldest
 * first. */
static bool step_warp(struct functional *w, uint32_t sm, uint32_t k, const struct going *g,
                      struct error *e)
{
    const struct func_memory_ops *ops = w->use.ops;
    const struct issue_slots *slots = &w->sm[sm].slots;
    const double end = w->now + FLUID_QUANTUM;
    struct functional_warp *f = g->clock;
    while (!f->ended && issue_slots_free(slots, k, w->now)) {
        uint8_t cls = g->stream->inst.si->cls;
        f->time = later(can_issue(w->params, g), w->now);
        if (f->time >= end || !issue_slots_unit_free(slots, k, unit_of(cls), w->now)) return true;
        if (w->admission && warp_admission_holds_back(w, sm, (size_t)(f - w->clock), cls))
            return true;
        f->at_door = ops->needs_room(w->use.memory, &g->stream->inst) && !has_room(w, sm);
        if (f->at_door) return true;
        if (cls == OP_BARRIER) {
            if (w->admission) warp_admission_invalidate(w, sm);
            g->cta->latest = g->cta->arrived++ ? later(g->cta->latest, f->time) : f->time;
            f->at_barrier = true;
            return true;
        }
        issue_instruction(w, sm, k, g, f->time);
        count_done(w, f, sm);
        if (!advance_warp(w, g, e)) return false;
    }
    return true;
}

/* step_warp for a warp that may have ended or may wait at a barrier. */
static inline bool try_warp(struct functional *w, uint32_t sm, uint32_t k, uint32_t slot,
                            uint32_t i, struct error *e)
{
    struct going g = going_of(w, slot, i);
    const struct functional_warp *f = g.clock;
    if (f->ended || f->at_barrier || f->time >= w->now + FLUID_QUANTUM) return true;
    if (f->at_door && !has_room(w, sm)) return true;
    uint64_t done = f->done;
    if (!step_warp(w, sm, k, &g, e)) return false;
    if (f->done != done) w->sm[sm].last[k] = (struct functional_last){g.cta->cta, slot, i};
    return true;
}

bool functional_try_warp(struct functional *w, uint32_t sm, uint32_t k, uint32_t slot, uint32_t i,
                         struct error *e)
{
    return try_warp(w, sm, k, slot, i, e);
}

/* Issues from the CTA's warps on one sub-core, in the order of their numbers. */
static bool step_cta(struct functional *w, uint32_t sm, uint32_t k, uint32_t slot, struct error *e)
{
    const struct sm_params *p = w->params;
    const struct functional_cta *c = &w->cta[slot];
    bool one = p->cta_binding == CTA_ONE_SUBCORE;
    if (one && c->subcore != k) return true;
    uint32_t first = one ? 0 : (k + p->subcores - c->subcore) % p->subcores;
    for (uint32_t i = first; i < w->launch->warps_per_cta; i += one ? 1 : p->subcores)
        if (!try_warp(w, sm, k, slot, i, e)) return false;
    return true;
}

/* A greedy scheduler stays with the warp that it took last. */
static bool step_last(struct functional *w, uint32_t sm, uint32_t k, struct error *e)
{
    const struct functional_last *l = &w->sm[sm].last[k];
    const struct functional_cta *c = &w->cta[l->slot];
    if (!c->active || c->cta != l->cta) return true;
    return try_warp(w, sm, k, l->slot, l->warp, e);
}

/* A CTA whose warps have all ended makes room for the next. */
static bool replace_ended(struct functional *w, uint32_t sm, struct error *e)
{
    struct functional_sm *s = &w->sm[sm];
    uint32_t *slots = w->slot + (size_t)sm * w->slots;
    s->over = false;
    for (uint32_t i = 0; i < s->n;) {
        uint32_t slot = slots[i];
        struct functional_cta *c = &w->cta[slot];
        if (c->live) {
            i++;
            continue;
        }
        c->active = false;
        w->active--;
        memmove(slots + i, slots + i + 1, (--s->n - i) * sizeof *slots);
        if (!functional_dispatch(w, sm, slot, c->latest + 1, e)) return false;
    }
    return true;
}

/* When the next warp of a CTA can issue. `opens`: when a warp that waits for the L1's input queue
 * finds room. */
static double wake_of(const struct functional *w, uint32_t slot, double opens)
{
    const struct functional_warp *f = functional_warps_of(w, slot);
    double wake = INFINITY;
    for (uint32_t k = 0; k < w->launch->warps_per_cta; k++)
        if (!f[k].ended && !f[k].at_barrier)
            wake = sooner(wake, f[k].at_door ? later(f[k].time, opens) : f[k].time);
    return wake;
}

/* Collects in awake[] the CTAs that can issue before the quantum ends, in the order of arrival
 * starting with the first-th. The SM's wake becomes the earliest of the remaining ones. */
static uint32_t find_awake(struct functional *w, uint32_t sm, uint32_t first)
{
    struct functional_sm *s = &w->sm[sm];
    const uint32_t *slots = w->slot + (size_t)sm * w->slots;
    double end = w->now + FLUID_QUANTUM;
    uint32_t n = 0;
    s->wake = INFINITY;
    for (uint32_t k = 0, i = first; k < s->n; k++, i = i + 1 == s->n ? 0 : i + 1) {
        double wake = w->cta[slots[i]].wake;
        if (wake < end)
            w->awake[n++] = slots[i];
        else
            s->wake = sooner(s->wake, wake);
    }
    return n;
}

/* Computes when each of the n awake CTAs can issue next, and opens their barriers. */
static bool find_wake(struct functional *w, uint32_t sm, uint32_t n, struct error *e)
{
    struct functional_sm *s = &w->sm[sm];
    double opens = w->use.ops->room_at(w->use.memory, w->use.first_sm + sm);
    for (uint32_t i = 0; i < n; i++) {
        struct functional_cta *c = &w->cta[w->awake[i]];
        if (!open_barrier(w, w->awake[i], e)) return false;
        c->wake = wake_of(w, w->awake[i], opens);
        s->wake = sooner(s->wake, c->wake);
    }
    return true;
}

/* Runs a sub-core for one quantum in which n CTAs are awake. */
static bool step_subcore(struct functional *w, uint32_t sm, uint32_t k, uint32_t n, struct error *e)
{
    if (w->params->scheduler == SCHED_GTO && !step_last(w, sm, k, e)) return false;
    for (uint32_t i = 0; i < n && issue_slots_free(&w->sm[sm].slots, k, w->now); i++)
        if (!step_cta(w, sm, k, w->awake[i], e)) return false;
    return true;
}

/* Runs an SM for one quantum. The sub-cores take turns in being first at the L1 (sm.h). Each issues
 * from its last warp and then the oldest first (gto), or round-robin (sched.h). */
static bool step_sm(struct functional *w, uint32_t sm, uint64_t turn, struct error *e)
{
    bool in_turn = w->params->scheduler == SCHED_LRR;
    uint32_t resident = w->sm[sm].n, first = resident && in_turn ? (uint32_t)(turn % resident) : 0;
    uint32_t n = find_awake(w, sm, first);
    for (uint32_t i = 0; i < w->params->subcores; i++) {
        uint32_t k = (uint32_t)((turn + i) % w->params->subcores);
        if (!(w->admission ? warp_admission_step(w, sm, k, e) : step_subcore(w, sm, k, n, e)))
            return false;
    }
    return find_wake(w, sm, n, e) && (!w->sm[sm].over || replace_ended(w, sm, e));
}

/* Runs all SMs to the quantum's end, then advances to the quantum in which a warp can next issue.
 */
bool functional_quantum(struct functional *w, struct error *e)
{
    double now = w->now, wake = INFINITY;
    uint64_t turn = (uint64_t)(now / FLUID_QUANTUM);
    uint32_t sms = w->sms, sm = (uint32_t)(turn % sms);
    for (uint32_t i = 0; i < sms; i++) { /* the SMs take turns in being first */
        if (w->sm[sm].wake < now + FLUID_QUANTUM && !step_sm(w, sm, turn, e)) return false;
        wake = sooner(wake, w->sm[sm].wake);
        sm = sm + 1 == sms ? 0 : sm + 1;
    }
    double next = now + FLUID_QUANTUM;
    if (w->active && wake > next) next = floor(wake / FLUID_QUANTUM) * FLUID_QUANTUM;
    w->now = next;
    w->use.ops->advance(w->use.memory, next);
    return true;
}
