/* sm_pass.c - see sm_pass.h: CTAs, whose turn it is, barriers and ends. */
#include "estimator/functional/sm_pass.h"

#include "base/memory/alloc.h"
#include "estimator/constants.h"
#include "estimator/functional/sm_pass_state.h"

#include <string.h>

static void l1_params_of(const struct profile_view *v, struct chain_params *p)
{
    *p = (struct chain_params){
        .sectors = v->l1_line / v->l1_sector,
        .write_miss = v->l1_write_miss,
        .nominal_lines = v->l1_class_bytes / v->l1_line,
        .reuse = {.lines = PROFILE_L1_BOUND_BYTES / v->l1_line},
    };
    set_view_orgs(&v->l1_at, p->reuse.lines, &p->reuse);
    p->nominal_org = set_view_org(&v->l1_at, v->l1_sets);
    p->nominal_ways = p->nominal_org == ORG_NONE ? 0 : v->l1_ways;
}

struct pass *pass_new(const struct profile_view *v, const struct program *p, uint32_t sm,
                      struct error *e)
{
    struct pass *s = mem_new(1, sizeof *s);
    if (!s) {
        error_no_memory(e);
        return NULL;
    }
    s->v = *v;
    s->program = p;
    s->sm = sm;
    struct chain_params cp;
    l1_params_of(v, &cp);
    for (uint32_t i = 0; i < PROFILE_L1S; i++)
        s->bound[i] = profile_l1_bytes[i] / v->l1_line;
    s->reader = reader_new(p, e);
    bool govern = warp_view_governed(&v->warps);
    if (s->reader && chain_init(&s->l1, &cp) &&
        (!v->l1_keeps_own || hash_map_init(&s->stored, s->bound[PROFILE_L1S - 1])) &&
        (!govern || (s->govern = govern_new(&v->warps)) != NULL) &&
        (!keeper_keeps(&v->keeps) || (s->keeper = keeper_new(&v->keeps)) != NULL) &&
        (!v->bypass.predicts || (s->predictor = predictor_new(&v->bypass)) != NULL))
        return s;
    if (s->reader) error_no_memory(e);
    pass_free(s);
    return NULL;
}

void pass_behind(struct pass *s, const struct chain *l2)
{
    s->l2 = l2;
}

void pass_beside(struct pass *s, struct sharers *sharers)
{
    s->sharers = sharers;
}

static void release_warps(struct pass *s)
{
    for (size_t i = 0; i < s->warp_cap; i++)
        if (s->warp[i].cursor.reader) cursor_release(&s->warp[i].cursor);
}

void pass_free(struct pass *s)
{
    if (!s) return;
    release_warps(s);
    chain_fini(&s->l1);
    hash_map_fini(&s->stored);
    mem_free(s->due);
    reader_free(s->reader);
    mem_free(s->warp);
    mem_free(s->slot);
    mem_free(s->regs);
    warp_queue_fini(&s->queue);
    govern_free(s->govern);
    predictor_free(s->predictor);
    keeper_free(s->keeper);
    mem_free(s->out.op);
    mem_free(s);
}

/* --- CTAs --- */

/* Between two CTAs of this SM. */
static uint64_t step(const struct pass *s)
{
    return s->v.warps.dispatch == DISPATCH_INTERLEAVED ? s->v.sms : 1;
}

/* The sub-core of the CTA's warp i, as the SM's dispatcher deals them. */
static uint32_t core_of(struct pass *s, uint32_t i)
{
    uint32_t n = s->v.subcores ? s->v.subcores : 1, room = (s->v.max_warps + n - 1) / n,
             at = s->next_core;
    bool whole = s->v.binding == CTA_ONE_SUBCORE;
    uint32_t warps = whole ? s->l->warps_per_cta : 1;
    if (whole && i) return (at + n - 1) % n;
    for (uint32_t k = 0; k < n && s->on_core[at] + warps > room; k++)
        at = (at + 1) % n;
    s->on_core[at] += warps;
    s->next_core = (at + 1) % n;
    return at;
}

