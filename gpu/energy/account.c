/* account.c - see account.h. */
#include "gpu/energy/account.h"

#include "gpu/energy/structures.h"

#include <math.h>

#define MJ_PER_MW_US 1e-6

bool structure_has_all(const struct metrics *m, const enum metric *id, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!m->has[id[i]]) return false;
    return true;
}
#define HAS_ALL(m, ...)                            \
    has_all(m, (const enum metric[]){__VA_ARGS__}, \
            sizeof((const enum metric[]){__VA_ARGS__}) / sizeof(enum metric))

double structure_value(const struct metrics *m, enum metric id)
{
    return m->has[id] ? m->v[id] : 0;
}

double structure_tags(const struct cache_costs *k, const struct cache_events *e)
{
    return MJ_PER_PJ * (e->look_ups * k->tag_read + e->tag_writes * k->tag_write);
}

double structure_data(const struct cache_costs *k, const struct cache_events *e)
{
    return MJ_PER_PJ * (e->data_reads * k->data_read + e->data_writes * k->data_write);
}

double structure_leaked(double mw, const struct metrics *m)
{
    return MJ_PER_MW_US * mw * m->v[M_time_us];
}

/* --- the network and the memory --- */

static void find_network(struct energy_costs *c, struct cost_search *s)
{
    c->flit_pj = s->m->energy->flit_pj;
    c->per_hop = s->m->noc->topology == TOPOLOGY_MESH;
}

static bool network_is_on(const struct energy_costs *c)
{
    return c->flit_pj > 0;
}

static void account_network(const struct energy_costs *c, struct metrics *m)
{
    bool known = c->per_hop ? m->has[M_noc_hop_flits]
                            : m->has[M_noc_request_flits] && m->has[M_noc_reply_flits];
    if (!known) return;
    double flits =
        c->per_hop ? m->v[M_noc_hop_flits] : m->v[M_noc_request_flits] + m->v[M_noc_reply_flits];
    metrics_set(m, M_energy_noc, MJ_PER_PJ * c->flit_pj * flits);
}

const struct energy_structure energy_of_network = {
    .optional = true,
    .is_on = network_is_on,
    .find = find_network,
    .account = account_network,
    .energy = {M_energy_noc},
};

/* The parts are not known where a timing set gives only an energy per bit. */
static void account_dram(const struct energy_costs *c, struct metrics *m)
{
    (void)c;
    if (!m->has[M_energy_dram] || !m->has[M_dram_activate_mj]) return;
    metrics_set(m, M_energy_dram_dynamic,
                m->v[M_dram_activate_mj] + m->v[M_dram_read_mj] + m->v[M_dram_write_mj] +
                    m->v[M_dram_io_mj]);
}

const struct energy_structure energy_of_dram = {.account = account_dram, .energy = {M_energy_dram}};

/* --- totals --- */

static bool is_accounted(const struct energy_structure *s, const struct energy_costs *c,
                         const struct metrics *m)
{
    return s->optional || !structure_is_on(s, c) || m->has[s->energy[0]];
}

static double structure_mj(const struct energy_structure *s, const struct metrics *m)
{
    double sum = 0;
    for (uint32_t i = 0; s->energy[i]; i++)
        sum += structure_value(m, s->energy[i]);
    return sum;
}

/* The L2 with its FRC and the memory's dynamic energy (Candel 6.6.4). */
static void account_l2_memory(const struct energy_costs *c, struct metrics *m)
{
    const struct energy_structure *l2 = &energy_of_l2, *frc = &energy_of_frc;
    if (!is_accounted(l2, c, m) || !is_accounted(frc, c, m) || !m->has[M_energy_dram_dynamic] ||
        energy_costs_lack(c, "energy_mj.l2_memory"))
        return;
    metrics_set(m, M_energy_l2_memory,
                structure_mj(l2, m) + structure_mj(frc, m) + m->v[M_energy_dram_dynamic]);
}

static void account_total(const struct energy_costs *c, struct metrics *m)
{
    double sum = 0, part = 0;
    if (energy_costs_lack(c, "energy_mj.total")) return;
    ENERGY_EACH_STRUCTURE(s)
    {
        if (!is_accounted(s, c, m)) return;
        part += structure_mj(s, m);
        if (s->with_next) continue;
        sum += part;
        part = 0;
    }
    metrics_set(m, M_energy_total, sum);
}

void energy_totals(const struct energy_costs *c, struct metrics *m)
{
    if (!c->on) return;
    if (m->has[M_energy_l1])
        m->v[M_energy_l1] = m->v[M_l1_tags_mj] + m->v[M_l1_data_mj] + m->v[M_l1_static_mj];
    if (m->has[M_energy_dram] && m->has[M_dram_activate_mj]) {
        account_dram(c, m);
        m->v[M_energy_dram] =
            m->v[M_energy_dram_dynamic] + m->v[M_dram_refresh_mj] + m->v[M_dram_background_mj];
    }
    if (m->has[M_energy_l2_dynamic])
        m->v[M_energy_l2_dynamic] = m->v[M_l2_tags_mj] + m->v[M_l2_data_mj];
    account_l2_memory(c, m);
    account_total(c, m);
}

void energy_account(const struct energy_costs *c, struct metrics *m)
{
    if (!c->on) return;
    ENERGY_EACH_STRUCTURE(s)
    if (s->account && structure_is_on(s, c)) s->account(c, m);
    energy_totals(c, m);
}

void energy_areas(const struct energy_costs *c, struct metrics *m)
{
    double total = 0;
    bool all = c->on && !energy_costs_lack(c, "area_mm2.total");
    ENERGY_EACH_STRUCTURE(s)
    {
        if (!c->on || !s->area || !structure_is_on(s, c)) continue;
        double mm2 = structure_mm2(s, c);
        if (!isnan(mm2)) metrics_set(m, s->area, mm2);
        if (!isnan(mm2)) total += mm2;
        all = all && (s->optional || !isnan(mm2));
    }
    if (all) metrics_set(m, M_area_total, total);
}
