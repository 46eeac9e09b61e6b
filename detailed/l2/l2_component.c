/* l2_component.c - the slices of the L2 among a simulation's components. */
#include "detailed/l2/directory.h"
#include "detailed/l2/l2.h"
#include "detailed/l2/l2_side.h"
#include "detailed/parts/cache_bytes.h"
#include "detailed/parts/component.h"
#include "gpu/functional/state/warm_state.h"
#include "gpu/machine/machine.h"

STATS_ADDER(directory, DIRECTORY_STATS)
STATS_ADDER(l2, L2_STATS)
STATS_SETTER(l2, L2_STATS)

static uint32_t count(const struct machine *m)
{
    return m->l2.banks;
}

static uint64_t host_bytes(const struct machine *m)
{
    const struct l2_params *p = &m->l2;
    const struct mechanism_set on = machine_mechanisms(m);
    uint64_t lines = (uint64_t)p->cache.sets * p->cache.ways, bytes = sizeof(struct l2_slice);
    bytes += cache_bytes(&p->cache, SHADOW_ON) + l2_side_bytes(p, &on);
    if (p->miss_management == MISS_CONVENTIONAL)
        bytes += lines * 2 * sizeof(uint32_t) + p->cache.sets * sizeof(uint16_t);
    return m->l2.banks * bytes;
}

COMPONENT_OF_OBJECTS(l2, l2_slice)

static bool launch(void *object, const struct occupancy *occ, uint64_t now)
{
    struct l2_slice *s = object;
    (void)occ, (void)now;
    L2_EACH_SIDE(s, o)
    if (o->launch) o->launch(s);
    return true;
}

static uint64_t progress(const void *object)
{
    const struct l2_slice *s = object;
    return s->s.reads + s->s.writes;
}

/* Sums the counts of directories and of inclusive L2s' records. */
static uint64_t sum_directories(const struct l2_slice *slices, uint32_t n, struct metrics *m)
{
    const struct l2_wiring *w = slices->w;
    struct directory_stats t = {0};
    for (uint32_t i = 0; i < n; i++) {
        const struct l2_slice *slice = &slices[i];
        const struct directory *d = slice->directory ? slice->directory : slice->copies;
        if (!d) return 0;
        add_directory(&t, directory_stats(d));
    }
    if (slices->p->inclusion != INCLUSION_NONE)
        metrics_set(m, M_coherence_recalls, (double)t.recalls);
    if (!w->coherence || !w->coherence->protocol->directory) return 0;
    metrics_set(m, M_coherence_messages, (double)t.messages);
    metrics_set(m, M_coherence_nacks, (double)t.nacks);
    if (w->protocol->directory_latency) metrics_set(m, M_coherence_bytes, (double)t.bytes);
    if (w->protocol->directory_entries) metrics_set(m, M_coherence_recalls, (double)t.recalls);
    return t.nacks;
}

/* Sets the cycles of the slices' misses, converted from L2 cycles to core cycles. */
static void set_miss_latency(const struct clocks *c, const struct l2_stats *t, struct metrics *m)
{
    double to_core = (double)c->period[CLOCK_L2] / (double)c->period[CLOCK_CORE];
    metrics_set(m, M_l2_miss_eviction_sum, (double)t->eviction_cycles * to_core);
    metrics_set(m, M_l2_miss_memory_sum, (double)t->memory_cycles * to_core);
    metrics_set(m, M_l2_miss_invalidation_sum, (double)t->invalidation_cycles * to_core);
    metrics_set(m, M_l2_miss_total_sum,
                (double)(t->invalidation_cycles + t->eviction_cycles + t->memory_cycles) * to_core);
}

static void add_metrics(const struct objects *o, struct metrics *m)
{
    const struct l2_slice *slice = o->all;
    const struct l2_wiring *w = slice->w;
    const struct l2_params *p = slice->p;
    const struct memory *second = w->second_memory;
    struct l2_stats t = {0};
    uint64_t conflicts = 0;
    for (uint32_t i = 0; i < o->n; i++) {
        add_l2(&t, &slice[i].s);
        conflicts += slice[i].banks.conflict_cycles;
    }
    set_l2(p, &t, m);
    metrics_set(m, M_l2_accesses, (double)(t.reads + t.writes));
    metrics_set(m, M_l2_hits, (double)(t.read_hits + t.write_hits));
    metrics_set_as_vendors(m, p->cache.write_miss != WRITE_MISS_NO_ALLOCATE);
    metrics_set(m, M_l2_nacks, (double)(t.nacks - sum_directories(slice, o->n, m)));
    set_miss_latency(o->clocks, &t, m);
    if (p->miss_management == MISS_CONVENTIONAL)
        metrics_set(m, M_l2_set_lines, (double)t.set_looks * p->cache.ways);
    if (p->data_banks) metrics_set(m, M_l2_bank_conflicts, (double)conflicts);
    if (w->placement) {
        metrics_set(m, M_dram_local_misses, (double)t.local_misses);
        metrics_set(m, M_dram_placed_misses, (double)t.placed_misses);
    }
    metrics_set(m, M_l2_bytes_to_memory,
                (double)(memory_bytes_written(w->memory) +
                         (second ? memory_bytes_written(second) : 0)));
    metrics_set(m, M_l2_bytes_from_memory,
                (double)(memory_bytes_read(w->memory) + (second ? memory_bytes_read(second) : 0)));
}

static void load(const struct objects *o, const struct warm_state *w)
{
    struct l2_slice *slice = o->all;
    for (uint32_t i = 0; i < o->n && i < w->slices; i++)
        cache_load(&slice[i].c, w->slice[i].line, w->slice[i].n);
}

const struct component_ops l2_component = {.name = "L2",
                                           .size = sizeof(struct l2_slice),
                                           .count = count,
                                           .host_bytes = host_bytes,
                                           .launch = launch,
                                           .progress = progress,
                                           .add_metrics = add_metrics,
                                           .load = load,
                                           COMPONENT_PASSED};
