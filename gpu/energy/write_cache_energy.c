/* write_cache_energy.c - costs, energy and area of QuickRelease's write caches and S-FIFOs. */
#include "gpu/energy/structures.h"
#include "gpu/mechanisms/mechanisms.h"

#include <math.h>

/* Finds the costs of one level's write caches: `count` of them share w, and have the blocks of the
 * read caches beside them. */
static void find_level(struct energy_costs *c, enum write_cache_level level, struct cost_search *s,
                       const struct write_cache_params *w, const struct cache_params *read,
                       uint32_t count)
{
    static const char *const name[WRITE_CACHE_N][2] = {
        {"wL1", "wL1 S-FIFO"}, {"wL2", "wL2 S-FIFO"}, {"wL3", "wL3 S-FIFO"}};
    struct cache_costs *k = &c->write_caches.level[level].cache;
    k->asked = structure_cache_of(read, s->m->energy);
    k->asked.sector_bytes = read->line_bytes;
    k->asked.ways = w->ways;
    k->asked.bytes = (uint64_t)w->kb * 1024;
    structure_find_cache(c, k, s->t, count, name[level][0]);
    structure_find_fifo(c, &c->write_caches.level[level].fifo, s, w->fifo, count, name[level][1]);
}

static void find_write_caches(struct energy_costs *c, struct cost_search *s)
{
    const struct part_pointers *m = s->m;
    const struct dram_params *dram = m->dram;
    struct write_cache_params part = m->l3->write_cache;
    c->write_caches.on = m->mechanisms.has[MECHANISM_write_caches];
    if (!c->write_caches.on) return;
    c->l1.split = c->l2.split = true;
    part.kb /= dram->channels;
    part.fifo /= dram->channels;
    c->write_caches.blocks_per_burst =
        fmin(1, (double)dram->burst_length * dram->bus_bytes / m->l3->cache.line_bytes);
    find_level(c, WRITE_CACHE_L1, s, &m->l1->write_cache, &m->l1->cache, m->sm->count);
    find_level(c, WRITE_CACHE_L2, s, &m->l2->write_cache, &m->l2->cache, m->l2->banks);
    find_level(c, WRITE_CACHE_L3, s, &part, &m->l3->cache, dram->channels);
}

static bool is_on(const struct energy_costs *c)
{
    return c->write_caches.on;
}

static bool is_known(const struct energy_costs *c)
{
    bool all = true;
    for (uint32_t i = 0; i < WRITE_CACHE_N; i++)
        all = all && c->write_caches.level[i].cache.known && c->write_caches.level[i].fifo.known;
    return all;
}

/* What one level's write caches do: each store writes its line, and loads that the read cache
 * beside does not serve look up their tags. Each block that leaves is read, had written a tag when
 * it took its line, and had an entry in the S-FIFO. */
static double level_mj(const struct energy_costs *c, enum write_cache_level level, double stores,
                       double loads, double blocks, const struct metrics *m)
{
    const struct cache_costs *k = &c->write_caches.level[level].cache;
    const struct ram_costs *fifo = &c->write_caches.level[level].fifo;
    const struct cache_events e = {.look_ups = stores + loads,
                                   .data_reads = blocks,
                                   .data_writes = stores,
                                   .tag_writes = blocks};
    return structure_tags(k, &e) + structure_data(k, &e) +
           MJ_PER_PJ * blocks * (fifo->write + fifo->read) +
           structure_leaked(k->leakage_mw + fifo->leakage_mw, m);
}

static void account(const struct energy_costs *c, struct metrics *m)
{
    const double *v = m->v;
    if (!is_known(c) || !METRICS_KNOWN(m, M_l1_reads, M_l1_read_hits, M_l1_writes, M_l2_reads,
                                       M_l2_writes, M_l2_read_hits, M_l2_writebacks, M_l3_reads,
                                       M_l3_writes, M_l3_read_hits, M_dram_writes, M_time_us))
        return;
    double l1 = level_mj(c, WRITE_CACHE_L1, v[M_l1_writes], v[M_l1_reads] - v[M_l1_read_hits],
                         v[M_l2_writes], m),
           l2 = level_mj(c, WRITE_CACHE_L2, v[M_l2_writes], v[M_l2_reads] - v[M_l2_read_hits],
                         v[M_l2_writebacks], m),
           l3 = level_mj(c, WRITE_CACHE_L3, v[M_l3_writes], v[M_l3_reads] - v[M_l3_read_hits],
                         v[M_dram_writes] * c->write_caches.blocks_per_burst, m);
    metrics_set(m, M_energy_write_caches, l1 + l2 + l3);
}

static double area_mm2(const struct energy_costs *c)
{
    double sum = 0;
    if (!is_known(c)) return (double)NAN;
    for (uint32_t i = 0; i < WRITE_CACHE_N; i++)
        sum += c->write_caches.level[i].cache.area_mm2 + c->write_caches.level[i].fifo.area_mm2;
    return sum;
}

const struct energy_structure energy_of_write_caches = {.is_on = is_on,
                                                        .area_mm2 = area_mm2,
                                                        .find = find_write_caches,
                                                        .account = account,
                                                        .energy = {M_energy_write_caches},
                                                        .area = M_area_write_caches};
