/* max_latency.c - see max_latency.h. */
#include "estimator/network/max_latency.h"

#include "estimator/math_util.h"

#include <math.h>

/* Adds the slowest of `each` such transactions per instruction, whose latencies are independent. */
static void add_slowest(struct histogram *out, const struct histogram *one, double each,
                        double instructions)
{
    double below = 0, before = 0, own = math_larger(1, each);
    if (!(one->n > 0) || !(instructions > 0)) return;
    for (uint32_t b = 0; b < HISTOGRAM_BUCKETS; b++) {
        if (!(one->count[b] > 0)) continue;
        below += one->count[b];
        double all = math_smaller(1, below / one->n);
        if (own > 1) all = pow(all, own);
        histogram_add(out, (uint64_t)(histogram_value(b) + 0.5), instructions * (all - before));
        before = all;
    }
}

void max_latency_find(const struct launch_profile *p, const struct histogram *load,
                      const struct histogram *store, struct histogram *out)
{
    double loads = p->load_instructions, atomics = p->atomic_instructions;
    *out = (struct histogram){0};
    add_slowest(out, load, math_over(p->loads + p->atomics, loads + atomics), loads + atomics);
    add_slowest(out, store, math_over(p->stores, p->store_instructions), p->store_instructions);
}
