/* export.c - see export.h. */
#include "sweeps/analyse/export.h"

#include "base/memory/alloc.h"
#include "base/text/json.h"
#include "base/text/quote.h"
#include "sweeps/ranking/summary.h"
#include "sweeps/run/runner.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct export_row {
    const struct plan *plan;
    enum engine engine;
    uint32_t point, workload;
    enum stored state;
    const struct record *record;
};

typedef void row_fn(const struct export_row *r, void *ctx);

static const char *state_name(enum stored s)
{
    switch (s) {
    case STORED_DONE: return "done";
    case STORED_FAILED: return "failed";
    case STORED_NO:
    case STORED_ERROR: break;
    }
    return "missing";
}

static const char *row_program(const struct export_row *r)
{
    const struct workload *w = &r->plan->workload[r->workload];
    return program_name(w->narrow ? w->narrow : w->wide);
}

static bool each_row(const struct plan *p, struct store *s, enum engine engine, row_fn *fn,
                     void *ctx, struct error *e)
{
    struct record *record = mem_new(1, sizeof *record);
    if (!record) return error_no_memory(e);
    struct export_row r = {.plan = p, .engine = engine, .record = record, .state = STORED_NO};
    for (; r.point < plan_points(p) && r.state != STORED_ERROR; r.point++) {
        for (r.workload = 0; r.workload < p->n_workloads; r.workload++) {
            r.state = runner_get(p, s, r.point, r.workload, engine, record, e);
            if (r.state == STORED_ERROR) break;
            fn(&r, ctx);
        }
    }
    mem_free(record);
    return r.state != STORED_ERROR;
}

/* --- CSV ---------------------------------------------------------------------------------------
 */

/* Which columns have a value in at least one row. */
struct export_columns {
    bool metric[METRICS_KEYS_MAX];
    bool confidence, paired, bottleneck, error;
};

static void note_columns(const struct export_row *r, void *ctx)
{
    struct export_columns *c = ctx;
    const struct record *rec = r->record;
    if (r->state == STORED_NO) return;
    for (uint32_t i = 0; metrics_key(i); i++)
        c->metric[i] |= rec->has[i];
    c->confidence |= rec->has_confidence;
    c->paired |= rec->has_ratio;
    c->bottleneck |= rec->bottleneck[0] != '\0';
    c->error |= rec->error[0] != '\0';
}

void export_csv_head(const struct plan *p, struct text *out)
{
    text_add(out, "point,program");
    for (uint32_t i = 0; i < p->n_axes; i++) {
        text_add(out, ",");
        quote_csv(out, p->axis[i].path);
    }
    text_add(out, ",engine,status,source");
}

void export_csv_begin(const struct plan *p, uint32_t point, uint32_t workload, struct text *out)
{
    text_add(out, "%" PRIu32 ",", point);
    quote_csv(out, plan_workload(p, workload));
    for (uint32_t i = 0; i < p->n_axes; i++) {
        text_add(out, ",");
        quote_csv(out, plan_value(p, point, i));
    }
}

static void csv_header(const struct plan *p, const struct export_columns *c, struct text *out)
{
    const char *key;
    export_csv_head(p, out);
    for (uint32_t i = 0; (key = metrics_key(i)); i++)
        if (c->metric[i]) text_add(out, ",%s", key);
    if (c->confidence)
        text_add(out, ",cycles.low,cycles.high,confidence.level,confidence.half_width,"
                      "confidence.intervals,confidence.simulated_share");
    if (c->paired)
        text_add(out, ",paired.point,paired.ratio,paired.half_width,paired.half_width_apart");
    if (c->bottleneck) text_add(out, ",bottleneck");
    if (c->error) text_add(out, ",error");
    text_add(out, "\n");
}

static void csv_confidence(enum engine engine, const struct record *r, struct text *out)
{
    double low, high;
    if (!r->has_confidence) {
        text_add(out, ",,,,,,");
        return;
    }
    summary_range(engine, record_metric(r, "cycles"), r->half_width, &low, &high);
    const double cell[] = {low, high, r->level, r->half_width};
    for (int i = 0; i < 4; i++) {
        text_add(out, ",");
        text_add_number(out, cell[i]);
    }
    text_add(out, ",%" PRIu32 ",", r->intervals);
    text_add_number(out, r->simulated_share);
}

/* The run's cycles over those of the run whose intervals it used. */
static void csv_ratio(const struct export_row *r, const struct record *rec, struct text *out)
{
    if (!rec->has_ratio) {
        text_add(out, ",,,,");
        return;
    }
    text_add(out, ",%" PRIu32 ",", plan_base(r->plan, r->point, r->workload));
    text_add_number(out, rec->ratio);
    text_add(out, ",");
    text_add_number(out, rec->ratio_half_width);
    text_add(out, ",");
    text_add_number(out, rec->ratio_apart);
}

