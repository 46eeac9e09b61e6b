/* export_auto.c - exports engine auto's predictions, as export.h says: a row for every point and
 * program, with the source of each value and the 95 % interval of its cycles. */
#include "sweeps/analyse/export.h"

#include "base/text/json.h"
#include "sweeps/ranking/prediction.h"

#include <math.h>

static bool has_error(const struct prediction *b)
{
    return !isnan(b->value) && !isnan(b->log_sd);
}

/* Whether any prediction has an interval, so that the columns of bounds are needed. */
static bool any_bounds(const struct predictions *b)
{
    for (uint32_t i = 0; i < plan_points(b->plan); i++)
        for (uint32_t w = 0; w < b->plan->n_workloads; w++)
            if (has_error(prediction_at(b, i, w, 0))) return true;
    return false;
}

static void csv_columns(const struct plan *p, bool bounds, struct text *out)
{
    export_csv_head(p, out);
    for (uint32_t k = 0; k <= p->n_objectives; k++)
        if (prediction_is_column(p, k)) text_add(out, ",%s", prediction_metric(p, k));
    text_add(out, "%s\n", bounds ? ",cycles.low,cycles.high" : "");
}

static void csv_value(struct text *out, double v)
{
    text_add(out, ",");
    if (!isnan(v)) text_add_number(out, v);
}

static const char *status_of(const struct prediction *b)
{
    return isnan(b->value) ? "missing" : "done";
}

static void csv_line(const struct predictions *b, uint32_t point, uint32_t workload, bool bounds,
                     struct text *out)
{
    const struct plan *p = b->plan;
    const struct prediction *c = prediction_at(b, point, workload, 0);
    export_csv_begin(p, point, workload, out);
    text_add(out, ",%s,%s,%s", plan_engine(p), status_of(c), source_name[c->source]);
    for (uint32_t k = 0; k <= p->n_objectives; k++)
        if (prediction_is_column(p, k)) csv_value(out, prediction_at(b, point, workload, k)->value);
    if (bounds) {
        csv_value(out, c->value * exp(-BELIEF_Z_95 * c->log_sd));
        csv_value(out, c->value * exp(BELIEF_Z_95 * c->log_sd));
    }
    text_add(out, "\n");
}

static void json_member(struct json *j, const char *key, double v)
{
    if (isnan(v)) return;
    json_number(json_key(j, key), v);
}

static void json_row(const struct predictions *b, uint32_t point, uint32_t workload, struct json *j)
{
    const struct plan *p = b->plan;
    const struct prediction *c = prediction_at(b, point, workload, 0);
    json_object(j);
    json_integer(json_key(j, "point"), point);
    json_string(json_key(j, "program"), plan_workload(p, workload));
    json_string(json_key(j, "engine"), plan_engine(p));
    json_string(json_key(j, "status"), status_of(c));
    json_string(json_key(j, "source"), source_name[c->source]);
    export_json_at(p, point, j);
    json_object(json_key(j, "metrics"));
    for (uint32_t k = 0; k <= p->n_objectives; k++)
        if (prediction_is_column(p, k))
            json_member(j, prediction_metric(p, k), prediction_at(b, point, workload, k)->value);
    json_end(j);
    json_member(j, "cycles_low", c->value * exp(-BELIEF_Z_95 * c->log_sd));
    json_member(j, "cycles_high", c->value * exp(BELIEF_Z_95 * c->log_sd));
    json_end(j);
}

static bool load_predictions(struct predictions *b, const struct plan *p, struct store *s,
                             struct error *e)
{
    uint64_t found;
    return predictions_new(b, p, e) && predictions_load(b, s, &found, e);
}

bool export_auto_csv(const struct plan *p, struct store *s, struct text *out, struct error *e)
{
    struct predictions b = {0};
    bool ok = load_predictions(&b, p, s, e), bounds = ok && any_bounds(&b);
    if (ok) csv_columns(p, bounds, out);
    for (uint32_t i = 0; i < plan_points(p) && ok; i++)
        for (uint32_t w = 0; w < p->n_workloads; w++)
            csv_line(&b, i, w, bounds, out);
    predictions_free(&b);
    return ok && (!out->failed || error_no_memory(e));
}

bool export_auto_json(const struct plan *p, struct store *s, struct text *out, struct error *e)
{
    struct json j;
    struct predictions b = {0};
    bool ok = load_predictions(&b, p, s, e);
    json_init(&j, out);
    json_array(&j);
    for (uint32_t i = 0; i < plan_points(p) && ok; i++)
        for (uint32_t w = 0; w < p->n_workloads; w++)
            json_row(&b, i, w, &j);
    json_end(&j);
    predictions_free(&b);
    return ok && (!out->failed || error_no_memory(e));
}
