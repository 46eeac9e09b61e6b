/* report_figures.c - see report_figures.h. */
#include "sweeps/report/report_drawing.h"

#include "base/io/file.h"
#include "base/memory/alloc.h"
#include "sweeps/ranking/pareto.h"
#include "sweeps/report/report.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool write_chart(struct figures *f, const struct chart *c, const char *name)
{
    char *path = report_figure_path(f, name);
    bool ok = path && chart_write(c, f->format, path, f->e);
    mem_free(path);
    *f->written += ok;
    return ok;
}

/* --- values --- */

static double level_number(const struct results *r, uint32_t axis, uint32_t machine)
{
    uint32_t l = r->machine[machine].level[axis];
    return l == RESULTS_NONE ? NAN : strtod(r->axis[axis].value[l], NULL);
}

static uint32_t numeric_axis(const struct results *r, const char *path)
{
    for (uint32_t a = 0; a < r->n_axes; a++)
        if (r->axis[a].numeric && strcmp(r->axis[a].path, path) == 0) return a;
    return RESULTS_NONE;
}

static bool fill_metric(const struct results *r, const char *name, double *v)
{
    uint32_t metric = results_metric(r, name), axis = numeric_axis(r, name);
    bool geometric = report_is_geometric(r, name);
    double *each = mem_new(r->n_programs ? r->n_programs : 1, sizeof *each);
    for (uint32_t m = 0; m < r->n_machines && each; m++) {
        for (uint32_t p = 0; p < r->n_programs && metric != RESULTS_NONE; p++)
            each[p] = results_answer(r, m, p, metric);
        v[m] = metric != RESULTS_NONE ? report_figure_mean(each, r->n_programs, geometric)
               : axis != RESULTS_NONE ? level_number(r, axis, m)
                                      : NAN;
    }
    mem_free(each);
    return each != NULL;
}

/* --- objectives: the sweep's first two, else the page's defaults --- */

static bool more_is_better(const struct results *r, const char *name)
{
    for (uint32_t i = 0; i < r->n_objectives; i++)
        if (strcmp(r->objective[i].name, name) == 0) return r->objective[i].more;
    return results_metric(r, name) != RESULTS_NONE && report_more_is_better(name);
}

static const char *first_metric(const struct results *r)
{
    for (uint32_t i = 0; i < r->n_objectives; i++)
        if (results_metric(r, r->objective[i].name) != RESULTS_NONE) return r->objective[i].name;
    return results_metric(r, "cycles") != RESULTS_NONE ? "cycles"
           : r->n_metrics                              ? r->metric[0]
                                                       : NULL;
}

static const char *second_goal(const struct results *r, const char *first)
{
    static const char *const costs[] = {"energy_mj.total", "area_mm2.total"};
    for (uint32_t i = 0; i < r->n_objectives; i++) {
        const char *name = r->objective[i].name;
        bool known =
            results_metric(r, name) != RESULTS_NONE || numeric_axis(r, name) != RESULTS_NONE;
        if (known && strcmp(name, first) != 0) return name;
    }
    for (size_t i = 0; i < sizeof costs / sizeof costs[0]; i++)
        if (results_metric(r, costs[i]) != RESULTS_NONE && strcmp(costs[i], first) != 0)
            return costs[i];
    for (uint32_t a = 0; a < r->n_axes; a++)
        if (r->axis[a].numeric) return r->axis[a].path;
    return NULL;
}

/* --- axes of pictures --- */

/* A range around all finite values, with a margin; false: there are none. */
static bool set_range(struct chart_axis *a, const double *v, size_t n)
{
    double lo = INFINITY, hi = -INFINITY;
    for (size_t i = 0; i < n; i++) {
        if (!isfinite(v[i])) continue;
        lo = fmin(lo, v[i]);
        hi = fmax(hi, v[i]);
    }
    if (!(lo <= hi)) return false;
    double margin = hi > lo ? 0.05 * (hi - lo) : fmax(fabs(hi) * 0.05, 0.5);
    bool powers = a->scale != CHART_LINEAR && lo > 0;
    a->lo = powers ? lo / 1.15 : lo >= 0 ? fmax(0, lo - margin) : lo - margin;
    a->hi = powers ? hi * 1.15 : hi + margin;
    if (!powers) a->scale = CHART_LINEAR;
    return true;
}

static enum chart_unit unit_of(const char *name)
{
    return strcmp(results_unit(name), "1") == 0 ? CHART_PERCENT : CHART_NUMBER;
}

/* --- trade-off --- */

struct corner {
    double x, y;
};

static int by_x(const void *a, const void *b)
{
    const struct corner *p = a, *q = b;
    if (p->x < q->x || p->x > q->x) return p->x < q->x ? -1 : 1;
    return (p->y > q->y) - (p->y < q->y);
}