struct csv_writing {
    struct export_columns columns;
    struct text *out;
};

static void csv_row(const struct export_row *r, void *ctx)
{
    static const struct record nothing;
    struct csv_writing *w = ctx;
    const struct export_columns *c = &w->columns;
    struct text *out = w->out;
    const struct record *rec = r->state == STORED_NO ? &nothing : r->record;
    const char *engine = engine_name[r->engine];
    export_csv_begin(r->plan, r->point, r->workload, out);
    text_add(out, ",%s,%s,%s", engine, state_name(r->state), r->state == STORED_DONE ? engine : "");
    for (uint32_t i = 0; metrics_key(i); i++) {
        if (!c->metric[i]) continue;
        text_add(out, ",");
        if (rec->has[i]) text_add_number(out, rec->value[i]);
    }
    if (c->confidence) csv_confidence(r->engine, rec, out);
    if (c->paired) csv_ratio(r, rec, out);
    if (c->bottleneck) text_add(out, ",%s", rec->bottleneck);
    if (c->error) {
        text_add(out, ",");
        quote_csv(out, rec->error);
    }
    text_add(out, "\n");
}

bool export_csv(const struct plan *p, struct store *s, enum engine engine, struct text *out,
                struct error *e)
{
    struct csv_writing w = {.out = out};
    if (!each_row(p, s, engine, note_columns, &w.columns, e)) return false;
    csv_header(p, &w.columns, out);
    return each_row(p, s, engine, csv_row, &w, e) && (!out->failed || error_no_memory(e));
}

/* --- JSON --------------------------------------------------------------------------------------
 */

/* What reads as a number is one; sizes, names and booleans stay as they were written. */
static void value_member(struct json *j, const char *key, const char *value)
{
    char *end;
    double v = strtod(value, &end);
    bool plain = *value && *end == '\0' && strspn(value, "+-.0123456789eE") == strlen(value);
    if (!plain) {
        json_string(json_key(j, key), value);
        return;
    }
    json_number(json_key(j, key), v);
}

void export_json_at(const struct plan *p, uint32_t point, struct json *j)
{
    json_object(json_key(j, "at"));
    for (uint32_t i = 0; i < p->n_axes; i++)
        if (*plan_value(p, point, i)) value_member(j, p->axis[i].path, plan_value(p, point, i));
    json_end(j);
}

static void json_results(enum engine engine, const struct record *r, struct json *j)
{
    const char *key;
    double low, high;
    json_object(json_key(j, "metrics"));
    for (uint32_t i = 0; (key = metrics_key(i)); i++) {
        if (!r->has[i]) continue;
        json_number(json_key(j, key), r->value[i]);
    }
    json_end(j);
    if (r->bottleneck[0]) json_string(json_key(j, "bottleneck"), r->bottleneck);
    if (!r->has_confidence) return;
    json_object(json_key(j, "confidence"));
    json_number(json_key(j, "level"), r->level);
    summary_range(engine, record_metric(r, "cycles"), r->half_width, &low, &high);
    json_number(json_key(j, "low"), low);
    json_number(json_key(j, "high"), high);
    json_number(json_key(j, "half_width"), r->half_width);
    json_integer(json_key(j, "intervals"), r->intervals);
    json_number(json_key(j, "simulated_share"), r->simulated_share);
    json_end(j);
}

static void json_ratio(const struct export_row *r, struct json *j)
{
    const struct record *rec = r->record;
    json_object(json_key(j, "paired"));
    json_integer(json_key(j, "point"), plan_base(r->plan, r->point, r->workload));
    json_number(json_key(j, "ratio"), rec->ratio);
    json_number(json_key(j, "half_width"), rec->ratio_half_width);
    json_number(json_key(j, "half_width_apart"), rec->ratio_apart);
    json_end(j);
}

static void json_row(const struct export_row *r, void *ctx)
{
    struct json *j = ctx;
    json_object(j);
    json_integer(json_key(j, "point"), r->point);
    json_string(json_key(j, "program"), row_program(r));
    json_string(json_key(j, "engine"), engine_name[r->engine]);
    json_string(json_key(j, "status"), state_name(r->state));
    export_json_at(r->plan, r->point, j);
    if (r->state == STORED_DONE) json_results(r->engine, r->record, j);
    if (r->state == STORED_DONE && r->record->has_ratio) json_ratio(r, j);
    if (r->state == STORED_FAILED) json_string(json_key(j, "error"), r->record->error);
    json_end(j);
}

bool export_json(const struct plan *p, struct store *s, enum engine engine, struct text *out,
                 struct error *e)
{
    struct json j;
    json_init(&j, out);
    json_array(&j);
    bool ok = each_row(p, s, engine, json_row, &j, e);
    json_end(&j);
    return ok && (!out->failed || error_no_memory(e));
}
