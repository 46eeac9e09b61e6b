/* auto_surrogate.c - see auto_surrogate.h. */
#include "sweeps/auto_surrogate.h"

#include "base/mem.h"
#include "base/pool.h"
#include "sweeps/surrogate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { RUNS_MIN = 6 }; /* of a program, below which a reach along each axis is guesswork */

/* --- columns -----------------------------------------------------------------------------------
 */

static bool number_of(const char *text, double *v)
{
    char *end;
    *v = strtod(text, &end);
    return *text && *end == '\0' && isfinite(*v) && *v >= 0;
}

struct scale {
    bool numbers, zero;
    double lo, hi; /* of the values above 0 */
};

static struct scale scale_of(const struct axis *a)
{
    struct scale s = {.numbers = true, .lo = INFINITY};
    for (uint32_t i = 0; i < a->n; i++) {
        double v;
        s.numbers = s.numbers && number_of(a->value[i], &v);
        if (!s.numbers) return s;
        s.zero |= v == 0;
        if (v > 0) s.lo = fmin(s.lo, v);
        s.hi = fmax(s.hi, v);
    }
    return s;
}

static uint32_t columns_of(const struct axis *a, const struct scale *s)
{
    if (s->numbers) return s->zero ? 2 : 1;
    return a->n;
}

static void put_value(const struct axis *a, const struct scale *s, uint32_t index, double *out)
{
    double v;
    if (index == AXIS_UNSET) return;
    if (!s->numbers) {
        out[index] = 1;
    } else if (number_of(a->value[index], &v) && v > 0) {
        out[0] = s->hi > s->lo ? log(v / s->lo) / log(s->hi / s->lo) : 0;
    } else {
        out[1] = 1;
    }
}

bool columns_make(struct columns *c, const struct plan *p, struct error *e)
{
    *c = (struct columns){0};
    uint32_t from[AXES_MAX];
    struct scale scale[AXES_MAX];
    for (uint32_t k = 0; k < p->n_axes; k++) {
        scale[k] = scale_of(&p->axis[k]);
        from[k] = c->width;
        c->width += columns_of(&p->axis[k], &scale[k]);
    }
    c->width++; /* the estimate */
    c->x = mem_new((size_t)plan_points(p) * c->width, sizeof *c->x);
    if (!c->x) return error_no_memory(e);
    for (uint32_t i = 0; i < plan_points(p); i++)
        for (uint32_t k = 0; k < p->n_axes; k++)
            put_value(&p->axis[k], &scale[k], p->index[(size_t)i * p->n_axes + k],
                      c->x + (size_t)i * c->width + from[k]);
    return true;
}

void columns_fini(struct columns *c)
{
    mem_free(c->x);
    c->x = NULL;
}

/* --- one program -------------------------------------------------------------------------------
 */

struct program_fit {
    struct auto_model *m;
    struct columns *c;
    uint32_t workload, n;
    double *x, *y; /* [n][width], [n] */
    double *work;  /* [thread][n] */
    struct surrogate s;
};

static double estimate_of(const struct auto_model *m, uint32_t point, uint32_t workload)
{
    return m->estimate[(size_t)point * m->plan->n_workloads + workload];
}

static bool is_known(const struct auto_model *m, uint32_t point, uint32_t workload)
{
    return belief_at(&m->beliefs, point, workload, 0)->source == SOURCE_SIMULATE &&
           estimate_of(m, point, workload) > 0;
}

/* The logarithm of the estimate, as spread over the design, into the last column. */
static void put_estimates(struct program_fit *f)
{
    double n = 0, sum = 0, squares = 0;
    uint32_t points = plan_points(f->m->plan), last = f->c->width - 1;
    for (uint32_t i = 0; i < points; i++) {
        double v = log(estimate_of(f->m, i, f->workload));
        f->c->x[(size_t)i * f->c->width + last] = v;
        if (!isfinite(v)) continue;
        n++;
        sum += v;
        squares += v * v;
    }
    double mean = sum / n, sd = sqrt(fmax(squares / n - mean * mean, 0));
    for (uint32_t i = 0; i < points; i++) {
        double *v = &f->c->x[(size_t)i * f->c->width + last];
        *v = isfinite(*v) && sd > 1e-9 ? (*v - mean) / sd : 0;
    }
}

