/* answer_print.c - see answer_print.h. */
#include "cli/run/answer_print.h"

#include "cli/constants.h"
#include "cli/print/table.h"
#include "cli/print/terminal.h"
#include "cli/run/headline.h"
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
    struct rows r = {0};
    answer_station_rows(a, all ? 0 : WHY_SHARE, &r);
    if (!r.n) return;
    text_add(out, "\n");
    table_rows(out, &r);
    text_add(out, "  queue: how many are there; latency: core cycles of a visit; would save: share "
                  "of the time, were it infinitely fast\n");
    if (all) report_terms(out, &a->x);
}

void answer_print_causes(struct text *out, const char *whom, const struct causes *c)
{
    enum { TOLD = 5 };
    if (!c->n) return;
    text_add(out, "\n");
    if (c->at[0].saves < CAUSE_LEAST) {
        text_add_shown(out, "  nothing tried would save%s %.0f %% of the time\n", whom,
                       100 * CAUSE_LEAST);
        return;
    }
    text_add(out, "  " STYLE_BOLD);
    text_add_shown(out, "what would help%s", whom);
    text_add(out, STYLE_END ", by estimates of such machines%s:\n",
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
    if (x->n_not_modelled) text_add(out, "\n");
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

/* What one program's answer says.  alone: with its stations; all: to the last of them. */
static void report_answer(struct text *out, const struct outcome *o, const struct machine *m,
                          const char *machine, bool alone, bool all)
{
    const struct answer *a = &o->a;
    headline_print(out, a, m, machine, o->program);
    if (a->doubt[0]) text_add_shown(out, "  %s\n", a->doubt);
    answer_print_causes(out, "", &a->helps);
    report_full(out, a);
    if (alone || all) report_stations(out, a, all);
    report_not_modelled(out, &a->x);
}

static void report_details(struct text *out, const struct answer *a)
{
    if (a->n_kernels) text_add(out, "\n");
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
    if (used) text_add(out, "\n");
    if (used) table_metrics(out, corner, column, used, all, false);
    return i;
}

void answer_print_table(struct text *out, const struct outcome *o, uint32_t n,
                        const struct machine *m, const char *machine, bool all)
{
    for (uint32_t i = 0; i < n; i++) {
        const struct answer *a = &o[i].a;
        if (!o[i].ok) continue;
        text_add(out, "%s" STYLE_BOLD, out->len ? "\n" : "");
        text_add_shown(out, "%s on %s, %s", a->program, a->machine, engine_name[a->engine]);
        text_add(out, STYLE_END "\n");
        report_answer(out, &o[i], m, machine, n == 1, all);
    }
    for (uint32_t i = 0; i < n;)
        i += report_block(out, o + i, n - i, all);
    for (uint32_t i = 0; i < n; i++) {
        if (!o[i].ok || (!o[i].a.n_kernels && !o[i].a.sites)) continue;
        if (n > 1) text_add_shown(out, "\n%s\n", o[i].a.program);
        report_details(out, &o[i].a);
    }
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
