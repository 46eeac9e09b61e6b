/* report_data.c - writes the data that the page's scripts read, see report.h.
 *
 * The data are stored by column, for size and speed: values[metric][run].  Each name is stored
 * once, elsewhere its index stands for it; -1 or null is "none".  Parameters that all machines
 * share are stored once, the others per machine. */
#include "sweeps/report/report.h"

#include "base/memory/alloc.h"
#include "base/text/json.h"
#include "base/text/version.h"
#include "gpu/machine/machine.h"
#include "gpu/metrics/metrics.h"
#include "sweeps/analyse/config_table.h"
#include "sweeps/constants.h"
#include "sweeps/report/report_rows.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* --- parts --- */

static void axes(struct json *j, const struct results *r)
{
    json_array(json_key(j, "axes"));
    for (uint32_t a = 0; a < r->n_axes; a++) {
        json_object(j);
        json_string(json_key(j, "path"), r->axis[a].path);
        json_bool(json_key(j, "numeric"), r->axis[a].numeric);
        report_row_names(j, "values", r->axis[a].value, r->axis[a].n);
        json_end(j);
    }
    json_end(j);
}

static void levels(struct json *j, const struct results *r, struct report_row *row)
{
    json_array(json_key(j, "levels"));
    for (uint32_t a = 0; a < r->n_axes; a++) {
        report_row_begin(row);
        for (uint32_t m = 0; m < r->n_machines; m++)
            report_row_index(row, r->machine[m].level[a]);
        report_row_end(row, j);
    }
    json_end(j);
}

static void machines(struct json *j, const struct results *r, struct report_row *row)
{
    json_object(json_key(j, "machines"));
    json_key(j, "number");
    report_row_begin(row);
    for (uint32_t m = 0; m < r->n_machines; m++)
        report_row_index(row, r->machine[m].number);
    report_row_end(row, j);
    json_array(json_key(j, "name"));
    for (uint32_t m = 0; m < r->n_machines; m++)
        json_string(j, r->machine[m].name);
    json_end(j);
    levels(j, r, row);
    json_end(j);
}

/* Whether every machine has the parameter, with the same value. */
static bool is_uniform(const struct config_row *p, uint32_t machines)
{
    for (uint32_t m = 0; m < machines; m++)
        if (p->of[m] != 0) return false;
    return true;
}

static void parameter(struct json *j, const struct config_row *p, uint32_t machines,
                      struct report_row *row)
{
    const struct param *known = machine_find_param(p->path, NULL, NULL);
    json_object(j);
    json_string(json_key(j, "path"), p->path);
    json_string(json_key(j, "unit"), p->unit);
    if (known) json_string(json_key(j, "meaning"), known->meaning);
    report_row_names(j, "values", p->value, p->n);
    if (!is_uniform(p, machines)) {
        json_key(j, "of");
        report_row_begin(row);
        for (uint32_t m = 0; m < machines; m++)
            report_row_index(row, p->of[m]);
        report_row_end(row, j);
    }
    json_end(j);
}

static bool parameters(struct json *j, const struct results *r, struct report_row *row)
{
    struct configs c;
    bool ok = configs_read(&c, r);
    json_array(json_key(j, "parameters"));
    for (uint32_t i = 0; ok && i < c.n; i++)
        parameter(j, &c.row[i], r->n_machines, row);
    json_end(j);
    configs_fini(&c);
    return ok;
}

static bool is_objective(const struct results *r, const char *metric)
{
    for (uint32_t i = 0; i < r->n_objectives; i++)
        if (strcmp(r->objective[i].name, metric) == 0) return true;
    return false;
}

