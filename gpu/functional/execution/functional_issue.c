/* functional_issue.c - what an SM does in a quantum: its sub-cores' warps
 * issue, as their schedulers pick them; CTAs come and go. See functional.h. */
#include "gpu/functional/execution/functional.h"

#include "gpu/policies/wait_rule.h"

#include <inttypes.h>
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

/* A warp, and where it is. */
struct going {
    uint32_t sm, subcore, slot; /* the SM counted in the group */
    uint32_t index;             /* into functional.clock */
    struct functional_cta *cta;
    struct functional_warp *clock;
    struct functional_stream *stream;
    double *ready;
    struct copy_groups *copies; /* NULL: the launch has none */
};

static struct going going_of(const struct functional *w, uint32_t sm, uint32_t i)
{
    return (struct going){.sm = sm,
                          .subcore = w->name[i] / SM_SUBCORE_SLOTS,
                          .slot = w->name[i] % SM_SUBCORE_SLOTS,
                          .index = i,
                          .cta = &w->cta[w->clock[i].cta],
                          .clock = &w->clock[i],
                          .stream = &w->stream[i],
                          .ready = w->ready + (size_t)i * w->launch->n_registers,
                          .copies = w->copies ? &w->copies[i] : NULL};
}

static uint64_t bit_of(const struct going *g)
{
    return UINT64_C(1) << g->slot;
}

static struct func_issue issue_of(const struct functional *w, const struct going *g)
{
    return (struct func_issue){.sm = w->use.first_sm + g->sm,
                               .warp = g->index,
                               .name = w->name[g->index],
                               .inst = &g->stream->inst,
                               .time = g->clock->time};
}

/* A warp of a sub-core can issue at `time`. */
static void wake_at(struct functional *w, const struct going *g, double time)
{
    struct functional_sm *s = &w->sm[g->sm];
    s->wake[g->subcore] = sooner(s->wake[g->subcore], time);
    s->first_wake = sooner(s->first_wake, time);
}

/* --- barriers and the ends of warps --- */

static bool advance_warp(struct functional *w, const struct going *g, struct error *e);

static void count_done(struct functional *w, const struct going *g)
{
    w->use.admission[g->sm].issued++;
    g->clock->done++;
    w->done++;
    w->launch_done++;
}

/* Opens the CTA's barrier if every running warp has arrived; all of them execute it at once. */
static bool open_barrier(struct functional *w, const struct going *last, struct error *e)
{
    struct functional_cta *c = last->cta;
    uint32_t first = (uint32_t)(c - w->cta) * w->launch->warps_per_cta;
    if (!cta_barrier_opens(&c->barrier)) return true;
    for (uint32_t i = first; i < first + w->launch->warps_per_cta; i++) {
        if (!w->clock[i].at_barrier) continue;
        struct going g = going_of(w, last->sm, i);
        g.clock->at_barrier = false;
        g.clock->time = c->latest + 1;
        admission_continues(&w->use.admission[g.sm].policies, w->name[i]);
        count_done(w, &g);
        wake_at(w, &g, g.clock->time);
        if (!advance_warp(w, &g, e)) return false;
    }
    return true;
}

static void arrive(struct functional *w, const struct going *g)
{
    struct functional_warp *f = g->clock;
    const struct func_issue i = issue_of(w, g);
    bool first = !g->cta->barrier.arrived;
    if (w->use.ops->issues) w->use.ops->issues(w->use.memory, &i);
    admission_stops(&w->use.admission[g->sm].policies, w->name[g->index]);
    g->cta->latest = first ? f->time : later(g->cta->latest, f->time);
    cta_barrier_arrive(&g->cta->barrier);
    f->at_barrier = true;
    issue_slots_take(&w->sm[g->sm].slots, g->subcore, UNIT_NONE, 1, w->now);
}

/* The warp's stream is over: its slot is free, and its CTA does not wait for it. It counts as ended
 * only when its outstanding accesses have been served. */
static bool end_warp(struct functional *w, const struct going *g, struct error *e)
{
    struct functional_warp *f = g->clock;
    double over = later(f->time, f->loads);
    if (w->params->exit_waits_for_stores) over = later(over, f->stores);
    if (g->copies) over = later(over, g->copies->latest);
    f->ended = true;
    cta_barrier_end(&g->cta->barrier);
    if (!g->cta->barrier.live) w->sm[g->sm].over = true;
    g->cta->latest = later(g->cta->latest, over);
    w->sm[g->sm].resident[g->subcore] &= ~bit_of(g);
    cursor_release(&g->stream->cursor);
    admission_ended(&w->use.admission[g->sm].policies, w->name[g->index]);
    if (w->use.ops->ends) w->use.ops->ends(w->use.memory, g->index, over);
    return open_barrier(w, g, e);
}

