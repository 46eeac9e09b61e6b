/* export_auto.c - exports engine auto's predictions, as export.h says: a row for every point and
 * program, with the source of each value and the 95 % interval of its cycles. */
#include "sweeps/analyse/export.h"

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

static void run_rows(struct rows *r, const struct predictions *b, uint32_t point, uint32_t workload,
                     bool bounds)
{
    const struct plan *p = b->plan;
    const struct prediction *c = prediction_at(b, point, workload, 0);
    export_run_rows(r, p, point, plan_workload(p, workload), plan_engine(p),
                    isnan(c->value) ? "missing" : "done", source_name[c->source]);
    rows_object(r, "metrics");
    for (uint32_t k = 0; k <= p->n_objectives; k++)
        if (prediction_is_column(p, k))
            rows_number(r, prediction_metric(p, k), NULL, "",
                        prediction_at(b, point, workload, k)->value);
    rows_end(r);
    if (bounds) {
        rows_number(r, r->json ? "cycles_low" : "cycles.low", NULL, "",
                    c->value * exp(-BELIEF_Z_95 * c->log_sd));
        rows_number(r, r->json ? "cycles_high" : "cycles.high", NULL, "",
                    c->value * exp(BELIEF_Z_95 * c->log_sd));
    }
    rows_end(r);
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
    struct rows r = {0};
    bool ok = load_predictions(&b, p, s, e), bounds = ok && any_bounds(&b);
    for (uint32_t i = 0; i < plan_points(p) && ok; i++)
        for (uint32_t w = 0; w < p->n_workloads; w++) {
            rows_clear(&r);
            run_rows(&r, &b, i, w, bounds);
            if (i == 0 && w == 0) rows_csv_head(&r, NULL, out);
            rows_csv(&r, NULL, out);
        }
    rows_fini(&r);
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
            run_rows(&(struct rows){.json = &j}, &b, i, w, true);
    json_end(&j);
    predictions_free(&b);
    return ok && (!out->failed || error_no_memory(e));
}
