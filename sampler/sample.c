/* sample.c - see sample.h. */
#include "sampler/sample.h"

#include "base/mem.h"
#include "base/rng.h"
#include "detailed/warm.h"
#include "energy/account.h"
#include "geometry/occupancy.h"
#include "machine/machine.h"
#include "sampler/extrapolate.h"
#include "sampler/groups.h"
#include "sampler/scope.h"
#include "sampler/simulate.h"
#include "sampler/warmup.h"

#include <math.h>
#include <stdio.h>

enum {
    ROUND = 4,             /* units that a round adds at least */
    INTERVAL_LENGTH = 300, /* longest interval, instructions per resident warp */
    INTERVAL_SHORTEST = 24,
    UNITS_WANTED = 160, /* intervals are shortened until there are so many */
    UNITS_WHOLE = 12,   /* with fewer, sampling is not worth its warm-up */
    PILOTS = 4,
    WHOLE_BELOW = 200000,     /* instructions: sampling so little saves no time */
    WHOLE_IN_DOUBT = 2000000, /* the same where the budget bears no honest interval */
    FREE_WANTED =
        4, /* observations beyond one per stratum, below which no half width is believed */
    FEATURES = PROFILE_FEATURES + 2
};
/* Placing error where the budget bore no pilot: the most that was seen (triad on rx540). */
static const double UNMEASURED_ERROR = 0.13;
static const double TOO_WIDE = 0.1;
#define SNAPSHOT_BYTES ((uint64_t)1 << 30)

struct sampling {
    const struct machine *m;
    const struct program *p;
    const struct energy_costs *costs;
    const struct run_opts *o;
    struct answer *a;
    uint32_t launches;
    bool *selected;
    struct launch_size *size;
    uint64_t *before;
    double *features; /* [launches][FEATURES] */
    uint64_t budget, spent;
    struct population pop;
    uint32_t warmup; /* index of warmup_length */
    double placing;  /* relative error that placing and warming may leave */
    /* The order in which each stratum's units are taken: order[start[h] ..], taken[h] of units[h]
     * so far. */
    uint32_t *order, *start, *taken, *units;
    double *sd, *cost;
    struct window_run *run;
    size_t runs, cap;
    struct windows windows;
};

/* --- the program cut into units
 * ---------------------------------------------------------------------- */

static uint32_t resident_warps(const struct machine *m, const struct launch *l)
{
    struct occupancy o = occupancy(&m->sm, &m->l1, l);
    uint64_t ctas = (uint64_t)o.ctas * m->sm.count;
    if (ctas > l->ctas) ctas = l->ctas;
    uint64_t warps = ctas * l->warps_per_cta;
    return warps ? (uint32_t)warps : 1;
}

/* Instructions that each launch has to give, and where it begins in the program. */
static bool measure_launches(struct sampling *s, struct error *e)
{
    uint64_t *count = mem_new(s->launches, sizeof(*count));
    if (!count) return error_no_memory(e);
    bool ok = program_count(s->p, count, e);
    uint64_t left = s->o->max_instructions ? s->o->max_instructions : UINT64_MAX;
    uint64_t at = 0;
    for (uint32_t l = 0; ok && l < s->launches; l++) {
        struct launch_size *size = &s->size[l];
        s->before[l] = at;
        at += count[l];
        if (!s->selected[l]) continue;
        size->instructions = count[l] < left ? count[l] : left;
        size->truncated = count[l] > left;
        size->resident = resident_warps(s->m, program_launch(s->p, l));
        size->cycles *= count[l] ? (double)size->instructions / (double)count[l] : 0;
        left -= size->instructions;
    }
    mem_free(count);
    return ok;
}

static void describe_launches(struct sampling *s, const struct profile *profile)
{
    for (uint32_t l = 0; l < s->launches; l++) {
        double *f = s->features + (size_t)l * FEATURES;
        const struct launch_size *size = &s->size[l];
        if (!size->instructions) continue;
        profile_features(profile, l, f);
        f[PROFILE_FEATURES] = log2((double)size->instructions);
        f[PROFILE_FEATURES + 1] = size->cycles / (double)size->instructions;
    }
    group_normalise(s->features, FEATURES, s->selected, s->launches);
}