/* Fetches the warp's next instruction. */
static bool advance_warp(struct functional *w, const struct going *g, struct error *e)
{
    enum got got = cursor_next(&g->stream->cursor, &g->stream->inst, e);
    if (got == GOT_END) return end_warp(w, g, e);
    return got != GOT_ERROR;
}

/* --- CTAs --- */

static bool begin_warp(struct functional *w, uint32_t sm, uint32_t cta, uint32_t number,
                       double time, struct error *e)
{
    uint32_t warp = cta * w->launch->warps_per_cta + number;
    w->clock[warp] =
        (struct functional_warp){.cta = cta, .time = time, .loads = time, .stores = time};
    struct going g = going_of(w, sm, warp);
    memset(g.ready, 0, w->launch->n_registers * sizeof *g.ready);
    if (g.copies) *g.copies = (struct copy_groups){0};
    if (!cursor_seek(&g.stream->cursor, w->reader, w->launch_index, g.cta->cta, number, 0, e))
        return false;
    warp_admission_add_warp(w, warp);
    if (w->use.ops->begins) w->use.ops->begins(w->use.memory, warp, time);
    wake_at(w, &g, time);
    return advance_warp(w, &g, e);
}

bool functional_dispatch(struct functional *w, uint32_t sm, uint32_t slot, double time,
                         struct error *e)
{
    uint32_t warps = w->launch->warps_per_cta;
    uint64_t cta = functional_take_cta(w, sm);
    if (cta == CTA_SHARE_OVER) return true;
    w->cta[slot] = (struct functional_cta){.cta = cta,
                                           .order = w->dispatch.dispatched - 1,
                                           .barrier = {.live = warps},
                                           .latest = time,
                                           .active = true};
    w->active++;
    time += w->params->cta_launch_cycles;
    functional_place_warps(w, sm, slot);
    for (uint32_t i = 0; i < warps; i++)
        if (!begin_warp(w, sm, slot, i, time, e)) return false;
    return true;
}

/* CTAs whose warps have all ended make room for the next. */
static bool replace_ended(struct functional *w, uint32_t sm, struct error *e)
{
    w->sm[sm].over = false;
    for (uint32_t slot = sm * w->slots; slot < (sm + 1) * w->slots; slot++) {
        struct functional_cta *c = &w->cta[slot];
        if (!c->active || c->barrier.live) continue;
        c->active = false;
        w->active--;
        if (!functional_vacate(w, sm, slot, c->latest + 1, e)) return false;
    }
    return true;
}

/* --- instructions --- */

/* When the next instruction can issue (gpu/policies/wait_rule.h). */
static double can_issue(const struct sm_params *p, const struct going *g)
{
    const struct static_inst *si = g->stream->inst.si;
    const struct functional_warp *f = g->clock;
    enum wait_need need = wait_rule(p, si->cls);
    double registers = si->dst == REG_NONE ? 0 : g->ready[si->dst];
    for (uint32_t k = 0; k < si->n_src; k++)
        if (si->src[k] != REG_NONE) registers = later(registers, g->ready[si->src[k]]);
    bool pending = registers > f->time && registers <= f->loads;
    double at = later(f->time, registers);
    if (wait_rule_loads(need, pending)) at = later(at, f->loads);
    if (si->cls == OP_COPY_WAIT && g->copies)
        at = later(at, copy_groups_wait(g->copies, inst_open_groups(si)));
    return wait_rule_stores(need) ? later(at, f->stores) : at;
}

static void synchronise(struct functional *w, const struct func_issue *i)
{
    uint8_t cls = i->inst->si->cls;
    if (cls == OP_ACQUIRE || (cls == OP_FENCE && w->use.fence_acquires))
        w->use.ops->acquire(w->use.memory, i->sm, i->time);
    if (cls == OP_RELEASE || cls == OP_FENCE) w->use.ops->release(w->use.memory, i->sm, i->time);
}

/* The instruction's accesses are over at `time`. */
static void note_served(const struct going *g, const struct static_inst *si, double time)
{
    struct functional_warp *f = g->clock;
    bool load = si->cls == OP_LOAD || (si->cls == OP_ATOMIC && si->dst != REG_NONE);
    double *last = load ? &f->loads : &f->stores;
    if (inst_is_copy(si))
        copy_groups_add(g->copies, time);
    else
        *last = later(*last, time);
}