/* The warp's place among the policies' and its first turn. */
static void warp_start(struct pass *s, uint32_t slot, uint32_t i, uint64_t time)
{
    uint32_t warp = slot * s->l->warps_per_cta + i, core = core_of(s, i);
    s->queue.age[warp] = ++s->started;
    s->queue.core[warp] = core;
    warp_queue_add(&s->queue, warp, time);
    if (!s->govern) return;
    const struct govern_warp w = {warp, core, slot, s->next_cta, s->started};
    govern_born(s->govern, &w);
}

static bool cta_start(struct pass *s, uint32_t slot, uint64_t time, struct error *e)
{
    uint32_t wpc = s->l->warps_per_cta;
    s->slot[slot] = (struct pass_slot){.cta = s->next_cta, .live = wpc};
    for (uint32_t i = 0; i < wpc; i++) {
        struct pass_warp *w = &s->warp[slot * wpc + i];
        if (!cursor_seek(&w->cursor, s->reader, s->launch, s->next_cta, i, 0, e)) return false;
        depend_start(&w->depend);
        w->slot = slot;
        w->time = w->began = time;
        w->has_held = false;
        w->since_wait = w->farthest = 0;
        w->missing = w->stored = false;
        w->alone = w->instructions = w->waits = w->missed = 0;
        w->last = OP_BARRIER; /* all begin together */
        warp_start(s, slot, i, time);
    }
    s->next_cta += step(s);
    return true;
}

static bool grow(struct pass *s, uint32_t warps, uint32_t regs, struct error *e)
{
    double share = (double)s->l->ctas * s->l->warps_per_cta / s->v.sms;
    release_warps(s);
    bool ok = mem_grow(&s->warp, &s->warp_cap, warps, sizeof *s->warp) &&
              mem_grow(&s->slot, &s->slot_cap, s->slots, sizeof *s->slot) &&
              warp_queue_start(&s->queue, s->v.warps.scheduler, s->v.subcores ? s->v.subcores : 1,
                               warps) &&
              mem_grow(&s->regs, &s->reg_cap, (size_t)warps * regs + 1, sizeof *s->regs) &&
              (!s->govern || govern_launch(s->govern, s->sm, warps, share, s->slots));
    if (!ok) return error_no_memory(e);
    for (uint32_t i = 0; i < warps; i++)
        s->warp[i].depend = (struct depend){.reg = s->regs + (size_t)i * regs, .n = regs};
    return true;
}

/* The CTAs that this SM will run: how many. */
static uint64_t deal(struct pass *s)
{
    uint64_t ctas = s->l->ctas, n = s->v.sms;
    bool serial = s->v.warps.dispatch != DISPATCH_INTERLEAVED;
    s->first_cta = s->next_cta = serial ? ctas * s->sm / n : s->sm;
    s->end_cta = serial ? ctas * (s->sm + 1) / n : ctas;
    return s->end_cta > s->next_cta ? (s->end_cta - s->next_cta + step(s) - 1) / step(s) : 0;
}

bool pass_launch(struct pass *s, uint32_t launch, uint32_t ctas, struct error *e)
{
    s->launch = launch;
    s->l = program_launch(s->program, launch);
    uint64_t mine = deal(s);
    s->slots = mine < ctas ? (uint32_t)mine : ctas;
    s->busy = s->started = 0;
    s->work = 0;
    s->port = 0;
    s->next_core = 0;
    memset(s->on_core, 0, sizeof s->on_core);
    memset(s->pipe, 0, sizeof s->pipe);
    memset(s->flight, 0, sizeof s->flight);
    s->acquires = 0; /* those of flights, too */
    memset(s->held, 0, sizeof s->held);
    if (s->due) memset(s->due, 0, s->due_cap * sizeof *s->due); /* times begin anew */
    if (s->counted) s->t = (struct pass_tallies){0};
    if (s->keeper) s->keeper->sent = 0;
    s->out.n = 0;
    if (s->v.l1_emptied == L1_AT_LAUNCHES_TOO) pass_empty_l1(s);
    s->t.sums.dropped = 0;
    if (s->counted) chain_reset_tallies(&s->l1);
    s->counted = s->slots > 0;
    s->l1.now = 0;
    if (!grow(s, s->slots * s->l->warps_per_cta, s->l->n_registers, e)) return false;
    for (uint32_t i = 0; i < s->slots; i++)
        if (!cta_start(s, i, 0, e)) return false;
    return true;
}

