/* rivals.c - see rivals.h. */
#include "sweeps/ranking/rivals.h"

#include "base/memory/alloc.h"
#include "engine/engine.h"
#include "gpu/machine/machine.h"
#include "sweeps/run/runner.h"

#include <math.h>

/* Where the estimates of a point's programs lie. */
struct point_places {
    struct machine machine;
    struct answer_place *at; /* [workloads] */
    bool *there;             /* [workloads] */
};

struct search {
    struct summary *out;
    const struct plan *plan;
    struct store *store;
    struct point_places best, other;
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

static bool read_places(const struct search *x, uint32_t point, struct point_places *out,
                        struct error *e)
{
    bool ok = plan_machine(x->plan, point, &out->machine, e);
    for (uint32_t w = 0; ok && w < x->plan->n_workloads; w++) {
        const struct run_key k = runner_key(x->plan, point, &out->machine, w, ENGINE_ESTIMATE);
        ok = store_get_place(x->store, &k, &out->at[w], &out->there[w], e);
    }
    return ok;
}

static struct ratio_side side_of(const struct plan *p, const struct point_places *of, uint32_t w)
{
    const struct machine *m = &of->machine;
    return (struct ratio_side){program_digest(plan_program(p, w, m)), m, &of->at[w]};
}

/* Half of the range of the ratio of that program's cycles to the best point's; INFINITY: not
 * known. */
static double ratio_range(const struct search *x, uint32_t w)
{
    const struct plan *p = x->plan;
    if (!x->best.there[w] || !x->other.there[w]) return INFINITY;
    const struct ratio_side best = side_of(p, &x->best, w), other = side_of(p, &x->other, w);
    return engine_ratio_range(calibration_set_for(&p->calibrations, other.m), &best, &other,
                              p->opts.confidence);
}

/* The same of all programs. */
static bool find_ratio(struct search *x, uint32_t point, double *half, struct error *e)
{
    double sum = 0, squares = 0;
    if (!read_places(x, point, &x->other, e)) return false;
    for (uint32_t w = 0; w < x->plan->n_workloads; w++) {
        double one = ratio_range(x, w);
        sum += one;
        squares += one * one;
    }
    *half = summary_joint(sum, squares, x->plan->n_workloads);
    return true;
}

/* Answers of engine auto are no estimates as they were made. */
static bool knows_places(const struct plan *p)
{
    return p->engine == ENGINE_ESTIMATE && !p->automatic;
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
    if (knows_places(x->plan)) {
        double of_ratio;
        if (!find_ratio(x, point, &of_ratio, e)) return false;
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

static bool judge_points(struct search *x, uint32_t k, struct error *e)
{
    uint32_t best = x->out->best[k];
    if (best == UINT32_MAX || !rivals_judges(&x->plan->objective[k])) return true;
    if (knows_places(x->plan) && !read_places(x, best, &x->best, e)) return false;
    for (uint32_t i = 0; i < x->out->points; i++)
        if (i != best && !judge_point(x, i, k, e)) return false;
    return true;
}

static bool places_new(struct point_places *p, uint32_t workloads)
{
    p->at = mem_new(workloads, sizeof *p->at);
    p->there = mem_new(workloads, sizeof *p->there);
    return p->at && p->there;
}

static void places_free(struct point_places *p)
{
    mem_free(p->at);
    mem_free(p->there);
}

bool rivals_find(struct summary *out, const struct plan *p, struct store *s, struct error *e)
{
    struct search x = {.out = out, .plan = p, .store = s};
    bool ok = places_new(&x.best, p->n_workloads);
    ok = (places_new(&x.other, p->n_workloads) && ok) || error_no_memory(e);
    for (uint32_t k = 0; ok && k < p->n_objectives; k++)
        ok = judge_points(&x, k, e);
    places_free(&x.best);
    places_free(&x.other);
    return ok;
}
