/* costs.c - finds structures in the tables; see costs.h and structures.h. */
#include "gpu/energy/structures.h"
#include "gpu/mechanisms/mechanisms.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { MSHR_BYTES = 8, SYNC_BYTES = 8 }; /* sizes of entries in the tables */

void structure_name_in(char list[COSTS_NAMES_MAX], const char *fmt, ...)
{
    size_t n = strlen(list);
    va_list args;
    n += (size_t)snprintf(list + n, COSTS_NAMES_MAX - n, "%s", n ? ", " : "");
    va_start(args, fmt);
    vsnprintf(list + n, COSTS_NAMES_MAX - n, fmt, args);
    va_end(args);
}

struct sram_cache structure_cache_of(const struct cache_params *c, const struct energy_params *p)
{
    return (struct sram_cache){.tech_nm = p->tech_nm,
                               .line_bytes = c->line_bytes,
                               .sector_bytes = c->sector_bytes,
                               .ways = c->ways,
                               .bytes = (uint64_t)cache_params_lines(c) * c->line_bytes,
                               .mode = p->access == ACCESS_AT_ONCE ? SRAM_NORMAL : SRAM_SEQUENTIAL};
}

/* Notes a structure that was looked up, as missing unless its figures are known. */
static void note(struct energy_costs *c, const void *k, bool cache, bool known, uint32_t count,
                 const char *name)
{
    c->costed[c->n_costed++] = (struct costed){name, count, cache, (size_t)((char *)k - (char *)c)};
    if (!known) structure_name_in(c->missing, "%s", name);
}

static void name_stand_ins(struct energy_costs *c, const struct cache_costs *k, const char *what)
{
    if (k->from.ways != k->asked.ways)
        structure_name_in(c->stand_ins, "%s (%u ways for %u)", what, k->from.ways, k->asked.ways);
    if (k->from.access_bytes != k->asked.sector_bytes)
        structure_name_in(c->stand_ins, "%s (accesses of %u bytes for %u)", what,
                          k->from.access_bytes, k->asked.sector_bytes);
}

void structure_find_cache(struct energy_costs *c, struct cache_costs *k,
                          const struct sram_tables *t, uint32_t count, const char *name)
{
    k->enabled = true;
    k->known = sram_cache_figures(t, &k->asked, &k->from, NULL);
    c->incomplete |= !k->known;
    note(c, k, true, k->known, count, name);
    if (!k->known) return;
    const struct sram_cache_figures *f = &k->from;
    k->tag_read = PJ_PER_NJ * f->tag_read_nj;
    k->data_read = PJ_PER_NJ * f->data_read_nj;
    k->data_write = PJ_PER_NJ * f->data_write_nj;
    k->tag_write = PJ_PER_NJ * f->tag_write_nj;
    k->leakage_mw = count * f->leakage_mw;
    k->area_mm2 = count * f->area_mm2;
    name_stand_ins(c, k, name);
}

/* Takes the figures of k->from, if they are known. */
static void take_ram(struct energy_costs *c, struct ram_costs *k, uint32_t count, const char *name)
{
    k->enabled = true;
    note(c, k, false, k->known, count, name);
    if (!k->known) return;
    k->search = PJ_PER_NJ * k->from.v[SRAM_search_nj];
    k->read = PJ_PER_NJ * k->from.v[SRAM_read_nj];
    k->write = PJ_PER_NJ * k->from.v[SRAM_write_nj];
    k->leakage_mw = count * k->from.v[SRAM_leakage_mw];
    k->area_mm2 = count * k->from.v[SRAM_area_mm2];
    if (k->taken.bytes != k->asked.bytes)
        structure_name_in(c->stand_ins, "%s (%u entries for %u)", name,
                          (uint32_t)(k->taken.bytes / SYNC_BYTES),
                          (uint32_t)(k->asked.bytes / SYNC_BYTES));
}

void structure_find_mshr(struct energy_costs *c, struct ram_costs *k, struct cost_search *s,
                         uint32_t entries, uint32_t count, const char *name)
{
    if (!entries) return;
    k->asked = k->taken = (struct sram_key){.structure = "mshr_fa",
                                            .tech_nm = s->m->energy->tech_nm,
                                            .line_bytes = MSHR_BYTES,
                                            .mode = SRAM_FA,
                                            .bytes = (uint64_t)entries * MSHR_BYTES};
    k->known = sram_find(s->t, &k->asked, &k->from, NULL);
    take_ram(c, k, count, name);
}

/* Finds a FIFO of the size asked for or, failing that, of the next larger one. */
static bool find_larger(struct ram_costs *k, const struct sram_tables *t)
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

void structure_find_fifo(struct energy_costs *c, struct ram_costs *k, struct cost_search *s,
                         uint32_t entries, uint32_t count, const char *name)
{
    k->asked = (struct sram_key){.structure = "fifo_8B_1r1w",
                                 .tech_nm = s->m->energy->tech_nm,
                                 .line_bytes = SYNC_BYTES,
                                 .ways = 1,
                                 .mode = SRAM_RAM,
                                 .bytes = (uint64_t)entries * SYNC_BYTES};
    k->known = find_larger(k, s->t);
    c->incomplete |= !k->known;
    take_ram(c, k, count, name);
}

/* --- all structures --- */

#define AT(name) &energy_of_##name,
const struct energy_structure *const energy_structures[] = {ENERGY_STRUCTURES(AT) NULL};

static const struct cache_costs *cache_of(const struct energy_structure *s,
                                          const struct energy_costs *c)
{
    return (const struct cache_costs *)((const char *)c + s->cache);
}

bool structure_is_on(const struct energy_structure *s, const struct energy_costs *c)
{
    return s->is_on ? s->is_on(c) : !s->cache || cache_of(s, c)->enabled;
}

double structure_mm2(const struct energy_structure *s, const struct energy_costs *c)
{
    if (s->area_mm2) return s->area_mm2(c);
    return cache_of(s, c)->known ? cache_of(s, c)->area_mm2 : (double)NAN;
}

static void name_uncosted(struct energy_costs *c, const struct mechanism_set *on)
{
    for (uint32_t i = 0; i < MECHANISM_N; i++) {
        if (!on->has[i] || !mechanisms[i].absent) continue;
        c->uncosted.has[i] = true;
        structure_name_in(c->missing, "%s", mechanisms[i].name);
    }
}

bool energy_costs_lack(const struct energy_costs *c, const char *total)
{
    size_t fits;
    for (uint32_t i = 0; i < MECHANISM_N; i++)
        if (c->uncosted.has[i] && mechanism_lists(mechanisms[i].absent, total, &fits)) return true;
    return false;
}

bool energy_costs(struct energy_costs *c, const struct part_pointers *m, struct error *e)
{
    *c = (struct energy_costs){.on = m->energy->model == ENERGY_TABLES};
    if (!c->on) return true;
    struct cost_search search = {.m = m, .t = sram_tables(m->energy->table, e), .e = e};
    if (!search.t) return false;
    ENERGY_EACH_STRUCTURE(s)
    if (s->find && !search.failed) s->find(c, &search);
    name_uncosted(c, &m->mechanisms);
    return !search.failed;
}
