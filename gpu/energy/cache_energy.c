/* cache_energy.c - costs, energy and area of L1s and L2 slices, and of their MSHR files. */
#include "gpu/energy/structures.h"

#include <math.h>

static bool allocates_on_write(enum write_miss_kind w)
{
    return w != WRITE_MISS_NO_ALLOCATE;
}

#define ADD_EVENTS(kind, metric, times) kind += times * structure_value(m, M_##metric);

/* --- L1s --- */

static void find_l1(struct energy_costs *c, struct cost_search *s)
{
    const struct l1_params *l1 = s->m->l1;
    uint32_t sms = s->m->sm->count;
    if (!l1->enabled) return;
    c->l1.asked = structure_cache_of(&l1->cache, s->m->energy);
    c->l1.round_looks_up = l1->bypass == BYPASS_AGCB;
    c->l1.stores_allocate = allocates_on_write(l1->cache.write_miss) &&
                            (l1->cache.write == WRITE_THROUGH || l1->cache.write == WRITE_BACK);
    structure_find_cache(c, &c->l1, s->t, sms, "L1");
    structure_find_mshr(c, &c->l1_mshr, s, l1->cache.mshr.entries, sms, "L1 MSHRs");
}

/* Misses without a fill are those of stores. */
static struct cache_events l1_events(const struct cache_costs *k, const struct metrics *m)
{
    struct cache_events e = {.known =
                                 METRICS_KNOWN(m, M_l1_accesses, M_l1_read_hits, M_l1_hits,
                                               M_l1_misses, M_l1_fills, M_l1_bypasses, M_time_us)};
    const double *v = m->v;
    double store_hits = v[M_l1_hits] - v[M_l1_read_hits];
    double look_ups = v[M_l1_accesses] - (k->round_looks_up ? 0 : v[M_l1_bypasses]), ahead = 0;
    L1_MECHANISM_ENERGY(ADD_EVENTS)
    double taken = k->stores_allocate ? fmax(0, v[M_l1_misses] + ahead - v[M_l1_fills]) : 0;
    e.look_ups = look_ups;
    e.data_reads = v[M_l1_read_hits];
    if (k->split) store_hits = taken = 0;
    e.data_writes = store_hits + taken + v[M_l1_fills];
    e.tag_writes = taken + v[M_l1_fills];
    return e;
}

static void account_l1(const struct energy_costs *c, struct metrics *m)
{
    const struct cache_costs *k = &c->l1;
    struct cache_events e = l1_events(k, m);
    if (!k->known || !e.known) return;
    double tags = structure_tags(k, &e), data = structure_data(k, &e);
    double leaked = structure_leaked(k->leakage_mw, m);
    metrics_set(m, M_l1_tags_mj, tags);
    metrics_set(m, M_l1_data_mj, data);
    metrics_set(m, M_l1_static_mj, leaked);
    metrics_set(m, M_energy_l1, tags + data + leaked);
}

const struct energy_structure energy_of_l1 = {.cache = offsetof(struct energy_costs, l1),
                                              .find = find_l1,
                                              .account = account_l1,
                                              .energy = {M_energy_l1},
                                              .area = M_area_l1};

/* --- L2 slices --- */

static void find_l2(struct energy_costs *c, struct cost_search *s)
{
    const struct cache_params *l2 = &s->m->l2->cache;
    c->l2.asked = structure_cache_of(l2, s->m->energy);
    c->l2.stores_allocate = allocates_on_write(l2->write_miss);
    c->l2.stores_fetch = l2->write_miss == WRITE_MISS_FETCH;
    structure_find_cache(c, &c->l2, s->t, s->m->l2->banks, "L2");
    c->costed[c->n_costed - 1].name = "L2 slice";
}