static bool build_population(struct sampling *s, const struct profile *profile,
                             const struct correction *c, struct error *e)
{
    struct est_params params = engine_est_params(s->m);
    double *cycles = mem_new(s->launches, sizeof(*cycles));
    if (!cycles) return error_no_memory(e);
    bool ok = estimate_launches(profile, &params, c, cycles, e);
    for (uint32_t l = 0; l < s->launches; l++)
        s->size[l].cycles = cycles[l];
    mem_free(cycles);
    if (!ok || !measure_launches(s, e)) return false;
    uint64_t total = 0;
    for (uint32_t l = 0; l < s->launches; l++)
        total += s->size[l].instructions;
    s->budget = s->o->budget ? s->o->budget : total / 2;
    describe_launches(s, profile);
    const struct population_opts o = {.per_warp = INTERVAL_LENGTH,
                                      .min_whole = UNITS_WHOLE,
                                      .min_units = UNITS_WANTED,
                                      .min_per_warp = INTERVAL_SHORTEST,
                                      .pilot_budget = s->budget / 3 * 2,
                                      .warmup_per_warp = warmup_length[1]};
    return population_build(&s->pop, s->size, s->launches, s->features, FEATURES, &o, e);
}

/* --- which unit comes next
 * --------------------------------------------------------------------------- */

static void shuffle(uint32_t *order, uint32_t n, uint64_t seed, uint64_t stream)
{
    struct rng r;
    rng_seed(&r, seed, stream);
    for (uint32_t i = n; i > 1; i--) {
        uint32_t j = (uint32_t)rng_below(&r, i), t = order[i - 1];
        order[i - 1] = order[j];
        order[j] = t;
    }
}

static uint64_t unit_cost(const struct sampling *s, const struct unit *u)
{
    return u->length + unit_warmup(u, s->size, warmup_length[s->warmup]);
}

static void set_costs(struct sampling *s)
{
    for (uint32_t h = 0; h < s->pop.strata; h++)
        s->cost[h] = 0;
    for (uint32_t i = 0; i < s->pop.units; i++) {
        const struct unit *u = &s->pop.unit[i];
        s->cost[u->stratum] += (double)unit_cost(s, u) / s->units[u->stratum];
    }
}

static bool order_units(struct sampling *s, struct error *e)
{
    uint32_t strata = s->pop.strata;
    s->order = mem_new(s->pop.units, sizeof(*s->order));
    s->start = mem_new(strata + 1, sizeof(*s->start));
    s->taken = mem_new(strata, sizeof(*s->taken));
    s->units = mem_new(strata, sizeof(*s->units));
    s->sd = mem_new(strata, sizeof(*s->sd));
    s->cost = mem_new(strata, sizeof(*s->cost));
    if (!s->order || !s->start || !s->taken || !s->units || !s->sd || !s->cost)
        return error_no_memory(e);
    for (uint32_t i = 0; i < s->pop.units; i++)
        s->units[s->pop.unit[i].stratum]++;
    for (uint32_t h = 0; h < strata; h++)
        s->start[h + 1] = s->start[h] + s->units[h];
    for (uint32_t i = 0; i < s->pop.units; i++) {
        uint32_t h = s->pop.unit[i].stratum;
        s->order[s->start[h] + s->taken[h]++] = i;
    }
    for (uint32_t h = 0; h < strata; h++) {
        s->taken[h] = 0;
        shuffle(s->order + s->start[h], s->units[h], s->o->seed, h);
    }
    set_costs(s);
    return true;
}

static const struct unit *unit_at(const struct sampling *s, uint32_t h, uint32_t i)
{
    return &s->pop.unit[s->order[s->start[h] + i]];
}

/* What two units of every stratum, less those that were taken, cost with the warm-up as it is. */
static uint64_t least_cost(const struct sampling *s)
{
    uint64_t cost = 0;
    for (uint32_t h = 0; h < s->pop.strata; h++)
        for (uint32_t i = s->taken[h]; i < 2 && i < s->units[h]; i++)
            cost += unit_cost(s, unit_at(s, h, i));
    return cost;
}

/* --- running them
 * ------------------------------------------------------------------------------------ */

static bool append(struct sampling *s, const struct unit *u, uint32_t warmup, struct error *e)
{
    if (!mem_grow(&s->run, &s->cap, s->runs + 1, sizeof(*s->run))) return error_no_memory(e);
    s->run[s->runs++] = (struct window_run){.unit = u, .warmup = unit_warmup(u, s->size, warmup)};
    return true;
}

/* Runs what was appended since `from` and counts its cost. */
static bool run_from(struct sampling *s, size_t from, struct error *e)
{
    if (!windows_run(&s->windows, s->run + from, (uint32_t)(s->runs - from), e)) return false;
    for (size_t i = from; i < s->runs; i++) {
        energy_account(s->costs, &s->run[i].m);
        s->spent += s->run[i].cost;
        s->a->warmup_instructions += s->run[i].warmup;
    }
    return true;
}

