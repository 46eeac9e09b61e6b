/* curve.c - see curve.h. */
#include "cards/probe/curve.h"

#include "base/io/file.h"
#include "base/memory/alloc.h"
#include "base/memory/arena.h"
#include "base/text/csv.h"
#include "base/text/quote.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum curve_column {
    COLUMN_GPU,
    COLUMN_EXPERIMENT,
    COLUMN_X,
    COLUMN_VALUE,
    COLUMN_UNIT,
    COLUMN_EXTRA,
    COLUMNS
};
enum { COLUMNS_NEEDED = COLUMN_UNIT, CTA_THREADS = 1024 };
static const char *const column_name[COLUMNS] = {"gpu",   "experiment", "x",
                                                 "value", "unit",       "extra"};

struct curve_file {
    const char *path, *gpu;
    const struct csv *csv;
    uint32_t at[COLUMNS]; /* UINT32_MAX: the file lacks it */
};

static bool find_columns(struct curve_file *f, struct error *e)
{
    if (!f->csv->n) return error_input(e, "%s: there is no line with the columns' names", f->path);
    const struct csv_row *head = &f->csv->row[0];
    for (uint32_t c = 0; c < COLUMNS; c++) {
        f->at[c] = UINT32_MAX;
        for (uint32_t i = 0; i < head->n; i++)
            if (strcmp(head->field[i], column_name[c]) == 0) f->at[c] = i;
        if (c < COLUMNS_NEEDED && f->at[c] == UINT32_MAX)
            return error_input(
                e, "%s:%u: there is no column %s; gpu, experiment, x and value are needed", f->path,
                head->line, column_name[c]);
    }
    return true;
}

static const char *field_of(const struct curve_file *f, const struct csv_row *r,
                            enum curve_column c)
{
    return f->at[c] < r->n ? r->field[f->at[c]] : "";
}

static bool read_number(const struct curve_file *f, const struct csv_row *r, enum curve_column c,
                        double least, double *v, struct error *e)
{
    static const double most = 1e9; /* a terabyte in KB; a generator has more */
    const char *s = field_of(f, r, c);
    char *end;
    *v = strtod(s, &end);
    if (end != s && *end == '\0' && *v >= least && *v <= most) return true;
    return error_input(e, "%s:%u: %s '%.40s' is no number from %g to %g", f->path, r->line,
                       column_name[c], s, least, most);
}

/* Reads "64x2": threads of a CTA, CTAs per SM; "64x?": threads of an SM, in two CTAs where one
 * would be too large. */
static bool read_shape(const struct curve_file *f, const struct csv_row *r, struct probe_point *pt,
                       struct error *e)
{
    const char *s = field_of(f, r, COLUMN_EXTRA);
    uint64_t block = 0, ctas = 0;
    bool ok = text_whole(&s, 10, &block) && *s++ == 'x';
    ok = ok && (strcmp(s, "?") == 0 || (text_whole(&s, 10, &ctas) && !*s && ctas >= 1));
    if (ok && !ctas && block > CTA_THREADS) block /= 2;
    if (!ok || block < 1 || block > CTA_THREADS || ctas > 64)
        return error_input(e,
                           "%s:%u: extra '%.40s'; a stream has threads of a CTA (1 to 1024) x CTAs "
                           "per SM (1 to 64, or ?), such as 64x2",
                           f->path, r->line, field_of(f, r, COLUMN_EXTRA));
    pt->block = (uint32_t)block;
    pt->ctas = (uint32_t)ctas;
    return true;
}

static bool unknown_experiment(const struct curve_file *f, const struct csv_row *r, struct error *e)
{
    struct text all = {0};
    for (uint32_t i = 0; i < PROBE_N; i++)
        text_add(&all, "%s%s", i ? ", " : "", probe_experiments[i].name);
    error_input(e, "%s:%u: unknown experiment '%.40s'; known are %s", f->path, r->line,
                field_of(f, r, COLUMN_EXPERIMENT), text_str(&all));
    text_fini(&all);
    return false;
}

static bool read_row(struct probe_curves *c, const struct curve_file *f, const struct csv_row *r,
                     struct error *e)
{
    struct probe_point pt = {.id = probe_by_name(field_of(f, r, COLUMN_EXPERIMENT)), .ctas = 1};
    if (pt.id == PROBE_N) return unknown_experiment(f, r, e);
    const struct probe_experiment *x = &probe_experiments[pt.id];
    const char *unit = field_of(f, r, COLUMN_UNIT);
    if (*unit && strcmp(unit, x->unit) != 0)
        return error_input(e, "%s:%u: unit '%.20s'; %s is in %s", f->path, r->line, unit, x->name,
                           x->unit);
    double least = x->kind == PROBE_STRIDE ? 0 : 0.125;
    if (!read_number(f, r, COLUMN_X, least, &pt.x, e) ||
        !read_number(f, r, COLUMN_VALUE, 1e-9, &pt.value, e))
        return false;
    if (x->kind == PROBE_STREAM && !read_shape(f, r, &pt, e)) return false;
    snprintf(pt.extra, sizeof pt.extra, "%s", field_of(f, r, COLUMN_EXTRA));
    return probe_curve_add(&c->of[pt.id], &pt) || error_no_memory(e);
}

