/* pareto.c - see pareto.h.  After sorting by the first objective (ties by the next ones) only an
 * earlier point can dominate it; as dominance is transitive, a point of the front then
 * dominates it, too.  So the cost is points x front. */
#include "sweeps/ranking/pareto.h"

#include "base/memory/alloc.h"

#include <math.h>
#include <stdlib.h>

struct pareto_row {
    const double *v; /* costs, all to be minimised */
    uint32_t point, k;
};

static int by_values(const void *a, const void *b)
{
    const struct pareto_row *x = a, *y = b;
    for (uint32_t i = 0; i < x->k; i++) {
        if (x->v[i] < y->v[i]) return -1;
        if (x->v[i] > y->v[i]) return 1;
    }
    return x->point < y->point ? -1 : 1;
}

static bool dominates(const struct pareto_row *a, const struct pareto_row *b)
{
    bool better = false;
    for (uint32_t i = 0; i < a->k; i++) {
        if (a->v[i] > b->v[i]) return false;
        better |= a->v[i] < b->v[i];
    }
    return better;
}

static bool is_complete(const double *v, uint32_t k)
{
    for (uint32_t i = 0; i < k; i++)
        if (isnan(v[i])) return false;
    return true;
}

/* Collects and sorts the points that have every value; returns how many. */
static uint32_t collect_rows(struct pareto_row *row, double *cost, const double *value, uint32_t n,
                             const enum goal *goal, uint32_t k)
{
    uint32_t rows = 0;
    for (uint32_t p = 0; p < n; p++) {
        if (!is_complete(&value[(size_t)p * k], k)) continue;
        double *v = &cost[(size_t)rows * k];
        for (uint32_t i = 0; i < k; i++)
            v[i] = goal[i] == GOAL_MIN ? value[(size_t)p * k + i] : -value[(size_t)p * k + i];
        row[rows++] = (struct pareto_row){.v = v, .point = p, .k = k};
    }
    qsort(row, rows, sizeof *row, by_values);
    return rows;
}

static void mark_front(struct pareto_row *row, uint32_t rows, bool *front)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < rows; i++) {
        bool beaten = false;
        for (uint32_t f = 0; f < kept && !beaten; f++)
            beaten = dominates(&row[f], &row[i]);
        if (beaten) continue;
        front[row[i].point] = true;
        row[kept++] = row[i];
    }
}

bool pareto_front(const double *value, uint32_t n, const enum goal *goal, uint32_t k, bool *front)
{
    for (uint32_t i = 0; i < n; i++)
        front[i] = false;
    if (n == 0) return true;
    struct pareto_row *row = mem_new(n, sizeof *row);
    double *cost = mem_new((size_t)n * k, sizeof *cost);
    if (row && cost) mark_front(row, collect_rows(row, cost, value, n, goal, k), front);
    bool ok = row && cost;
    mem_free(row);
    mem_free(cost);
    return ok;
}
