/* report_grids.c - figures of many columns: which axis matters, parallel coordinates, programs by
 * the levels of an axis. */
#include "sweeps/report/report_drawing.h"

#include "base/memory/alloc.h"
#include "base/memory/arena.h"
#include "sweeps/analyse/main_effects.h"
#include "sweeps/constants.h"
#include "sweeps/report/report.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BARS_MAX = 14, NUMBER_TEXT = 32, GOAL_TICKS = 5, LEVEL_TICKS_MAX = 12, COLUMNS_MAX = 60 };

static bool count_written(struct figures *f, bool ok)
{
    *f->written += ok;
    return ok;
}

/* --- which axis matters --- */

static void bar_of(const struct results *r, const struct effect *x, struct chart_bar *bar,
                   char name[FIGURE_NAME], char text[NUMBER_TEXT])
{
    const char *axis = r->axis[x->axis].path;
    if (x->other == RESULTS_NONE) {
        snprintf(name, FIGURE_NAME, "%.200s", axis);
        snprintf(text, NUMBER_TEXT, "%.1f %% (x %.3g)", 100 * x->share, x->swing);
    } else {
        snprintf(name, FIGURE_NAME, "%.100s x %.100s", axis, r->axis[x->other].path);
        snprintf(text, NUMBER_TEXT, "%.1f %%", 100 * x->share);
    }
    *bar = (struct chart_bar){
        .name = name, .share = x->share, .text = text, .faint = x->other != RESULTS_NONE};
}

static bool draw_effects(struct figures *f, const struct effects *x)
{
    struct chart_bar bar[BARS_MAX];
    char name[BARS_MAX][FIGURE_NAME], text[BARS_MAX][NUMBER_TEXT], label[FIGURE_NAME];
    uint32_t n = 0;
    for (uint32_t i = 0; i < x->n && n < BARS_MAX; i++) {
        if (x->effect[i].other != RESULTS_NONE && x->effect[i].share < EFFECT_SHOWN) continue;
        bar_of(f->r, &x->effect[i], &bar[n], name[n], text[n]);
        n++;
    }
    snprintf(label, sizeof label,
             "share of the variance of log %.200s (x: largest mean over smallest)", f->y_name);
    if (n == 0) return true;
    char *path = report_figure_path(f, "what-matters");
    const struct chart_bars c = {.label = label, .bar = bar, .bars = n};
    bool ok = path && count_written(f, chart_bars_write(&c, f->format, path, f->e));
    mem_free(path);
    return ok;
}

static bool what_matters(struct figures *f)
{
    struct effects x;
    bool ok = effects_find(&x, f->r, f->y) ? draw_effects(f, &x) : error_no_memory(f->e);
    effects_fini(&x);
    return ok;
}

/* --- parallel coordinates --- */

struct uprights {
    struct figures *f;
    struct arena arena;
    struct chart_upright *axis;
    double *at; /* [line * axes + axis] */
    uint32_t *machine, axes, lines;
};

/* Places the levels of an axis at equal distances and labels at most LEVEL_TICKS_MAX of them. */
static bool axis_upright(struct uprights *u, uint32_t at, uint32_t axis)
{
    const struct result_axis *a = &u->f->r->axis[axis];
    uint32_t step = (a->n + LEVEL_TICKS_MAX - 1) / LEVEL_TICKS_MAX, n = 0;
    const char **tick = arena_new(&u->arena, LEVEL_TICKS_MAX, sizeof *tick);
    double *where = arena_new(&u->arena, LEVEL_TICKS_MAX, sizeof *where);
    if (!tick || !where) return error_no_memory(u->f->e);
    double top = a->n > 1 ? a->n - 1 : 1;
    for (uint32_t l = 0; l < a->n; l += step) {
        tick[n] = a->value[l];
        where[n++] = l / top;
    }
    for (uint32_t i = 0; i < u->lines; i++) {
        uint32_t l = u->f->r->machine[u->machine[i]].level[axis];
        u->at[(size_t)i * u->axes + at] = l == RESULTS_NONE ? NAN : l / top;
    }
    u->axis[at] = (struct chart_upright){.label = a->path, .tick = tick, .at = where, .ticks = n};
    return true;
}

/* Places an objective on a linear scale from its smallest to its largest value. */
static void goal_upright(struct uprights *u, uint32_t at, const char *name, const double *v)
{
    double lo = INFINITY, hi = -INFINITY;
    for (uint32_t i = 0; i < u->lines; i++) {
        lo = fmin(lo, v[u->machine[i]]);
        hi = fmax(hi, v[u->machine[i]]);
    }
    for (uint32_t i = 0; i < u->lines; i++)
        u->at[(size_t)i * u->axes + at] = hi > lo ? (v[u->machine[i]] - lo) / (hi - lo) : 0.5;
    u->axis[at] = (struct chart_upright){.label = name, .lo = lo, .hi = hi, .ticks = GOAL_TICKS};
}

static bool is_axis(const struct results *r, const char *name)
{
    for (uint32_t a = 0; a < r->n_axes; a++)
        if (strcmp(r->axis[a].path, name) == 0) return true;
    return false;
}

static bool find_lines(struct uprights *u)
{
    const struct figures *f = u->f;
    u->machine = arena_new(&u->arena, f->r->n_machines, sizeof *u->machine);
    u->axis = arena_new(&u->arena, u->axes, sizeof *u->axis);
    if (!u->machine || !u->axis) return error_no_memory(f->e);
    for (uint32_t m = 0; m < f->r->n_machines; m++)
        if (isfinite(f->y[m]) && (!f->x_name || isfinite(f->x[m]))) u->machine[u->lines++] = m;
    u->at = arena_new(&u->arena, u->lines ? (size_t)u->lines * u->axes : 1, sizeof *u->at);
    return u->at || error_no_memory(f->e);
}

