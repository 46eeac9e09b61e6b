/* cta.c - dispatches, places and ends CTAs: slots, sub-cores, barriers. */
#include "detailed/sm/sm.h"
#include "gpu/functional/state/interval.h"
#include "gpu/policies/subcore_placement.h"

#include <stddef.h>
#include <string.h>

/* Chooses the sub-core of each warp; false: the CTA does not fit now. */
static bool choose_subcores(const struct sm *s, uint32_t warps, uint8_t *subcore)
{
    uint64_t resident[SM_MAX_SUBCORES];
    for (uint32_t i = 0; i < s->p->subcores; i++)
        resident[i] = s->sub[i].warps.resident;
    return subcore_placement_choose(s->p, resident, s->next_subcore, warps, subcore);
}

/* launching: cycles before its first instruction can issue. */
static bool start_warp(struct sm *s, uint32_t index, uint32_t cta_slot, uint32_t w, uint64_t done,
                       uint32_t launching, uint64_t now)
{
    struct warp *warp = sm_warp(s, index);
    struct subcore *sc = sm_subcore(s, index);
    uint32_t slot = index % SM_SUBCORE_SLOTS;
    struct error e; /* large */
    e.kind = ERROR_NONE;
    if (!(sc->used >> slot & 1)) memset(warp, 0, offsetof(struct warp, cursor.list));
    warp->reg_ready = s->registers + (size_t)(warp - s->warp) * s->register_cap;
    memset(warp->reg_ready, 0, s->run->launch->n_registers * sizeof *warp->reg_ready);
    warp->issue_after = now + 1 + launching;
    warp->started = now;
    warp->cta = cta_slot;
    warp->loads = warp->stores = warp->collecting = warp->results = 0;
    warp->released = warp->stored = warp->carries = warp->copies = false;
    warp->copy.committed = 0;
    warp->state = WARP_RUNS;
    if (!sc->warps.resident) {
        if (now > sc->accounted) sc->accounted = now;
        sc->cause = CAUSE_COMPUTE;
    }
    sc->used |= UINT64_C(1) << slot;
    sc->nth[slot] = w;
    const struct admission_warp born = {index, cta_slot, s->cta[cta_slot].cta, s->run->age++};
    admission_born(&s->admission, &born);
    if (!cursor_seek(&warp->cursor, s->reader, s->run->index, s->cta[cta_slot].cta, w, 0, &e) ||
        (done && cursor_skip(&warp->cursor, done, &e) != done)) {
        if (e.kind == ERROR_NONE) error_run(&e, "a warp's stream ended early");
        sm_fail(s, &e);
        return false;
    }
    return true;
}

/* The slot of a CTA's warp w, which has not exited. */
static uint32_t place_of(const struct sm *s, const struct warp_names *name, const uint8_t *subcore,
                         uint32_t w)
{
    if (name) return name->warp[w];
    return subcore_placement_warp(subcore[w], s->sub[subcore[w]].warps.resident);
}

static uint32_t free_cta_slot(const struct sm *s)
{
    uint32_t at = 0;
    while (s->cta[at].active)
        at++;
    return at;
}

bool sm_place(struct sm *s, uint64_t cta, const struct resident *r, uint64_t now)
{
    const struct warp_names *name = r && r->name.warp ? &r->name : NULL;
    uint32_t launching = r ? r->launching : s->p->cta_launch_cycles;
    uint8_t subcore[CTA_MAX_WARPS];
    uint32_t warps = s->run->launch->warps_per_cta;
    if (s->ctas >= s->occ.ctas || (!name && !choose_subcores(s, warps, subcore))) return false;
    uint32_t at = name ? name->cta_slot : free_cta_slot(s);
    struct cta_slot *c = &s->cta[at];
    *c = (struct cta_slot){
        .active = true, .cta = cta, .warps = warps, .present = warps, .barrier = {.live = warps}};
    s->ctas++;
    s->next_subcore = subcore_placement_next(s->p, s->next_subcore, warps);
    for (uint32_t w = 0; w < warps; w++) {
        uint64_t done = r ? r->warp_done[w] : 0;
        if (done == UINT64_MAX) {
            cta_barrier_end(&c->barrier);
            c->present--;
            c->slot[w] = UINT16_MAX;
            continue;
        }
        uint32_t index = place_of(s, name, subcore, w);
        c->slot[w] = (uint16_t)index;
        if (!start_warp(s, index, at, w, done, launching, now)) return true;
    }
    for (uint32_t w = 0; w < warps; w++)
        if (c->slot[w] != UINT16_MAX) sm_fetch(s, c->slot[w], now);
    sm_readmit(s, now);
    return true;
}