/* Whether larger is better ("opc", "l2.hit_rate"). */
static bool more_is_better(const char *metric)
{
    static const char *const more[] = {
        "ipc", "opc", "opc_masked", "dram.bandwidth_gbps", "dram.blp", "dram.row_hit_rate"};
    /* hit counts under the names that vendors use, too */
    static const char *const parts[] = {".hit_rate", ".hits", "_hits"};
    for (size_t i = 0; i < sizeof more / sizeof more[0]; i++)
        if (strcmp(more[i], metric) == 0) return true;
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        if (strstr(metric, parts[i])) return true;
    return false;
}

/* true: the mean over programs is geometric, as for the sweep's objectives, times, rates of work,
 * energy and area; false: it is arithmetic, as for metrics that may be 0. */
static bool is_geometric(const struct results *r, const char *metric)
{
    static const char *const always[] = {"cycles", "time_us", "ipc", "opc", "opc_masked"};
    static const char *const parts[] = {"energy_mj.", "power_w.", "area_mm2."};
    if (is_objective(r, metric)) return true;
    for (size_t i = 0; i < sizeof always / sizeof always[0]; i++)
        if (strcmp(always[i], metric) == 0) return true;
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        if (strncmp(parts[i], metric, strlen(parts[i])) == 0) return true;
    return false;
}

static void metrics(struct json *j, const struct results *r)
{
    json_array(json_key(j, "metrics"));
    for (uint32_t i = 0; i < r->n_metrics; i++) {
        json_object(j);
        json_string(json_key(j, "key"), r->metric[i]);
        json_string(json_key(j, "unit"), results_unit(r->metric[i]));
        json_string(json_key(j, "meaning"), results_meaning(r->metric[i]));
        json_string(json_key(j, "goal"), more_is_better(r->metric[i]) ? "max" : "min");
        json_string(json_key(j, "mean"),
                    is_geometric(r, r->metric[i]) ? "geometric" : "arithmetic");
        json_end(j);
    }
    json_end(j);
}

static void objectives(struct json *j, const struct results *r)
{
    json_array(json_key(j, "objectives"));
    for (uint32_t i = 0; i < r->n_objectives; i++) {
        json_object(j);
        json_string(json_key(j, "name"), r->objective[i].name);
        json_bool(json_key(j, "parameter"), r->objective[i].parameter);
        json_string(json_key(j, "goal"), r->objective[i].more ? "max" : "min");
        json_end(j);
    }
    json_end(j);
}

/* --- hardware --- */

static void counter(struct json *j, const struct result_counter *c)
{
    char digits[32];
    json_object(j);
    json_string(json_key(j, "name"), c->name);
    if (c->metric) json_string(json_key(j, "metric"), c->metric);
    json_raw(json_key(j, "value"), digits,
             (size_t)snprintf(digits, sizeof digits, "%.7g", c->value));
    json_end(j);
}

/* The counters of one import, which begin at c; returns how many rows. */
static uint32_t hardware_import(struct json *j, const struct result_counter *c, uint32_t rows)
{
    uint32_t n = 0;
    json_object(j);
    json_string(json_key(j, "tool"), c->tool);
    json_string(json_key(j, "device"), c->device);
    json_string(json_key(j, "file"), c->file);
    json_string(json_key(j, "name"), c->label);
    json_integer(json_key(j, "program"), c->program == RESULTS_NONE ? -1 : (int64_t)c->program);
    json_integer(json_key(j, "launches"), c->launches);
    json_array(json_key(j, "counters"));
    for (; n < rows && c[n].import == c->import; n++)
        if (c[n].name) counter(j, &c[n]);
    json_end(j);
    json_end(j);
    return n;
}

static void hardware(struct json *j, const struct results *r)
{
    json_array(json_key(j, "hardware"));
    for (uint32_t i = 0; i < r->n_counters;)
        i += hardware_import(j, &r->counter[i], r->n_counters - i);
    json_end(j);
}

/* --- runs --- */

