/* figures.c - see figures.h. */
#include "cards/probe/figures.h"

#include "base/io/file.h"
#include "base/memory/alloc.h"

#include <math.h>
#include <stdio.h>

static void add_curve(struct chart *c, enum chart_mark mark, const char *name,
                      const struct probe_curve *curve)
{
    if (curve->n == 0) return;
    chart_series(c, mark, name, false);
    for (size_t i = 0; i < curve->n; i++) {
        chart_point(c, curve->point[i].x, curve->point[i].value, 0);
        c->y.hi = fmax(c->y.hi, curve->point[i].value * 1.05);
    }
}

static bool draw(const struct probe_curves *ours, const struct probe_curves *measured,
                 enum probe_id id, enum chart_format format, const char *path, struct error *e)
{
    const struct probe_experiment *x = &probe_experiments[id];
    struct chart c = {
        .title = x->name,
        .x = {.label = x->x_name, .scale = x->kind == PROBE_STRIDE ? CHART_LINEAR : CHART_LOG2},
        .y = {.label = x->unit}};
    char card[96];
    add_curve(&c, CHART_LINES, ours->gpu, &ours->of[id]);
    snprintf(card, sizeof card, "measured: %s", measured ? measured->gpu : "");
    if (measured) add_curve(&c, CHART_POINTS, card, &measured->of[id]);
    bool ok = chart_write(&c, format, path, e);
    chart_fini(&c);
    return ok;
}

bool probe_figures(const struct probe_curves *ours, const struct probe_curves *measured,
                   const char *folder, enum chart_format format, uint32_t *written, struct error *e)
{
    bool ok = file_make_dirs(folder, e);
    *written = 0;
    for (uint32_t k = 0; k < PROBE_N && ok; k++) {
        char file[160];
        if (!ours->of[k].n) continue;
        snprintf(file, sizeof file, "%s-%s.%s", ours->gpu, probe_experiments[k].name,
                 format == CHART_SVG ? "svg" : "png");
        char *path = file_join(folder, file);
        ok = path ? draw(ours, measured, k, format, path, e) : error_no_memory(e);
        *written += ok;
        mem_free(path);
    }
    return ok;
}