/* Takes the units of every stratum up to taken[h] = want[h]. */
static bool take_up_to(struct sampling *s, const uint32_t *want, struct error *e)
{
    size_t from = s->runs;
    for (uint32_t h = 0; h < s->pop.strata; h++)
        for (; s->taken[h] < want[h]; s->taken[h]++)
            if (!append(s, unit_at(s, h, s->taken[h]), warmup_length[s->warmup], e)) return false;
    return run_from(s, from, e);
}

/* --- the warm-up, measured
 * --------------------------------------------------------------------------- */

/* The stratum that weighs most among those whose next unit is an interval with room for more than
 * the second longest warm-up (the longest ends at the launch's beginning, where all is true). */
static bool next_pilot(const struct sampling *s, uint32_t *stratum)
{
    double most = 0;
    for (uint32_t h = 0; h < s->pop.strata; h++) {
        if (s->taken[h] >= s->units[h]) continue;
        const struct unit *u = unit_at(s, h, s->taken[h]);
        uint64_t room = (uint64_t)warmup_length[WARMUPS - 2] * s->size[u->launch].resident;
        double weight = u->x * s->units[h] / (1 + s->taken[h]);
        if (u->begin <= room || weight <= most) continue;
        most = weight;
        *stratum = h;
    }
    return most > 0;
}

static uint64_t pilot_cost(const struct sampling *s, const struct unit *u)
{
    uint64_t cost = 0;
    for (uint32_t w = 0; w < WARMUPS; w++)
        cost += u->length + unit_warmup(u, s->size, warmup_length[w]);
    return cost;
}

/* What is left for pilots: at most half of the budget, and the least that rounds need stays. */
static uint64_t pilot_budget(const struct sampling *s)
{
    uint64_t least = least_cost(s);
    uint64_t left = s->budget > least ? s->budget - least : 0;
    return left < s->budget / 2 ? left : s->budget / 2;
}

/* Each pilot is appended WARMUPS times, longest last. */
static bool append_pilots(struct sampling *s, uint32_t *pilots, struct error *e)
{
    uint64_t cost = 0, most = pilot_budget(s);
    uint32_t h;
    for (*pilots = 0; *pilots < PILOTS && next_pilot(s, &h); ++*pilots) {
        const struct unit *u = unit_at(s, h, s->taken[h]);
        cost += pilot_cost(s, u);
        if (cost > most) return true;
        for (uint32_t w = 0; w < WARMUPS; w++)
            if (!append(s, u, warmup_length[w], e)) return false;
        s->taken[h]++;
    }
    return true;
}

/* Of each pilot only the run with the longest warm-up stays as an observation. */
static void keep_longest(struct sampling *s, uint32_t pilots)
{
    for (uint32_t i = 0; i < pilots; i++)
        s->run[i] = s->run[i * WARMUPS + WARMUPS - 1];
    s->runs = pilots;
}

static bool measure_warmup(struct sampling *s, struct error *e)
{
    double cycles[PILOTS][WARMUPS];
    uint32_t pilots, h;
    if (!append_pilots(s, &pilots, e) || !run_from(s, 0, e)) return false;
    for (uint32_t i = 0; i < pilots * WARMUPS; i++)
        cycles[i / WARMUPS][i % WARMUPS] = s->run[i].m.v[M_cycles];
    keep_longest(s, pilots);
    if (pilots == 0) {
        s->placing = next_pilot(s, &h) ? UNMEASURED_ERROR : PLACING_ERROR;
        return true;
    }
    struct warmup_choice c = warmup_choose((const double(*)[WARMUPS])cycles, pilots, s->o->error);
    s->warmup = c.index;
    while (s->warmup > 0 && s->spent + least_cost(s) > s->budget)
        s->warmup--;
    s->placing = fmax(PLACING_ERROR, warmup_doubt(&c, s->warmup));
    set_costs(s);
    return true;
}

/* --- rounds
 * ------------------------------------------------------------------------------------------ */

static double student(const struct spread *v, double confidence)
{
    struct spread unit = {.variance = 1, .df = v->df};
    return spread_half_width(&unit, confidence);
}

/* Half width that sampling alone may have, so that with the error of placing it makes what was
 * asked for; where that cannot be, the placing is left out of the goal. */
static double sampling_goal(const struct sampling *s)
{
    double error = s->o->error, left = error * error - s->placing * s->placing;
    return left > error * error / 4 ? sqrt(left) : error;
}