static void run_columns(struct json *j, const struct results *r, struct report_row *row)
{
    static const struct {
        const char *key;
        size_t offset;
    } column[] = {{"machine", offsetof(struct result_run, machine)},
                  {"program", offsetof(struct result_run, program)},
                  {"engine", offsetof(struct result_run, engine)}};
    for (size_t c = 0; c < sizeof column / sizeof column[0]; c++) {
        json_key(j, column[c].key);
        report_row_begin(row);
        for (uint32_t i = 0; i < r->n_runs; i++) {
            uint32_t v;
            memcpy(&v, (const char *)&r->run[i] + column[c].offset, sizeof v);
            report_row_index(row, v);
        }
        report_row_end(row, j);
    }
    json_key(j, "calibrated"); /* which runs are calibrated */
    report_row_begin(row);
    for (uint32_t i = 0; i < r->n_runs; i++)
        if (r->run[i].calibrated) report_row_index(row, i);
    report_row_end(row, j);
    json_key(j, "half_width");
    report_row_begin(row);
    for (uint32_t i = 0; i < r->n_runs; i++)
        report_row_number(row, r->run[i].half_width);
    report_row_end(row, j);
}

enum { BOTTLENECKS_MAX = 32 };

static void bottlenecks(struct json *j, const struct results *r, struct report_row *row)
{
    const char *name[BOTTLENECKS_MAX];
    uint32_t n = 0;
    json_key(j, "bottleneck");
    report_row_begin(row);
    for (uint32_t i = 0; i < r->n_runs; i++) {
        const char *s = r->run[i].bottleneck;
        uint32_t at = 0;
        while (s && at < n && strcmp(name[at], s) != 0)
            at++;
        if (s && at == n && n < BOTTLENECKS_MAX) name[n++] = s;
        report_row_index(row, s && at < n ? at : RESULTS_NONE);
    }
    report_row_end(row, j);
    report_row_names(j, "bottlenecks", name, n);
}

static void failures(struct json *j, const struct results *r)
{
    json_array(json_key(j, "failures"));
    for (uint32_t i = 0; i < r->n_runs; i++) {
        if (!r->run[i].error) continue;
        json_array(j);
        json_integer(j, i);
        json_string(j, r->run[i].error);
        json_end(j);
    }
    json_end(j);
}

static void values(struct json *j, const struct results *r, struct report_row *row)
{
    json_array(json_key(j, "values"));
    for (uint32_t m = 0; m < r->n_metrics; m++) {
        void (*add)(struct report_row *, double) =
            is_objective(r, r->metric[m]) ? report_row_exact : report_row_number;
        report_row_begin(row);
        for (uint32_t i = 0; i < r->n_runs; i++)
            add(row, r->value[(size_t)i * r->n_metrics + m]);
        report_row_end(row, j);
    }
    json_end(j);
}

bool report_data(const struct results *r, const char *title, struct text *out, struct error *e)
{
    struct json j;
    struct report_row row = {0};
    json_init(&j, out);
    json_object(&j);
    json_string(json_key(&j, "plumb"), PLUMB_VERSION);
    json_string(json_key(&j, "title"), title);
    json_integer(json_key(&j, "stored"), (int64_t)r->n_stored);
    report_row_names(&j, "engines", r->engine, r->n_engines);
    report_row_names(&j, "programs", r->program, r->n_programs);
    axes(&j, r);
    machines(&j, r, &row);
    bool ok = parameters(&j, r, &row);
    metrics(&j, r);
    objectives(&j, r);
    json_number(json_key(&j, "alike"), PROGRAMS_ALIKE);
    report_sweep_data(&j, r, &row);
    ok = ok && report_peaks_data(&j, r, &row);
    hardware(&j, r);
    json_object(json_key(&j, "runs"));
    run_columns(&j, r, &row);
    bottlenecks(&j, r, &row);
    failures(&j, r);
    values(&j, r, &row);
    json_end(&j);
    json_end(&j);
    text_fini(&row.text);
    return (ok && !out->failed) || error_no_memory(e);
}