static bool gather(struct program_fit *f, struct error *e)
{
    uint32_t points = plan_points(f->m->plan), width = f->c->width;
    unsigned threads = pool_threads(f->m->threads);
    for (uint32_t i = 0; i < points; i++)
        f->n += is_known(f->m, i, f->workload);
    if (f->n < RUNS_MIN) return true;
    f->x = mem_new((size_t)f->n * width, sizeof *f->x);
    f->y = mem_new(f->n, sizeof *f->y);
    f->work = mem_new((size_t)threads * f->n, sizeof *f->work);
    if (!f->x || !f->y || !f->work) return error_no_memory(e);
    put_estimates(f);
    for (uint32_t i = 0, at = 0; i < points; i++) {
        if (!is_known(f->m, i, f->workload)) continue;
        memcpy(f->x + (size_t)at * width, f->c->x + (size_t)i * width, width * sizeof *f->x);
        f->y[at++] = log(belief_at(&f->m->beliefs, i, f->workload, 0)->value /
                         estimate_of(f->m, i, f->workload));
    }
    return true;
}

/* Metrics that are the cycles times or over a constant move with them. */
static void move(const struct auto_model *m, uint32_t point, uint32_t workload, double factor,
                 double log_sd)
{
    for (uint32_t k = 0; k <= m->plan->n_objectives; k++) {
        const char *name = belief_metric(m->plan, k);
        struct belief *x = belief_at(&m->beliefs, point, workload, k);
        if (!name || !summary_goes_with_cycles(name)) continue;
        x->value *= summary_rises_with_cycles(name) ? factor : 1 / factor;
        x->log_sd = log_sd;
        x->source = SOURCE_CALIBRATED;
    }
}

static bool believe(size_t point, unsigned worker, void *ctx)
{
    const struct program_fit *f = ctx;
    uint32_t i = (uint32_t)point;
    double raw = estimate_of(f->m, i, f->workload);
    double now = belief_at(&f->m->beliefs, i, f->workload, 0)->value;
    if (is_known(f->m, i, f->workload) || !(raw > 0) || !(now > 0)) return true;
    struct surrogate_value v =
        surrogate_at(&f->s, f->c->x + point * f->c->width, f->work + (size_t)worker * f->n);
    move(f->m, i, f->workload, raw * exp(v.mean) / now, v.sd);
    return true;
}

static double error_left_out(const struct surrogate *s)
{
    double sum = 0;
    for (uint32_t i = 0; i < s->n; i++)
        sum += fabs(expm1(surrogate_left_out(s, i)));
    return sum / s->n;
}

static bool revise(struct auto_model *m, struct columns *c, uint32_t workload, double *left_out,
                   struct error *e)
{
    struct program_fit f = {.m = m, .c = c, .workload = workload};
    bool ok = gather(&f, e);
    if (ok && f.n >= RUNS_MIN) {
        ok = surrogate_fit(&f.s, f.x, f.y, f.n, c->width, e);
        double error = ok ? error_left_out(&f.s) : NAN;
        if (ok && !(error >= *left_out)) {
            *left_out = error;
            pool_map(m->threads, plan_points(m->plan), believe, &f);
        }
        surrogate_fini(&f.s);
    }
    mem_free(f.x);
    mem_free(f.y);
    mem_free(f.work);
    return ok;
}

bool auto_surrogate_revise(struct auto_model *m, double *left_out, struct error *e)
{
    struct columns c;
    bool ok = columns_make(&c, m->plan, e);
    for (uint32_t w = 0; w < m->plan->n_workloads && ok && c.width <= SURROGATE_COLUMNS_MAX; w++)
        ok = revise(m, &c, w, &left_out[w], e);
    columns_fini(&c);
    return ok;
}