/* Writes the front's points with the corners between them into x[2 n], y[2 n]; returns how many. */
static uint32_t front_staircase(const struct figures *f, const bool *front, struct corner *c,
                                double *x, double *y)
{
    uint32_t n = 0, k = 0;
    for (uint32_t m = 0; m < f->r->n_machines; m++)
        if (front[m]) c[n++] = (struct corner){f->x[m], f->y[m]};
    qsort(c, n, sizeof *c, by_x);
    for (uint32_t i = 0; i < n; i++) {
        if (i) { /* the corner has the worse value of both points in each objective */
            x[k] = f->x_more ? c[i - 1].x : c[i].x;
            y[k++] = f->x_more ? c[i].y : c[i - 1].y;
        }
        x[k] = c[i].x;
        y[k++] = c[i].y;
    }
    return k;
}

static bool draw_tradeoff(struct figures *f, struct corner *c, double *line_x, double *line_y)
{
    char x_label[FIGURE_NAME], y_label[FIGURE_NAME];
    uint32_t n = front_staircase(f, f->front, c, line_x, line_y);
    report_figure_title(f->x_name, x_label);
    report_figure_title(f->y_name, y_label);
    const struct chart_series series[] = {
        {.name = "Pareto front", .x = line_x, .y = line_y, .n = n},
        {.name = "points", .x = f->x, .y = f->y, .n = f->r->n_machines, .mark = CHART_POINTS}};
    struct chart chart = {.x = {.label = x_label, .unit = unit_of(f->x_name)},
                          .y = {.label = y_label, .unit = unit_of(f->y_name)},
                          .series = series,
                          .n = 2};
    if (n == 0 || !set_range(&chart.x, f->x, f->r->n_machines) ||
        !set_range(&chart.y, f->y, f->r->n_machines))
        return true;
    return write_chart(f, &chart, "trade-off");
}

static bool chart_of_tradeoff(struct figures *f)
{
    uint32_t n = f->r->n_machines;
    const enum goal goal[] = {f->x_more ? GOAL_MAX : GOAL_MIN, f->y_more ? GOAL_MAX : GOAL_MIN};
    double *both = mem_new(2 * (size_t)n, sizeof *both),
           *line = mem_new(4 * (size_t)n, sizeof *line);
    struct corner *c = mem_new(n, sizeof *c);
    bool ok = both && line && c;
    for (uint32_t m = 0; ok && m < n; m++) {
        both[2 * m] = f->x[m];
        both[2 * m + 1] = f->y[m];
    }
    ok = ok && pareto_front(both, n, goal, 2, f->front);
    if (!ok) error_no_memory(f->e);
    ok = ok && draw_tradeoff(f, c, line, line + 2 * (size_t)n);
    mem_free(both);
    mem_free(line);
    mem_free(c);
    return ok;
}

/* --- main effects --- */

struct along {
    double *at, *mean, *best; /* [level] */
    uint32_t n;
};

/* For each level, the geometric mean and the best of its points; levels without points are left
 * out. */
static void collect_effect(const struct figures *f, uint32_t axis, struct along *x)
{
    const struct result_axis *a = &f->r->axis[axis];
    for (uint32_t l = 0; l < a->n; l++) {
        double sum = 0, best = NAN, n = 0;
        for (uint32_t m = 0; m < f->r->n_machines; m++) {
            if (f->r->machine[m].level[axis] != l || !(f->y[m] > 0)) continue;
            sum += log(f->y[m]);
            n++;
            if (isnan(best) || (f->y_more ? f->y[m] > best : f->y[m] < best)) best = f->y[m];
        }
        if (!(n > 0)) continue;
        x->at[x->n] = strtod(a->value[l], NULL);
        x->mean[x->n] = exp(sum / n);
        x->best[x->n++] = best;
    }
}

static bool draw_effect(struct figures *f, uint32_t axis, const struct along *x)
{
    char y_label[FIGURE_NAME], name[FIGURE_NAME];
    report_figure_title(f->y_name, y_label);
    snprintf(name, sizeof name, "effect-%.200s", f->r->axis[axis].path);
    const struct chart_series series[] = {
        {.name = "mean of the points", .x = x->at, .y = x->mean, .n = x->n},
        {.name = "best point", .x = x->at, .y = x->best, .n = x->n}};
    bool doubling = x->n > 2 && x->at[0] > 0 && x->at[x->n - 1] >= 8 * x->at[0];
    struct chart chart = {
        .x = {.label = f->r->axis[axis].path, .scale = doubling ? CHART_LOG2 : CHART_LINEAR},
        .y = {.label = y_label, .unit = unit_of(f->y_name)},
        .series = series,
        .n = 2};
    double *all = mem_new(2 * (size_t)x->n, sizeof *all);
    if (!all) return error_no_memory(f->e);
    memcpy(all, x->mean, x->n * sizeof *all);
    memcpy(all + x->n, x->best, x->n * sizeof *all);
    bool any = set_range(&chart.x, x->at, x->n) && set_range(&chart.y, all, 2 * (size_t)x->n);
    mem_free(all);
    return !any || write_chart(f, &chart, name);
}

