/* pareto.c - see pareto.h.  After sorting by the first objective (ties by the next ones) only an
 * earlier point can dominate it; as dominance is transitive, a point of the front then
 * dominates it, too.  So the cost is points x front. */
#include "sweeps/ranking/pareto.h"

#include "base/memory/alloc.h"

#include <math.h>
#include <stdlib.h>

struct ranked {
    const double *value;
    const enum goal *goal;
    uint32_t k;
};

/* Less is better. */
static double cost_of(const struct ranked *r, uint32_t point, uint32_t i)
{
    double v = r->value[(size_t)point * r->k + i];
    return r->goal[i] == GOAL_MIN ? v : -v;
}

static int by_costs(const void *a, const void *b, void *ranked)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b, k = ((struct ranked *)ranked)->k;
    for (uint32_t i = 0; i < k; i++) {
        if (cost_of(ranked, x, i) < cost_of(ranked, y, i)) return -1;
        if (cost_of(ranked, x, i) > cost_of(ranked, y, i)) return 1;
    }
    return x < y ? -1 : 1;
}

static bool dominates(const struct ranked *r, uint32_t a, uint32_t b)
{
    bool better = false;
    for (uint32_t i = 0; i < r->k; i++) {
        if (cost_of(r, a, i) > cost_of(r, b, i)) return false;
        better |= cost_of(r, a, i) < cost_of(r, b, i);
    }
    return better;
}

bool pareto_front(const double *value, uint32_t n, const enum goal *goal, uint32_t k, bool *front)
{
    struct ranked r = {.value = value, .goal = goal, .k = k};
    uint32_t complete = 0, kept = 0, *order = mem_new(n ? n : 1, sizeof *order);
    for (uint32_t p = 0; p < n; p++) {
        bool known = order != NULL;
        for (uint32_t i = 0; i < k && known; i++)
            known = !isnan(value[(size_t)p * k + i]);
        if (known) order[complete++] = p;
        front[p] = false;
    }
    if (complete) qsort_r(order, complete, sizeof *order, by_costs, &r);
    for (uint32_t i = 0; i < complete; i++) {
        bool beaten = false;
        for (uint32_t f = 0; f < kept && !beaten; f++)
            beaten = dominates(&r, order[f], order[i]);
        front[order[i]] = !beaten;
        if (!beaten) order[kept++] = order[i];
    }
    bool ok = order != NULL;
    mem_free(order);
    return ok;
}
