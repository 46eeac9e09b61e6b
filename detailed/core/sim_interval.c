/* sim_interval.c - simulates one interval: load the warm state, place the residents, warm up in
 * detail, measure. */
#include "detailed/core/sim_internal.h"
#include "detailed/l1/l1_owner_state.h"
#include "detailed/l2/back_invalidate.h"
#include "detailed/l2/directory_entries.h"
#include "gpu/functional/state/warm_state.h"

#include "base/memory/rng.h"
#include "base/memory/serialize.h"

#include <string.h>

/* Restores the record of copies of an inclusive L2. The functional pass ensures that the L2
 * contains the L1s' lines (inclusion_filter.h), but its L2 has no fills in flight and no locked
 * lines. */
static void load_copies(struct sim *s)
{
    for (uint32_t i = 0; i < s->m.sm.count; i++) {
        struct cache *l1 = &s->sm[i].l1.c;
        for (uint32_t k = 0; k < l1->n_lines; k++) {
            uint64_t addr = l1->line[k].tag << l1->line_shift;
            struct l2_slice *slice = &s->slice[map_slice(&s->map, addr)];
            if (!l1->line[k].resident) continue;
            if (cache_find(&slice->c, cache_tag(&slice->c, addr)) == LINE_NONE)
                cache_drop(l1, k);
            else if (slice->copies)
                back_invalidate_note(slice, cache_tag(&slice->c, addr), i);
        }
    }
}

/* Restores the L2's record of the SMs to which lines were served, though they may have dropped
 * their copies since. */
static void load_served(struct l2_slice *slice, const struct cache_image *x, uint32_t sms)
{
    uint32_t words = (sms + 63) / 64;
    for (uint32_t i = 0; x->served && i < x->n; i++)
        for (uint32_t sm = 0; sm < sms; sm++)
            if (x->served[(size_t)i * words + sm / 64] >> sm % 64 & 1)
                back_invalidate_note(slice, x->line[i].tag, sm);
}

/* Rebuilds the directory from the contents of the L1s. */
static bool load_owners(struct sim *s, uint32_t sm, const struct cache_image *x)
{
    struct l1 *l1 = &s->sm[sm].l1;
    for (uint32_t k = 0; k < x->n; k++) {
        uint32_t line = cache_find(&l1->c, x->line[k].tag);
        uint64_t addr = x->line[k].tag << l1->c.line_shift;
        if (line == LINE_NONE) continue;
        struct l2_slice *slice = &s->slice[map_slice(&s->map, addr)];
        struct dir_entry *e = dir_entry_obtain(slice->directory, cache_key(&slice->c, addr));
        if (!e) return false;
        l1->owner_dir->state[line] = x->state[k];
        memcpy(l1->owner_dir->written[line], x->written[k], sizeof x->written[k]);
        dir_entry_list(slice->directory, e, sm);
        if (x->state[k] == OWN_E || x->state[k] == OWN_O || x->state[k] == OWN_M) e->owner = sm;
    }
    return true;
}

/* Loads the components. Their sectors count as never stored to: version 0 everywhere is
 * consistent. */
static bool load_components(struct sim *s, const struct warm_state *w)
{
    components_load(s->kind, &s->clocks, s->tick, w);
    if (s->m.l2.inclusion != INCLUSION_NONE) load_copies(s);
    for (uint32_t i = 0; i < s->m.l2.banks && i < w->slices && s->slice[i].copies; i++)
        load_served(&s->slice[i], &w->slice[i], s->m.sm.count);
    bool ok = *s->refusals == s->refusals_before;
    for (uint32_t i = 0; ok && i < s->m.sm.count && w->l1[i].state; i++)
        ok = load_owners(s, i, &w->l1[i]);
    return ok;
}

/* Loads the state of schedulers and throttles for the warps in their places, as warp_admission_save
 * wrote it. */
