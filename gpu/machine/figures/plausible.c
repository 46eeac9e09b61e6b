/* plausible.c - what a machine's memories do that no DRAM of their kind does; see machine.h and
 * gpu/machine/params/dram/dram_kind.h. Such a machine is allowed: it may be a question. */
#include "gpu/machine/machine.h"

static const char *const figure[DRAM_LIMITS] = {[LIMIT_PIN] = "pin_gbps",
                                                [LIMIT_TRCD] = "trcd_ns",
                                                [LIMIT_TCL] = "tcl_ns",
                                                [LIMIT_TRC] = "trc_ns"};

/* Times are whole clocks, rounded up; rates of cards are rounded. */
static bool lies_within(double v, const struct dram_range *r, double clock)
{
    const double rounding = 0.01;
    return v >= r->least * (1 - rounding) && v - clock <= r->most * (1 + rounding);
}

static uint32_t doubt_memory(const struct dram_params *d, const char *memory,
                             struct machine_oddity *out)
{
    uint32_t n = 0;
    if (!dram_is_there(d) || d->model != DRAM_BANKS) return 0;
    struct dram_kind_row row = dram_kind_row(d->kind);
    double clock = 1e3 / d->clock_mhz;
    const double value[DRAM_LIMITS] = {[LIMIT_PIN] = d->beats_per_clock * d->clock_mhz * 1e-3,
                                       [LIMIT_TRCD] = d->t.tRCDRD * clock,
                                       [LIMIT_TCL] = d->t.tCL * clock,
                                       [LIMIT_TRC] = dram_row_cycle(d) * clock};
    for (int i = 0; i < DRAM_LIMITS; i++)
        if (!lies_within(value[i], &row.range[i], i == LIMIT_PIN ? 0 : clock))
            out[n++] = (struct machine_oddity){.memory = memory,
                                               .figure = figure[i],
                                               .unit = i == LIMIT_PIN ? "Gb/s" : "ns",
                                               .value = value[i],
                                               .range = row.range[i],
                                               .kind = row.name,
                                               .source = row.source};
    return n;
}

uint32_t machine_oddities(const struct machine *m, struct machine_oddity out[MACHINE_ODDITIES_MAX])
{
    uint32_t n = doubt_memory(&m->dram, "dram", out);
    return n + doubt_memory(&m->second_dram, "dram[1]", out + n);
}
