/* rivals.c - see rivals.h. */
#include "sweeps/ranking/rivals.h"

#include "base/memory/alloc.h"
#include "engine/engine.h"
#include "gpu/machine/machine.h"
#include "sweeps/run/runner.h"

#include <math.h>

struct search {
    struct summary *out;
    const struct plan *plan;
    struct store *store;
    struct machine best; /* the best point's machine */
    size_t room;
};

static double value_of(const struct search *x, uint32_t point, uint32_t k)
{
    return x->out->value[(size_t)point * x->plan->n_objectives + k];
}

/* Half of the range of its logarithm; INFINITY: not known. */
static double half_of(const struct search *x, uint32_t point, uint32_t k)
{
    size_t at = (size_t)point * x->plan->n_objectives + k;
    double half = log(x->out->high[at] / x->out->low[at]) / 2;
    return isnan(half) ? INFINITY : half;
}

static bool read_place(const struct search *x, uint32_t point, const struct machine *m, uint32_t w,
                       struct answer_place *out, bool *there, struct error *e)
{
    const struct run_key k = runner_key(x->plan, point, m, w, ENGINE_ESTIMATE);
    return store_get_place(x->store, &k, out, there, e);
}

/* Half of the range of the ratio's logarithm, for all programs; INFINITY: not known. */
static bool find_ratio(const struct search *x, uint32_t best, uint32_t point, double *half,
                       struct error *e)
{
    const struct plan *p = x->plan;
    struct machine m;
    double sum = 0, squares = 0;
    if (!plan_machine(p, point, &m, e)) return false;
    for (uint32_t w = 0; w < p->n_workloads; w++) {
        struct answer_place a, b;
        bool has_a, has_b;
        if (!read_place(x, best, &x->best, w, &a, &has_a, e) ||
            !read_place(x, point, &m, w, &b, &has_b, e))
            return false;
        double one = has_a && has_b
                         ? engine_ratio_range(calibration_set_for(&p->calibrations, &m),
                                              program_digest(plan_program(p, w, m.sm.warp_width)),
                                              &x->best, &a, &m, &b, p->opts.confidence)
                         : INFINITY;
        sum += one;
        squares += one * one;
    }
    *half = summary_joint(sum, squares, p->n_workloads);
    return true;
}

static bool add_rival(struct search *x, const struct rival *r, struct error *e)
{
    if (!mem_grow(&x->out->rival, &x->room, x->out->n_rivals + 1, sizeof *r))
        return error_no_memory(e);
    x->out->rival[x->out->n_rivals++] = *r;
    return true;
}

/* How far the point's value is worse than the best's, as a logarithm. */
static double lag_of(const struct search *x, uint32_t point, uint32_t k)
{
    double ratio = log(value_of(x, point, k) / value_of(x, x->out->best[k], k));
    return x->plan->objective[k].goal == GOAL_MIN ? ratio : -ratio;
}

/* Reads of a point only what its own range does not decide. */
static bool judge_point(struct search *x, uint32_t point, uint32_t k, struct error *e)
{
    uint32_t best = x->out->best[k];
    double lag = lag_of(x, point, k), half = hypot(half_of(x, best, k), half_of(x, point, k));
    if (!(lag < half)) return true;
    if (x->plan->engine == ENGINE_ESTIMATE && !x->plan->automatic) {
        double of_ratio;
        if (!find_ratio(x, best, point, &of_ratio, e)) return false;
        half = fmin(half, of_ratio);
    }
    if (!(lag < half)) return true;
    double ratio = value_of(x, point, k) / value_of(x, best, k);
    const struct rival r = {
        .objective = k, .point = point, .low = ratio * exp(-half), .high = ratio * exp(half)};
    return add_rival(x, &r, e);
}

bool rivals_judges(const struct objective *o)
{
    return !o->parameter && summary_goes_with_cycles(o->name);
}

bool rivals_find(struct summary *out, const struct plan *p, struct store *s, struct error *e)
{
    struct search x = {.out = out, .plan = p, .store = s};
    for (uint32_t k = 0; k < p->n_objectives; k++) {
        uint32_t best = out->best[k];
        if (best == UINT32_MAX || !rivals_judges(&p->objective[k])) continue;
        if (!plan_machine(p, best, &x.best, e)) return false;
        for (uint32_t i = 0; i < out->points; i++)
            if (i != best && !judge_point(&x, i, k, e)) return false;
    }
    return true;
}
