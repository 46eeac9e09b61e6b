/* costs.c - see costs.h. */
#include "gpu/energy/costs.h"

#include "gpu/mechanisms/mechanisms.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define PJ_PER_NJ 1e3

enum { MSHR_BYTES = 8, SYNC_BYTES = 8 }; /* sizes of entries in the tables */

const char *const write_cache_name[WRITE_CACHE_N] = {"wL1", "wL2", "wL3"};
const char *const write_cache_fifo_name[WRITE_CACHE_N] = {"wL1 S-FIFO", "wL2 S-FIFO", "wL3 S-FIFO"};

/* Appends to a list of names. */
static void name_in(char list[COSTS_NAMES_MAX], const char *fmt, ...) PLUMB_PRINTF(2, 3);
static void name_in(char list[COSTS_NAMES_MAX], const char *fmt, ...)
{
    size_t n = strlen(list);
    va_list args;
    n += (size_t)snprintf(list + n, COSTS_NAMES_MAX - n, "%s", n ? ", " : "");
    va_start(args, fmt);
    vsnprintf(list + n, COSTS_NAMES_MAX - n, fmt, args);
    va_end(args);
}

static struct sram_cache cache_of(const struct cache_params *c, const struct energy_params *p)
{
    return (struct sram_cache){.tech_nm = p->tech_nm,
                               .line_bytes = c->line_bytes,
                               .sector_bytes = c->sector_bytes,
                               .ways = c->ways,
                               .bytes = (uint64_t)cache_params_lines(c) * c->line_bytes,
                               .mode = p->access == ACCESS_AT_ONCE ? SRAM_NORMAL : SRAM_SEQUENTIAL};
}

static void name_stand_ins(struct energy_costs *c, const struct cache_costs *k, const char *what)
{
    if (k->from.ways != k->asked.ways)
        name_in(c->stand_ins, "%s (%u ways for %u)", what, k->from.ways, k->asked.ways);
    if (k->from.access_bytes != k->asked.sector_bytes)
        name_in(c->stand_ins, "%s (accesses of %u bytes for %u)", what, k->from.access_bytes,
                k->asked.sector_bytes);
}

static void find_cache(struct energy_costs *c, struct cache_costs *k, const struct sram_tables *t,
                       uint32_t count, const char *what)
{
    k->known = sram_cache_figures(t, &k->asked, &k->from, NULL);
    if (!k->known) {
        name_in(c->missing, "%s", what);
        return;
    }
    const struct sram_cache_figures *f = &k->from;
    k->tag_read = PJ_PER_NJ * f->tag_read_nj;
    k->data_read = PJ_PER_NJ * f->data_read_nj;
    k->data_write = PJ_PER_NJ * f->data_write_nj;
    k->tag_write = PJ_PER_NJ * f->tag_write_nj;
    k->leakage_mw = count * f->leakage_mw;
    k->area_mm2 = count * f->area_mm2;
    name_stand_ins(c, k, what);
}

static void find_mshr(struct energy_costs *c, struct mshr_costs *k, const struct sram_tables *t,
                      uint32_t entries, uint32_t tech_nm, uint32_t count, const char *what)
{
    k->asked = (struct sram_key){.structure = "mshr_fa",
                                 .tech_nm = tech_nm,
                                 .line_bytes = MSHR_BYTES,
                                 .mode = SRAM_FA,
                                 .bytes = (uint64_t)entries * MSHR_BYTES};
    k->bounded = entries != 0;
    if (!k->bounded) return;
    k->known = sram_find(t, &k->asked, &k->from, NULL);
    if (!k->known) {
        name_in(c->missing, "%s", what);
        return;
    }
    k->search = PJ_PER_NJ * k->from.v[SRAM_search_nj];
    k->read = PJ_PER_NJ * k->from.v[SRAM_read_nj];
    k->write = PJ_PER_NJ * k->from.v[SRAM_write_nj];
    k->leakage_mw = count * k->from.v[SRAM_leakage_mw];
    k->area_mm2 = count * k->from.v[SRAM_area_mm2];
}

static bool allocates_on_write(enum write_miss_kind w)
{
    return w != WRITE_MISS_NO_ALLOCATE;
}

