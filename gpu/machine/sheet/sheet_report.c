/* sheet_report.c - what follows from a data sheet, beside what it says; what is inherited; what
 * looks like a mistake. */
#include "gpu/machine/sheet/sheet_internal.h"

#include "gpu/machine/params/dram/dram_kind.h"
#include "gpu/machine/rows/param.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const double CLOSE = 0.03; /* data sheets round */

/* --- what follows ------------------------------------------------------------------------------
 */

static void figure(struct text *out, const char *name, double derived, double said)
{
    text_add(out, "  %-34s %12.6g", name, derived);
    if (said > 0) text_add(out, " %12.6g %+8.1f %%", said, 100 * (derived / said - 1));
    text_add(out, "\n");
}

static double at_boost(const struct card_making *m, const char *name)
{
    return machine_derived_value(&m->made, name) * sheet_boost(m);
}

static void report_figures(const struct card_making *m, struct text *out)
{
    const struct card_sheet *s = m->sheet;
    const struct machine *x = &m->made;
    text_add(out, "  %-34s %12s %12s\n", "what follows", "derived", "data sheet");
    figure(out, "memory bandwidth, GB/s", machine_derived_value(x, "peak_gbps"), s->gbps);
    figure(out, "memory, GB", machine_derived_value(x, "memory_mb") / 1024, s->memory_gb);
    figure(out, "FP32, TFLOP/s", at_boost(m, "fp32_tflops"), s->tflops);
    figure(out, "matrix units, TFLOP/s", at_boost(m, "matrix_tflops"), s->matrix_tflops);
    figure(out, "L2, MB", machine_derived_value(x, "l2_kb") / 1024, s->l2_mb);
    figure(out, "L2 hits, GB/s", machine_derived_value(x, "l2_gbps"), 0);
    figure(out, "lanes resident", machine_derived_value(x, "lanes"), 0);
    figure(out, "cycles of an L2 hit", machine_derived_value(x, "l2_hit_cycles"), 0);
    figure(out, "cycles of a memory access", machine_derived_value(x, "memory_cycles"), 0);
}

/* --- what is inherited -------------------------------------------------------------------------
 */

static bool is_said(const struct card_making *m, const char *path)
{
    for (uint32_t i = 0; i < m->n; i++)
        if (strcmp(m->value[i].path, path) == 0) return true;
    return false;
}

/* The values that decide most of what a card does, with their grade of evidence. */
static void report_inherited(const struct card_making *m, struct text *out)
{
    static const char *const paths[] = {"sm.count",
                                        "sm.max_warps",
                                        "sm.registers",
                                        "sm.shared_kb",
                                        "l1.kb",
                                        "l1.unified_kb",
                                        "l1.ways",
                                        "l1.latency",
                                        "l2.banks",
                                        "l2.bank_kb",
                                        "l2.ways",
                                        "l2.extra_latency",
                                        "dram.channels",
                                        "dram.set",
                                        "dram.extra_latency",
                                        "clock.core_mhz",
                                        "sm.units.fp32.interval",
                                        "sm.units.tensor.interval"};
    text_add(out, "  inherited from %s, with the grade of evidence there:\n", m->base.name);
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        struct text value = {0};
        const struct evidence_value *v = machine_evidence_of(&m->evidence, paths[i]);
        bool applies = m->made.l1.adaptive || strcmp(paths[i], "l1.unified_kb") != 0;
        if (!applies || is_said(m, paths[i]) || !machine_get_bare(&m->made, paths[i], &value)) {
            text_fini(&value);
            continue;
        }
        text_add(out, "    %-28s %-14s %s\n", paths[i], text_str(&value),
                 v ? evidence_grade_name(v->grade) : "none");
        text_fini(&value);
    }
}

void sheet_report(const struct card_making *m, struct text *out)
{
    text_add(out, "%s: like %s; %" PRIu32 " values from the data sheet or derived from it\n",
             m->sheet->name, m->base.name, m->n);
    report_figures(m, out);
    if (m->sheet->base_mhz > 0)
        text_add(out,
                 "  the core at %g MHz, between base and boost; TFLOP/s above are of the boost\n",
                 m->made.clock.core_mhz);
    if (m->made.l2.slice_hash != m->base.l2.slice_hash)
        text_add(out,
                 "  %" PRIu32 " L2 slices are no power of two: l2.slice_hash = xor deals them\n",
                 m->made.l2.banks);
    report_inherited(m, out);
    text_add(out, "  no calibration is of this card; 'plumb machine check FILE' says more\n");
}

