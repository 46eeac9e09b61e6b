/* auto_columns.c - see auto_columns.h. */
#include "sweeps/auto/auto_columns.h"

#include "base/memory/alloc.h"
#include "gpu/machine/machine.h"
#include "sweeps/constants.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Times per byte are linear, like latencies. */
enum form { AS_LOG, AS_INVERSE };
static const struct {
    const char *name;
    enum form form;
} derived[] = {
    {"l2_hit_cycles", AS_LOG},
    {"memory_cycles", AS_LOG},
    {"peak_bytes_per_cycle", AS_INVERSE},
    {"noc_bytes_per_cycle", AS_INVERSE},
    {"l2_kb", AS_LOG},
    {"lanes", AS_LOG},
};
enum { DERIVED = sizeof derived / sizeof derived[0] };

/* While they are made: one after the other. */
struct column_builder {
    uint32_t points, n;
    double *column; /* [room for all columns][points] */
};

static double *next_column(struct column_builder *m)
{
    return m->column + (size_t)m->n * m->points;
}

static double mean(const double *v, uint32_t n)
{
    double sum = 0;
    for (uint32_t i = 0; i < n; i++)
        sum += v[i];
    return sum / n;
}

static double correlation(const double *a, const double *b, uint32_t n)
{
    double ma = mean(a, n), mb = mean(b, n), ab = 0, aa = 0, bb = 0;
    for (uint32_t i = 0; i < n; i++) {
        ab += (a[i] - ma) * (b[i] - mb);
        aa += (a[i] - ma) * (a[i] - ma);
        bb += (b[i] - mb) * (b[i] - mb);
    }
    return ab / sqrt(aa * bb);
}

static bool is_said(const struct column_builder *m, const double *v)
{
    for (uint32_t k = 0; k < m->n; k++)
        if (fabs(correlation(m->column + (size_t)k * m->points, v, m->points)) > COLUMNS_SAME)
            return true;
    return false;
}

/* Scales the column that next_column() returned, and keeps it if it is neither constant nor a
 * repeat. */
static void keep_column(struct column_builder *m)
{
    double *v = next_column(m), lo = INFINITY, hi = -INFINITY;
    for (uint32_t i = 0; i < m->points; i++) {
        lo = fmin(lo, v[i]);
        hi = fmax(hi, v[i]);
    }
    if (!isfinite(hi - lo) || hi - lo <= 1e-9 * fmax(fabs(hi), fabs(lo))) return;
    for (uint32_t i = 0; i < m->points; i++)
        v[i] = (v[i] - lo) / (hi - lo);
    m->n += !is_said(m, v);
}

/* --- axes --------------------------------------------------------------------------------------
 */

static bool number_of(const char *text, double *v)
{
    char *end;
    *v = strtod(text, &end);
    return *text && *end == '\0' && isfinite(*v) && *v >= 0;
}

struct scale {
    bool numbers, zero, linear;
    double least; /* smallest of the values above 0 */
};

static struct scale scale_of(const struct axis *a)
{
    static const char LATENCY[] = "latency";
    size_t length = strlen(a->path), tail = sizeof LATENCY - 1;
    struct scale s = {.numbers = true, .least = INFINITY};
    s.linear = length >= tail && strcmp(a->path + length - tail, LATENCY) == 0;
    for (uint32_t i = 0; i < a->n; i++) {
        double v;
        s.numbers = s.numbers && number_of(a->value[i], &v);
        if (!s.numbers) return s;
        s.zero |= v == 0;
        if (v > 0) s.least = fmin(s.least, v);
    }
    return s;
}

/* Where the axis does not apply, and for 0 on a logarithmic axis, it is the smallest value. */
static double scaled_value(const struct axis *a, const struct scale *s, uint32_t index)
{
    double v = 0;
    if (index != AXIS_UNSET) number_of(a->value[index], &v);
    if (s->linear) return index == AXIS_UNSET ? s->least : v;
    return log(v > 0 ? v : s->least);
}

