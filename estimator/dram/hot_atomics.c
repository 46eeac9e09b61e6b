/* hot_atomics.c - see hot_atomics.h. */
#include "estimator/dram/hot_atomics.h"

#include "base/memory/rng.h"
#include "estimator/dram/command_gaps.h"
#include "estimator/dram/unevenness.h"
#include "estimator/math_util.h"

/* The mean gap between the bursts of a block, around again from its last to its first. */
static double block_gap(const struct map *map, const struct dram_params *d, uint64_t block)
{
    const struct command_gaps g = command_gaps_of(d);
    uint32_t burst = d->bus_bytes * d->burst_length, n = (1u << map->interleave_shift) / burst;
    double clocks = 0;
    if (d->model != DRAM_BANKS) return 0;
    if (n < 2) return g.same_l;
    struct coord before = map_addr(map, block + (uint64_t)(n - 1) * burst);
    for (uint32_t i = 0; i < n; i++) {
        struct coord at = map_addr(map, block + (uint64_t)i * burst);
        bool same = at.flat_bank / map->banks_per_group == before.flat_bank / map->banks_per_group;
        clocks += same ? g.same_l : g.same_s;
        before = at;
    }
    return clocks / n;
}

void hot_atomics_find(struct hot_atomics *h, const struct spread_sample *s, const struct map *map,
                      const struct dram_params *d, bool passes)
{
    struct load l = {0};
    uint64_t block = (uint64_t)1 << map->interleave_shift, hottest = 0;
    double most = 0;
    for (uint32_t i = 0; i < s->n; i++) {
        const struct sampled *a = &s->at[i];
        uint64_t place = passes ? a->addr & ~(block - 1) : a->addr;
        uint32_t queue = (uint32_t)(rng_splitmix64(place) % MAX_QUEUES);
        if (a->kind != SAMPLED_ATOMIC) continue;
        load_add(&l, queue, a->sectors, false);
        if (l.at[queue] <= most) continue;
        most = l.at[queue];
        hottest = place & ~(block - 1);
    }
    *h = (struct hot_atomics){0};
    if (l.n <= 0) return;
    h->share = uneven_hot(&l, MAX_QUEUES) / MAX_QUEUES;
    if (passes) h->gap = block_gap(map, d, hottest);
}

double hot_atomics_slice_cycles(const struct l2_params *l2, double l2_cycle)
{
    double port = l2_cycle / l2->ports;
    return l2->data_banks ? math_larger(port, l2->bank_cycles * l2_cycle) : port;
}