/* --- one warp's turn --- */

enum turn { TURN_YIELD, TURN_BARRIER, TURN_END, TURN_FAILED };

/* Whether its next instruction is a load that it may not issue now. */
static bool kept(const struct pass *s, const struct pass_warp *w)
{
    return s->govern && w->held.si->cls == OP_LOAD &&
           govern_keeps_load(s->govern, (uint32_t)(w - s->warp));
}

/* Issues until something makes the warp yield; the SM's issue time moves with it. */
static enum turn turn(struct pass *s, struct pass_warp *w, bool *waits, struct error *e)
{
    uint32_t before = w->instructions;
    *waits = false;
    w->time = s->busy;
    for (;;) {
        if (!w->has_held) {
            enum got got = cursor_next(&w->cursor, &w->held, e);
            if (got == GOT_ERROR) return TURN_FAILED;
            if (got == GOT_END) return TURN_END;
        }
        *waits = w->has_held = pass_must_wait(s, w, w->held.si);
        if (!w->has_held) w->has_held = kept(s, w);
        if (w->has_held) break;
        pass_count(s, w);
        depend_issue(&w->depend, w->held.si);
        w->time += PASS_STEP;
        w->alone += PASS_STEP;
        w->instructions++;
        pass_sync(s, w->held.si->cls);
        if (inst_op_is_global(w->held.si->cls)) {
            pass_memory(s, w, &w->held);
            break;
        }
        if (w->held.si->cls == OP_BARRIER) {
            s->busy += (w->instructions - before) / PASS_ISSUE;
            return TURN_BARRIER;
        }
    }
    s->busy += (w->instructions - before + PASS_ISSUE - 1) / PASS_ISSUE;
    return TURN_YIELD;
}

static void open_barrier(struct pass *s, uint32_t slot)
{
    struct pass_slot *c = &s->slot[slot];
    if (!c->live || c->at_barrier < c->live) return;
    uint32_t wpc = s->l->warps_per_cta;
    for (uint32_t i = slot * wpc; i < (slot + 1) * wpc; i++) {
        if (s->warp[i].slot != slot) continue; /* it has exited */
        s->warp[i].time = s->busy;
        warp_queue_add(&s->queue, i, s->busy);
        if (s->govern) govern_opened(s->govern, i);
    }
    c->at_barrier = 0;
}

static bool end_warp(struct pass *s, struct pass_warp *w, struct error *e)
{
    uint32_t slot = w->slot;
    struct pass_slot *c = &s->slot[slot];
    pass_last_wait(s, w);
    double length = (double)(w->time - w->began + 1), work = (double)(w->alone + 1);
    pass_note_longest(s, w);
    s->work += work;
    cursor_release(&w->cursor);
    s->on_core[s->queue.core[w - s->warp]]--;
    if (s->govern) govern_ended(s->govern, (uint32_t)(w - s->warp));
    w->slot = UINT32_MAX;
    c->sum += length;
    c->work += work;
    if (length > c->longest) c->longest = length;
    if (work > c->most_work) c->most_work = work;
    if (--c->live) {
        open_barrier(s, slot);
        return true;
    }
    /* whose turn came late has no more to do, and whose load took long is not gone early: what is
     * uneven is so in both */
    double even = c->sum / c->longest, shares = c->work / c->most_work;
    s->t.balance += even > shares ? even : shares;
    s->t.balance_n += s->l->warps_per_cta;
    if (s->next_cta >= s->end_cta) return true;
    return cta_start(s, slot, s->busy, e);
}