/* The card whose rows are read: the one that was asked for, or the file's only one. */
static bool choose_gpu(struct probe_curves *c, const struct curve_file *f, struct error *e)
{
    const char *first = NULL;
    for (size_t i = 1; i < f->csv->n; i++) {
        const char *gpu = field_of(f, &f->csv->row[i], COLUMN_GPU);
        if (f->gpu ? strcmp(gpu, f->gpu) != 0 : first && strcmp(gpu, first) == 0) continue;
        if (first && !f->gpu)
            return error_input(e, "%s: has curves of %s, %s ...; --gpu NAME chooses one", f->path,
                               first, gpu);
        first = gpu;
    }
    if (!first)
        return error_input(e, f->gpu ? "%s: has no curves of %s" : "%s: has no curves", f->path,
                           f->gpu);
    snprintf(c->gpu, sizeof c->gpu, "%s", first);
    return true;
}

bool probe_curves_parse(struct probe_curves *c, const char *path, char *text, const char *gpu,
                        struct error *e)
{
    struct csv csv = {0};
    struct arena arena = {0};
    struct curve_file f = {.path = path, .gpu = gpu, .csv = &csv};
    *c = (struct probe_curves){0};
    bool ok = csv_read(&csv, path, text, &arena, e) && find_columns(&f, e) && choose_gpu(c, &f, e);
    for (size_t i = 1; ok && i < csv.n; i++)
        if (strcmp(field_of(&f, &csv.row[i], COLUMN_GPU), c->gpu) == 0)
            ok = read_row(c, &f, &csv.row[i], e);
    for (uint32_t i = 0; i < PROBE_N; i++)
        probe_curve_sort(&c->of[i]);
    csv_fini(&csv);
    arena_fini(&arena);
    return ok;
}

bool probe_curves_load(struct probe_curves *c, const char *path, const char *gpu, struct error *e)
{
    char *text = NULL;
    size_t n;
    *c = (struct probe_curves){0};
    bool ok = file_read(path, &text, &n, e) && probe_curves_parse(c, path, text, gpu, e);
    mem_free(text);
    return ok;
}

bool probe_curves_join(struct probe_curves *c, const char *path, const char *gpu, struct error *e)
{
    struct probe_curves more;
    bool first = !c->gpu[0], ok = probe_curves_load(&more, path, gpu, e);
    if (ok && first) memcpy(c->gpu, more.gpu, sizeof c->gpu);
    for (uint32_t i = 0; i < PROBE_N && ok; i++)
        if (!c->of[i].n) {
            mem_free(c->of[i].point);
            c->of[i] = more.of[i];
            more.of[i] = (struct probe_curve){0};
        }
    probe_curves_fini(&more);
    return ok;
}

void probe_curves_fini(struct probe_curves *c)
{
    for (uint32_t i = 0; i < PROBE_N; i++)
        mem_free(c->of[i].point);
    *c = (struct probe_curves){0};
}

bool probe_curve_add(struct probe_curve *c, const struct probe_point *pt)
{
    if (!mem_grow(&c->point, &c->cap, c->n + 1, sizeof *c->point)) return false;
    c->point[c->n++] = *pt;
    return true;
}

static int by_x(const void *a, const void *b)
{
    const struct probe_point *p = a, *q = b;
    if (p->x != q->x) return p->x < q->x ? -1 : 1;
    return (p->value > q->value) - (p->value < q->value);
}

void probe_curve_sort(struct probe_curve *c)
{
    if (c->n) qsort(c->point, c->n, sizeof *c->point, by_x);
}

double probe_curve_at(const struct probe_curve *c, double x)
{
    size_t i = 0;
    while (i < c->n && c->point[i].x < x)
        i++;
    if (i == c->n) return NAN;
    const struct probe_point *b = &c->point[i];
    if (b->x <= x) return b->value;
    if (i == 0) return NAN;
    const struct probe_point *a = b - 1;
    if (probe_experiments[b->id].kind == PROBE_STRIDE) return NAN; /* neighbours say nothing */
    return a->value + (b->value - a->value) * log(x / a->x) / log(b->x / a->x);
}

void probe_curves_csv(const struct probe_curves *c, const char *source, struct text *out)
{
    text_add(out, "gpu,experiment,x_name,x,value,unit,extra,source\n");
    for (uint32_t k = 0; k < PROBE_N; k++)
        for (size_t i = 0; i < c->of[k].n; i++) {
            const struct probe_experiment *x = &probe_experiments[k];
            const struct probe_point *pt = &c->of[k].point[i];
            quote_csv(out, c->gpu);
            text_add(out, ",%s,%s,%.10g,%.6g,%s,", x->name, x->x_name, pt->x, pt->value, x->unit);
            quote_csv(out, pt->extra);
            text_add(out, ",");
            quote_csv(out, source);
            text_add(out, "\n");
        }
}