/* want[] for the next round; how many units it adds. */
static uint32_t plan_round(struct sampling *s, const struct extrapolation *x, uint32_t *want)
{
    const struct allocation a = {
        .units = s->units, .sd = s->sd, .cost = s->cost, .strata = s->pop.strata};
    double goal = 0.9 * sampling_goal(s) * x->cycles / student(&x->spread, s->o->confidence);
    uint32_t most = (uint32_t)s->runs / 2, added = 0, h;
    uint64_t spent = s->spent;
    if (most < ROUND) most = ROUND;
    for (uint32_t i = 0; i < s->pop.strata; i++)
        want[i] = s->taken[i];
    while (added < most) {
        if (added >= ROUND && allocation_variance(&a, want) <= goal * goal) break;
        if (!allocate_next(&a, want, &h)) break;
        spent += unit_cost(s, unit_at(s, h, want[h] - 1));
        if (spent > s->budget) {
            want[h]--;
            break;
        }
        added++;
    }
    return added;
}

static bool all_taken(const struct sampling *s)
{
    for (uint32_t h = 0; h < s->pop.strata; h++)
        if (s->taken[h] < s->units[h]) return false;
    return true;
}

static bool good_enough(const struct sampling *s, const struct extrapolation *x)
{
    return all_taken(s) ||
           (x->half_width <= sampling_goal(s) && x->free >= FREE_WANTED && x->spread.df >= 2);
}

/* One more round; *done when the answer is good enough or nothing more can be had. */
static bool next_round(struct sampling *s, uint32_t *want, bool *done, struct error *e)
{
    struct extrapolation x;
    if (!extrapolate(&x, &s->pop, s->run, (uint32_t)s->runs, s->o->confidence, e)) return false;
    extrapolation_sd(&x, s->sd);
    *done = good_enough(s, &x) || plan_round(s, &x, want) == 0;
    extrapolation_fini(&x);
    return *done || take_up_to(s, want, e);
}

static bool run_rounds(struct sampling *s, struct error *e)
{
    uint32_t *want = mem_new(s->pop.strata, sizeof(*want));
    if (!want) return error_no_memory(e);
    for (uint32_t h = 0; h < s->pop.strata; h++) {
        want[h] = s->units[h] < 2 ? s->units[h] : 2;
        if (want[h] < s->taken[h]) want[h] = s->taken[h];
    }
    bool done = false, ok = take_up_to(s, want, e);
    while (ok && !done)
        ok = next_round(s, want, &done, e);
    mem_free(want);
    return ok;
}

/* --- the answer
 * -------------------------------------------------------------------------------------- */

static void warn_of_doubt(struct sampling *s, const struct extrapolation *x)
{
    char why[64] = "the budget is used up";
    if (x->half_width <= sampling_goal(s))
        snprintf(why, sizeof(why), "placing and warming leave %.0f %%", 100 * s->placing);
    if (s->a->half_width > s->o->error)
        answer_warn(s->a, "half width %.1f %% instead of %.1f %%: %s (%llu of %llu instructions)",
                    100 * s->a->half_width, 100 * s->o->error, why, (unsigned long long)s->spent,
                    (unsigned long long)s->budget);
    if (!all_taken(s) && x->free < FREE_WANTED)
        answer_warn(s->a, "only %u intervals: the half width itself is uncertain", x->n);
    if (s->spent > s->budget)
        answer_warn(s->a, "%llu instructions were the least that could be simulated",
                    (unsigned long long)s->spent);
}

static bool fill_answer(struct sampling *s, struct error *e)
{
    struct extrapolation x;
    struct answer *a = s->a;
    if (!extrapolate(&x, &s->pop, s->run, (uint32_t)s->runs, s->o->confidence, e)) return false;
    x.placing = s->placing;
    extrapolation_metrics(&x, a);
    warn_of_doubt(s, &x);
    a->has_confidence = true;
    a->level = s->o->confidence;
    a->simulated_instructions = s->spent;
    a->simulated_share = (double)s->spent / (double)s->pop.instructions;
    bool ok = !s->o->per_kernel || answer_kernels(a, s->p, s->selected, e);
    for (uint32_t i = 0; ok && i < a->n_kernels; i++)
        extrapolation_launch(&x, a->kernel[i].launch, &a->kernel[i].m);
    extrapolation_fini(&x);
    return ok;
}

