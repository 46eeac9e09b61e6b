/* warp_admission.c - see warp_admission.h. */
#include "estimator/functional/warp_admission.h"

#include "base/memory/alloc.h"

#include <string.h>

/* --- warps --- */

static struct govern_core *core_of(struct govern *g, uint32_t warp, uint64_t *bit)
{
    uint32_t at = g->place[warp];
    *bit = UINT64_C(1) << at % GOVERN_SLOTS;
    return &g->core[at / GOVERN_SLOTS];
}

static void stale(struct govern *g)
{
    if (g->throttle.ops) g->throttle.due = 0;
}

struct govern *govern_new(const struct warp_view *v)
{
    struct govern *g = mem_new(1, sizeof *g);
    if (!g) return NULL;
    g->p = warp_view_params(v);
    bool ok = throttle_init(&g->throttle, &g->p, v->l1_lines);
    if (ok && g->throttle.ops && g->throttle.ops->left) ok = recency_init(&g->l1, v->l1_lines);
    for (uint32_t i = 0; i < GOVERN_CORES; i++) {
        struct govern_core *c = &g->core[i];
        const struct sched_view view = {c->age, c->cta, c->cta_slot, &c->resident};
        sched_init(&g->sched[i], &g->p, &view);
    }
    if (ok) return g;
    govern_free(g);
    return NULL;
}

void govern_free(struct govern *g)
{
    if (!g) return;
    throttle_fini(&g->throttle);
    recency_fini(&g->l1);
    mem_free(g->place);
    mem_free(g);
}

bool govern_launch(struct govern *g, uint32_t sm, uint32_t warps, double share, uint32_t ctas)
{
    if (!mem_grow(&g->place, &g->place_cap, warps, sizeof *g->place)) return false;
    for (uint32_t i = 0; i < GOVERN_CORES; i++) {
        struct govern_core *c = &g->core[i];
        c->resident = c->runnable = c->here = c->loads = c->barrier = 0;
        sched_launch(&g->sched[i], sm, ctas ? ctas : 1); /* an SM may have none */
    }
    g->n_order = g->turn = 0;
    g->counted_to = 0;
    g->held_cycles = g->beside_cycles = 0;
    g->warps = warps;
    throttle_launch(&g->throttle, share, g->issued);
    return true;
}

void govern_born(struct govern *g, const struct govern_warp *w)
{
    uint32_t core = w->core;
    while (!~g->core[core].resident)
        core = (core + 1) % GOVERN_CORES;
    struct govern_core *c = &g->core[core];
    uint32_t slot = (uint32_t)__builtin_ctzll(~c->resident);
    uint64_t bit = UINT64_C(1) << slot;
    g->place[w->warp] = core * GOVERN_SLOTS + slot;
    c->resident |= bit;
    c->runnable |= bit;
    c->age[slot] = w->age;
    c->cta[slot] = w->cta;
    c->cta_slot[slot] = w->cta_slot;
    c->warp[slot] = w->warp;
    g->order[g->n_order++] = (uint16_t)g->place[w->warp];
    if (g->throttle.ops && g->throttle.ops->born)
        g->throttle.ops->born(&g->throttle, g->place[w->warp]);
    stale(g);
}

void govern_ended(struct govern *g, uint32_t warp)
{
    uint64_t bit;
    struct govern_core *c = core_of(g, warp, &bit);
    uint32_t place = g->place[warp], i = 0;
    struct sched *s = &g->sched[place / GOVERN_SLOTS];
    c->resident &= ~bit;
    c->runnable &= ~bit;
    c->here &= ~bit;
    while (g->order[i] != place)
        i++;
    memmove(&g->order[i], &g->order[i + 1], (--g->n_order - i) * sizeof *g->order);
    if (s->ops->ended) s->ops->ended(s, place % GOVERN_SLOTS);
    if (g->throttle.ops && g->throttle.ops->ended) g->throttle.ops->ended(&g->throttle, place);
    stale(g);
}

void govern_at_barrier(struct govern *g, uint32_t warp, uint64_t loaded)
{
    uint64_t bit;
    struct govern_core *c = core_of(g, warp, &bit);
    c->barrier |= bit;
    c->runnable &= ~bit;
    c->loaded[g->place[warp] % GOVERN_SLOTS] = loaded;
    stale(g);
}

void govern_opened(struct govern *g, uint32_t warp)
{
    uint64_t bit;
    struct govern_core *c = core_of(g, warp, &bit);
    c->barrier &= ~bit;
    c->runnable |= bit;
    stale(g);
}

void govern_turned(struct govern *g, uint32_t warp, bool waits, uint32_t issued)
{
    uint64_t bit;
    struct govern_core *c = core_of(g, warp, &bit);
    c->runnable = waits ? c->runnable & ~bit : c->runnable | bit;
    g->issued += issued;
}

void govern_came(struct govern *g, struct warp_rank warp, bool load)
{
    uint64_t bit;
    struct govern_core *c = core_of(g, warp.warp, &bit);
    c->rank[g->place[warp.warp] % GOVERN_SLOTS] = warp.key;
    c->runnable |= bit;
    c->here |= bit;
    c->loads = load ? c->loads | bit : c->loads & ~bit;
}

/* --- who goes --- */