void sm_barrier_check(struct sm *s, uint32_t cta, uint64_t now)
{
    struct cta_slot *c = &s->cta[cta];
    if (!cta_barrier_opens(&c->barrier)) return;
    for (uint32_t w = 0; w < c->warps; w++) {
        if (c->slot[w] == UINT16_MAX) continue;
        struct warp *warp = sm_warp(s, c->slot[w]);
        if (warp->cta != cta || warp->state != WARP_AT_BARRIER) continue;
        warp->state = WARP_RUNS;
        warp->issue_after = now + 1;
        admission_continues(&s->admission, c->slot[w]);
        sm_fetch(s, c->slot[w], now);
    }
    sm_readmit(s, now);
}

void sm_end_warp(struct sm *s, uint32_t index, uint64_t now)
{
    struct warp *warp = sm_warp(s, index);
    struct cta_slot *c = &s->cta[warp->cta];
    sm_account(s, now); /* while the slot still counts as resident */
    admission_ended(&s->admission, index);
    sm_set_ready(s, index, UINT64_MAX);
    s->s.warps++;
    s->s.warp_cycles += now - warp->started;
    s->s.warp_memory +=
        now - warp->blocked_since; /* waiting for accesses outstanding at its stream's end */
    s->counts->requests_behind += warp->stores;
    cursor_release(&warp->cursor);
    warp->state = WARP_FREE;
    sm_readmit(s, now);
    for (uint32_t w = 0; w < c->warps; w++)
        if (c->slot[w] == index) c->slot[w] = UINT16_MAX;
    if (--c->present) return;
    c->active = false;
    s->ctas--;
    if (!s->ctas) l1_release(&s->l1, now); /* no warp is left that could store */
    if (s->l1.sync && sm_release_kernel(s, now)) return;
    s->counts->done_ctas++;
}

static bool has_room(const struct sm *s)
{
    return s->run->running && s->ctas < s->occ.ctas;
}

static bool may_dispatch(const struct sm *s)
{
    return has_room(s) && cta_dispatch_any(&s->run->dispatch, s->id);
}

/* Where the dispatcher starts CTAs at a rate, an SM with room asks for one CTA at a time, and has
 * it at its turn. Out of line: machines without a limit pay nothing for it. */
static __attribute__((noinline)) uint64_t dispatch_in_turn(struct sm *s, uint64_t now)
{
    struct cta_dispatch *d = &s->run->dispatch;
    if (s->turn == UINT64_MAX) {
        s->turn = (uint64_t)cta_dispatch_turn(d, (double)now);
        s->promised = cta_dispatch_peek(d, s->id);
        cta_dispatch_take(d, s->id);
    }
    if (now < s->turn) return s->turn;
    if (!sm_place(s, s->promised, NULL, now)) return UINT64_MAX;
    s->turn = UINT64_MAX;
    return may_dispatch(s) ? now + 1 : UINT64_MAX;
}

/* Notes that the SM asks, if the dispatcher might give it a CTA as long as no other has asked. */
static __attribute__((noinline)) uint64_t ask_later(struct sm *s)
{
    s->asks_cta = s->turn != UINT64_MAX || cta_dispatch_any(&s->run->dispatch, s->id);
    s->counts->ask_cta += s->asks_cta;
    return UINT64_MAX;
}

static inline __attribute__((always_inline)) uint64_t dispatch(struct sm *s, uint64_t now)
{
    struct launch_run *run = s->run;
    if (s->turn != UINT64_MAX) return dispatch_in_turn(s, now);
    if (!cta_dispatch_any(&run->dispatch, s->id)) return UINT64_MAX;
    if (now < run->starts) return run->starts;
    if (run->dispatch.period > 0) return dispatch_in_turn(s, now);
    if (!sm_place(s, cta_dispatch_peek(&run->dispatch, s->id), NULL, now)) return UINT64_MAX;
    cta_dispatch_take(&run->dispatch, s->id);
    return may_dispatch(s) ? now + 1 : UINT64_MAX;
}

uint64_t sm_dispatch(struct sm *s, uint64_t now)
{
    if (!has_room(s)) return UINT64_MAX;
    if (s->in_parallel) return ask_later(s);
    return dispatch(s, now);
}

uint64_t sm_dispatch_in_order(struct sm *s, uint64_t now)
{
    if (!s->asks_cta) return UINT64_MAX;
    s->asks_cta = false;
    uint64_t next = dispatch(s, now);
    return s->first_wake < next ? s->first_wake : next;
}
