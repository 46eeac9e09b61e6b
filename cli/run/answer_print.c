/* answer_print.c - see answer_print.h. */
#include "cli/run/answer_print.h"

#include "cli/print/table.h"
#include "engine/answer_sites.h"
#include "engine/causes.h"
#include "engine/constants.h"
#include "gpu/mechanisms/mechanisms.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { COLUMNS_AT_ONCE = 6 };

/* --- table -------------------------------------------------------------------------------------
 */

static void report_parts(struct text *out, const struct answer_parts *p)
{
    if (!(p->placing > 0) && !(p->warming > 0)) return;
    text_add_shown(out, " (sampling %.1f, %s %.1f", 100 * p->sampling,
                   p->warming > 0 ? "warming" : "placing", 100 * (p->placing + p->warming));
    if (p->drain > 0) text_add(out, ", drain %.1f", 100 * p->drain);
    if (p->accesses > 0) text_add(out, ", accesses %.1f", 100 * p->accesses);
    if (p->phases > 0) text_add(out, ", phases %.1f", 100 * p->phases);
    text_add(out, ")");
}

static void report_correction(struct text *out, const struct answer_correction *c)
{
    if (!c->runs) {
        if (c->file[0])
            text_add_shown(out, "; not corrected: %s has not seen this program", c->file);
        else
            text_add(out, "; not calibrated");
        return;
    }
    text_add(out, "; corrected by %u run%s of this program", c->runs, c->runs == 1 ? "" : "s");
    if (c->runs > c->banked && c->file[0]) text_add_shown(out, " in %s", c->file);
    if (c->beyond[0])
        text_add_shown(out, " (nearest: %s %.6g for %.6g)", c->beyond, c->beyond_its,
                       c->beyond_mine);
}

/* Where one simulation would narrow the range to a third. */
static void offer_run(struct text *out, const struct answer *a)
{
    char n[NUMBER_MAX];
    double with = a->correction.half_width_with_run, instructions;
    if (!a->correction.bank || !(with > 0) || with > a->half_width / 3) return;
    if (!metrics_value(&a->m, "warp_instructions", &instructions)) return;
    table_number_text(instructions, "instructions", n);
    text_add_shown(out,
                   "  a run of this program would narrow that to some \u00b1 %.0f %%, and "
                   "more on like machines: plumb simulate %s (%s warp instructions)\n",
                   100 * with, a->machine, n);
}

static void report_estimate(struct text *out, const struct answer *a)
{
    char low[NUMBER_MAX], high[NUMBER_MAX];
    uint32_t cycles = metrics_key_index("cycles");
    table_number_text(a->ranges.low[cycles], "core cycles", low);
    table_number_text(a->ranges.high[cycles], "core cycles", high);
    text_add_shown(out, "  cycles %s to %s (-%.1f %%, +%.1f %%) at %.4g %% confidence", low, high,
                   100 * (1 - a->ranges.low[cycles] / a->m.v[M_cycles]),
                   100 * (a->ranges.high[cycles] / a->m.v[M_cycles] - 1), 100 * a->level);
    report_correction(out, &a->correction);
    if (a->profile && strcmp(a->profile, "sampled") == 0)
        text_add(out, "; the profile is sampled (--exact-profile)");
    text_add(out, "\n");
    offer_run(out, a);
}

void answer_print_confidence(struct text *out, const struct answer *a)
{
    if (!a->has_confidence) return;
    if (a->engine == ENGINE_ESTIMATE) {
        report_estimate(out, a);
        return;
    }
    if (a->half_width == 0 && a->simulated_share >= 1 && !a->partial) {
        text_add(out, "  simulated from beginning to end: exact for the model\n");
        return;
    }
    text_add(out, "  cycles \u00b1 %.1f %% at %.4g %% confidence", 100 * a->half_width,
             100 * a->level);
    if (a->partial)
        text_add(out, " (partial: interrupted)");
    else
        report_parts(out, &a->parts);
    if (a->intervals)
        text_add(out, "; %" PRIu32 " intervals, %.1f %% of the instructions simulated",
                 a->intervals, 100 * a->simulated_share);
    text_add(out, "\n");
    if (a->control.name && strcmp(a->control.name, "none") != 0)
        text_add_shown(out,
                       "  control variate: %s, variance x %.2f (%" PRIu32
                       " intervals instead of %" PRIu32 ")\n",
                       a->control.name, a->control.variance_ratio, a->control.intervals,
                       a->control.intervals_without);
}

