/* l3_energy.c - costs, energy and area of the L3's parts. */
#include "gpu/energy/structures.h"

static void find_l3(struct energy_costs *c, struct cost_search *s)
{
    const struct l3_params *l3 = s->m->l3;
    if (!l3_is_there(l3)) return;
    c->l3.asked = structure_cache_of(&l3->cache, s->m->energy);
    c->l3_write_back = l3->write == L3_WRITE_BACK;
    structure_find_cache(c, &c->l3, s->t, s->m->dram->channels, "L3");
}

/* Reads that miss are kept. Writes stay where the L3 is written, as if all found their copies. */
static void account_l3(const struct energy_costs *c, struct metrics *m)
{
    const struct cache_costs *k = &c->l3;
    const double *v = m->v;
    if (!k->known || !METRICS_KNOWN(m, M_l3_reads, M_l3_read_hits, M_l3_writes, M_time_us)) return;
    double fills = v[M_l3_reads] - v[M_l3_read_hits];
    const struct cache_events e = {.look_ups = v[M_l3_reads] + v[M_l3_writes],
                                   .data_reads = v[M_l3_read_hits],
                                   .data_writes = fills + (c->l3_write_back ? v[M_l3_writes] : 0),
                                   .tag_writes = fills};
    metrics_set(m, M_energy_l3,
                structure_tags(k, &e) + structure_data(k, &e) + structure_leaked(k->leakage_mw, m));
}

const struct energy_structure energy_of_l3 = {.cache = offsetof(struct energy_costs, l3),
                                              .find = find_l3,
                                              .account = account_l3,
                                              .energy = {M_energy_l3},
                                              .area = M_area_l3};