/* --- what looks wrong ------------------------------------------------------------------------- */

static bool is_near(double a, double b)
{
    return fabs(a / b - 1) <= CLOSE;
}

static void doubt_rate(const struct card_making *m, struct text *out)
{
    const struct card_sheet *s = m->sheet;
    double peak = machine_derived_value(&m->made, "peak_gbps");
    if (s->gbps <= 0 || is_near(peak, s->gbps)) return;
    text_add(out, "warning: %g GB/s of memory follow, the data sheet has %g", peak, s->gbps);
    text_add(out, ": its pins would carry %.3g Gb/s, or its channels be %.3g\n",
             machine_derived_value(&m->made, "pin_gbps") * s->gbps / peak,
             m->made.dram.channels * s->gbps / peak);
}

static void doubt_capacity(const struct card_making *m, struct text *out)
{
    const struct card_sheet *s = m->sheet;
    double gb = machine_derived_value(&m->made, "memory_mb") / 1024;
    bool rounded_up = gb > s->memory_gb && gb < 2 * s->memory_gb; /* to a power of two */
    if (s->memory_gb <= 0 || is_near(gb, s->memory_gb) || rounded_up) return;
    text_add(out, "warning: the channels hold %g GB, the data sheet has %g", gb, s->memory_gb);
    double gbit = 8 * s->memory_gb / m->made.dram.channels;
    text_add(out,
             is_near(gb * 8, s->memory_gb) ? ": GB taken for Gbit? A channel would have %g Gbit"
                                           : ": a channel would have %g Gbit",
             gbit);
    if (s->memory && gbit == floor(gbit))
        text_add(out, "; write %" PRIu32 "x%ggbit", m->made.dram.channels, gbit);
    text_add(out, "\n");
}

static void doubt_channels(const struct card_making *m, struct text *out)
{
    enum { BITS_GDDR = 512, BITS_HBM = 12288 }; /* no card has a wider bus */
    const struct dram_params *d = &m->made.dram;
    uint32_t width = 8 * d->bus_bytes * d->pseudo_channels, bits = d->channels * width,
             most = strncmp(dram_kind_row(d->kind).name, "hbm", 3) == 0 ? BITS_HBM : BITS_GDDR;
    if (!m->sheet->memory || bits <= most || d->channels % width) return;
    text_add(out,
             "warning: %" PRIu32 " channels of %" PRIu32 " bits are a bus of %" PRIu32
             " bits: the width of the bus taken for channels? %" PRIu32 " bits are %" PRIu32
             " channels\n",
             d->channels, width, bits, d->channels, d->channels / width);
}

/* false: the rate of the units is the other card's. */
static bool doubt_rate_of(const struct card_making *m, const char *unit, double said,
                          const char *what, const char *perhaps, struct text *out)
{
    char path[64];
    double interval = 0, usual = 0;
    snprintf(path, sizeof path, "sm.units.%s.interval", unit);
    machine_get_number(&m->made, path, &interval);
    machine_get_number(&m->base, path, &usual);
    if (interval == usual) return false;
    text_add(
        out,
        "warning: %g TFLOP/s %s are %g times the rate of an SM of %s: %s %s = %g gives that rate\n",
        said, what, usual / interval, m->base.name, perhaps, path, interval);
    return true;
}

static void doubt_flops(const struct card_making *m, struct text *out)
{
    const struct card_sheet *s = m->sheet;
    double made = at_boost(m, "fp32_tflops"), clock = m->made.clock.core_mhz * sheet_boost(m);
    if (s->tflops <= 0 ||
        doubt_rate_of(m, "fp32", s->tflops, "in FP32", "FP16 taken for FP32?", out))
        return;
    if (is_near(made, s->tflops)) return;
    text_add(out,
             "warning: %.4g TFLOP/s in FP32 follow, the data sheet has %g: they need %.0f MHz (the "
             "%s clock taken for the other?) or %.0f SMs\n",
             made, s->tflops, clock * s->tflops / made,
             s->tflops > made ? "base for the boost" : "boost for the base",
             m->made.sm.count * s->tflops / made);
}