static void add_places(struct column_builder *m, const struct plan *p, uint32_t axis,
                       const struct scale *s)
{
    for (uint32_t i = 0; i < m->points; i++)
        next_column(m)[i] = scaled_value(&p->axis[axis], s, p->index[(size_t)i * p->n_axes + axis]);
    keep_column(m);
}

/* Adds the column that marks the points with this value; for numeric axes, the value 0. */
static void add_choice(struct column_builder *m, const struct plan *p, uint32_t axis,
                       uint32_t value)
{
    for (uint32_t i = 0; i < m->points; i++)
        next_column(m)[i] = p->index[(size_t)i * p->n_axes + axis] == value;
    keep_column(m);
}

static void add_axis(struct column_builder *m, const struct plan *p, uint32_t k)
{
    const struct axis *a = &p->axis[k];
    struct scale s = scale_of(a);
    if (s.numbers && isfinite(s.least)) add_places(m, p, k, &s);
    for (uint32_t v = 0; v < a->n; v++) {
        double number;
        if (!s.numbers || (!s.linear && number_of(a->value[v], &number) && number == 0))
            add_choice(m, p, k, v);
    }
}

/* Includes one column of room for a column that is then dropped. */
static uint32_t room_of(const struct plan *p)
{
    uint32_t n = DERIVED + 1;
    for (uint32_t k = 0; k < p->n_axes; k++)
        n += scale_of(&p->axis[k]).numbers ? 2 : p->axis[k].n;
    return n;
}

/* --- machines ----------------------------------------------------------------------------------
 */

/* Computes derived[] of all points, one after the other.  A value out of bounds (the time per byte
 * of an unlimited bandwidth, written 0) makes the column infinite, and keep_column() drops it. */
static bool derive_all(const struct plan *p, double *value, struct error *e)
{
    uint32_t points = plan_points(p);
    for (uint32_t i = 0; i < points; i++) {
        struct machine m;
        if (!plan_machine(p, i, &m, e)) return false;
        for (uint32_t k = 0; k < DERIVED; k++) {
            double v = machine_derived_value(&m, derived[k].name);
            value[(size_t)k * points + i] = derived[k].form == AS_LOG ? log(v) : 1 / v;
        }
    }
    return true;
}

static bool add_derived(struct column_builder *m, const struct plan *p, struct error *e)
{
    double *value = mem_new((size_t)DERIVED * m->points, sizeof *value);
    bool ok = value ? derive_all(p, value, e) : error_no_memory(e);
    for (uint32_t k = 0; k < DERIVED && ok; k++) {
        memcpy(next_column(m), value + (size_t)k * m->points, m->points * sizeof *value);
        keep_column(m);
    }
    mem_free(value);
    return ok;
}

bool auto_columns_make(struct auto_columns *c, const struct plan *p, struct error *e)
{
    struct column_builder m = {.points = plan_points(p)};
    *c = (struct auto_columns){0};
    m.column = mem_new((size_t)room_of(p) * m.points, sizeof *m.column);
    if (!m.column) return error_no_memory(e);
    for (uint32_t k = 0; k < p->n_axes; k++)
        add_axis(&m, p, k);
    bool ok = add_derived(&m, p, e);
    c->width = m.n + 1;
    c->x = ok ? mem_new((size_t)m.points * c->width, sizeof *c->x) : NULL;
    if (ok && !c->x) ok = error_no_memory(e);
    for (uint32_t i = 0; i < m.points && ok; i++)
        for (uint32_t k = 0; k < m.n; k++)
            c->x[(size_t)i * c->width + k] = m.column[(size_t)k * m.points + i];
    mem_free(m.column);
    return ok;
}

void auto_columns_fini(struct auto_columns *c)
{
    mem_free(c->x);
    c->x = NULL;
}
