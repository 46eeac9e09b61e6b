/* best_so_far.c - see best_so_far.h. */
#include "sweeps/run/best_so_far.h"

#include "base/memory/alloc.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

bool best_init(struct best *b, const struct plan *p, struct error *e)
{
    *b = (struct best){.workloads = p->n_workloads, .value = NAN};
    for (uint32_t k = p->n_objectives; k-- > 0;)
        if (!p->objective[k].parameter) b->aim = &p->objective[k];
    b->sum = mem_new(plan_points(p), sizeof *b->sum);
    b->runs = mem_new(plan_points(p), sizeof *b->runs);
    return (b->sum && b->runs) || error_no_memory(e);
}

void best_fini(struct best *b)
{
    mem_free(b->sum);
    mem_free(b->runs);
}

bool best_add(struct best *b, uint32_t point, const struct record *r)
{
    if (!b->aim || r->failed) return false;
    b->sum[point] += log(record_metric(r, b->aim->name));
    if (++b->runs[point] < b->workloads) return false;
    double v = exp(b->sum[point] / b->workloads);
    bool least = b->aim->goal == GOAL_MIN;
    bool better = isnan(b->value) ? !isnan(v) : least ? v < b->value : v > b->value;
    if (!better) return false;
    b->value = v;
    b->point = point;
    return true;
}

void best_text(const struct best *b, char out[96])
{
    snprintf(out, 96, "best %.48s %.6g at point %" PRIu32, b->aim->name, b->value, b->point);
}