static void doubt_matrix(const struct card_making *m, struct text *out)
{
    const struct card_sheet *s = m->sheet;
    double made = at_boost(m, "matrix_tflops"), interval = 0;
    machine_get_number(&m->made, "sm.units.tensor.interval", &interval);
    if (s->matrix_tflops <= 0 || made <= 0 ||
        doubt_rate_of(m, "tensor", s->matrix_tflops, "of the matrix units",
                      "with sparsity, or of a smaller type? Dense FP16 with sums of FP32 is meant;",
                      out))
        return;
    if (!is_near(made, s->matrix_tflops))
        text_add(out,
                 "warning: %.4g TFLOP/s of the matrix units follow, the data sheet has %g; "
                 "sm.units.tensor.interval sets the rate (%g here)\n",
                 made, s->matrix_tflops, interval);
}

static void clock_is_sane(struct card_making *m, const char *option, double mhz)
{
    enum { MHZ_LEAST = 300, MHZ_MOST = 4000 };
    if (mhz > 0 && mhz < MHZ_LEAST)
        errors_add(m->all, "%s %g: GHz taken for MHz? That would be %s %g", option, mhz, option,
                   mhz * 1000);
    if (mhz > MHZ_MOST) errors_add(m->all, "%s %g: no card's core has so many MHz", option, mhz);
}

static void clocks_are_sane(struct card_making *m)
{
    const struct card_sheet *s = m->sheet;
    clock_is_sane(m, "--clock", s->core_mhz);
    clock_is_sane(m, "--base-clock", s->base_mhz);
    if (s->base_mhz > s->core_mhz)
        errors_add(m->all,
                   "--base-clock %g: above the boost clock (--clock %g); one taken for the other?",
                   s->base_mhz, s->core_mhz);
}

/* What no card has is refused with what may be meant. */
bool sheet_is_sane(struct card_making *m)
{
    enum { SMS_MOST = 512, L2_MOST = 1024, L1_MOST = 1024 };
    const struct card_sheet *s = m->sheet;
    size_t before = m->all->n;
    if (strpbrk(s->like, "\"\\\n"))
        errors_add(m->all,
                   "--like: a name with a quote, a backslash or a line end cannot be written");
    if (s->sms > SMS_MOST)
        errors_add(m->all, "--sms %g: lanes (\"cores\") taken for SMs? %g lanes are %g SMs of 128",
                   s->sms, s->sms, s->sms / 128);
    if (s->sms != floor(s->sms)) errors_add(m->all, "--sms %g: a whole number of SMs", s->sms);
    clocks_are_sane(m);
    if (s->l2_mb > L2_MOST)
        errors_add(m->all, "--l2 %g: KB taken for MB? That would be --l2 %g", s->l2_mb,
                   s->l2_mb / 1024);
    if (s->l1_kb > L1_MOST)
        errors_add(m->all, "--l1 %g: of one SM, in KB; all SMs' L1s together taken for one?",
                   s->l1_kb);
    return m->all->n == before;
}

static void doubt_slices(const struct card_making *m, struct text *out)
{
    uint32_t banks = m->made.l2.banks, usual = m->usual_slices;
    if (usual > 0 && banks != usual)
        text_add(out,
                 "warning: %" PRIu32 " L2 slices, for the %" PRIu32 " that go with %" PRIu32
                 " channels as on %s: %g MB have no whole KB and sets in those\n",
                 banks, usual, m->made.dram.channels, m->base.name,
                 machine_derived_value(&m->made, "l2_kb") / 1024);
}

static void doubt_memory(const struct card_making *m, struct text *out)
{
    struct machine_oddity odd[MACHINE_ODDITIES_MAX];
    uint32_t n = machine_oddities(&m->made, odd);
    for (uint32_t i = 0; i < n; i++)
        text_add(out, "warning: %s %s = %.4g %s: %s has %g to %g (%s)\n", odd[i].memory,
                 odd[i].figure, odd[i].value, odd[i].unit, odd[i].kind, odd[i].range.least,
                 odd[i].range.most, odd[i].source);
}

void sheet_doubts(const struct card_making *m, struct text *out)
{
    doubt_channels(m, out);
    doubt_rate(m, out);
    doubt_capacity(m, out);
    doubt_flops(m, out);
    doubt_matrix(m, out);
    doubt_slices(m, out);
    doubt_memory(m, out);
}
