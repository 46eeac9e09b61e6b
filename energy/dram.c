/* dram.c - see dram.h. */
#include "energy/dram.h"

enum { BITS_PER_BYTE = 8 };

struct dram_energy dram_energy(const struct dram_energy_params *p, const struct dram_activity *a)
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

double dram_energy_total(const struct dram_energy *e)
{
    return e->activate + e->read + e->write + e->io + e->refresh + e->background;
}
