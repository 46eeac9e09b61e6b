/* sm_component.c - the SMs with their L1s among a simulation's components. */
#include "detailed/l1/l1_side.h"
#include "detailed/parts/cache_bytes.h"
#include "detailed/parts/component.h"
#include "detailed/sm/sm_side.h"
#include "gpu/coherence/protocol.h"
#include "gpu/functional/state/warm_state.h"
#include "gpu/machine/machine.h"

STATS_ADDER(sm, SM_STATS)
STATS_SETTER(sm, SM_STATS)
STATS_ADDER(l1, L1_STATS)
STATS_SETTER(l1, L1_STATS)

static uint32_t count(const struct machine *m)
{
    return m->sm.count;
}

static uint64_t host_bytes(const struct machine *m)
{
    const struct sm_params *p = &m->sm;
    const struct l1_params *l1 = &m->l1;
    const struct mechanism_set on = machine_mechanisms(m);
    uint64_t bytes = sizeof(struct sm) + (uint64_t)p->max_warps * sizeof(struct warp) +
                     (uint64_t)p->max_ctas * sizeof(struct cta_slot) +
                     p->subcores * sizeof(struct subcore) + 64 * sizeof(struct vinst) +
                     128 * sizeof(struct l1_access);
    if (l1->enabled)
        bytes += cache_bytes(&l1->cache, SHADOW_ON) + l1_side_bytes(l1, &on);
    else
        bytes += mshr_bytes(&l1->cache.mshr);
    return p->count * (bytes + (uint64_t)p->vmb_entries * 64);
}

COMPONENT_OF_OBJECTS(sm, sm)

COMPONENT_IDLE(sm)

static void announce(void *all, const uint64_t *due, uint32_t first, uint32_t end, uint64_t cycle)
{
    sm_expect(all, due, first, end, cycle);
}

static bool launch(void *object, const struct occupancy *occ, uint64_t now)
{
    struct sm *s = object;
    if (s->l1.p->flush_at_launch) l1_flush(&s->l1, now);
    return sm_launch(s, occ, now);
}

/* Adds the lifetimes and waits so far of warps that still run, so that an interval counts its own
 * share whenever its warps began and will end. */
static void add_live_warps(const struct sm *sm, uint64_t now, struct sm_stats *t)
{
    for (uint32_t i = 0; i < sm->p->subcores; i++) {
        const struct subcore *sc = &sm->sub[i];
        for (uint64_t rest = sc->warps.resident; rest; rest &= rest - 1) {
            uint32_t slot = (uint32_t)__builtin_ctzll(rest);
            const struct warp *w = sm_warp(sm, i * SM_SUBCORE_SLOTS + slot);
            bool waits = w->state == WARP_WAITS_MEMORY || w->state == WARP_RELEASES ||
                         w->state == WARP_EXITED || (!sm->operands && (sc->stuck >> slot & 1));
            t->warp_cycles += now - w->started;
            if (waits) t->warp_memory += now - w->blocked_since;
        }
    }
}

/* Sums over all SMs and their L1s. */
struct sm_sums {
    struct sm_stats sm;
    struct l1_stats l1;
    uint64_t vmb_blocked; /* cycles */
};

static void add_sm_of(struct sm *sm, uint64_t now, struct sm_sums *t)
{
    sm_account(sm, now);
    add_sm(&t->sm, &sm->s);
    for (uint32_t k = 0; k < CAUSE_N; k++)
        t->sm.stall[k] += sm->s.stall[k];
    add_live_warps(sm, now, &t->sm);
    add_l1(&t->l1, &sm->l1.s);
    t->vmb_blocked += sm->vmb.blocked_cycles;
}

static void set_warps(const struct sm_stats *t, struct metrics *m)
{
    metrics_set(m, M_warp_compute, (double)t->warp_cycles - (double)t->warp_memory);
    metrics_set(m, M_stall_memory_slots, (double)t->stall[CAUSE_MEMORY]);
    metrics_set(m, M_stall_compute_slots, (double)t->stall[CAUSE_COMPUTE]);
    metrics_set(m, M_stall_barrier_slots, (double)t->stall[CAUSE_BARRIER]);
    metrics_set(m, M_stall_mshr_slots, (double)t->stall[CAUSE_MSHR]);
    metrics_set(m, M_stall_noc_slots, (double)t->stall[CAUSE_NOC]);
}

/* What depends on more than the L1's own parameters. */
static void set_l1_sums(const struct l1 *l1, const struct l1_stats *c, struct metrics *m)
{
    const struct l1_params *p = l1->p;
    const struct protocol *protocol = l1->w->coherence ? l1->w->coherence->protocol : NULL;
    metrics_set(m, M_l1_stall_cycles,
                (double)(c->stall_mshr + c->stall_merge + c->stall_line + c->stall_network));
    if (p->enabled && p->cache.sector_bytes < p->cache.line_bytes)
        metrics_set(m, M_l1_tag_hits, (double)(c->hits + c->sector_misses));
    if (protocol) metrics_set(m, M_coherence_invalidations, (double)c->invalidations);
    if (protocol && protocol->directory)
        metrics_set(m, M_coherence_modified_hits, (double)c->modified_hits);
    if (protocol && protocol->sync_fifos) metrics_set(m, M_coherence_probes, (double)c->probes);
    if (protocol == &protocol_si) metrics_set(m, M_coherence_flushed, (double)c->evicted_stores);
}

static void add_metrics(const struct objects *o, struct metrics *m)
{
    struct sm *sm = o->all;
    struct sm_sums t = {0};
    for (uint32_t i = 0; i < o->n; i++)
        add_sm_of(&sm[i], objects_cycle(o, CLOCK_CORE), &t);
    set_sm(sm->p, &t.sm, m);
    set_warps(&t.sm, m);
    SM_EACH_SIDE(sm, side)
    if (side->add_metrics) side->add_metrics(sm, o->n, m);
    set_l1(sm->l1.p, &t.l1, m);
    set_l1_sums(&sm->l1, &t.l1, m);
    if (!sm->p->vmb_entries) return;
    metrics_set(m, M_vmb_blocked, (double)t.vmb_blocked);
    metrics_set(m, M_vmb_cycles, m->v[M_cycles] * o->n);
}

static void load(const struct objects *o, const struct warm_state *w)
{
    struct sm *sm = o->all;
    for (uint32_t i = 0; i < o->n && i < w->sms; i++) {
        cache_load(&sm[i].l1.c, w->l1[i].line, w->l1[i].n);
        l1_memory_copy(&sm[i].l1.memory, &w->l1[i].memory, sm[i].l1.p);
    }
}

const struct component_ops sm_component = {.name = "SMs",
                                           .size = sizeof(struct sm),
                                           .starts = true,
                                           .count = count,
                                           .host_bytes = host_bytes,
                                           .announce = announce,
                                           .launch = launch,
                                           .add_metrics = add_metrics,
                                           .load = load,
                                           .idle = idle,
                                           COMPONENT_PASSED};