static void choose(struct govern *g, uint64_t now)
{
    struct rostered r[THROTTLE_WARPS];
    uint64_t cta = UINT64_MAX;
    for (uint32_t i = 0; i < g->n_order; i++) {
        const struct govern_core *c = &g->core[g->order[i] / GOVERN_SLOTS];
        uint32_t slot = g->order[i] % GOVERN_SLOTS;
        r[i] = (struct rostered){
            .warp = g->order[i], .waits = c->barrier >> slot & 1, .cta_first = c->cta[slot] != cta};
        cta = c->cta[slot];
    }
    g->throttle.ops->choose(&g->throttle, r, g->n_order, now);
}

static uint64_t kept(const struct govern *g, uint32_t core)
{
    const struct govern_core *c = &g->core[core];
    return g->throttle.barred[core] | (g->throttle.no_loads[core] & c->loads);
}

static uint32_t still_loading(const struct govern_core *c, uint64_t now)
{
    uint32_t n = 0;
    for (uint64_t rest = c->barrier; rest; rest &= rest - 1)
        n += c->loaded[__builtin_ctzll(rest)] > now;
    return n;
}

/* Of the time since the last count: as it was then. */
static void count(struct govern *g, uint64_t now)
{
    uint32_t held = 0, beside = 0, limit = g->throttle.limit;
    double cycles = (double)(now - g->counted_to);
    if (now <= g->counted_to || !g->throttle.ops) return;
    for (uint32_t i = 0; i < GOVERN_CORES; i++) {
        const struct govern_core *c = &g->core[i];
        uint64_t waits = c->here & kept(g, i);
        held += (uint32_t)__builtin_popcountll(waits);
        beside += (uint32_t)__builtin_popcountll(c->resident & ~c->barrier & ~waits);
        if (c->barrier) beside += still_loading(c, g->counted_to);
    }
    g->counted_to = now;
    if (held)
        g->held_cycles += cycles;
    else
        beside = limit < g->warps ? limit : g->warps;
    g->beside_cycles += cycles * beside;
}

static uint32_t take_from(struct govern *g, uint32_t core)
{
    struct govern_core *c = &g->core[core];
    struct sched *s = &g->sched[core];
    uint64_t slots = c->runnable & ~kept(g, core);
    if (s->ops->admit) slots = s->ops->admit(s, slots);
    slots &= c->here;
    if (!slots) return GOVERN_NONE;
    uint32_t slot = s->last = s->ops->pick(s, slots, c->age);
    c->here &= ~(UINT64_C(1) << slot);
    return c->warp[slot];
}

/* Of all that may go the first in the queue's order. */
static uint32_t take_ranked(struct govern *g)
{
    struct govern_core *from = NULL;
    uint32_t best = 0;
    for (uint32_t i = 0; i < GOVERN_CORES; i++) {
        struct govern_core *c = &g->core[i];
        for (uint64_t rest = c->here & ~kept(g, i); rest; rest &= rest - 1) {
            uint32_t slot = (uint32_t)__builtin_ctzll(rest);
            if (from && (c->rank[slot] > from->rank[best] ||
                         (c->rank[slot] == from->rank[best] && c->warp[slot] > from->warp[best])))
                continue;
            from = c;
            best = slot;
        }
    }
    if (!from) return GOVERN_NONE;
    from->here &= ~(UINT64_C(1) << best);
    return from->warp[best];
}

uint32_t govern_take(struct govern *g, uint64_t now)
{
    enum sched_kind kind = g->p.scheduler;
    count(g, now);
    if (g->throttle.ops && g->throttle.due <= now) choose(g, now);
    if (kind == SCHED_LRR || kind == SCHED_GTO) return take_ranked(g);
    for (uint32_t i = 0; i < GOVERN_CORES; i++) {
        uint32_t core = (g->turn + i) % GOVERN_CORES;
        uint32_t warp = g->core[core].here ? take_from(g, core) : GOVERN_NONE;
        if (warp == GOVERN_NONE) continue;
        g->turn = (core + 1) % GOVERN_CORES;
        return warp;
    }
    return GOVERN_NONE;
}

uint64_t govern_due(const struct govern *g)
{
    return g->throttle.ops ? g->throttle.due : UINT64_MAX;
}

bool govern_any_here(const struct govern *g)
{
    uint64_t here = 0;
    for (uint32_t i = 0; i < GOVERN_CORES; i++)
        here |= g->core[i].here;
    return here != 0;
}

bool govern_keeps_load(const struct govern *g, uint32_t warp)
{
    uint32_t place = g->place[warp];
    return g->throttle.no_loads[place / GOVERN_SLOTS] >> place % GOVERN_SLOTS & 1;
}

/* --- what the policies are told --- */

void govern_asked(struct govern *g, uint32_t warp)
{
    const struct throttle_ops *ops = g->throttle.ops;
    if (ops && ops->asked) ops->asked(&g->throttle, g->place[warp]);
}

void govern_access(struct govern *g, const struct throttle_access *a, uint64_t now)
{
    const struct throttle_ops *ops = g->throttle.ops;
    struct throttle_access seen = *a;
    uint64_t left = 0;
    uint32_t i;
    if (!ops || !ops->access) return;
    seen.warp = g->place[a->warp];
    if (ops->access(&g->throttle, &seen, g->issued, now)) stale(g);
    if (ops->left && a->load && recency_touch(&g->l1, a->block, &i, &left, &g->failed))
        ops->left(&g->throttle, left);
    if (g->throttle.no_memory) g->failed = true;
}
