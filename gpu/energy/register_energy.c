/* register_energy.c - energy and area of register files among those of the machine's structures;
 * the costs: register_costs.h. */
#include "gpu/energy/structures.h"

#include <math.h>

static const char *front_name(const struct register_front_costs *k)
{
    return k->cache ? "register-file cache" : "register write buffer";
}

static void find(struct energy_costs *c, struct cost_search *s)
{
    struct register_file_costs *k = &c->registers;
    const struct register_front_costs *front = &k->front;
    const struct part_pointers *m = s->m;
    s->failed = !register_costs(k, m->register_file, m->sm, m->energy, s->t, s->e);
    if (s->failed) return;
    c->incomplete |= !register_costs_complete(k);
    if (k->on && !k->known) structure_name_in(c->missing, "register files");
    if (front->there && !front->known) structure_name_in(c->missing, "%s", front_name(front));
    if (front->known && front->cache)
        structure_name_in(c->stand_ins, "%s (a write buffer of %u entries)", front_name(front),
                          front->entries);
}

static bool is_on(const struct energy_costs *c)
{
    return c->registers.on;
}

/* Sets the energies of the banks; false: some are unknown. */
static bool account_banks(const struct register_file_costs *k, struct metrics *m)
{
    bool shifts = k->asked.structure == REGISTERS_OF_RACETRACKS;
    bool accesses = k->known && m->has[M_rf_bank_reads] && m->has[M_rf_bank_writes];
    bool shifted = shifts && !isnan(k->shift) && m->has[M_rf_shifts];
    bool leaks = k->known && m->has[M_time_us];
    const double *v = m->v;
    if (accesses)
        metrics_set(m, M_rf_dynamic_mj,
                    MJ_PER_PJ * (v[M_rf_bank_reads] * k->read + v[M_rf_bank_writes] * k->write));
    if (shifted) metrics_set(m, M_rf_shift_mj, MJ_PER_PJ * v[M_rf_shifts] * k->shift);
    if (leaks) metrics_set(m, M_rf_static_mj, structure_leaked(k->leakage_mw, m));
    return accesses && leaks && (shifted || !shifts);
}

/* What enters the buffer or cache, and what is read from it. */
struct front_events {
    bool known;
    double writes, reads;
};

/* A result that is written directly comes in, too, but is not read from the buffer for that. */
static struct front_events register_buffer_events(const struct metrics *m)
{
    const double *v = m->v;
    return (struct front_events){
        .known = METRICS_KNOWN(m, M_rf_writes, M_rf_buffer_reads, M_rf_buffer_piggyback,
                               M_rf_buffer_overflow, M_time_us),
        .writes = v[M_rf_writes] - structure_value(m, M_rf_buffer_around),
        .reads = v[M_rf_buffer_reads] + v[M_rf_buffer_piggyback] + v[M_rf_buffer_overflow]};
}

/* What banks are given beyond the results that the cache did not take comes out of it. */
static struct front_events register_cache_events(const struct metrics *m)
{
    const double *v = m->v;
    double past = v[M_rf_writes] - v[M_rf_cache_writes];
    return (struct front_events){.known =
                                     METRICS_KNOWN(m, M_rf_writes, M_rf_bank_writes,
                                                   M_rf_cache_reads, M_rf_cache_writes, M_time_us),
                                 .writes = v[M_rf_cache_writes],
                                 .reads = v[M_rf_cache_reads] + v[M_rf_bank_writes] - past};
}

static bool account_front(const struct register_front_costs *k, struct metrics *m)
{
    if (!k->there) return true;
    struct front_events e = k->cache ? register_cache_events(m) : register_buffer_events(m);
    if (!k->known || !e.known) return false;
    metrics_set(m, M_rf_front_mj,
                MJ_PER_PJ * (e.writes * k->write + e.reads * k->read) +
                    structure_leaked(k->leakage_mw, m));
    return true;
}

static void account(const struct energy_costs *c, struct metrics *m)
{
    const struct register_file_costs *k = &c->registers;
    bool banks = account_banks(k, m), front = account_front(&k->front, m);
    if (!banks || !front) return;
    metrics_set(m, M_energy_register_file,
                m->v[M_rf_dynamic_mj] + structure_value(m, M_rf_shift_mj) + m->v[M_rf_static_mj] +
                    structure_value(m, M_rf_front_mj));
}

static double area_mm2(const struct energy_costs *c)
{
    return c->registers.area_mm2;
}

const struct energy_structure energy_of_registers = {.is_on = is_on,
                                                     .area_mm2 = area_mm2,
                                                     .find = find,
                                                     .account = account,
                                                     .energy = {M_energy_register_file},
                                                     .area = M_area_register_file};