static void find_l1(struct energy_costs *c, const struct sram_tables *t, const struct l1_params *l1,
                    const struct energy_params *p, uint32_t sms)
{
    c->l1.enabled = l1->enabled;
    if (!l1->enabled) return;
    c->l1.asked = cache_of(&l1->cache, p);
    c->l1.round_looks_up = l1->bypass == BYPASS_AGCB;
    c->l1.stores_allocate = allocates_on_write(l1->cache.write_miss) &&
                            (l1->cache.write == WRITE_THROUGH || l1->cache.write == WRITE_BACK);
    find_cache(c, &c->l1, t, sms, "L1");
    find_mshr(c, &c->l1_mshr, t, l1->cache.mshr.entries, p->tech_nm, sms, "L1 MSHRs");
}

/* Finds the FRC's costs. For a swap, entries of a fully associative FRC are read by number, not
 * searched. */
static void find_frc(struct energy_costs *c, const struct sram_tables *t,
                     const struct l2_params *l2, const struct energy_params *p)
{
    uint32_t entries = l2->frc.entries;
    c->frc.enabled = l2->miss_management == MISS_CONVENTIONAL && entries;
    if (!c->frc.enabled) return;
    c->frc.asked = cache_of(&l2->cache, p);
    c->frc.asked.ways = l2->frc.ways < entries ? l2->frc.ways : entries;
    c->frc.asked.bytes = (uint64_t)entries * l2->cache.line_bytes;
    find_cache(c, &c->frc, t, l2->banks, "FRC");
    if (!(c->frc.data_read > 0)) c->frc.data_read = PJ_PER_NJ * c->frc.from.lines.v[SRAM_read_nj];
}

static void find_l3(struct energy_costs *c, const struct sram_tables *t, const struct l3_params *l3,
                    const struct energy_params *p, uint32_t channels)
{
    c->l3.enabled = l3_is_there(l3);
    if (!c->l3.enabled) return;
    c->l3.asked = cache_of(&l3->cache, p);
    c->l3_write_back = l3->write == L3_WRITE_BACK;
    find_cache(c, &c->l3, t, channels, "L3");
}

/* Finds a FIFO of the size asked for or, failing that, of the next larger one. */
static bool find_larger(struct fifo_costs *k, const struct sram_tables *t)
{
    enum { DOUBLINGS = 8 };
    k->taken = k->asked;
    if (sram_find(t, &k->taken, &k->from, NULL) && k->from.below == k->from.above) return true;
    for (k->taken.bytes = SYNC_BYTES; k->taken.bytes < k->asked.bytes;)
        k->taken.bytes *= 2;
    for (uint32_t i = 0; i < DOUBLINGS; i++, k->taken.bytes *= 2)
        if (sram_find(t, &k->taken, &k->from, NULL)) return true;
    return false;
}

static void find_fifo(struct energy_costs *c, struct fifo_costs *k, const struct sram_tables *t,
                      uint32_t entries, uint32_t tech_nm, uint32_t count, const char *what)
{
    k->asked = (struct sram_key){.structure = "fifo_8B_1r1w",
                                 .tech_nm = tech_nm,
                                 .line_bytes = SYNC_BYTES,
                                 .ways = 1,
                                 .mode = SRAM_RAM,
                                 .bytes = (uint64_t)entries * SYNC_BYTES};
    k->known = find_larger(k, t);
    if (!k->known) {
        name_in(c->missing, "%s", what);
        return;
    }
    k->read = PJ_PER_NJ * k->from.v[SRAM_read_nj];
    k->write = PJ_PER_NJ * k->from.v[SRAM_write_nj];
    k->leakage_mw = count * k->from.v[SRAM_leakage_mw];
    k->area_mm2 = count * k->from.v[SRAM_area_mm2];
    if (k->taken.bytes != k->asked.bytes)
        name_in(c->stand_ins, "%s (%u entries for %u)", what,
                (uint32_t)(k->taken.bytes / SYNC_BYTES), entries);
}

/* Finds the costs of one level's write caches: `count` of them share w, and have the blocks of the
 * read caches beside them. */
static void find_write_cache(struct energy_costs *c, enum write_cache_level level,
                             const struct sram_tables *t, const struct write_cache_params *w,
                             const struct cache_params *read, const struct energy_params *p,
                             uint32_t count)
{
    struct write_cache_costs *k = &c->write_cache[level];
    k->cache.enabled = true;
    k->cache.asked = cache_of(read, p);
    k->cache.asked.sector_bytes = read->line_bytes;
    k->cache.asked.ways = w->ways;
    k->cache.asked.bytes = (uint64_t)w->kb * 1024;
    find_cache(c, &k->cache, t, count, write_cache_name[level]);
    find_fifo(c, &k->fifo, t, w->fifo, p->tech_nm, count, write_cache_fifo_name[level]);
}

