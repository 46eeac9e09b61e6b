/* frc_energy.c - costs, energy and area of the L2 slices' FRCs (Candel 6.6.4). */
#include "gpu/energy/structures.h"

/* For a swap, entries of a fully associative FRC are read by number, not searched. */
static void find_frc(struct energy_costs *c, struct cost_search *s)
{
    const struct l2_params *l2 = s->m->l2;
    uint32_t entries = l2->frc.entries;
    if (l2->miss_management != MISS_CONVENTIONAL || !entries) return;
    c->frc.asked = structure_cache_of(&l2->cache, s->m->energy);
    c->frc.asked.ways = l2->frc.ways < entries ? l2->frc.ways : entries;
    c->frc.asked.bytes = (uint64_t)entries * l2->cache.line_bytes;
    structure_find_cache(c, &c->frc, s->t, l2->banks, "FRC");
    if (!(c->frc.data_read > 0)) c->frc.data_read = PJ_PER_NJ * c->frc.from.lines.v[SRAM_read_nj];
}

/* A swap reads the victim and the new block and writes each where the other was. */
static void account_frc(const struct energy_costs *c, struct metrics *m)
{
    const struct cache_costs *f = &c->frc, *l2 = &c->l2;
    if (!f->known || !l2->known ||
        !METRICS_KNOWN(m, M_l2_frc_lookups, M_l2_frc_fetches, M_l2_frc_swaps, M_time_us))
        return;
    double write = f->tag_write + f->data_write;
    double swap = l2->data_read + f->data_read + l2->tag_write + l2->data_write + write;
    metrics_set(m, M_energy_frc_access, MJ_PER_PJ * m->v[M_l2_frc_lookups] * f->tag_read);
    metrics_set(m, M_energy_frc_fetch, MJ_PER_PJ * m->v[M_l2_frc_fetches] * write);
    metrics_set(m, M_energy_frc_swap, MJ_PER_PJ * m->v[M_l2_frc_swaps] * swap);
    metrics_set(m, M_energy_frc_static, structure_leaked(f->leakage_mw, m));
}

const struct energy_structure energy_of_frc = {
    .cache = offsetof(struct energy_costs, frc),
    .find = find_frc,
    .account = account_frc,
    .energy = {M_energy_frc_access, M_energy_frc_fetch, M_energy_frc_swap, M_energy_frc_static},
    .area = M_area_frc};
