/* auto_error.c - see auto_error.h. */
#include "sweeps/auto/auto_error.h"

#include "base/memory/alloc.h"

#include <math.h>

/* mean absolute value of a standard normal: sqrt(2 / pi) */
#define MEAN_OF_ABSOLUTE 0.7978845608028654

static bool is_open(const struct auto_model *m, uint32_t point, uint32_t workload)
{
    const struct prediction *x = prediction_at(&m->predictions, point, workload, 0);
    return x->source != SOURCE_SIMULATE && x->log_sd >= 0;
}

/* The mean |relative error| that their standard errors imply for a program's unknown runs; NaN:
 * there are none. */
static double stated_log_sd(const struct auto_model *m, uint32_t workload)
{
    double sum = 0, n = 0;
    for (uint32_t i = 0; i < plan_points(m->plan); i++) {
        if (!is_open(m, i, workload)) continue;
        sum += prediction_at(&m->predictions, i, workload, 0)->log_sd;
        n++;
    }
    return MEAN_OF_ABSOLUTE * sum / n;
}

/* The number of even points whose runs did not fail. */
static uint32_t even_points(const struct auto_model *m)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < plan_points(m->plan); i++)
        n += m->even[i] && !m->failed[i];
    return n;
}

/* Widens the cycles' standard errors, and those of metrics proportional to cycles, by `factor`. */
static void widen_predictions(struct auto_model *m, uint32_t workload, double factor)
{
    const struct plan *p = m->plan;
    for (uint32_t i = 0; i < plan_points(p); i++) {
        if (!is_open(m, i, workload)) continue;
        for (uint32_t k = 0; k <= p->n_objectives; k++) {
            const char *name = prediction_metric(p, k);
            if (name && summary_goes_with_cycles(name))
                prediction_at(&m->predictions, i, workload, k)->log_sd *= factor;
        }
    }
}

bool auto_doubt(struct auto_model *m, struct error *e)
{
    uint32_t programs = m->plan->n_workloads, known = 0, even = even_points(m);
    double found_all = 0, said_all = 0, *factor = mem_new(programs, sizeof *factor);
    m->left_out = NAN;
    if (!factor) return error_no_memory(e);
    for (uint32_t w = 0; w < programs; w++) {
        double found = auto_model_left_out(m, w, true), stated = stated_log_sd(m, w);
        factor[w] = found / stated;
        if (isnan(found)) continue;
        m->left_out = (known * (known ? m->left_out : 0) + found) / (known + 1);
        known++;
        if (!(stated > 0)) continue;
        found_all += found;
        said_all += stated;
    }
    /* the mean of `even` errors is off by about 1 / sqrt(even) */
    double careful = 1 + 1 / sqrt(even);
    m->left_out *= careful;
    for (uint32_t w = 0; w < programs && even; w++) {
        double all = found_all / said_all, own = isnan(factor[w]) ? all : factor[w];
        double f = (own + all) / 2 * careful;
        if (isfinite(f) && f > 1) widen_predictions(m, w, f);
    }
    mem_free(factor);
    return true;
}