/* Which term of the estimate made what (estimator/model/term_list.c). */
static void report_terms(struct text *out, const struct explanation *x)
{
    struct rows stations = {0}, cycles = {0};
    text_add(out, "  by terms of estimator/model/term_list.c:\n");
    for (uint32_t i = 0; i < x->n; i++) {
        rows_item(&stations);
        rows_text(&stations, NULL, "station", x->station[i].name);
        rows_text(&stations, NULL, "is put by", estimate_station_term(x->station[i].name));
        rows_end(&stations);
    }
    table_rows(out, &stations);
    for (uint32_t i = 0; i < x->terms; i++) {
        if (x->term[i].cycles == 0) continue;
        rows_item(&cycles);
        rows_text(&cycles, NULL, "term", x->term[i].name);
        rows_number(&cycles, NULL, "adds cycles", "%.0f", x->term[i].cycles);
        rows_end(&cycles);
    }
    table_rows(out, &cycles);
}

static void report_stations(struct text *out, const struct answer *a, bool all)
{
    const struct explanation *x = &a->x;
    struct rows r = {0};
    if (x->n == 0) return;
    answer_station_rows(a, &r);
    table_rows(out, &r);
    text_add(out, "  queue: how many are there; latency: core cycles of a visit; would save: share "
                  "of the time, were it infinitely fast\n");
    if (x->bottleneck) text_add_shown(out, "  bottleneck: %s\n", x->bottleneck);
    if (all) report_terms(out, x);
}

void answer_print_causes(struct text *out, const char *whom, const struct causes *c)
{
    enum { TOLD = 5 };
    if (!c->n) return;
    if (c->at[0].saves < CAUSE_LEAST) {
        text_add_shown(out, "  nothing tried would save%s %.0f %% of the time\n", whom,
                       100 * CAUSE_LEAST);
        return;
    }
    text_add_shown(out, "  what would help%s, by estimates of such machines%s:\n", whom,
                   c->corrected ? ", corrected as this one" : "");
    for (uint32_t i = 0; i < c->n && i < TOLD && c->at[i].saves >= CAUSE_LEAST; i++) {
        const struct cause *one = &c->at[i];
        text_add_shown(out, "  %6.1f %% less time with %s:", 100 * one->saves, one->words);
        for (uint32_t k = 0; k < one->n; k++)
            text_add_shown(out, " %s", one->set[k]);
        text_add(out, "\n");
    }
}

static void report_not_modelled(struct text *out, const struct explanation *x)
{
    for (uint32_t i = 0; i < x->n_not_modelled; i++)
        text_add_shown(out, "  not modelled: %s: %s\n", x->not_modelled[i],
                       mechanism_reason(x->not_modelled[i]));
}

static void report_kernels(struct text *out, const struct answer *a)
{
    static const char *const keys[] = {"cycles", "ipc", "l1.hit_rate", "l2.hit_rate",
                                       "dram.utilization"};
    struct rows r = {0};
    for (uint32_t i = 0; i < a->n_kernels; i++) {
        rows_item(&r);
        rows_format(&r, NULL, "launch", "%" PRIu32, a->kernel[i].launch);
        rows_text(&r, NULL, "kernel", a->kernel[i].name);
        for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
            double v;
            if (!metrics_value(&a->kernel[i].m, keys[k], &v)) v = (double)NAN;
            rows_number(&r, NULL, keys[k], metrics_unit(keys[k]), v);
        }
    }
    table_rows(out, &r);
}

/* The error of a rate is in percentage points, any other error is relative. */
static void full_rows(struct rows *r, const struct answer *a, enum metric id)
{
    const struct metric_info *m = &metric_info[id];
    double x = a->m.v[id], y = a->full.v[id], half = a->half_widths.v[id];
    bool points = strcmp(m->unit, "1") == 0;
    double scale = points ? 0.01 : y / 100;
    rows_item(r);
    rows_text(r, NULL, "compared", m->path);
    rows_number(r, NULL, "sampled", m->unit, x);
    rows_number(r, NULL, "simulated", m->unit, y);
    rows_format(r, NULL, "off by", "%+.2f %s", (x - y) / scale, points ? "points" : "%");
    rows_format(r, NULL, "half width", "%.2f%s", half / scale,
                fabs(x - y) <= half ? "" : ", missed");
}