/* Who goes next before that time, by the policies; moves the SM's time on to it. */
static bool governed_next(struct pass *s, uint64_t until, uint32_t *i)
{
    struct warp_rank came;
    while (s->busy < until) {
        uint64_t next, due = govern_due(s->govern);
        while (warp_queue_came(&s->queue, s->busy, &came, &next)) {
            const struct pass_warp *w = &s->warp[came.warp];
            govern_came(s->govern, came, w->has_held && w->held.si->cls == OP_LOAD);
        }
        *i = govern_take(s->govern, s->busy);
        if (*i != GOVERN_NONE) warp_queue_taken(&s->queue, *i);
        if (*i != GOVERN_NONE) return true;
        due = govern_due(s->govern);
        if (due < next) next = due;
        if (next >= until) return false;
        s->busy = next;
    }
    return false;
}

static bool next_warp(struct pass *s, uint64_t until, uint32_t *i)
{
    if (s->govern) return governed_next(s, until, i);
    if (warp_queue_empty(&s->queue) || warp_queue_due(&s->queue, s->busy) >= until) return false;
    *i = warp_queue_take(&s->queue, &s->busy);
    return true;
}

static void at_barrier(struct pass *s, uint32_t i)
{
    uint32_t slot = s->warp[i].slot;
    s->t.sums.barriers++;
    s->slot[slot].at_barrier++;
    if (s->govern) govern_at_barrier(s->govern, i, s->warp[i].depend.all_time);
    open_barrier(s, slot);
}

bool pass_run(struct pass *s, uint64_t until, bool *done, struct error *e)
{
    uint32_t i;
    bool waits;
    while (next_warp(s, until, &i)) {
        struct pass_warp *w = &s->warp[i];
        uint32_t before = w->instructions;
        enum turn turned = turn(s, w, &waits, e);
        if (s->govern) govern_turned(s->govern, i, waits, w->instructions - before);
        switch (turned) {
        case TURN_YIELD: warp_queue_add(&s->queue, i, w->time); break;
        case TURN_BARRIER: at_barrier(s, i); break;
        case TURN_END:
            if (!end_warp(s, w, e)) return false;
            break;
        case TURN_FAILED: return false;
        }
        if (s->l1.failed || (s->govern && s->govern->failed)) return error_no_memory(e);
    }
    *done = warp_queue_empty(&s->queue) && !(s->govern && govern_any_here(s->govern));
    return true;
}

struct stream *pass_stream(struct pass *s)
{
    return &s->out;
}

uint64_t pass_started(const struct pass *s)
{
    return (s->next_cta - s->first_cta) / step(s);
}

bool pass_has_nothing(const struct pass *s)
{
    return s->slots == 0 && !s->keeper;
}

const struct chain *pass_l1(const struct pass *s)
{
    return &s->l1;
}

/* Queues of their own: nobody helps the SM that has the long CTAs. */
double pass_uneven(struct pass *const *sm, uint32_t sms)
{
    double most = 0, sum = 0, ctas = 0, most_ctas = 0, n = sms;
    if (sm[0]->v.warps.dispatch != DISPATCH_SERIAL) return 1;
    for (uint32_t i = 0; i < sms; i++) {
        double work = sm[i]->work, own = (double)pass_started(sm[i]);
        most = work > most ? work : most;
        most_ctas = own > most_ctas ? own : most_ctas;
        sum += work;
        ctas += own;
    }
    double ratio = sum > 0 && ctas > 0 ? most * n / sum / (most_ctas * n / ctas) : 1;
    return ratio > 1 ? ratio : 1;
}
