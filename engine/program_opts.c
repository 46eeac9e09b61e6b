/* program_opts.c - see program_opts.h. */
#include "engine/program_opts.h"

#include <math.h>

/* What an input-queued crossbar without speed-up carries of its ports, all at work (Karol, Hluchyj,
 * Morgan 1987). */
static const double CARRIED = 0.586;

/* Of an SM and a core cycle, what a rate of all SMs comes to. */
static double of_sm(const struct machine *m, double per_second)
{
    return per_second / (m->clock.core_mhz * 1e6 * m->sm.count);
}

/* Bytes of sectors that an SM's port carries and the SM takes in a core cycle. */
static double port_bytes(const struct machine *m)
{
    double sector = m->l2.cache.sector_bytes, filled = sector * m->l1.fill_ports;
    double flits = ceil((m->noc.header_bytes + sector) / m->noc.flit_bytes);
    double carried = CARRIED * sector / flits * m->clock.noc_mhz / m->clock.core_mhz;
    return fmin(filled, carried / m->noc.sms_per_port);
}

static struct program_card card_of(const struct machine *m)
{
    double l2 = machine_derived_value(m, "l2_gbps") * 1e9 / (m->clock.core_mhz * 1e6);
    double port = port_bytes(m);
    double matrix = machine_derived_value(m, "matrix_tflops") * 1e12 / 2;
    return (struct program_card){
        .sms = m->sm.count,
        .lanes = (double)m->sm.max_warps * m->sm.warp_width,
        .registers = m->sm.registers,
        .shared_bytes = m->sm.shared_kb * 1024.0,
        .matrix_macs = of_sm(m, matrix),
        .fp32_macs = of_sm(m, machine_derived_value(m, "fp32_tflops") * 1e12 / 2),
        .sm_bytes = port,
        .l2_bytes = fmin(l2, port * m->sm.count),
        .dram_bytes = machine_derived_value(m, "peak_bytes_per_cycle"),
        .latency = machine_derived_value(m, "memory_cycles"),
        .warpgroups = m->sm.warpgroups,
    };
}

struct program_opts program_opts_of(const struct machine *m, bool allow_unknown)
{
    return (struct program_opts){
        .warp_width = m->sm.warp_width, .allow_unknown = allow_unknown, .card = card_of(m)};
}

bool program_suits_both(const struct program *p, const struct machine *a, const struct machine *b)
{
    if (!program_follows_card(p)) return true;
    const struct program_card first = card_of(a), second = card_of(b);
    return digest_equal(program_choice(p, &first), program_choice(p, &second));
}

struct digest program_opts_digest(const struct program_opts *o)
{
    const struct program_card *c = &o->card;
    const double all[] = {o->warp_width, o->allow_unknown, c->sms,         c->lanes,
                          c->registers,  c->shared_bytes,  c->matrix_macs, c->fp32_macs,
                          c->sm_bytes,   c->l2_bytes,      c->dram_bytes,  c->latency,
                          c->warpgroups};
    return digest_bytes(all, sizeof all);
}
