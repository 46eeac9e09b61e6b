/* probe_print.c - see probe_print.h. */
#include "cli/machine/probe_print.h"

#include "base/text/json.h"
#include "base/text/text.h"
#include "cli/print/grid.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static double measured_at(const struct probe_findings *f, uint32_t k, double x)
{
    return f->measured ? probe_curve_at(&f->measured->of[k], x) : NAN;
}

static void add_percent(struct grid *g, double v)
{
    if (isnan(v))
        grid_add(g, "-");
    else
        grid_add(g, "%+.1f %%", 100 * v);
}

static void add_value(struct grid *g, double v)
{
    if (isnan(v))
        grid_add(g, "-");
    else
        grid_add(g, "%.4g", v);
}

static void print_points(const struct probe_findings *f, struct text *out)
{
    for (uint32_t k = 0; k < PROBE_N; k++) {
        const struct probe_curve *c = &f->ours->of[k];
        const struct probe_experiment *x = &probe_experiments[k];
        struct grid g;
        if (!c->n) continue;
        text_add_shown(out, "%s, %s\n", x->name, x->unit);
        bool compared = f->measured && f->measured->of[k].n;
        grid_start(&g, compared ? "x|value|measured|error" : "x|value");
        for (size_t i = 0; i < c->n; i++) {
            double there = measured_at(f, k, c->point[i].x);
            grid_add(&g, "%.10g", c->point[i].x);
            add_value(&g, c->point[i].value);
            if (!compared) continue;
            add_value(&g, there);
            add_percent(&g, c->point[i].value / there - 1);
        }
        grid_print(&g, out);
        text_add(out, "\n");
    }
}

static void print_errors(const struct probe_findings *f, struct text *out)
{
    struct grid g;
    uint32_t passed = 0;
    grid_start(&g, "experiment|feature|at|measured|value|error|target|passes");
    for (size_t i = 0; i < f->errors->n; i++) {
        const struct probe_error *x = &f->errors->error[i];
        grid_add(&g, "%s", probe_experiments[x->id].name);
        grid_add(&g, "%s", probe_feature_name[x->feature]);
        add_value(&g, x->x);
        add_value(&g, x->measured);
        add_value(&g, x->ours);
        add_percent(&g, x->error);
        grid_add(&g, "%.0f %%", 100 * x->target);
        grid_add(&g, "%s", probe_error_passes(x) ? "yes" : "no");
        passed += probe_error_passes(x);
    }
    grid_print(&g, out);
    const struct probe_error *worst = probe_worst(f->errors);
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

/* --- JSON --- */

static void number_key(struct json *j, const char *key, double v)
{
    if (isfinite(v)) json_number(json_key(j, key), v);
}

static void json_points(const struct probe_findings *f, struct json *j)
{
    json_array(json_key(j, "points"));
    for (uint32_t k = 0; k < PROBE_N; k++)
        for (size_t i = 0; i < f->ours->of[k].n; i++) {
            const struct probe_point *pt = &f->ours->of[k].point[i];
            double there = measured_at(f, k, pt->x);
            json_object(j);
            json_string(json_key(j, "experiment"), probe_experiments[k].name);
            number_key(j, "x", pt->x);
            number_key(j, "value", pt->value);
            json_string(json_key(j, "unit"), probe_experiments[k].unit);
            if (*pt->extra) json_string(json_key(j, "extra"), pt->extra);
            number_key(j, "drift", pt->drift);
            number_key(j, "measured", there);
            number_key(j, "error", pt->value / there - 1);
            json_end(j);
        }
    json_end(j);
}

static void json_errors(const struct probe_findings *f, struct json *j)
{
    json_array(json_key(j, "errors"));
    for (size_t i = 0; i < f->errors->n; i++) {
        const struct probe_error *x = &f->errors->error[i];
        json_object(j);
        json_string(json_key(j, "experiment"), probe_experiments[x->id].name);
        json_string(json_key(j, "feature"), probe_feature_name[x->feature]);
        number_key(j, "x", x->x);
        number_key(j, "measured", x->measured);
        number_key(j, "value", x->ours);
        number_key(j, "error", x->error);
        number_key(j, "target", x->target);
        json_bool(json_key(j, "passes"), probe_error_passes(x));
        json_end(j);
    }
    json_end(j);
}

void probe_print_json(const struct probe_findings *f, struct text *out)
{
    struct json j;
    json_init(&j, out);
    json_object(&j);
    json_string(json_key(&j, "machine"), f->ours->gpu);
    if (f->measured) json_string(json_key(&j, "measured"), f->measured->gpu);
    json_points(f, &j);
    if (f->measured) json_errors(f, &j);
    json_array(json_key(&j, "notes"));
    for (const char *s = text_str(f->notes); *s;
         s += strcspn(s, "\n") + (s[strcspn(s, "\n")] != 0)) {
        char line[512];
        snprintf(line, sizeof line, "%.*s", (int)strcspn(s, "\n"), s);
        json_string(&j, line);
    }
    json_end(&j);
    json_end(&j);
}