/* Prints the sample's metrics with those of the whole simulation. */
static void report_full(struct text *out, const struct answer *a)
{
    static const enum metric shown[] = {M_cycles,      M_l1_hit_rate,       M_l2_hit_rate,
                                        M_l2_mpko,     M_dram_row_hit_rate, M_dram_bandwidth,
                                        M_energy_total};
    struct rows r = {0};
    if (!a->full.has[M_cycles]) return;
    for (size_t i = 0; i < sizeof shown / sizeof *shown; i++)
        if (a->m.has[shown[i]] && a->full.has[shown[i]] && a->full.v[shown[i]] > 0)
            full_rows(&r, a, shown[i]);
    text_add(out, "\n");
    table_rows(out, &r);
    text_add(out, "  %.2f s sampled, %.2f s simulated\n", a->seconds, a->full_seconds);
}

/* The counters by instruction and buffer, if there are any. */
static void report_sites(struct text *out, const struct site_counters *x)
{
    struct rows loads = {.example = true}, buffers = {0};
    if (!x) return;
    text_add(out, "\n  By instruction: accesses each, shares of them at the L1, latency in core "
                  "cycles\n");
    answer_sites_loads(&loads, x);
    table_rows(out, &loads);
    answer_sites_buffers(&buffers, x);
    if (buffers.n) text_add(out, "\n  By buffer: accesses to the L1, and what came to the L2\n");
    table_rows(out, &buffers);
}

static void report_details(struct text *out, const struct outcome *o, bool named, bool all)
{
    const struct answer *a = &o->a;
    if (!a->x.n && !a->has_confidence && !a->n_kernels && !a->sites && !a->doubt[0]) return;
    text_add(out, "\n");
    if (named) text_add_shown(out, "%s\n", a->program);
    answer_print_confidence(out, a);
    if (a->doubt[0]) text_add_shown(out, "  %s\n", a->doubt);
    report_full(out, a);
    report_stations(out, a, all);
    answer_print_causes(out, "", &a->helps);
    report_not_modelled(out, &a->x);
    report_kernels(out, a);
    report_sites(out, a->sites);
}

/* Prints at most six programs side by side, which fit on a terminal. */
static uint32_t report_block(struct text *out, const struct outcome *o, uint32_t n, bool all)
{
    struct column column[COLUMNS_AT_ONCE];
    char corner[160];
    uint32_t used = 0, i = 0;
    for (; i < n && used < COLUMNS_AT_ONCE; i++) {
        if (!o[i].ok) continue;
        if (used == 0)
            snprintf(corner, sizeof corner, "%s, %s", o[i].a.machine, engine_name[o[i].a.engine]);
        column[used++] = (struct column){.head = o[i].a.program, .m = &o[i].a.m};
    }
    if (used) table_metrics(out, corner, column, used, all, false);
    return i;
}

void answer_print_table(struct text *out, const struct outcome *o, uint32_t n, bool all)
{
    for (uint32_t i = 0; i < n;) {
        if (i) text_add(out, "\n");
        i += report_block(out, o + i, n - i, all);
    }
    for (uint32_t i = 0; i < n; i++)
        if (o[i].ok) report_details(out, &o[i], n > 1, all);
}

/* --- JSON --------------------------------------------------------------------------------------
 */

void answer_print_outcome_json(const struct outcome *o, struct json *j)
{
    if (o->ok) {
        answer_json(&o->a, j);
        return;
    }
    json_object(j);
    json_string(json_key(j, "program"), o->program);
    json_string(json_key(j, "error"), o->e.text);
    json_end(j);
}

void answer_print_json(struct text *out, const struct outcome *o, uint32_t n, bool list)
{
    struct json j;
    json_init(&j, out);
    if (list) json_array(&j);
    for (uint32_t i = 0; i < n; i++)
        answer_print_outcome_json(&o[i], &j);
    if (list) json_end(&j);
}
