/* energy_machine_registers.c - the register files of a machine; see energy_machine.h. */
#include "cli/machine/energy_machine.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

/* Figures other than read, write and leakage are unknown. */
static struct shown register_memory(const char *name, uint32_t count, uint64_t bytes,
                                    uint32_t entry_bytes, uint32_t tech_nm)
{
    const double unknown = (double)NAN;
    return (struct shown){.name = name,
                          .count = count,
                          .bytes = bytes,
                          .line_bytes = entry_bytes,
                          .sector_bytes = entry_bytes,
                          .entry_access = entry_bytes,
                          .tech_nm = tech_nm,
                          .look_up = unknown,
                          .tag_write = unknown,
                          .area_mm2 = unknown};
}

/* The bytes are those of all banks; a bank serves an access. */
static void add_registers(struct machine_shown *a, const struct register_file_costs *k,
                          uint32_t count)
{
    struct shown *s = &a->shown[a->n++];
    const struct register_key *key = &k->asked;
    a->banks = (struct sram_figures){.below = key->bytes,
                                     .above = key->bytes,
                                     .area = isnan(k->area_mm2) ? AREA_NONE : AREA_ENTRY,
                                     .table = k->table};
    *s = register_memory("register file", count, key->bytes, key->entry_bytes, key->tech_nm);
    s->from = &a->banks;
    s->read = k->read, s->write = k->write;
    s->leakage_mw = k->leakage_mw / count, s->area_mm2 = k->area_mm2 / count;
    if (k->known) return;
    char cells[32] = "";
    if (key->structure == REGISTERS_OF_RACETRACKS)
        snprintf(cells, sizeof cells, "racetracks of %" PRIu32 " ports, ", key->ports);
    snprintf(s->why, sizeof s->why,
             "%s%" PRIu32 " bytes in %" PRIu32 " banks, entries of %" PRIu32 ", %" PRIu32 " nm",
             cells, key->bytes, key->banks, key->entry_bytes, key->tech_nm);
}

static void add_front(struct machine_shown *a, const struct register_file_costs *k, uint32_t count)
{
    const struct register_front_costs *f = &k->front;
    struct shown *s = &a->shown[a->n++];
    uint32_t data = f->asked.bytes, held = register_buffer_table_bytes(f->entries);
    snprintf(a->front_from, sizeof a->front_from, f->scaled ? "%s, scaled by ram.csv" : "%s",
             k->table);
    a->front = (struct sram_figures){.below = data, .above = data, .table = a->front_from};
    *s = register_memory(f->cache ? "register-file cache" : "register write buffer", count,
                         data + held, f->asked.entry_bytes, f->asked.tech_nm);
    s->from = &a->front;
    s->read = f->read, s->write = f->write, s->leakage_mw = f->leakage_mw / count;
    if (!f->known)
        snprintf(s->why, sizeof s->why,
                 "%" PRIu32 " entries of %" PRIu32 " bytes, %" PRIu32
                 " nm; a row of that node scales to 16 to 256",
                 f->entries, f->asked.entry_bytes, f->asked.tech_nm);
}

void energy_machine_registers(struct machine_shown *a, const struct energy_costs *c, uint32_t sms)
{
    const struct register_file_costs *k = &c->registers;
    if (!k->on) return;
    add_registers(a, k, sms);
    if (k->front.there) add_front(a, k, sms);
    if (!isnan(k->shift)) a->per_event.shift_pj = k->shift;
}