static bool load_admission(struct sim *s, const struct warm_state *warm, struct error *e)
{
    struct serializer t = {.mode = SERIALIZE_LOAD, .block = warm->admission};
    uint64_t now = sim_core_cycle(s);
    for (uint32_t i = 0; warm->admission && i < s->m.sm.count; i++) {
        struct sm *sm = &s->sm[i];
        uint64_t issued = 0;
        if (!admission_serialize(&sm->admission, &issued, &t)) return error_no_memory(e);
        admission_moved(&sm->admission, issued, warm->cycles, now);
        sm_readmit(sm, now);
    }
    return true;
}

static bool place_residents(struct sim *s, const struct interval *w, struct error *e)
{
    for (uint32_t i = 0; i < w->n_residents; i++) {
        const struct resident *r = &w->residents[i];
        s->sm[r->sm].next_subcore = r->subcore;
        if (sm_place(&s->sm[r->sm], r->cta, r, sim_core_cycle(s))) continue;
        return error_run(e, "an interval's CTA %llu does not fit on SM %u",
                         (unsigned long long)r->cta, r->sm);
    }
    for (uint32_t i = 0; w->n_residents && i < s->m.sm.count; i++)
        s->sm[i].next_subcore = w->next_subcore[i];
    struct cta_dispatch *d = &s->run.dispatch;
    if (w->queues) memcpy(d->queue, w->queues, d->sms * sizeof *d->queue);
    d->dispatched = w->next_cta;
    s->run.counts.done_ctas = w->next_cta - w->n_residents;
    return true;
}

/* Draws the round-robin state that a functional pass does not have: the last slot of each scheduler
 * and the turns at the shared units. With slot 0 everywhere, all SMs would take their warps in the
 * same order and load the same channels (7 % of cycles on hd7870's fwt). At the program's very
 * beginning the state is known. */
static void draw_turns(struct sim *s, const struct interval *w)
{
    uint32_t resident = s->sm[0].occ.ctas * s->run.launch->warps_per_cta;
    uint32_t slots = (resident + s->m.sm.subcores - 1) / s->m.sm.subcores;
    struct rng r;
    rng_seed(&r, w->launch, w->next_cta);
    for (uint32_t i = 0; i < s->m.sm.count; i++) {
        for (uint32_t k = 0; k < s->m.sm.subcores; k++)
            s->sm[i].sub[k].warps.sched.last = (uint32_t)rng_below(&r, slots);
        s->sm[i].first_subcore = (uint32_t)rng_below(&r, s->m.sm.subcores);
    }
}

enum sim_end sim_interval(struct sim *s, const struct interval *w, const struct warm_state *warm,
                          struct metrics *out, struct error *e)
{
    bool beginning = !w->n_residents && !w->next_cta;
    struct metrics before, after;
    if (!sim_clear(s, e)) return SIM_FAILED;
    if (!sim_begin_launch(s, w->launch, beginning ? sm_launch_cycles(&s->m.sm, w->launch > 0) : 0,
                          e))
        return SIM_FAILED;
    if (warm && !load_components(s, warm)) return error_no_memory(e), SIM_FAILED;
    if (w->launch || !beginning) draw_turns(s, w);
    if (!place_residents(s, w, e) || (warm && !load_admission(s, warm, e))) return SIM_FAILED;
    enum sim_end end = SIM_LIMIT;
    if (w->warmup_instructions) end = sim_advance(s, w->warmup_instructions, e);
    if (end == SIM_FAILED || end == SIM_INTERRUPTED) return end;
    sim_metrics(s, &before);
    const struct sim_work begin = sim_work_of(s);
    if (end == SIM_LIMIT) end = sim_advance(s, w->measure_instructions, e);
    if (end == SIM_FAILED || end == SIM_INTERRUPTED) return end;
    sim_hold(s, &begin);
    sim_metrics(s, &after);
    metrics_diff(out, &after, &before);
    /* a launch's invalidations happen between intervals, so that no interval has a share of them */
    out->has[M_coherence_invalidations] = false;
    return end;
}
