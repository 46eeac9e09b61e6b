/* export_points.c - exports a sweep's points, as export.h says: a row for each point, with the
 * values that rank it. */
#include "sweeps/analyse/export.h"

#include <math.h>

/* The objectives' values; with a suffix in CSV, where all have one object. */
static void objective_rows(struct rows *r, const struct plan *p, const char *object,
                           const char *suffix, const double *v)
{
    rows_object(r, object);
    for (uint32_t k = 0; k < p->n_objectives; k++) {
        const char *name = p->objective[k].name;
        if (plan_is_axis(p, &p->objective[k])) continue;
        rows_number(r, r->json ? name : rows_name(r, "%s%s", name, suffix), NULL, "", v[k]);
    }
    rows_end(r);
}

static void point_rows(struct rows *r, const struct plan *p, const struct summary *m,
                       uint32_t point)
{
    const size_t at = (size_t)point * p->n_objectives;
    rows_item(r);
    rows_count(r, "point", NULL, point);
    rows_object(r, "at");
    export_axis_rows(r, p, point);
    rows_end(r);
    objective_rows(r, p, "objectives", "", m->value + at);
    objective_rows(r, p, "low", ".low", m->low + at);
    objective_rows(r, p, "high", ".high", m->high + at);
    rows_text(r, "source", NULL,
              p->automatic          ? m->rests_on[point]
              : isnan(m->value[at]) ? NULL
                                    : plan_engine(p));
    if (r->json)
        rows_bool(r, "front", NULL, m->front[point]);
    else
        rows_text(r, "front", NULL, m->front[point] ? "true" : "false");
    rows_end(r);
}

bool export_points_csv(const struct plan *p, const struct summary *m, struct text *out,
                       struct error *e)
{
    struct rows r = {0};
    for (uint32_t i = 0; i < m->points; i++) {
        rows_clear(&r);
        point_rows(&r, p, m, i);
        if (i == 0) rows_csv_head(&r, NULL, out);
        rows_csv(&r, NULL, out);
    }
    bool ok = !r.failed && !out->failed;
    rows_fini(&r);
    return ok || error_no_memory(e);
}

bool export_points_json(const struct plan *p, const struct summary *m, struct text *out,
                        struct error *e)
{
    struct json j;
    json_init(&j, out);
    json_array(&j);
    for (uint32_t i = 0; i < m->points; i++)
        point_rows(&(struct rows){.json = &j}, p, m, i);
    json_end(&j);
    return !out->failed || error_no_memory(e);
}
