/* dram_energy.c - see dram_energy.h. */
#include "gpu/energy/dram_energy.h"

#define MJ_PER_PJ 1e-9

enum { BITS_PER_BYTE = 8 };

static struct dram_energy by_command(const struct dram_energy_params *p,
                                     const struct dram_activity *a)
{
    double burst_bits = BITS_PER_BYTE * a->burst_bytes;
    return (struct dram_energy){
        .activate = a->activates * p->activate_pj,
        .read = a->reads * p->read_pj,
        .write = a->writes * p->write_pj,
        .io = burst_bits * (a->reads * p->read_io_pj_bit + a->writes * p->write_io_pj_bit),
        .refresh = a->rank_refreshes * p->refresh_pj + a->bank_refreshes * p->refresh_bank_pj,
        .background =
            a->act_standby_ns * p->act_standby_mw + a->pre_standby_ns * p->pre_standby_mw +
            a->act_powerdown_ns * p->act_powerdown_mw + a->pre_powerdown_ns * p->pre_powerdown_mw,
    };
}

struct dram_energy dram_energy(const struct dram_energy_params *p, const struct dram_activity *a)
{
    double burst_pj = BITS_PER_BYTE * a->burst_bytes * p->pj_bit;
    if (p->model != DRAM_ENERGY_PER_BIT) return by_command(p, a);
    return (struct dram_energy){
        .per_bit = true, .read = a->reads * burst_pj, .write = a->writes * burst_pj};
}

void dram_energy_join(struct dram_energy *to, const struct dram_energy *e)
{
    to->per_bit |= e->per_bit;
    to->activate += e->activate;
    to->read += e->read;
    to->write += e->write;
    to->io += e->io;
    to->refresh += e->refresh;
    to->background += e->background;
}

double dram_energy_total(const struct dram_energy *e)
{
    return e->activate + e->read + e->write + e->io + e->refresh + e->background;
}

void dram_energy_metrics(const struct dram_energy *e, struct metrics *m)
{
    metrics_set(m, M_dram_read_mj, e->read * MJ_PER_PJ);
    metrics_set(m, M_dram_write_mj, e->write * MJ_PER_PJ);
    metrics_set(m, M_energy_dram, dram_energy_total(e) * MJ_PER_PJ);
    if (e->per_bit) return;
    metrics_set(m, M_dram_activate_mj, e->activate * MJ_PER_PJ);
    metrics_set(m, M_dram_io_mj, e->io * MJ_PER_PJ);
    metrics_set(m, M_dram_refresh_mj, e->refresh * MJ_PER_PJ);
    metrics_set(m, M_dram_background_mj, e->background * MJ_PER_PJ);
}