/* A rejected (NACKed) request looks up again when it is retried. */
static struct cache_events l2_events(const struct cache_costs *k, const struct metrics *m)
{
    struct cache_events e = {.known = METRICS_KNOWN(m, M_l2_accesses, M_l2_read_hits, M_l2_writes,
                                                    M_l2_write_hits, M_l2_writebacks, M_l2_fetches,
                                                    M_time_us)};
    const double *v = m->v;
    double taken = k->stores_allocate ? v[M_l2_writes] - v[M_l2_write_hits] : 0;
    double fills = v[M_l2_fetches], look_ups = v[M_l2_accesses] + structure_value(m, M_l2_nacks);
    L2_MECHANISM_ENERGY(ADD_EVENTS)
    e.look_ups = look_ups;
    double hits = v[M_l2_write_hits], left = v[M_l2_writebacks];
    if (k->split) taken = hits = left = 0;
    e.data_reads = v[M_l2_read_hits] + left;
    e.data_writes = hits + taken + fills;
    e.tag_writes = (k->stores_fetch ? 0 : taken) + fills;
    return e;
}

static void account_l2(const struct energy_costs *c, struct metrics *m)
{
    const struct cache_costs *k = &c->l2;
    struct cache_events e = l2_events(k, m);
    if (!k->known || !e.known) return;
    double tags = structure_tags(k, &e), data = structure_data(k, &e);
    metrics_set(m, M_l2_tags_mj, tags);
    metrics_set(m, M_l2_data_mj, data);
    metrics_set(m, M_energy_l2_dynamic, tags + data);
    metrics_set(m, M_energy_l2_static, structure_leaked(k->leakage_mw, m));
}

const struct energy_structure energy_of_l2 = {.with_next = true,
                                              .cache = offsetof(struct energy_costs, l2),
                                              .find = find_l2,
                                              .account = account_l2,
                                              .energy = {M_energy_l2_dynamic, M_energy_l2_static},
                                              .area = M_area_l2};

/* --- MSHR files --- */

static void find_mshrs(struct energy_costs *c, struct cost_search *s)
{
    const struct l2_params *l2 = s->m->l2;
    structure_find_mshr(c, &c->l2_mshr, s, l2->cache.mshr.entries, l2->banks, "L2 MSHRs");
}

static bool mshrs_are_on(const struct energy_costs *c)
{
    return c->l1_mshr.enabled || c->l2_mshr.enabled;
}

static bool mshrs_are_known(const struct energy_costs *c)
{
    const struct ram_costs *a = &c->l1_mshr, *b = &c->l2_mshr;
    return a->known == a->enabled && b->known == b->enabled;
}

static double mshr_mj(const struct ram_costs *k, double new_misses, double joined,
                      const struct metrics *m)
{
    if (!k->known) return 0;
    return MJ_PER_PJ *
               (new_misses * (k->search + k->write + k->read) + joined * (k->search + k->write)) +
           structure_leaked(k->leakage_mw, m);
}

static void account_mshrs(const struct energy_costs *c, struct metrics *m)
{
    const double *v = m->v;
    if (!mshrs_are_known(c) ||
        !METRICS_KNOWN(m, M_l1_fills, M_l1_merges, M_l2_fetches, M_l2_merges, M_time_us))
        return;
    metrics_set(m, M_energy_mshr,
                mshr_mj(&c->l1_mshr, v[M_l1_fills], v[M_l1_merges], m) +
                    mshr_mj(&c->l2_mshr, v[M_l2_fetches], v[M_l2_merges], m));
}

static double mshrs_mm2(const struct energy_costs *c)
{
    return mshrs_are_known(c) ? c->l1_mshr.area_mm2 + c->l2_mshr.area_mm2 : (double)NAN;
}

const struct energy_structure energy_of_mshr = {.optional = true,
                                                .find = find_mshrs,
                                                .is_on = mshrs_are_on,
                                                .account = account_mshrs,
                                                .area_mm2 = mshrs_mm2,
                                                .energy = {M_energy_mshr},
                                                .area = M_area_mshr};
