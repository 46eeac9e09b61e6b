/* probe_print.c - see probe_print.h. */
#include "cli/machine/probe_print.h"

#include "base/text/text.h"
#include "cli/print/table.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static double measured_at(const struct probe_findings *f, uint32_t k, double x)
{
    return f->measured ? probe_curve_at(&f->measured->of[k], x) : NAN;
}

static void point_rows(struct rows *r, const struct probe_findings *f, uint32_t k,
                       const struct probe_point *pt)
{
    double there = measured_at(f, k, pt->x);
    bool compared = r->json || (f->measured && f->measured->of[k].n);
    rows_item(r);
    rows_text(r, "experiment", NULL, probe_experiments[k].name);
    rows_number(r, "x", "x", "%.10g", pt->x);
    rows_number(r, "value", "value", "%.4g", pt->value);
    rows_text(r, "unit", NULL, probe_experiments[k].unit);
    if (*pt->extra) rows_text(r, "extra", NULL, pt->extra);
    rows_number(r, "drift", NULL, "", pt->drift);
    if (compared) rows_number(r, "measured", "measured", "%.4g", there);
    if (compared) rows_number(r, "error", "error", "%+.1f %%", pt->value / there - 1);
    rows_end(r);
}

static void error_row(struct rows *r, const struct probe_error *x)
{
    rows_item(r);
    rows_text(r, "experiment", "experiment", probe_experiments[x->id].name);
    rows_text(r, "feature", "feature", probe_feature_name[x->feature]);
    rows_number(r, "x", "at", "%.4g", x->x);
    rows_number(r, "measured", "measured", "%.4g", x->measured);
    rows_number(r, "value", "value", "%.4g", x->ours);
    rows_number(r, "error", "error", "%+.1f %%", x->error);
    rows_number(r, "target", "target", "%.0f %%", x->target);
    rows_bool(r, "passes", "passes", probe_error_passes(x));
    rows_end(r);
}

static void error_rows(struct rows *r, const struct probe_comparison *errors)
{
    static const struct probe_error none;
    if (r->example) error_row(r, &none);
    for (size_t i = 0; i < errors->n; i++)
        error_row(r, &errors->error[i]);
}

static void print_points(const struct probe_findings *f, struct text *out)
{
    for (uint32_t k = 0; k < PROBE_N; k++) {
        struct rows r = {0};
        if (!f->ours->of[k].n) continue;
        text_add_shown(out, "%s, %s\n", probe_experiments[k].name, probe_experiments[k].unit);
        for (size_t i = 0; i < f->ours->of[k].n; i++)
            point_rows(&r, f, k, &f->ours->of[k].point[i]);
        table_rows(out, &r);
        text_add(out, "\n");
    }
}

static void print_errors(const struct probe_findings *f, struct text *out)
{
    struct rows r = {.example = true};
    const struct probe_error *worst = probe_worst(f->errors);
    uint32_t passed = 0;
    for (size_t i = 0; i < f->errors->n; i++)
        passed += probe_error_passes(&f->errors->error[i]);
    error_rows(&r, f->errors);
    table_rows(out, &r);
    text_add(out, "\n%u of %zu features are within their targets", passed, f->errors->n);
    if (worst)
        text_add_shown(out, "; the worst is the %s of %s at %.4g",
                       probe_feature_name[worst->feature], probe_experiments[worst->id].name,
                       worst->x);
    text_add(out, "\n");
}

void probe_print_table(const struct probe_findings *f, struct text *out)
{
    text_add_shown(out, f->measured ? "%s beside %s\n\n" : "%s\n\n", f->ours->gpu,
                   f->measured ? f->measured->gpu : "");
    print_points(f, out);
    if (f->measured) print_errors(f, out);
    if (f->notes->len) text_add(out, "\n%s", text_str(f->notes));
}

void probe_print_json(const struct probe_findings *f, struct text *out)
{
    struct json j;
    struct rows r = {.json = &j};
    json_init(&j, out);
    rows_item(&r);
    rows_text(&r, "machine", NULL, f->ours->gpu);
    if (f->measured) rows_text(&r, "measured", NULL, f->measured->gpu);
    rows_list(&r, "points");
    for (uint32_t k = 0; k < PROBE_N; k++)
        for (size_t i = 0; i < f->ours->of[k].n; i++)
            point_rows(&r, f, k, &f->ours->of[k].point[i]);
    rows_end(&r);
    if (f->measured) rows_list(&r, "errors");
    if (f->measured) error_rows(&r, f->errors);
    if (f->measured) rows_end(&r);
    rows_list(&r, "notes");
    for (const char *s = text_str(f->notes); *s;
         s += strcspn(s, "\n") + (s[strcspn(s, "\n")] != 0)) {
        char line[512];
        snprintf(line, sizeof line, "%.*s", (int)strcspn(s, "\n"), s);
        json_string(&j, line);
    }
    rows_end(&r);
    rows_end(&r);
}
