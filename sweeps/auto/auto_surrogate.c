/* auto_surrogate.c - see auto_surrogate.h. */
#include "sweeps/auto/auto_surrogate.h"

#include "base/memory/alloc.h"
#include "base/run/parallel.h"
#include "sweeps/auto/auto_columns.h"
#include "sweeps/auto/surrogate.h"
#include "sweeps/constants.h"

#include <math.h>
#include <string.h>

/* --- one program -------------------------------------------------------------------------------
 */

struct program_fit {
    struct auto_model *m;
    struct auto_columns *c;
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
    return prediction_at(&m->predictions, point, workload, 0)->source == SOURCE_SIMULATE &&
           estimate_of(m, point, workload) > 0;
}

/* Fills the last column with the logarithm of the estimate, scaled to its range over the design. */
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

static bool gather_runs(struct program_fit *f, struct error *e)
{
    uint32_t points = plan_points(f->m->plan), width = f->c->width;
    unsigned threads = parallel_threads(f->m->threads);
    for (uint32_t i = 0; i < points; i++)
        f->n += is_known(f->m, i, f->workload);
    if (f->n < SURROGATE_RUNS) return true;
    f->x = mem_new((size_t)f->n * width, sizeof *f->x);
    f->y = mem_new(f->n, sizeof *f->y);
    f->work = mem_new((size_t)threads * f->n, sizeof *f->work);
    if (!f->x || !f->y || !f->work) return error_no_memory(e);
    put_estimates(f);
    for (uint32_t i = 0, at = 0; i < points; i++) {
        if (!is_known(f->m, i, f->workload)) continue;
        memcpy(f->x + (size_t)at * width, f->c->x + (size_t)i * width, width * sizeof *f->x);
        f->y[at++] = log(prediction_at(&f->m->predictions, i, f->workload, 0)->value /
                         estimate_of(f->m, i, f->workload));
    }
    return true;
}

/* Scales the cycles, and the metrics that are the cycles times a constant or a constant over
 * them. */
static void scale_prediction(const struct auto_model *m, uint32_t point, uint32_t workload,
                             double factor, double log_sd)
{
    for (uint32_t k = 0; k <= m->plan->n_objectives; k++) {
        const char *name = prediction_metric(m->plan, k);
        struct prediction *x = prediction_at(&m->predictions, point, workload, k);
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
    double now = prediction_at(&f->m->predictions, i, f->workload, 0)->value;
    if (is_known(f->m, i, f->workload) || !(raw > 0) || !(now > 0)) return true;
    struct surrogate_value v =
        surrogate_at(&f->s, f->c->x + point * f->c->width, f->work + (size_t)worker * f->n);
    scale_prediction(f->m, i, f->workload, raw * exp(v.mean) / now, v.sd);
    return true;
}

/* Stores the runs' leave-one-out residuals, in the order in which gather_runs() found the runs. */
static void take_left_out(struct program_fit *f)
{
    for (uint32_t i = 0, at = 0; i < plan_points(f->m->plan); i++)
        if (is_known(f->m, i, f->workload))
            f->m->left[(size_t)i * f->m->plan->n_workloads + f->workload] =
                surrogate_left_out(&f->s, at++);
}

static double error_left_out(const struct surrogate *s)
{
    double sum = 0;
    for (uint32_t i = 0; i < s->n; i++)
        sum += fabs(expm1(surrogate_left_out(s, i)));
    return sum / s->n;
}

static bool revise_program(struct auto_model *m, struct auto_columns *c, uint32_t workload,
                           struct error *e)
{
    struct program_fit f = {.m = m, .c = c, .workload = workload};
    bool ok = gather_runs(&f, e);
    if (ok && f.n >= SURROGATE_RUNS) {
        ok = surrogate_fit(&f.s, f.x, f.y, f.n, c->width, e);
        if (ok && !(error_left_out(&f.s) >= auto_model_left_out(m, workload, false))) {
            take_left_out(&f);
            parallel_map(m->threads, plan_points(m->plan), believe, &f);
        }
        surrogate_fini(&f.s);
    }
    mem_free(f.x);
    mem_free(f.y);
    mem_free(f.work);
    return ok;
}

bool auto_surrogate_revise(struct auto_model *m, struct error *e)
{
    struct auto_columns c;
    bool ok = auto_columns_make(&c, m->plan, e);
    for (uint32_t w = 0; w < m->plan->n_workloads && ok && c.width <= SURROGATE_COLUMNS_MAX; w++)
        ok = revise_program(m, &c, w, e);
    auto_columns_fini(&c);
    return ok;
}
