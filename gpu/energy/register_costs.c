/* register_costs.c - see register_costs.h. */
#include "gpu/energy/register_costs.h"

#include <math.h>
#include <stdio.h>

enum { WORD_BYTES = 4 };

static struct register_key banks_key(const struct register_file_params *p,
                                     const struct sm_params *sm, uint32_t tech_nm)
{
    bool racetrack = p->cells == CELLS_RACETRACK;
    return (struct register_key){.structure =
                                     racetrack ? REGISTERS_OF_RACETRACKS : REGISTERS_OF_SRAM,
                                 .ports = racetrack ? p->racetrack.ports : 0,
                                 .tech_nm = tech_nm,
                                 .bytes = sm->registers * WORD_BYTES,
                                 .banks = p->banks,
                                 .entry_bytes = sm->warp_width * WORD_BYTES};
}

/* CACTI's figures of a RAM with one port whose words are entries. */
static bool ram_figures(const struct sram_tables *t, const struct register_key *k, uint32_t bytes,
                        struct sram_figures *f)
{
    struct sram_key key = {.tech_nm = k->tech_nm,
                           .line_bytes = k->entry_bytes,
                           .ways = 1,
                           .mode = SRAM_RAM,
                           .bytes = bytes};
    snprintf(key.structure, sizeof key.structure, "rf_%uB_1rw", k->entry_bytes);
    return sram_find(t, &key, f, NULL);
}

static double banks_mm2(const struct sram_tables *t, const struct register_key *k,
                        const struct register_row *row)
{
    struct sram_figures bank;
    double relative = row ? row->area_of_sram : (double)NAN;
    if (k->structure == REGISTERS_OF_SRAM) relative = 1;
    if (!ram_figures(t, k, k->bytes / k->banks, &bank)) return (double)NAN;
    return relative * k->banks * bank.v[SRAM_area_mm2];
}

static void find_banks(struct register_file_costs *k, const struct register_table *table,
                       const struct sram_tables *t, double shift_pj, uint32_t sms)
{
    const struct register_row *row = register_table_find(table, &k->asked);
    k->area_mm2 = sms * banks_mm2(t, &k->asked, row);
    k->shift = shift_pj > 0 ? shift_pj : row ? row->shift_pj : (double)NAN;
    if (k->asked.structure == REGISTERS_OF_SRAM) k->shift = (double)NAN;
    k->known = row;
    if (!row) return;
    k->read = row->read_pj;
    k->write = row->write_pj;
    k->leakage_mw = sms * row->leakage_mw;
}

static double ratio(const struct sram_figures *a, const struct sram_figures *b,
                    enum sram_quantity q)
{
    return a->v[q] / b->v[q];
}

/* Takes the table's figures times the ratio of CACTI's. */
static bool scale_front(struct register_front_costs *k, const struct register_row *row,
                        const struct sram_tables *t, uint32_t sms)
{
    struct sram_figures mine, theirs;
    if (!ram_figures(t, &row->key, k->asked.bytes, &mine) ||
        !ram_figures(t, &row->key, row->key.bytes, &theirs))
        return false;
    k->read = row->read_pj * ratio(&mine, &theirs, SRAM_read_nj);
    k->write = row->write_pj * ratio(&mine, &theirs, SRAM_write_nj);
    k->leakage_mw = sms * row->leakage_mw * ratio(&mine, &theirs, SRAM_leakage_mw);
    k->scaled = true;
    return true;
}

static void find_front(struct register_front_costs *k, const struct register_table *table,
                       const struct sram_tables *t, uint32_t sms)
{
    struct register_key any_size = k->asked;
    any_size.bytes = 0;
    const struct register_row *row = register_table_find(table, &k->asked);
    if (row) {
        k->known = true;
        k->read = row->read_pj;
        k->write = row->write_pj;
        k->leakage_mw = sms * row->leakage_mw;
    } else if ((row = register_table_find(table, &any_size))) {
        k->known = scale_front(k, row, t, sms);
    }
}

static struct register_front_costs front_of(const struct register_file_params *p,
                                            const struct sm_params *sm, uint32_t tech_nm)
{
    uint32_t cached = p->cache_entries * sm->two_level_warps * sm->subcores;
    struct register_front_costs k = {.there = p->write_buffer || p->cache_entries,
                                     .cache = p->cache_entries,
                                     .entries = p->cache_entries ? cached : p->write_buffer};
    uint32_t entry_bytes = sm->warp_width * WORD_BYTES;
    k.asked = (struct register_key){.structure = REGISTER_BUFFER,
                                    .tech_nm = tech_nm,
                                    .bytes = register_buffer_data_bytes(k.entries, entry_bytes),
                                    .banks = 1,
                                    .entry_bytes = entry_bytes};
    return k;
}

bool register_costs(struct register_file_costs *k, const struct register_file_params *p,
                    const struct sm_params *sm, const struct energy_params *energy,
                    const struct sram_tables *t, struct error *e)
{
    struct register_table table;
    *k = (struct register_file_costs){.on = register_file_is_on(p)};
    if (!k->on) return true;
    if (!register_table_load(&table, energy->register_table, e)) return false;
    snprintf(k->table, sizeof k->table, "%s", table.name);
    k->asked = banks_key(p, sm, energy->tech_nm);
    k->front = front_of(p, sm, energy->tech_nm);
    find_banks(k, &table, t, energy->shift_pj, sm->count);
    if (k->front.there) find_front(&k->front, &table, t, sm->count);
    return true;
}

bool register_costs_complete(const struct register_file_costs *k)
{
    bool shifts = k->asked.structure != REGISTERS_OF_RACETRACKS || !isnan(k->shift);
    return !k->on || (k->known && shifts && (!k->front.there || k->front.known));
}
