/* series.c - see series.h. */
#include "cli/run/series.h"

#include "base/io/file.h"
#include "base/memory/alloc.h"
#include "base/plot/chart.h"
#include "cli/run/answer_print.h"

#include <math.h>
#include <string.h>

/* The picture's curves, all as shares; the first is IPC over its maximum. */
static const struct {
    const char *key, *name;
} curve[SERIES_CURVES] = {{"ipc", "IPC / its highest"},
                          {"l1.hit_rate", "L1 hit rate"},
                          {"l2.hit_rate", "L2 hit rate"},
                          {"dram.utilization", "DRAM utilisation"},
                          {"stalls.memory", "slots lost to memory"}};

static void add_row(struct series *s, double first, double last, const struct metrics *m)
{
    struct rows r = {0};
    rows_text(&r, "program", NULL, s->program);
    rows_number(&r, "first_cycle", NULL, "", rint(first));
    rows_number(&r, "last_cycle", NULL, "", rint(last));
    answer_print_metrics(&r, m);
    if (s->csv.len == 0) rows_csv_head(&r, NULL, &s->csv);
    rows_csv(&r, NULL, &s->csv);
    rows_fini(&r);
}

static bool grow_series(struct series *s)
{
    bool ok = mem_grow(&s->x, &s->cap[SERIES_CURVES], s->n + 1, sizeof *s->x);
    for (int c = 0; c < SERIES_CURVES; c++)
        ok = ok && mem_grow(&s->y[c], &s->cap[c], s->n + 1, sizeof *s->y[c]);
    return ok;
}

void series_add(double first_cycle, double last_cycle, const struct metrics *m, void *ctx)
{
    struct series *s = ctx;
    add_row(s, first_cycle, last_cycle, m);
    if (!grow_series(s)) {
        s->failed = true;
        return;
    }
    s->x[s->n] = (first_cycle + last_cycle) / 2;
    for (int c = 0; c < SERIES_CURVES; c++)
        if (!metrics_value(m, curve[c].key, &s->y[c][s->n])) s->y[c][s->n] = NAN;
    s->n++;
}

static double highest_value(const double *v, size_t n)
{
    double most = 0;
    for (size_t i = 0; i < n; i++)
        if (v[i] > most) most = v[i];
    return most;
}

/* Intervals without a value (no access has no hit rate) take the previous one's. */
static void make_curve(double *v, size_t n, double unit)
{
    double last = 0;
    for (size_t i = 0; i < n; i++) {
        if (!isnan(v[i])) last = v[i] / unit;
        v[i] = last;
    }
}

static bool ends_in(const char *path, const char *end)
{
    size_t n = strlen(path), k = strlen(end);
    return n > k && strcmp(path + n - k, end) == 0;
}

bool series_is_picture(const char *path)
{
    return ends_in(path, ".svg") || ends_in(path, ".png");
}

static bool draw_series(struct series *s, const char *path, struct error *e)
{
    struct chart chart = {.title = s->program,
                          .x = {.label = "cycle", .lo = 0, .hi = s->x[s->n - 1] + 1},
                          .y = {.label = "share", .lo = 0, .hi = 1, .unit = CHART_PERCENT}};
    for (int c = 0; c < SERIES_CURVES; c++) {
        bool any = false;
        for (size_t i = 0; i < s->n; i++)
            any = any || !isnan(s->y[c][i]);
        if (!any) continue;
        double most = highest_value(s->y[c], s->n);
        make_curve(s->y[c], s->n, c == 0 && most > 0 ? most : 1);
        chart_series(&chart, CHART_LINES, curve[c].name, false);
        for (size_t i = 0; i < s->n; i++)
            chart_point(&chart, s->x[i], s->y[c][i], 0);
    }
    bool ok = chart_write(&chart, ends_in(path, ".svg") ? CHART_SVG : CHART_PNG, path, e);
    chart_fini(&chart);
    return ok;
}

static bool write_csv(const struct series *s, const char *path, struct error *e)
{
    struct outfile *f = outfile_open(path, e);
    if (!f) return false;
    outfile_write(f, text_str(&s->csv), s->csv.len);
    return outfile_commit(f, e);
}

bool series_write(struct series *s, const char *csv, const char *picture, struct error *e)
{
    if (s->csv.failed || s->failed) return error_no_memory(e);
    if (csv && !write_csv(s, csv, e)) return false;
    return !picture || s->n == 0 || draw_series(s, picture, e);
}

void series_fini(struct series *s)
{
    text_fini(&s->csv);
    mem_free(s->x);
    for (int c = 0; c < SERIES_CURVES; c++)
        mem_free(s->y[c]);
    *s = (struct series){0};
}