static bool chart_of_effect(struct figures *f, uint32_t axis)
{
    const struct result_axis *a = &f->r->axis[axis];
    if (!a->numeric || a->n < 2) return true;
    double *space = mem_new(3 * (size_t)a->n, sizeof *space);
    if (!space) return error_no_memory(f->e);
    struct along x = {.at = space, .mean = space + a->n, .best = space + 2 * (size_t)a->n};
    collect_effect(f, axis, &x);
    bool ok = x.n < 2 || draw_effect(f, axis, &x);
    mem_free(space);
    return ok;
}

/* --- correlation --- */

/* Collects the runs that both engines made; returns how many. */
static uint32_t collect_pairs(const struct figures *f, uint32_t engine, uint32_t reference,
                              uint32_t metric, double *truth, double *guess)
{
    const struct results *r = f->r;
    uint32_t n = 0;
    for (uint32_t m = 0; m < r->n_machines; m++) {
        for (uint32_t p = 0; p < r->n_programs; p++) {
            double t = results_value(r, m, p, reference, metric);
            double g = results_value(r, m, p, engine, metric);
            if (!(t > 0) || !(g > 0)) continue;
            truth[n] = t;
            guess[n++] = g;
        }
    }
    return n;
}

static bool draw_correlation(struct figures *f, uint32_t engine, uint32_t reference,
                             const double *truth, const double *guess, uint32_t n)
{
    char x_label[FIGURE_NAME], y_label[FIGURE_NAME], name[FIGURE_NAME];
    snprintf(x_label, sizeof x_label, "%.100s: %.60s", f->y_name, f->r->engine[reference]);
    snprintf(y_label, sizeof y_label, "%.100s: %.60s", f->y_name, f->r->engine[engine]);
    snprintf(name, sizeof name, "correlation-%.60s-%.60s", f->r->engine[engine],
             f->r->engine[reference]);
    struct chart_axis a = {.label = x_label, .scale = CHART_LOG10}, b = a;
    if (!set_range(&a, truth, n) || !set_range(&b, guess, n)) return true;
    const double line[] = {fmin(a.lo, b.lo), fmax(a.hi, b.hi)};
    const struct chart_series series[] = {
        {.name = "equal", .x = line, .y = line, .n = 2},
        {.name = "runs", .x = truth, .y = guess, .n = n, .mark = CHART_POINTS}};
    struct chart chart = {.x = a, .y = a, .series = series, .n = 2};
    chart.x.lo = chart.y.lo = line[0];
    chart.x.hi = chart.y.hi = line[1];
    chart.y.label = y_label;
    return write_chart(f, &chart, name);
}

static bool chart_of_correlation(struct figures *f, uint32_t engine, uint32_t reference)
{
    uint32_t metric = results_metric(f->r, f->y_name);
    size_t most = (size_t)f->r->n_machines * f->r->n_programs;
    double *truth = mem_new(2 * most, sizeof *truth);
    if (!truth) return error_no_memory(f->e);
    uint32_t n = collect_pairs(f, engine, reference, metric, truth, truth + most);
    bool ok = n == 0 || draw_correlation(f, engine, reference, truth, truth + most, n);
    mem_free(truth);
    return ok;
}

static bool draw_all(struct figures *f)
{
    const struct results *r = f->r;
    if (!fill_metric(r, f->y_name, f->y) || (f->x_name && !fill_metric(r, f->x_name, f->x)))
        return error_no_memory(f->e);
    if (f->x_name && !chart_of_tradeoff(f)) return false;
    for (uint32_t a = 0; a < r->n_axes; a++)
        if (!chart_of_effect(f, a)) return false;
    for (uint32_t e = 0; e + 1 < r->n_engines; e++)
        if (!chart_of_correlation(f, e, r->n_engines - 1)) return false;
    return report_figure_grids(f);
}

bool report_figures(const struct results *r, enum chart_format format, const char *folder,
                    uint32_t *written, struct error *e)
{
    struct figures f = {.r = r, .format = format, .folder = folder, .written = written, .e = e};
    *written = 0;
    if (!file_make_dirs(folder, e)) return false;
    f.y_name = first_metric(r);
    if (!f.y_name) return true;
    f.x_name = second_goal(r, f.y_name);
    f.y_more = more_is_better(r, f.y_name);
    f.x_more = f.x_name && more_is_better(r, f.x_name);
    f.y = mem_new(r->n_machines, sizeof *f.y);
    f.x = mem_new(r->n_machines, sizeof *f.x);
    f.front = mem_new(r->n_machines, sizeof *f.front);
    bool ok = f.y && f.x && f.front ? draw_all(&f) : error_no_memory(e);
    mem_free(f.y);
    mem_free(f.x);
    mem_free(f.front);
    text_fini(&f.named);
    return ok;
}