/* Executes the next instruction at the warp's time. */
static void issue_instruction(struct functional *w, const struct going *g)
{
    const struct static_inst *si = g->stream->inst.si;
    struct functional_warp *f = g->clock;
    const struct func_issue i = issue_of(w, g);
    if (w->use.ops->issues) w->use.ops->issues(w->use.memory, &i);
    double result = f->time + exec_unit_latency(w->params, si->cls);
    if (inst_op_is_global(si->cls)) {
        result = w->use.ops->access(w->use.memory, &i);
        note_served(g, si, result);
    } else if (si->cls == OP_COPY_COMMIT && g->copies) {
        copy_groups_commit(g->copies);
    } else {
        synchronise(w, &i);
    }
    if (si->dst != REG_NONE) g->ready[si->dst] = result;
    f->time = si->cls == OP_BRANCH ? result : f->time + w->use.step;
    enum unit which = unit_of(si->cls);
    issue_slots_take(&w->sm[g->sm].slots, g->subcore, which, exec_unit_interval(w->params, si->cls),
                     w->now);
    if (which >= UNIT_OWN_N && which != UNIT_NONE)
        w->sm[g->sm].first_subcore = (g->subcore + 1) % w->params->subcores;
}

/* Whether a throttle keeps the warp from issuing its next instruction. */
static bool is_barred(const struct functional *w, const struct going *g)
{
    uint64_t loads = g->stream->inst.si->cls == OP_LOAD ? bit_of(g) : 0;
    return admission_barred(&w->use.admission[g->sm].policies, g->subcore, loads) & bit_of(g);
}

enum turn { TURN_OVER, TURN_STUCK, TURN_FAILED };

/* A warp's turn: it issues up to a memory instruction, as far as the quantum, its unit and the L1
 * allow. TURN_STUCK: it has issued nothing, or cannot go on in this quantum. */
static enum turn take_turn(struct functional *w, const struct going *g, struct error *e)
{
    const struct issue_slots *slots = &w->sm[g->sm].slots;
    struct functional_warp *f = g->clock;
    const double end = functional_end(w);
    f->at_door = false;
    while (issue_slots_free(slots, g->subcore, end)) {
        uint8_t cls = g->stream->inst.si->cls;
        f->time = later(can_issue(w->params, g), w->now);
        if (f->time >= end || !issue_slots_unit_free(slots, g->subcore, unit_of(cls), end) ||
            is_barred(w, g))
            return TURN_STUCK;
        f->at_door = w->use.ops->needs_room(w->use.memory, &g->stream->inst) &&
                     !functional_has_room(w, g->sm);
        if (f->at_door) return TURN_STUCK;
        if (cls == OP_BARRIER) {
            arrive(w, g);
            return open_barrier(w, g, e) ? TURN_STUCK : TURN_FAILED;
        }
        issue_instruction(w, g);
        count_done(w, g);
        if (!advance_warp(w, g, e)) return TURN_FAILED;
        if (f->ended) return TURN_STUCK;
        if (inst_op_is_global(cls)) return TURN_OVER;
    }
    return TURN_STUCK;
}

/* --- sub-cores --- */

/* When the SM's L1 has room, found out when a warp first asks. */
struct door {
    double opens; /* negative: nobody has asked yet */
};

static double opens_at(const struct functional *w, uint32_t sm, struct door *d)
{
    if (d->opens < 0) d->opens = w->use.ops->room_at(w->use.memory, w->use.first_sm + sm);
    return d->opens;
}

/* When a warp that is not at a barrier can try to issue. */
static double tries_at(const struct functional *w, uint32_t sm, const struct functional_warp *f,
                       struct door *d)
{
    return f->at_door ? later(f->time, opens_at(w, sm, d)) : f->time;
}

/* The warps of a sub-core that could issue in this quantum (bits). */
static uint64_t find_here(const struct functional *w, uint32_t sm, uint32_t k)
{
    const double end = functional_end(w);
    struct door door = {-1};
    uint64_t here = 0;
    for (uint64_t rest = w->sm[sm].resident[k]; rest; rest &= rest - 1) {
        uint32_t slot = (uint32_t)__builtin_ctzll(rest);
        const struct functional_warp *f = &w->clock[w->sm[sm].warp[k][slot]];
        if (f->time < end && !f->at_barrier && tries_at(w, sm, f, &door) < end)
            here |= UINT64_C(1) << slot;
    }
    return here;
}

/* What a policy that restricts who issues wants to know: the warps that can issue or wait only for
 * a unit, and those whose next instruction is a load. */
static uint64_t find_runnable(const struct functional *w, uint32_t sm, uint32_t k, uint64_t *loads)
{
    const double end = functional_end(w);
    struct door door = {-1};
    uint64_t runnable = 0;
    *loads = 0;
    for (uint64_t rest = w->sm[sm].resident[k]; rest; rest &= rest - 1) {
        uint32_t warp = w->sm[sm].warp[k][__builtin_ctzll(rest)];
        const struct functional_warp *f = &w->clock[warp];
        double memory = w->copies ? later(f->loads, w->copies[warp].latest) : f->loads;
        bool waits = f->time >= end && f->time <= memory;
        if (f->at_barrier || waits || (f->at_door && opens_at(w, sm, &door) >= end)) continue;
        runnable |= rest & -rest;
        if (w->stream[warp].inst.si->cls == OP_LOAD) *loads |= rest & -rest;
    }
    return runnable;
}