/* Too small to sample: all of it, which leaves no doubt. */
static bool simulate_whole(struct sampling *s, struct error *e)
{
    struct answer *a = s->a;
    answer_warn(a, "too small to sample well (%llu instructions, %u intervals): simulated whole",
                (unsigned long long)s->pop.instructions, s->pop.units);
    if (!simulate_run(s->m, s->p, s->selected, s->costs, s->o, a, e)) return false;
    a->has_confidence = true;
    a->level = s->o->confidence;
    a->intervals = s->pop.units;
    a->simulated_instructions += s->spent;
    a->simulated_share = (double)a->simulated_instructions / (double)s->pop.instructions;
    for (uint32_t i = 0; i < METRIC_N; i++)
        a->half_widths.has[i] = a->m.has[i];
    return true;
}

/* Whether the budget bears two units of every stratum, and a pilot where there can be one. */
static bool bears_sampling(const struct sampling *s)
{
    uint32_t h;
    if (least_cost(s) > s->budget) return false;
    return !next_pilot(s, &h) || pilot_cost(s, unit_at(s, h, s->taken[h])) <= pilot_budget(s);
}

static bool worth_sampling(const struct sampling *s)
{
    uint64_t n = s->pop.instructions;
    if (s->o->budget && s->o->budget < n) return true; /* the user forbids the whole */
    if (s->pop.units < UNITS_WHOLE || n < WHOLE_BELOW) return false;
    return n >= WHOLE_IN_DOUBT || bears_sampling(s);
}

/* A small program whose sample says too little is better run whole, if the user lets it. */
static bool too_wide(const struct sampling *s, bool *wide, struct error *e)
{
    struct extrapolation x;
    *wide = false;
    if (s->o->budget || s->pop.instructions >= WHOLE_IN_DOUBT) return true;
    if (!extrapolate(&x, &s->pop, s->run, (uint32_t)s->runs, s->o->confidence, e)) return false;
    *wide = !all_taken(s) && hypot(x.half_width, s->placing) > fmax(s->o->error, TOO_WIDE);
    extrapolation_fini(&x);
    return true;
}

/* Pilots, then rounds; the budget is a bound. */
static bool sample_population(struct sampling *s, struct error *e)
{
    uint64_t least = least_cost(s);
    if (least > s->pop.instructions) least = s->pop.instructions; /* that much runs it whole */
    if (s->o->budget && least > s->budget)
        return error_input(e,
                           "%s: a budget of %llu warp instructions gives no answer; at least %llu "
                           "are needed (the whole program has %llu)",
                           program_name(s->p), (unsigned long long)s->budget,
                           (unsigned long long)least, (unsigned long long)s->pop.instructions);
    s->windows = (struct windows){.machine = s->m,
                                  .program = s->p,
                                  .before = s->before,
                                  .threads = s->o->threads,
                                  .snapshots_max = windows_snapshots(s->m, SNAPSHOT_BYTES),
                                  .cold = s->o->cold,
                                  .progress = s->o->progress};
    if (s->o->progress) progress_start(s->o->progress, "intervals", 0);
    bool wide = false;
    bool ok = measure_warmup(s, e) && run_rounds(s, e) && too_wide(s, &wide, e);
    if (ok && !wide) ok = fill_answer(s, e);
    if (s->o->progress) progress_finish(s->o->progress);
    return ok && wide ? simulate_whole(s, e) : ok;
}

static bool prepare(struct sampling *s, struct error *e)
{
    s->selected = scope_select(s->p, s->o, e);
    if (!s->selected) return false;
    s->size = mem_new(s->launches, sizeof(*s->size));
    s->before = mem_new(s->launches, sizeof(*s->before));
    s->features = mem_new((size_t)s->launches * FEATURES, sizeof(*s->features));
    return (s->size && s->before && s->features) || error_no_memory(e);
}

static void sampling_fini(struct sampling *s)
{
    mem_free(s->selected);
    mem_free(s->size);
    mem_free(s->before);
    mem_free(s->features);
    mem_free(s->order);
    mem_free(s->start);
    mem_free(s->taken);
    mem_free(s->units);
    mem_free(s->sd);
    mem_free(s->cost);
    mem_free(s->run);
    population_fini(&s->pop);
}

bool sample_run(const struct machine *m, const struct program *p, const struct profile *profile,
                const struct correction *c, const struct energy_costs *costs,
                const struct run_opts *o, struct answer *a, struct error *err)
{
    struct sampling s = {
        .m = m, .p = p, .costs = costs, .o = o, .a = a, .launches = program_launches(p)};
    s.warmup = 1;
    s.placing = PLACING_ERROR;
    bool ok = prepare(&s, err) && build_population(&s, profile, c, err) && order_units(&s, err);
    if (ok) ok = worth_sampling(&s) ? sample_population(&s, err) : simulate_whole(&s, err);
    sampling_fini(&s);
    return ok;
}
