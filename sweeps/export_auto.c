/* export_auto.c - what engine auto believes, as export.h says: a row for every point and program,
 * whence each value comes and the 95 % interval of its cycles. */
#include "sweeps/export.h"

#include "base/json.h"
#include "sweeps/belief.h"

#include <inttypes.h>
#include <math.h>

static void csv_head(const struct plan *p, struct text *out)
{
    text_add(out, "point,program");
    for (uint32_t i = 0; i < p->n_axes; i++)
        text_add(out, ",%s", p->axis[i].path);
    text_add(out, ",source,cycles.low,cycles.high");
    for (uint32_t k = 0; k <= p->n_objectives; k++)
        if (belief_is_column(p, k)) text_add(out, ",%s", belief_metric(p, k));
    text_add(out, "\n");
}

static void csv_value(struct text *out, double v)
{
    text_add(out, ",");
    if (!isnan(v)) csv_number(out, v);
}

static void csv_line(const struct beliefs *b, uint32_t point, uint32_t workload, struct text *out)
{
    const struct plan *p = b->plan;
    const struct belief *c = belief_at(b, point, workload, 0);
    text_add(out, "%" PRIu32 ",", point);
    csv_text(out, plan_workload(p, workload));
    for (uint32_t i = 0; i < p->n_axes; i++) {
        text_add(out, ",");
        csv_text(out, plan_value(p, point, i));
    }
    text_add(out, ",%s", source_name[c->source]);
    csv_value(out, c->value * exp(-BELIEF_Z_95 * c->log_sd));
    csv_value(out, c->value * exp(BELIEF_Z_95 * c->log_sd));
    for (uint32_t k = 0; k <= p->n_objectives; k++)
        if (belief_is_column(p, k)) csv_value(out, belief_at(b, point, workload, k)->value);
    text_add(out, "\n");
}

static void json_member(struct json *j, const char *key, double v)
{
    if (isnan(v)) return;
    json_key(j, key);
    json_number(j, v);
}

static void json_row(const struct beliefs *b, uint32_t point, uint32_t workload, struct json *j)
{
    const struct plan *p = b->plan;
    const struct belief *c = belief_at(b, point, workload, 0);
    json_object(j);
    json_key(j, "point");
    json_integer(j, point);
    json_key(j, "program");
    json_string(j, plan_workload(p, workload));
    json_key(j, "source");
    json_string(j, source_name[c->source]);
    export_json_at(p, point, j);
    json_key(j, "metrics");
    json_object(j);
    for (uint32_t k = 0; k <= p->n_objectives; k++)
        if (belief_is_column(p, k))
            json_member(j, belief_metric(p, k), belief_at(b, point, workload, k)->value);
    json_end(j);
    json_member(j, "cycles_low", c->value * exp(-BELIEF_Z_95 * c->log_sd));
    json_member(j, "cycles_high", c->value * exp(BELIEF_Z_95 * c->log_sd));
    json_end(j);
}

static bool load(struct beliefs *b, const struct plan *p, struct store *s, struct error *e)
{
    uint64_t found;
    return beliefs_new(b, p, e) && beliefs_load(b, s, &found, e);
}

bool export_auto_csv(const struct plan *p, struct store *s, struct text *out, struct error *e)
{
    struct beliefs b = {0};
    bool ok = load(&b, p, s, e);
    if (ok) csv_head(p, out);
    for (uint32_t i = 0; i < plan_points(p) && ok; i++)
        for (uint32_t w = 0; w < p->n_workloads; w++)
            csv_line(&b, i, w, out);
    beliefs_free(&b);
    return ok && (!out->failed || error_no_memory(e));
}

bool export_auto_json(const struct plan *p, struct store *s, struct text *out, struct error *e)
{
    struct json j;
    struct beliefs b = {0};
    bool ok = load(&b, p, s, e);
    json_init(&j, out);
    json_array(&j);
    for (uint32_t i = 0; i < plan_points(p) && ok; i++)
        for (uint32_t w = 0; w < p->n_workloads; w++)
            json_row(&b, i, w, &j);
    json_end(&j);
    beliefs_free(&b);
    return ok && (!out->failed || error_no_memory(e));
}