struct sized_line {
    double v;
    uint32_t line;
};

static int by_size(const void *a, const void *b)
{
    const struct sized_line *x = a, *y = b;
    if (x->v < y->v || x->v > y->v) return x->v < y->v ? -1 : 1;
    return (x->line > y->line) - (x->line < y->line);
}

/* rank: 0 is the best by the first objective; strong: the point is on the front. */
static bool rank_lines(struct uprights *u, double *rank, bool *strong)
{
    struct sized_line *order = arena_new(&u->arena, u->lines, sizeof *order);
    if (!rank || !strong || !order) return error_no_memory(u->f->e);
    for (uint32_t i = 0; i < u->lines; i++)
        order[i] = (struct sized_line){(u->f->y_more ? -1 : 1) * u->f->y[u->machine[i]], i};
    qsort(order, u->lines, sizeof *order, by_size);
    for (uint32_t i = 0; i < u->lines; i++) {
        rank[order[i].line] = u->lines > 1 ? i / (u->lines - 1.0) : 0;
        strong[i] = u->f->front[u->machine[i]];
    }
    return true;
}

static bool draw_parallel(struct uprights *u)
{
    char legend[FIGURE_NAME];
    double *rank = arena_new(&u->arena, u->lines, sizeof *rank);
    bool *strong = arena_new(&u->arena, u->lines, sizeof *strong);
    if (!rank_lines(u, rank, strong)) return false;
    snprintf(legend, sizeof legend, "the darker, the better %.200s", u->f->y_name);
    const struct chart_parallel c = {.axis = u->axis,
                                     .axes = u->axes,
                                     .lines = u->lines,
                                     .at = u->at,
                                     .rank = rank,
                                     .strong = strong,
                                     .legend = legend,
                                     .strong_legend = u->f->x_name ? "black: Pareto front" : ""};
    char *path = report_figure_path(u->f, "parallel");
    bool ok = path && count_written(u->f, chart_parallel_write(&c, u->f->format, path, u->f->e));
    mem_free(path);
    return ok;
}

static bool chart_of_parallel(struct figures *f)
{
    struct uprights u = {.f = f};
    uint32_t n = f->r->n_axes;
    bool second = f->x_name && !is_axis(f->r, f->x_name);
    u.axes = n + 1 + second;
    bool ok = find_lines(&u);
    if (ok && u.lines > 0 && u.axes > 1) {
        for (uint32_t a = 0; a < n && ok; a++)
            ok = axis_upright(&u, a, a);
        if (second) goal_upright(&u, n, f->x_name, f->x);
        goal_upright(&u, n + second, f->y_name, f->y);
        ok = ok && draw_parallel(&u);
    }
    arena_fini(&u.arena);
    return ok;
}

/* --- programs by an axis --- */

/* The program's objective at a level: the mean of the points there that have a value. */
static double cell_mean(const struct figures *f, uint32_t program, uint32_t axis, uint32_t level,
                        double *space)
{
    uint32_t metric = results_metric(f->r, f->y_name), n = 0;
    for (uint32_t m = 0; m < f->r->n_machines; m++) {
        if (f->r->machine[m].level[axis] != level) continue;
        double v = results_answer(f->r, m, program, metric);
        if (v > 0) space[n++] = v;
    }
    return report_figure_mean(space, n, report_is_geometric(f->r, f->y_name));
}

/* value[program * levels + level], relative to the first level. */
static bool fill_cells(const struct figures *f, uint32_t axis, double *value)
{
    const struct results *r = f->r;
    uint32_t levels = r->axis[axis].n;
    double *space = mem_new(r->n_machines, sizeof *space);
    if (!space) return false;
    for (uint32_t p = 0; p < r->n_programs; p++) {
        double *row = &value[(size_t)p * levels];
        for (uint32_t l = 0; l < levels; l++)
            row[l] = cell_mean(f, p, axis, l, space);
        double base = row[0];
        for (uint32_t l = 0; l < levels; l++)
            row[l] = base > 0 ? row[l] / base : NAN;
    }
    mem_free(space);
    return true;
}

static bool draw_programs(struct figures *f, uint32_t axis, const double *value)
{
    char label[2 * FIGURE_NAME], name[FIGURE_NAME];
    const struct result_axis *a = &f->r->axis[axis];
    snprintf(label, sizeof label, "%.200s: %.200s relative to %.60s", a->path, f->y_name,
             a->value[0]);
    snprintf(name, sizeof name, "programs-%.200s", a->path);
    const struct chart_heat c = {.label = label,
                                 .row = f->r->program,
                                 .column = a->value,
                                 .rows = f->r->n_programs,
                                 .columns = a->n,
                                 .value = value,
                                 .more = f->y_more};
    char *path = report_figure_path(f, name);
    bool ok = path && count_written(f, chart_heat_write(&c, f->format, path, f->e));
    mem_free(path);
    return ok;
}

static bool chart_of_programs(struct figures *f, uint32_t axis)
{
    const struct result_axis *a = &f->r->axis[axis];
    if (a->n < 2 || a->n > COLUMNS_MAX) return true;
    double *value = mem_new((size_t)f->r->n_programs * a->n, sizeof *value);
    bool ok = value && fill_cells(f, axis, value);
    ok = ok ? draw_programs(f, axis, value) : error_no_memory(f->e);
    mem_free(value);
    return ok;
}

bool report_figure_grids(struct figures *f)
{
    bool ok = what_matters(f) && chart_of_parallel(f);
    for (uint32_t a = 0; a < f->r->n_axes && ok; a++)
        ok = chart_of_programs(f, a);
    return ok;
}