static void find_write_caches(struct energy_costs *c, const struct sram_tables *t,
                              const struct energy_parts *m)
{
    const struct energy_params *p = m->energy;
    struct write_cache_params part = m->l3->write_cache;
    c->write_caches_on = m->mechanisms.has[MECHANISM_write_caches];
    if (!c->write_caches_on) return;
    c->l1.split = c->l2.split = true;
    part.kb /= m->dram->channels;
    part.fifo /= m->dram->channels;
    c->blocks_per_burst =
        fmin(1, (double)m->dram->burst_length * m->dram->bus_bytes / m->l3->cache.line_bytes);
    find_write_cache(c, WRITE_CACHE_L1, t, &m->l1->write_cache, &m->l1->cache, p, m->sm->count);
    find_write_cache(c, WRITE_CACHE_L2, t, &m->l2->write_cache, &m->l2->cache, p, m->l2->banks);
    find_write_cache(c, WRITE_CACHE_L3, t, &part, &m->l3->cache, p, m->dram->channels);
}

static const char *front_name(const struct register_front_costs *k)
{
    return k->cache ? "register-file cache" : "register write buffer";
}

static bool find_register_file(struct energy_costs *c, const struct sram_tables *t,
                               const struct energy_parts *m, struct error *e)
{
    struct register_file_costs *k = &c->registers;
    const struct register_front_costs *front = &k->front;
    if (!register_costs(k, m->register_file, m->sm, m->energy, t, e)) return false;
    if (k->on && !k->known) name_in(c->missing, "register files");
    if (front->there && !front->known) name_in(c->missing, "%s", front_name(front));
    if (front->known && front->cache)
        name_in(c->stand_ins, "%s (a write buffer of %u entries)", front_name(front),
                front->entries);
    return true;
}

static void name_uncosted(struct energy_costs *c, const struct mechanism_set *on)
{
    for (uint32_t i = 0; i < MECHANISM_N; i++) {
        if (!on->has[i] || !mechanisms[i].absent) continue;
        c->uncosted.has[i] = true;
        name_in(c->missing, "%s", mechanisms[i].name);
    }
}

bool energy_costs_lack(const struct energy_costs *c, const char *total)
{
    size_t fits;
    for (uint32_t i = 0; i < MECHANISM_N; i++)
        if (c->uncosted.has[i] && mechanism_lists(mechanisms[i].absent, total, &fits)) return true;
    return false;
}

static bool is_found(const struct cache_costs *k)
{
    return k->known || !k->enabled;
}

bool energy_costs_complete(const struct energy_costs *c)
{
    bool all = c->l2.known && is_found(&c->l1) && is_found(&c->frc) && is_found(&c->l3) &&
               register_costs_complete(&c->registers);
    for (uint32_t i = 0; c->write_caches_on && i < WRITE_CACHE_N; i++)
        all = all && c->write_cache[i].cache.known && c->write_cache[i].fifo.known;
    return all;
}

bool energy_costs(struct energy_costs *c, const struct energy_parts *m, struct error *e)
{
    const struct energy_params *p = m->energy;
    const struct l2_params *l2 = m->l2;
    *c = (struct energy_costs){.on = p->model == ENERGY_TABLES};
    if (!c->on) return true;
    const struct sram_tables *t = sram_tables(p->table, e);
    if (!t) return false;
    c->l2.asked = cache_of(&l2->cache, p);
    c->flit_pj = p->flit_pj;
    c->per_hop = m->noc->topology == TOPOLOGY_MESH;
    find_l1(c, t, m->l1, p, m->sm->count);
    c->l2.enabled = true;
    c->l2.stores_allocate = allocates_on_write(l2->cache.write_miss);
    c->l2.stores_fetch = l2->cache.write_miss == WRITE_MISS_FETCH;
    find_cache(c, &c->l2, t, l2->banks, "L2");
    find_frc(c, t, l2, p);
    find_l3(c, t, m->l3, p, m->dram->channels);
    find_write_caches(c, t, m);
    name_uncosted(c, &m->mechanisms);
    find_mshr(c, &c->l2_mshr, t, l2->cache.mshr.entries, p->tech_nm, l2->banks, "L2 MSHRs");
    return find_register_file(c, t, m, e);
}
