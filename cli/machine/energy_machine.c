/* energy_machine.c - see energy_machine.h. */
#include "cli/machine/energy_machine.h"

#include "gpu/energy/warp_policy_cost.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

static void add_cache(struct shown *s, const struct sram_tables *t, const char *name,
                      const struct cache_costs *k, uint32_t count)
{
    struct sram_cache_figures f;
    struct error e;
    *s = energy_report_cache(name, count, &k->asked, &k->from);
    s->read = k->data_read; /* an entry of a fully associative FRC is read by its number */
    s->leakage_mw = k->leakage_mw / count, s->area_mm2 = k->area_mm2 / count;
    if (!sram_cache_figures(t, &k->asked, &f, &e))
        snprintf(s->why, sizeof s->why, "%.100s", e.text);
}

/* Says why the tables have no figures of a memory, unless they have. */
static void say_why(struct shown *s, const struct sram_tables *t, const struct sram_key *asked)
{
    struct sram_figures f;
    struct error e;
    if (!sram_find(t, asked, &f, &e)) snprintf(s->why, sizeof s->why, "%.100s", e.text);
}

static void add_mshr(struct shown *s, const struct sram_tables *t, const char *name,
                     const struct mshr_costs *k, uint32_t count)
{
    *s = energy_report_ram(name, count, &k->asked, &k->from);
    s->leakage_mw = k->leakage_mw / count, s->area_mm2 = k->area_mm2 / count;
    say_why(s, t, &k->asked);
}

/* f: where the figures are kept. */
static void add_structure(struct shown *s, const struct sram_tables *t,
                          const struct warp_structure *w, const struct machine *m,
                          struct sram_figures *f)
{
    const struct sram_key key = warp_structure_key(w, m->energy.tech_nm);
    sram_find(t, &key, f, NULL);
    *s = energy_report_ram(w->name, m->sm.count, &key, f);
    s->bytes = (w->bits + 7) / 8;
    say_why(s, t, &key);
}

static void add_fifo(struct shown *s, const struct sram_tables *t, const char *name,
                     const struct fifo_costs *k, uint32_t count)
{
    *s = energy_report_ram(name, count, &k->asked, &k->from);
    s->leakage_mw = k->leakage_mw / count, s->area_mm2 = k->area_mm2 / count;
    if (!k->known) say_why(s, t, &k->asked);
}

/* Adds the L3 and the write caches with their S-FIFOs; returns the number of structures. */
static uint32_t add_memory_side(struct shown *s, const struct sram_tables *t,
                                const struct energy_costs *c, const struct machine *m)
{
    const uint32_t count[WRITE_CACHE_N] = {m->sm.count, m->l2.banks, m->dram.channels};
    uint32_t n = 0;
    if (c->l3.enabled) add_cache(&s[n++], t, "L3", &c->l3, m->dram.channels);
    for (uint32_t i = 0; c->write_caches_on && i < WRITE_CACHE_N; i++) {
        add_cache(&s[n++], t, write_cache_name[i], &c->write_cache[i].cache, count[i]);
        add_fifo(&s[n++], t, write_cache_fifo_name[i], &c->write_cache[i].fifo, count[i]);
    }
    return n;
}

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

void energy_of_machine(struct machine_shown *a, const struct energy_costs *c,
                       const struct machine *m, const struct sram_tables *t)
{
    uint32_t sms = m->sm.count, slices = m->l2.banks;
    const struct register_file_costs *registers = &c->registers;
    *a = (struct machine_shown){.per_event.flit_pj = c->flit_pj};
    if (c->l1.enabled) add_cache(&a->shown[a->n++], t, "L1", &c->l1, sms);
    if (c->l1_mshr.bounded) add_mshr(&a->shown[a->n++], t, "L1 MSHRs", &c->l1_mshr, sms);
    add_cache(&a->shown[a->n++], t, "L2 slice", &c->l2, slices);
    if (c->frc.enabled) add_cache(&a->shown[a->n++], t, "FRC", &c->frc, slices);
    if (c->l2_mshr.bounded) add_mshr(&a->shown[a->n++], t, "L2 MSHRs", &c->l2_mshr, slices);
    a->n += add_memory_side(&a->shown[a->n], t, c, m);
    if (registers->on) add_registers(a, registers, sms);
    if (registers->front.there) add_front(a, registers, sms);
    if (registers->on && !isnan(registers->shift)) a->per_event.shift_pj = registers->shift;
    struct warp_structure kept[WARP_STRUCTURES];
    uint32_t structures = warp_structures(&m->sm, &m->l1, kept);
    for (uint32_t i = 0; i < structures; i++)
        add_structure(&a->shown[a->n++], t, &kept[i], m, &a->figures[i]);
}