static uint64_t admitted_warps(struct functional *w, uint32_t sm, uint32_t k)
{
    struct admission *policies = &w->use.admission[sm].policies;
    uint64_t here = find_here(w, sm, k), loads;
    if (!w->restricts) return here;
    admission_choose(policies, (uint64_t)w->now);
    uint64_t runnable = find_runnable(w, sm, k, &loads);
    return here & admission_admitted(policies, k, runnable, loads);
}

/* When the next of a sub-core's warps can issue. */
static double next_wake(const struct functional *w, uint32_t sm, uint32_t k)
{
    struct door door = {-1};
    double wake = INFINITY;
    for (uint64_t rest = w->sm[sm].resident[k]; rest; rest &= rest - 1) {
        const struct functional_warp *f = &w->clock[w->sm[sm].warp[k][__builtin_ctzll(rest)]];
        if (!f->at_barrier && f->time < wake) wake = sooner(wake, tries_at(w, sm, f, &door));
    }
    return wake;
}

/* Runs a sub-core for one quantum: warps take turns, as its scheduler picks them. While it issues
 * it is due again in the next one. */
static bool step_subcore(struct functional *w, uint32_t sm, uint32_t k, struct error *e)
{
    struct functional_sm *s = &w->sm[sm];
    const double end = functional_end(w);
    bool issued = false;
    struct admission_subcore *core = &w->use.admission[sm].core[k];
    uint64_t stuck = 0, here = admitted_warps(w, sm, k);
    while ((here &= ~stuck) && issue_slots_free(&s->slots, k, end)) {
        uint32_t slot = core->sched.ops->pick(&core->sched, here, core->age);
        struct going g = going_of(w, sm, s->warp[k][slot]);
        uint64_t before = g.clock->done;
        enum turn turn = take_turn(w, &g, e);
        if (turn == TURN_FAILED) return false;
        if (turn == TURN_STUCK) stuck |= UINT64_C(1) << slot;
        bool arrived = g.clock->at_barrier || g.clock->done != before;
        if (arrived) core->sched.last = slot, issued = true;
        if (w->restricts) here = admitted_warps(w, sm, k);
    }
    s->wake[k] = issued ? end : next_wake(w, sm, k);
    return !w->use.admission[sm].policies.throttle.no_memory || error_no_memory(e);
}

/* Runs an SM for one quantum. The sub-core that took a shared unit last is the last to find it free
 * (as in detailed/sm/sm.c). */
static bool step_sm(struct functional *w, uint32_t sm, struct error *e)
{
    struct functional_sm *s = &w->sm[sm];
    const double end = functional_end(w);
    uint32_t subcores = w->params->subcores, first = s->first_subcore;
    for (uint32_t i = 0; i < subcores; i++) {
        uint32_t k = (first + i) % subcores;
        if (s->wake[k] >= end && !w->restricts) continue;
        if (!step_subcore(w, sm, k, e)) return false;
    }
    if (s->over && !replace_ended(w, sm, e)) return false;
    s->first_wake = INFINITY;
    for (uint32_t k = 0; k < subcores; k++)
        s->first_wake = sooner(s->first_wake, s->wake[k]);
    return true;
}

/* Runs all SMs to the quantum's end, then advances to the quantum in which a warp can next issue.
 */
bool functional_quantum(struct functional *w, struct error *e)
{
    double now = w->now, wake = INFINITY;
    uint64_t turn = (uint64_t)(now / w->use.quantum);
    uint32_t sms = w->sms, sm = (uint32_t)(turn % sms);
    if (!functional_fill_vacancies(w, e)) return false;
    for (uint32_t i = 0; i < sms; i++) { /* the SMs take turns in being first */
        if (w->sm[sm].first_wake < functional_end(w) && !step_sm(w, sm, e)) return false;
        wake = sooner(wake, w->sm[sm].first_wake);
        sm = sm + 1 == sms ? 0 : sm + 1;
    }
    if (w->active && isinf(wake))
        return error_run(e, "%s: no warp of launch %" PRIu32 " can issue", program_name(w->p),
                         w->launch_index);
    double next = functional_end(w);
    if (w->vacant.n) wake = sooner(wake, w->dispatch.next);
    if ((w->active || w->vacant.n) && wake > next)
        next = floor(wake / w->use.quantum) * w->use.quantum;
    w->now = next;
    w->use.ops->advance(w->use.memory, next);
    return true;
}
