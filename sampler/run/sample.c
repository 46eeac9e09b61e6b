/* sample.c - see sample.h. */
#include "sampler/run/sample.h"

#include "base/memory/alloc.h"
#include "estimator/constants.h"
#include "gpu/geometry/occupancy.h"
#include "gpu/machine/machine.h"
#include "sampler/constants.h"
#include "sampler/run/interrupted.h"
#include "sampler/run/paired_difference.h"
#include "sampler/run/sampling.h"
#include "sampler/run/shared_intervals.h"
#include "sampler/run/simulate.h"
#include "sampler/strata/long_program.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdio.h>

/* Without pilots the usual error is assumed; programs that fill their queues slowly have a larger
 * one. */
static void warn_of_warmup(struct sampling *s)
{
    answer_warn(s->a,
                "no pilot told how long to warm up: the error may be more than is stated (a budget "
                "of %llu instructions would tell; the program has %llu)",
                (unsigned long long)s->pilot_budget, (unsigned long long)s->pop.instructions);
}

/* The largest of the systematic errors. */
static const char *main_error_source(const struct answer_parts *p)
{
    if (p->drain > fmax(p->placing, p->warming)) return "the last CTAs' places";
    return p->warming > 0 ? "warming" : "placing";
}

static void warn_of_doubt(struct sampling *s, const struct extrapolation *x)
{
    char why[96] = "the budget is used up";
    if (x->half_width <= rounds_goal(&s->r, x))
        snprintf(why, sizeof(why), "%s leaves %.1f %%", main_error_source(&s->a->parts),
                 100 * x->placing);
    else if (sampling_went_on(s, &s->r))
        snprintf(why, sizeof(why),
                 "the default budget is used up, and more was spent down to %.0f %%",
                 100 * SAMPLING_WIDE);
    if (s->a->half_width > s->o->error)
        answer_warn(s->a,
                    "half width %.1f %% instead of %.1f %%: %s; simulated %llu of at most %llu "
                    "instructions",
                    100 * s->a->half_width, 100 * s->o->error, why, (unsigned long long)s->r.spent,
                    (unsigned long long)s->r.budget);
    if (s->pilot_budget && !rounds_all_taken(&s->r)) warn_of_warmup(s);
    if (!rounds_all_taken(&s->r) && x->free < ROUNDS_FREE_WANTED)
        answer_warn(s->a, "only %u intervals: the half width itself is uncertain", x->n);
    if (s->r.spent > s->r.budget)
        answer_warn(s->a, "%llu instructions were the least that could be simulated",
                    (unsigned long long)s->r.spent);
}

static double doubt_of_estimates(const struct sampling *s)
{
    return expm1(gsl_cdf_ugaussian_Pinv(0.5 + s->o->confidence / 2) * UNCALIBRATED_SD);
}

static void warn_partial(struct sampling *s, const struct extrapolation *x)
{
    answer_warn(s->a, "interrupted: a partial estimate from %u intervals", x->n);
    if (x->unseen > 0)
        answer_warn(s->a, "of %.0f %% of the estimated cycles no interval of the kind was run",
                    100 * x->unseen);
}

/* Extrapolates the same intervals without a control variate: how many would that have needed? */
static bool judge_control(struct sampling *s, const struct extrapolation *x, struct error *e)
{
    struct extrapolation plain;
    struct answer_control *c = &s->a->control;
    if (!extrapolate(&plain, &s->pop, s->r.run, x->n, s->o->confidence, s->r.doubt, true, e))
        return false;
    double *sd = mem_new(s->pop.strata, sizeof *sd);
    if (sd) {
        extrapolation_sd(x, s->r.sd);
        extrapolation_sd(&plain, sd);
        *c = (struct answer_control){
            .name = control_name[x->control],
            .variance_ratio =
                plain.spread.variance > 0 ? x->spread.variance / plain.spread.variance : 1,
            .intervals = rounds_needed(&s->r, s->r.sd, e),
            .intervals_without = rounds_needed(&s->r, sd, e)};
    }
    extrapolation_fini(&plain);
    mem_free(sd);
    return sd || error_no_memory(e);
}

static void tell_intervals(const struct sampling *s, const struct extrapolation *x)
{
    for (uint32_t i = 0; i < x->n && s->o->interval; i++) {
        const struct interval_run *r = &s->r.run[i];
        const struct sampled_interval told = {.launch = r->unit->launch,
                                              .stratum = r->unit->stratum,
                                              .kind = unit_kind_name[r->unit->kind],
                                              .begin = r->unit->begin,
                                              .length = r->unit->length,
                                              .warmup = r->warmup,
                                              .weight = x->w[i],
                                              .estimated_cycles = r->unit->x,
                                              .m = &r->m};
        s->o->interval(&told, s->o->interval_ctx);
    }
}

