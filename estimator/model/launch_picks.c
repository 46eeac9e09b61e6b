/* launch_picks.c - see launch_picks.h. */
#include "estimator/model/launch_picks.h"

#include "base/memory/alloc.h"
#include "base/memory/hash_map.h"
#include "estimator/math_util.h"
#include "estimator/model/launch_solve.h"

#include <math.h>
#include <stdlib.h>

/* Launches with equal estimates. */
struct launch_group {
    const struct launch *shape;
    uint32_t first;
    double launches, cycles; /* cycles: of all of them */
};
struct launch_groups {
    uint32_t n;
    size_t cap;
    struct launch_group *at;
    struct hash_map by_key;
};

static uint64_t key_of_group(const struct profile *p, uint32_t launch, const struct est_params *e)
{
    const double filled = launch_filled_lines(p, launch, e->l2);
    return digest_join(p->place[launch].likeness, digest_bytes(&filled, sizeof filled)).lo >> 1;
}

static bool group_launch(struct launch_groups *g, const struct profile *p, uint32_t launch,
                         const struct est_params *e)
{
    uint64_t key = key_of_group(p, launch, e);
    const uint32_t *at = hash_map_get(&g->by_key, key);
    if (at) {
        g->at[*at].launches++;
        return true;
    }
    if (!mem_grow(&g->at, &g->cap, (size_t)g->n + 1, sizeof *g->at) ||
        !hash_map_put(&g->by_key, key, g->n))
        return false;
    g->at[g->n++] =
        (struct launch_group){.shape = &p->shape[launch], .first = launch, .launches = 1};
    return true;
}

static int compare_numbers(double a, double b)
{
    return (a > b) - (a < b);
}

/* By kernel, as far as a launch's shape tells it, then by the time of a launch. */
static int by_kernel_and_time(const void *a, const void *b)
{
    const struct launch_group *x = a, *y = b;
    int c = compare_numbers(x->shape->registers_per_lane, y->shape->registers_per_lane);
    if (!c) c = compare_numbers(x->shape->shared_bytes, y->shape->shared_bytes);
    if (!c) c = compare_numbers(x->shape->warps_per_cta, y->shape->warps_per_cta);
    if (!c) c = compare_numbers(x->cycles / x->launches, y->cycles / y->launches);
    return c ? c : compare_numbers(x->first, y->first);
}

static void pick_all(struct launch_picks *k, const struct launch_groups *g)
{
    for (; k->n < g->n; k->n++)
        k->at[k->n] = (struct launch_pick){g->at[k->n].first, g->at[k->n].launches};
}

static void pick_middles(struct launch_picks *k, struct launch_groups *g, uint32_t most)
{
    double all = 0, seen = 0, parts = 0;
    for (uint32_t i = 0; i < g->n; i++)
        all += g->at[i].cycles;
    qsort(g->at, g->n, sizeof *g->at, by_kernel_and_time);
    for (uint32_t i = 0; i < g->n && all > 0; i++) {
        const struct launch_group *x = &g->at[i];
        seen += x->cycles;
        double until = math_smaller(most, floor(seen / all * most + 0.5)); /* middles passed */
        if (until <= parts) continue;
        k->at[k->n++] =
            (struct launch_pick){x->first, (until - parts) * all / most * x->launches / x->cycles};
        parts = until;
    }
}

static bool time_groups(struct launch_groups *g, const struct profile *p,
                        const struct est_params *e, struct error *err)
{
    struct launch_solver s;
    bool ok = launch_solver_init(&s, p, e, err);
    for (uint32_t i = 0; ok && i < g->n; i++) {
        double cycles = 0;
        struct launch_answer a = {.cycles = &cycles};
        ok = launch_solve(&s, g->at[i].first, &a, err);
        g->at[i].cycles = cycles * g->at[i].launches;
    }
    launch_solver_fini(&s);
    return ok;
}

bool launch_picks_find(struct launch_picks *k, const struct profile *p, const bool *selected,
                       uint32_t most, const struct est_params *e, struct error *err)
{
    struct launch_groups g = {0};
    *k = (struct launch_picks){0};
    bool ok = hash_map_init(&g.by_key, 64);
    for (uint32_t i = 0; ok && i < p->launches; i++)
        ok = !selected[i] || group_launch(&g, p, i, e);
    bool some = most && g.n > most;
    if (ok) k->at = mem_new(some ? most : g.n, sizeof *k->at);
    ok = (ok && k->at) || error_no_memory(err);
    if (ok && some) ok = time_groups(&g, p, e, err);
    if (ok && some) pick_middles(k, &g, most);
    if (ok && !some) pick_all(k, &g);
    hash_map_fini(&g.by_key);
    mem_free(g.at);
    return ok;
}

bool launch_picks_issue(const struct launch_picks *k, const struct profile *p, uint32_t classes)
{
    for (uint32_t i = 0; i < k->n; i++)
        for (uint32_t c = 0; c < PROFILE_CLASSES; c++)
            if (classes >> c & 1 && profile_launch(p, k->at[i].launch)->cls[c] > 0) return true;
    return false;
}

void launch_picks_fini(struct launch_picks *k)
{
    mem_free(k->at);
    *k = (struct launch_picks){0};
}

bool launch_picks_time(const struct launch_picks *k, const struct profile *p,
                       const struct est_params *e, double *us, struct error *err)
{
    struct launch_solver s;
    double sum = 0;
    bool ok = launch_solver_init(&s, p, e, err);
    for (uint32_t i = 0; ok && i < k->n; i++) {
        double cycles = 0;
        struct launch_answer a = {.cycles = &cycles};
        ok = launch_solve(&s, k->at[i].launch, &a, err);
        sum += k->at[i].weight * cycles;
    }
    launch_solver_fini(&s);
    if (ok) *us = sum * e->clocks.tick_us * (double)e->clocks.period[CLOCK_CORE];
    return ok;
}
