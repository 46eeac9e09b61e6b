/* figures.c - see figures.h. */
#include "cards/probe/figures.h"

#include "base/io/file.h"
#include "base/memory/alloc.h"

#include <math.h>
#include <stdio.h>

struct drawn_curve {
    double *x, *y;
    uint32_t n;
};

static bool copy_curve(const struct probe_curve *c, struct drawn_curve *out)
{
    out->x = mem_new(c->n + 1, sizeof *out->x);
    out->y = mem_new(c->n + 1, sizeof *out->y);
    if (!out->x || !out->y) return false;
    for (size_t i = 0; i < c->n; i++) {
        out->x[i] = c->point[i].x;
        out->y[i] = c->point[i].value;
    }
    out->n = (uint32_t)c->n;
    return true;
}

static void widen(struct chart *c, const struct drawn_curve *d)
{
    for (uint32_t i = 0; i < d->n; i++) {
        c->x.lo = fmin(c->x.lo, d->x[i]);
        c->x.hi = fmax(c->x.hi, d->x[i]);
        c->y.hi = fmax(c->y.hi, d->y[i] * 1.05);
    }
}

static bool draw(enum probe_id id, const struct drawn_curve *ours,
                 const struct drawn_curve *measured, const char *name, const char *card,
                 enum chart_format format, const char *path, struct error *e)
{
    const struct probe_experiment *x = &probe_experiments[id];
    struct chart_series series[2] = {
        {.name = name, .x = ours->x, .y = ours->y, .n = ours->n},
        {.name = card, .x = measured->x, .y = measured->y, .n = measured->n, .mark = CHART_POINTS}};
    bool linear = x->kind == PROBE_STRIDE;
    struct chart c = {.title = x->name,
                      .x = {.label = x->x_name,
                            .lo = INFINITY,
                            .hi = 0,
                            .scale = linear ? CHART_LINEAR : CHART_LOG2},
                      .y = {.label = x->unit, .lo = 0, .hi = 0},
                      .series = series,
                      .n = measured->n ? 2 : 1};
    widen(&c, ours);
    widen(&c, measured);
    if (!(c.x.hi > c.x.lo)) c.x.hi = linear ? c.x.lo + 1 : 2 * c.x.lo;
    return chart_write(&c, format, path, e);
}

static void free_drawn(struct drawn_curve *d)
{
    mem_free(d->x);
    mem_free(d->y);
}

bool probe_figures(const struct probe_curves *ours, const struct probe_curves *measured,
                   const char *folder, enum chart_format format, uint32_t *written, struct error *e)
{
    const struct probe_curve none = {0};
    bool ok = file_make_dirs(folder, e);
    *written = 0;
    for (uint32_t k = 0; k < PROBE_N && ok; k++) {
        char file[160];
        struct drawn_curve a = {0}, b = {0};
        if (!ours->of[k].n) continue;
        snprintf(file, sizeof file, "%s-%s.%s", ours->gpu, probe_experiments[k].name,
                 format == CHART_SVG ? "svg" : "png");
        char *path = file_join(folder, file);
        ok = path && copy_curve(&ours->of[k], &a) &&
             copy_curve(measured ? &measured->of[k] : &none, &b);
        if (!ok) error_no_memory(e);
        char card[96];
        snprintf(card, sizeof card, "measured: %s", measured ? measured->gpu : "");
        ok = ok && draw(k, &a, &b, ours->gpu, card, format, path, e);
        *written += ok;
        free_drawn(&a);
        free_drawn(&b);
        mem_free(path);
    }
    return ok;
}
