/* answer_print.c - see answer_print.h. */
#include "cli/run/answer_print.h"

#include "base/memory/alloc.h"
#include "base/text/text.h"
#include "cli/print/table.h"
#include "engine/causes.h"
#include "engine/constants.h"
#include "gpu/mechanisms/mechanisms.h"
#include "sweeps/analyse/export.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { STATION_COLUMNS = 6, KERNEL_COLUMNS = 7, COLUMNS_AT_ONCE = 6 };

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
    bool by_nothing = strcmp(c->by, "none") == 0, by_level = strcmp(c->by, "level") == 0;
    if (!c->file[0])
        text_add(out, "; not calibrated");
    else if (by_nothing && c->knows)
        text_add_shown(out, "; not corrected: %s does not help this program", c->file);
    else if (by_nothing)
        text_add_shown(out, "; not corrected: %s has not seen this program", c->file);
    else
        text_add_shown(out, "; corrected by %s%s", by_level ? "a constant of " : "", c->file);
    if (c->worse_order) text_add(out, " (its process would put machines in a worse order)");
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

static void answer_print_stations(struct text *out, const struct answer *a)
{
    const struct explanation *x = &a->x;
    static const char *const head[STATION_COLUMNS] = {"station", "busy",       "queue",
                                                      "latency", "would save", "what it is"};
    const char *cell[(STATION_MAX + 1) * STATION_COLUMNS];
    char text[STATION_MAX][4][NUMBER_MAX];
    if (x->n == 0) return;
    memcpy(cell, head, sizeof head);
    for (uint32_t i = 0; i < x->n; i++) {
        const struct station *s = &x->station[i];
        const char **row = &cell[(i + 1) * STATION_COLUMNS];
        table_number_text(s->utilization, "1", text[i][0]);
        snprintf(text[i][1], NUMBER_MAX, "%.1f", s->queue);
        snprintf(text[i][2], NUMBER_MAX, "%.1f", s->latency);
        table_number_text(s->gain, "1", text[i][3]);
        row[0] = s->name;
        for (int k = 0; k < 4; k++)
            row[k + 1] = text[i][k];
        row[STATION_COLUMNS - 1] = estimate_station_meaning(s->name);
    }
    table_cells(out, cell, x->n + 1, STATION_COLUMNS);
    text_add(out, "  queue: how many are there; latency: core cycles of a visit; would save: share "
                  "of the time, were it infinitely fast\n");
    if (x->bottleneck) text_add_shown(out, "  bottleneck: %s\n", x->bottleneck);
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

static void kernel_cell(const struct metrics *m, const char *key, char out[NUMBER_MAX])
{
    double v;
    if (metrics_value(m, key, &v))
        table_number_text(v, metrics_unit(key), out);
    else
        snprintf(out, NUMBER_MAX, "-");
}

static void report_kernels(struct text *out, const struct answer *a)
{
    static const char *const keys[KERNEL_COLUMNS - 2] = {"cycles", "ipc", "l1.hit_rate",
                                                         "l2.hit_rate", "dram.utilization"};
    uint32_t n = a->n_kernels;
    if (n == 0) return;
    const char **cell = mem_new((size_t)(n + 1) * KERNEL_COLUMNS, sizeof *cell);
    char(*text)[NUMBER_MAX] = mem_new((size_t)n * KERNEL_COLUMNS, sizeof *text);
    if (cell && text) {
        cell[0] = "launch";
        cell[1] = "kernel";
        for (int k = 2; k < KERNEL_COLUMNS; k++)
            cell[k] = keys[k - 2];
        for (uint32_t i = 0; i < n; i++) {
            char(*t)[NUMBER_MAX] = &text[i * KERNEL_COLUMNS];
            const char **row = &cell[(i + 1) * KERNEL_COLUMNS];
            snprintf(t[0], NUMBER_MAX, "%" PRIu32, a->kernel[i].launch);
            for (int k = 2; k < KERNEL_COLUMNS; k++)
                kernel_cell(&a->kernel[i].m, keys[k - 2], t[k]);
            for (int k = 0; k < KERNEL_COLUMNS; k++)
                row[k] = t[k];
            row[1] = a->kernel[i].name;
        }
        table_cells(out, cell, n + 1, KERNEL_COLUMNS);
    }
    out->failed |= !cell || !text;
    mem_free(cell);
    mem_free(text);
}

/* The error of a rate is in percentage points, any other error is relative. */
static void compare_row(const struct answer *a, enum metric id, bool points,
                        char out[4][NUMBER_MAX])
{
    double x = a->m.v[id], y = a->full.v[id], half = a->half_widths.v[id];
    double scale = points ? 0.01 : y / 100;
    table_number_text(x, metric_info[id].unit, out[0]);
    table_number_text(y, metric_info[id].unit, out[1]);
    snprintf(out[2], NUMBER_MAX, "%+.2f %s", (x - y) / scale, points ? "points" : "%");
    snprintf(out[3], NUMBER_MAX, "%.2f%s", half / scale, fabs(x - y) <= half ? "" : ", missed");
}

/* Prints the sample's metrics with those of the whole simulation. */
static void report_full(struct text *out, const struct answer *a)
{
    enum { COLUMNS = 5, ROWS = 7 };
    static const enum metric shown[ROWS] = {M_cycles,      M_l1_hit_rate,       M_l2_hit_rate,
                                            M_l2_mpko,     M_dram_row_hit_rate, M_dram_bandwidth,
                                            M_energy_total};
    const char *cell[(ROWS + 1) * COLUMNS] = {"compared", "sampled", "simulated", "off by",
                                              "half width"};
    char text[ROWS][4][NUMBER_MAX];
    uint32_t n = 1;
    if (!a->full.has[M_cycles]) return;
    for (uint32_t i = 0; i < ROWS; i++) {
        enum metric id = shown[i];
        if (!a->m.has[id] || !a->full.has[id] || !(a->full.v[id] > 0)) continue;
        compare_row(a, id, strcmp(metric_info[id].unit, "1") == 0, text[i]);
        const char **row = &cell[n++ * COLUMNS];
        row[0] = metric_info[id].path;
        for (int k = 0; k < 4; k++)
            row[k + 1] = text[i][k];
    }
    text_add(out, "\n");
    table_cells(out, cell, n, COLUMNS);
    text_add(out, "  %.2f s sampled, %.2f s simulated\n", a->seconds, a->full_seconds);
}

static void report_details(struct text *out, const struct outcome *o, bool named)
{
    const struct answer *a = &o->a;
    if (!a->x.n && !a->has_confidence && !a->n_kernels && !a->sites && !a->doubt[0]) return;
    text_add(out, "\n");
    if (named) text_add_shown(out, "%s\n", a->program);
    answer_print_confidence(out, a);
    if (a->doubt[0]) text_add_shown(out, "  %s\n", a->doubt);
    report_full(out, a);
    answer_print_stations(out, a);
    answer_print_causes(out, "", &a->helps);
    report_not_modelled(out, &a->x);
    report_kernels(out, a);
    answer_print_sites(out, a);
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
        if (o[i].ok) report_details(out, &o[i], n > 1);
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