static bool fill_answer(struct sampling *s, struct error *e)
{
    struct extrapolation x;
    struct answer *a = s->a;
    if (!extrapolate(&x, &s->pop, s->r.run, (uint32_t)s->r.runs, s->o->confidence, s->r.doubt,
                     s->r.plain, e))
        return false;
    if (a->partial) x.placing = interrupted_placing(&x, doubt_of_estimates(s));
    extrapolation_metrics(&x, a);
    tell_intervals(s, &x);
    if (a->partial)
        warn_partial(s, &x);
    else
        warn_of_doubt(s, &x);
    a->has_confidence = true;
    a->level = s->o->confidence;
    a->simulated_instructions = s->r.spent;
    a->warmup_instructions = s->r.warmed;
    a->simulated_share = (double)s->r.spent / (double)s->pop.instructions;
    bool ok = (a->partial || judge_control(s, &x, e)) &&
              (!s->o->per_kernel || answer_kernels(a, s->p, s->selected, e));
    for (uint32_t i = 0; ok && i < a->n_kernels; i++)
        extrapolation_launch(&x, a->kernel[i].launch, &a->kernel[i].m);
    extrapolation_fini(&x);
    return ok;
}

/* The answer of a program that is not sampled is exact. */
static bool simulate_whole(struct sampling *s, struct error *e)
{
    struct answer *a = s->a;
    if (!simulate_run(s->m, s->p, s->selected, s->costs, s->o, a, e)) return false;
    a->has_confidence = true;
    a->level = s->o->confidence;
    a->intervals = s->pop.units;
    a->simulated_instructions += s->r.spent;
    a->warmup_instructions = s->r.warmed;
    a->simulated_share = (double)a->simulated_instructions / (double)s->pop.instructions;
    for (uint32_t i = 0; i < METRIC_N; i++)
        a->half_widths.has[i] = a->m.has[i];
    return true;
}

static void warn_whole(struct sampling *s, bool tried)
{
    const struct sample_price *p = &s->price;
    if (!tried && sample_price_sum(p) > SAMPLE_WORTH)
        answer_warn(s->a,
                    "a sample would cost %.2f of the simulation (profile %.2f, functional pass "
                    "%.2f, intervals %.2f): simulated whole",
                    sample_price_sum(p), p->profile, p->pass, p->intervals);
    else
        answer_warn(s->a, "too %s (%llu instructions, %u intervals): simulated whole",
                    tried ? "uncertain a sample" : "small to sample well",
                    (unsigned long long)s->pop.instructions, s->pop.units);
}

/* The result replaces the sample only if the simulation finished; after an interrupt the answer is
 * that of the intervals. */
static bool simulate_instead(struct sampling *s, struct error *e)
{
    bool tried = s->r.runs > 0;
    if (!simulate_whole(s, e)) return false;
    warn_whole(s, tried);
    return true;
}

/* After an interrupt: the answer from the intervals that finished. */
static void fill_partial(struct sampling *s)
{
    struct error e = {0};
    interrupted_keep(&s->r, &s->pop);
    if (s->r.runs == 0) return;
    s->a->m = (struct metrics){0}; /* discards an unfinished simulation */
    s->a->partial = true;
    fill_answer(s, &e);
}

/* Runs pilots, then rounds, within the budget. */
static bool sample_population(struct sampling *s, struct error *e)
{
    uint64_t least = rounds_least_cost(&s->r);
    /* that many instructions simulate it whole */
    if (least > s->pop.instructions) least = s->pop.instructions;
    if (s->o->budget && least > s->r.budget)
        return error_input(e,
                           "%s: a budget of %llu warp instructions gives no answer; at least %llu "
                           "are needed (the whole program has %llu)",
                           program_name(s->p), (unsigned long long)s->r.budget,
                           (unsigned long long)least, (unsigned long long)s->pop.instructions);
    if (s->o->progress) progress_start(s->o->progress, "intervals", 0);
    bool wide = false;
    bool ok =
        sampling_look(s, e) && sampling_run_pilots(s, e) && sampling_rounds(s, &s->r, &wide, e);
    if (ok && !wide) ok = fill_answer(s, e);
    if (s->o->progress) progress_finish(s->o->progress);
    if (ok && wide) ok = simulate_instead(s, e);
    if (ok || !plumb_interrupted) return ok;
    fill_partial(s);
    return error_interrupted(e, "sampling");
}

bool shared_intervals_run_whole(const struct sampling *s, const struct sample_other *x,
                                struct answer *a, struct error *e)
{
    struct sampling other = *s;
    struct run_opts quiet = *s->o;
    quiet.progress = NULL; /* several simulations run at once */
    other.o = &quiet;
    other.m = x->m;
    other.costs = x->costs;
    other.a = a;
    other.r.spent = other.r.warmed = 0;
    if (!simulate_whole(&other, e)) return false;
    if (!s->a->control.name) paired_exact(s->a, a);
    return true;
}

bool shared_intervals_possible(const struct sampling *s)
{
    return s->a->control.name != NULL;
}

bool sample_run(const struct machine *m, const struct program *p, const struct profile *profile,
                const struct energy_costs *costs, const struct run_opts *o,
                const struct sample_others *others, struct answer *a, struct error *err)
{
    struct sampling s = {.m = m, .p = p, .costs = costs, .o = o, .a = a};
    bool worth = false;
    bool ok = sampling_start(&s, profile, err) && sampling_worth(&s, &worth, err);
    if (ok) ok = worth ? sample_population(&s, err) : simulate_instead(&s, err);
    if (ok && others) ok = shared_intervals_run(&s, others, err);
    sampling_fini(&s);
    return ok;
}
