/* export.c - see export.h. */
#include "sweeps/analyse/export.h"

#include "base/memory/alloc.h"
#include "sweeps/run/runner.h"

#include <math.h>
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

/* --- rows --------------------------------------------------------------------------------------
 */

/* What reads as a number is one; sizes, names and booleans stay as they were written. */
static void axis_row(struct rows *r, const char *path, const char *value)
{
    char *end;
    double v = strtod(value, &end);
    bool plain = *value && *end == '\0' && strspn(value, "+-.0123456789eE") == strlen(value);
    if (plain && r->json)
        rows_number(r, path, NULL, "", v);
    else if (*value || !r->json)
        rows_text(r, path, NULL, value);
}

void export_axis_rows(struct rows *r, const struct plan *p, uint32_t point)
{
    for (uint32_t i = 0; i < p->n_axes; i++)
        axis_row(r, p->axis[i].path, plan_value(p, point, i));
}

void export_run_rows(struct rows *r, const struct plan *p, uint32_t point, const char *program,
                     const char *engine, const char *status, const char *source)
{
    rows_item(r);
    rows_count(r, "point", NULL, point);
    rows_text(r, "program", NULL, program);
    if (!r->json) export_axis_rows(r, p, point);
    rows_text(r, "engine", NULL, engine);
    rows_text(r, "status", NULL, status);
    rows_text(r, "source", NULL, source);
    rows_object(r, "at");
    if (r->json) export_axis_rows(r, p, point);
    rows_end(r);
}

/* JSON's key inside an object, CSV's with the object before it. */
static void number_row(struct rows *r, const char *key, double v)
{
    const char *dot = strrchr(key, '.');
    rows_number(r, r->json && dot ? dot + 1 : key, NULL, "", v);
}

static void confidence_rows(struct rows *r, enum engine engine, const struct record *rec)
{
    const double none = (double)NAN;
    const bool known = rec->has_confidence;
    double low = none, high = none;
    if (!known && r->json) return;
    if (known) summary_range(engine, record_metric(rec, "cycles"), rec->half_width, &low, &high);
    rows_object(r, "confidence");
    if (!r->json) number_row(r, "cycles.low", low);
    if (!r->json) number_row(r, "cycles.high", high);
    number_row(r, "confidence.level", known ? rec->level : none);
    if (r->json) number_row(r, "low", low);
    if (r->json) number_row(r, "high", high);
    number_row(r, "confidence.half_width", known ? rec->half_width : none);
    number_row(r, "confidence.intervals", known ? rec->intervals : none);
    number_row(r, "confidence.simulated_share", known ? rec->simulated_share : none);
    rows_end(r);
}

/* The run's cycles over those of the run whose intervals it used. */
static void paired_rows(struct rows *r, const struct export_row *x, const struct record *rec)
{
    const double none = (double)NAN;
    const bool known = rec->has_ratio;
    if (!known && r->json) return;
    rows_object(r, "paired");
    number_row(r, "paired.point", known ? plan_base(x->plan, x->point, x->workload) : none);
    number_row(r, "paired.ratio", known ? rec->ratio : none);
    number_row(r, "paired.half_width", known ? rec->ratio_half_width : none);
    number_row(r, "paired.half_width_apart", known ? rec->ratio_apart : none);
    rows_end(r);
}

static void result_rows(struct rows *r, const struct export_row *x, const struct record *rec)
{
    const char *key, *bottleneck = rec->bottleneck[0] ? rec->bottleneck : NULL;
    rows_object(r, "metrics");
    for (uint32_t i = 0; (key = metrics_key(i)); i++)
        rows_number(r, key, NULL, "", rec->has[i] ? rec->value[i] : (double)NAN);
    rows_end(r);
    if (r->json) rows_text(r, "bottleneck", NULL, bottleneck);
    confidence_rows(r, x->engine, rec);
    paired_rows(r, x, rec);
    if (!r->json) rows_text(r, "bottleneck", NULL, bottleneck);
}

static void run_rows(struct rows *r, const struct export_row *x)
{
    static const struct record nothing;
    const struct record *rec = x->state == STORED_NO ? &nothing : x->record;
    const char *engine = engine_name[x->engine];
    bool done = x->state == STORED_DONE;
    export_run_rows(r, x->plan, x->point, plan_workload(x->plan, x->workload), engine,
                    state_name(x->state), done && !r->json ? engine : NULL);
    if (done || !r->json) result_rows(r, x, rec);
    if (x->state == STORED_FAILED || !r->json) rows_text(r, "error", NULL, rec->error);
    rows_end(r);
}

/* --- forms -------------------------------------------------------------------------------------
 */

enum { COLUMNS_MAX = 6 + AXES_MAX + METRICS_KEYS_MAX + 12 };

struct csv_writing {
    struct rows r;
    bool used[COLUMNS_MAX];
    struct text *out; /* NULL: finds the columns in use */
};

static void csv_row(const struct export_row *x, void *ctx)
{
    struct csv_writing *w = ctx;
    rows_clear(&w->r);
    run_rows(&w->r, x);
    if (!w->out)
        rows_csv_use(&w->r, w->used);
    else if (x->point == 0 && x->workload == 0)
        rows_csv_head(&w->r, w->used, w->out);
    if (w->out) rows_csv(&w->r, w->used, w->out);
}

bool export_csv(const struct plan *p, struct store *s, enum engine engine, struct text *out,
                struct error *e)
{
    struct csv_writing w = {.out = NULL};
    memset(w.used, true, 6 + p->n_axes); /* to the column of the source */
    bool ok = each_row(p, s, engine, csv_row, &w, e);
    w.out = out;
    ok = ok && each_row(p, s, engine, csv_row, &w, e) && (!out->failed || error_no_memory(e));
    rows_fini(&w.r);
    return ok;
}

static void json_row(const struct export_row *x, void *ctx)
{
    run_rows(ctx, x);
}

bool export_json(const struct plan *p, struct store *s, enum engine engine, struct text *out,
                 struct error *e)
{
    struct json j;
    struct rows r = {.json = &j};
    json_init(&j, out);
    json_array(&j);
    bool ok = each_row(p, s, engine, json_row, &r, e);
    json_end(&j);
    return ok && (!out->failed || error_no_memory(e));
}
