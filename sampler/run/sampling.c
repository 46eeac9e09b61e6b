/* sampling.c - see sampling.h: cuts the program into units. */
#include "sampler/run/sampling.h"

#include "answer/launch_selection.h"
#include "base/io/file.h"
#include "base/memory/alloc.h"
#include "gpu/energy/account.h"
#include "gpu/functional/warming/checkpoints.h"
#include "gpu/machine/machine.h"
#include "sampler/constants.h"
#include "sampler/run/warmup.h"
#include "sampler/strata/est_params.h"
#include "sampler/strata/launch_clusters.h"
#include "sampler/strata/long_program.h"

#include <math.h>

#define TRACK_BYTES ((size_t)1 << 28)    /* of a pass in memory */
#define TRACKS_BYTES ((uint64_t)1 << 30) /* of all passes in the cache */

/* The number of instructions of each launch that are covered, and where the launch begins in the
 * program. */
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
        size->resident = long_program_resident_warps(s->m, program_launch(s->p, l));
        size->least = s->is_long ? long_program_least_interval(s->m, s->p, l) : 0;
        size->drain = size->truncated ? 0 : long_program_drain(s->m, s->p, l);
        size->covered = count[l] ? (double)size->instructions / (double)count[l] : 0;
        size->cycles *= size->covered;
        left -= size->instructions;
    }
    mem_free(count);
    return ok;
}

static void describe_launches(struct sampling *s, const struct profile *profile)
{
    for (uint32_t l = 0; l < s->launches; l++) {
        double *f = s->features + (size_t)l * SAMPLING_FEATURES;
        const struct launch_size *size = &s->size[l];
        if (!size->instructions) continue;
        profile_features(profile, l, f);
        f[PROFILE_FEATURES] = log2((double)size->instructions);
        f[PROFILE_FEATURES + 1] = size->cycles / (double)size->instructions;
    }
    launch_clusters_normalise(s->features, SAMPLING_FEATURES, s->selected, s->launches);
}

/* Estimates the cycles of each launch, and their course if all of it was profiled. */
static bool estimate_sizes(struct sampling *s, const struct profile *profile, struct error *e)
{
    struct est_params params = est_params_of(s->m);
    double *cycles = mem_new(s->launches, sizeof(*cycles));
    if (!cycles) return error_no_memory(e);
    bool ok = estimate_launches(profile, &params, cycles, e);
    for (uint32_t l = 0; ok && l < s->launches; l++) {
        double known = profile_instructions(profile, l);
        double all = (double)program_cta_start(s->p, l, program_launch(s->p, l)->ctas);
        s->size[l].cycles = known > 0 ? cycles[l] * all / known : cycles[l];
        ok = !s->selected[l] || known < PROFILED_WHOLE * all ||
             estimate_course(profile, l, &params, &s->size[l].course, e);
    }
    mem_free(cycles);
    return ok;
}

bool sampling_is_lean(const struct sampling *s)
{
    return s->is_long && !s->o->budget;
}

static uint64_t more_budget(const struct sampling *s)
{
    return s->pop.instructions / MORE_PART;
}

/* The cost of the set number of intervals for each stratum. */
static uint64_t stratum_budget(const struct sampling *s)
{
    double unit = (double)s->pop.instructions / s->pop.units;
    return (uint64_t)(STRATUM_UNITS * unit * s->pop.strata);
}

static uint64_t wanted_budget(const struct sampling *s)
{
    uint64_t least = (uint64_t)(SHARE_LEAST * (double)s->pop.instructions);
    return stratum_budget(s) > least ? stratum_budget(s) : least;
}

static uint64_t default_budget(const struct sampling *s)
{
    uint64_t wanted = wanted_budget(s);
    return wanted < more_budget(s) ? wanted : more_budget(s);
}

void sampling_set_budget(struct sampling *s)
{
    if (sampling_is_lean(s)) s->r.budget = default_budget(s);
}

void sampling_bear_warmup(struct sampling *s)
{
    uint64_t first = s->r.spent + rounds_least_cost(&s->r);
    uint64_t half = s->pop.instructions / 2, asked = stratum_budget(s);
    uint64_t most = asked < half ? asked : half;
    if (most < more_budget(s)) most = more_budget(s);
    if (sampling_is_lean(s) && first > s->r.budget && first <= most) s->r.budget = first;
}

/* profile = NULL: the program is simulated whole, and its units are only counted. */
static bool build_population(struct sampling *s, const struct profile *profile, struct error *e)
{
    if (profile && !estimate_sizes(s, profile, e)) return false;
    /* what the user selected decides this, not the profile at hand */
    s->price = long_program_price(s->m, s->p, s->selected, s->o->max_instructions);
    s->is_long = profile && long_program_is_long(s->m, s->p, s->selected, s->o->max_instructions);
    if (!measure_launches(s, e)) return false;
    uint64_t total = 0;
    for (uint32_t l = 0; l < s->launches; l++)
        total += s->size[l].instructions;
    s->r.budget = s->o->budget ? s->o->budget : total / 2;
    if (profile) describe_launches(s, profile);
    bool lean = sampling_is_lean(s);
    s->cutting =
        (struct population_opts){.per_warp = s->is_long ? LONG_INTERVAL : INTERVAL_LENGTH,
                                 .min_whole = SAMPLING_UNITS_LEAST,
                                 .min_units = UNITS_WANTED,
                                 .min_per_warp = INTERVAL_SHORTEST,
                                 .pilot_budget = lean ? total / FIRST_PART : s->r.budget / 2,
                                 .pilot_units = lean ? FIRST_UNITS : 0,
                                 .refined_budget = lean ? total / REFINED_PART : 0,
                                 .dear_budget = lean ? total / DEAR_PART : 0,
                                 .warmup_per_warp = warmup_length[1]};
    if (!population_build(&s->pop, s->size, s->launches, s->features, SAMPLING_FEATURES,
                          &s->cutting, e))
        return false;
    sampling_set_budget(s);
    return true;
}

static bool allocate_arrays(struct sampling *s, struct error *e)
{
    s->selected = launch_selection_find(s->p, s->o, e);
    if (!s->selected) return false;
    s->size = mem_new(s->launches, sizeof(*s->size));
    s->before = mem_new(s->launches, sizeof(*s->before));
    s->features = mem_new((size_t)s->launches * SAMPLING_FEATURES, sizeof(*s->features));
    return (s->size && s->before && s->features) || error_no_memory(e);
}

/* The number of warp instructions up to the end of the selection. */
static uint64_t last_instruction(const struct sampling *s)
{
    uint64_t last = 0;
    for (uint32_t l = 0; l < s->launches; l++)
        if (s->selected[l]) last = s->before[l] + s->size[l].instructions;
    return last;
}

/* The pass of a long program is cached between runs. */
bool sampling_open_pass(const struct sampling *s, const struct machine *m,
                        struct sampling_pass *pass, struct error *e)
{
    uint64_t n = last_instruction(s);
    *pass =
        (struct sampling_pass){.track = checkpoints_new(m, s->p, n, TRACK_BYTES, !s->o->cold, e)};
    if (!pass->track) return false;
    if (n < TRACK_KEPT_FROM || s->o->no_cache) return true;
    pass->path = checkpoints_path(pass->track);
    if (pass->path) checkpoints_load(pass->track, pass->path);
    return true;
}

bool sampling_pass_key(const struct sampling *s, const struct machine *m, struct digest *key,
                       struct error *e)
{
    uint64_t n = last_instruction(s);
    struct checkpoints *t = checkpoints_new(m, s->p, n, TRACK_BYTES, !s->o->cold, e);
    bool ok = t && (checkpoints_key(t, key) || error_no_memory(e));
    checkpoints_free(t);
    return ok;
}

static void trim_tracks(void)
{
    char *dir = file_cache_dir();
    if (dir) file_trim(dir, CHECKPOINTS_SUFFIX, TRACKS_BYTES);
    mem_free(dir);
}

void sampling_close_pass(struct sampling_pass *pass)
{
    /* a cache that cannot be written costs time but does not change the answer */
    struct error ignored;
    struct checkpoints *t = pass->track;
    if (t && pass->path && checkpoints_save(t, pass->path, &ignored)) trim_tracks();
    mem_free(pass->path);
    checkpoints_free(t);
    *pass = (struct sampling_pass){0};
}

void sampling_fini(struct sampling *s)
{
    mem_free(s->selected);
    mem_free(s->size);
    mem_free(s->before);
    mem_free(s->features);
    sampling_close_pass(&s->pass);
    rounds_fini(&s->r);
    population_fini(&s->pop);
}

/* The progress shows the n units to run now, and those that rounds still expect. */
static void set_progress(const struct sampling *s, uint32_t n)
{
    struct progress *p = s->o->progress;
    if (!p) return;
    uint64_t later = s->r.expected > s->r.runs ? s->r.expected - s->r.runs : 0;
    p->total = atomic_load(&p->done) + n + later;
}

static bool run_windows(struct interval_run *run, uint32_t n, void *ctx, struct error *e)
{
    struct sampling *s = ctx;
    if (!s->pass.track && !sampling_open_pass(s, s->m, &s->pass, e)) return false;
    s->windows.track = s->pass.track;
    set_progress(s, n);
    bool ok = intervals_run(&s->windows, run, n, e);
    for (uint32_t i = 0; i < n; i++)
        if (run[i].cost) energy_account(s->costs, &run[i].m);
    return ok;
}

bool sampling_needs_profile(const struct machine *m, const struct program *p, const bool *selected,
                            const struct run_opts *o)
{
    uint64_t most = o->max_instructions;
    bool bound = o->budget && o->budget < long_program_selected(p, selected, most);
    return bound || long_program_is_long(m, p, selected, most);
}

bool sampling_start(struct sampling *s, const struct profile *profile, struct error *e)
{
    s->launches = program_launches(s->p);
    s->r = (struct rounds){.pop = &s->pop,
                           .error = s->o->error,
                           .confidence = s->o->confidence,
                           .doubt = {PLACING_ERROR, PLACING_ERROR, PLACING_ERROR},
                           .seed = s->o->seed,
                           .source = run_windows,
                           .ctx = s};
    if (!allocate_arrays(s, e) || !build_population(s, profile, e)) return false;
    s->warmup = sampling_is_lean(s) ? WARMUP_OF_LONG : 1;
    s->r.warmup = warmup_length[s->warmup];
    s->r.size = s->size;
    s->windows = (struct intervals){.machine = s->m,
                                    .program = s->p,
                                    .before = s->before,
                                    .threads = s->o->threads,
                                    .progress = s->o->progress};
    return rounds_start(&s->r, e);
}

/* The price with what is known after the program was cut into units.  Only a pass that would be too
 * dear if it were whole is measured. */
static bool find_price(struct sampling *s, struct error *e)
{
    bool bounded;
    double all = (double)s->pop.instructions, wanted = (double)wanted_budget(s);
    s->price.intervals = fmin(wanted / all, 0.5); /* sampling_bear_warmup spends no more */
    if (sample_price_sum(&s->price) <= SAMPLE_WORTH) return true;
    if (!sampling_open_pass(s, s->m, &s->pass, e) ||
        !checkpoints_are_bounded(s->pass.track, &bounded, e))
        return false;
    double walks = s->price.intervals * s->pop.units * checkpoints_walk(s->pass.track);
    if (bounded) s->price.pass = fmin(1, walks / all) / PASS_PRICE;
    return true;
}

bool sampling_worth(struct sampling *s, bool *worth, struct error *e)
{
    /* the budget forbids the whole simulation */
    *worth = s->o->budget && s->o->budget < s->pop.instructions;
    if (*worth) return true;
    *worth = s->is_long && sampling_pilots_affordable(s);
    if (!*worth || !sampling_is_lean(s)) return true;
    if (!find_price(s, e)) return false;
    *worth = sample_price_sum(&s->price) <= SAMPLE_WORTH;
    return true;
}

bool sampling_too_wide(const struct sampling *s, const struct rounds *r, bool *wide,
                       struct error *e)
{
    struct extrapolation x;
    *wide = false;
    if (s->o->budget) return true;
    if (!extrapolate(&x, r->pop, r->run, (uint32_t)r->runs, r->confidence, r->doubt, r->plain, e))
        return false;
    *wide =
        !rounds_all_taken(r) && hypot(x.half_width, x.placing) > fmax(s->o->error, SAMPLING_WIDE);
    extrapolation_fini(&x);
    return true;
}

bool sampling_went_on(const struct sampling *s, const struct rounds *r)
{
    return sampling_is_lean(s) && r->budget == more_budget(s) && default_budget(s) < r->budget;
}

/* Whether the pilots' systematic error is more than such a part of the requested error, which
 * counts as SAMPLING_WIDE at least. */
static bool doubts_too_much(const struct sampling *s, const struct rounds *r, double part)
{
    double most = part * fmax(s->o->error, SAMPLING_WIDE);
    return !s->o->budget && fmin(r->doubt.cycles, r->doubt.work) > most;
}

/* Whether so little was spent that the whole simulation may still follow. */
static bool may_turn_back(const struct sampling *s, const struct rounds *r)
{
    return !s->pop.timed && r->spent <= r->pop->instructions / TURN_BACK;
}

/* After the rounds of the default budget: goes on to a larger one, if that is likely to suffice. */
static bool go_on(const struct sampling *s, struct rounds *r, bool *wide, struct error *e)
{
    double error = r->error;
    uint64_t budget = r->budget;
    bool within = false;
    if (budget >= more_budget(s) || doubts_too_much(s, r, GO_ON_ROOM)) return true;
    r->budget = more_budget(s);
    r->error = fmax(error, SAMPLING_WIDE);
    bool ok = rounds_within(r, &within, e);
    if (ok && within)
        ok = rounds_run(r, e) && sampling_too_wide(s, r, wide, e);
    else
        r->budget = budget;
    r->error = error;
    return ok;
}

bool sampling_rounds(const struct sampling *s, struct rounds *r, bool *wide, struct error *e)
{
    *wide = doubts_too_much(s, r, 1) && !rounds_all_taken(r) && may_turn_back(s, r);
    if (*wide) return true;
    if (!rounds_run(r, e) || !sampling_too_wide(s, r, wide, e)) return false;
    if (*wide && !go_on(s, r, wide, e)) return false;
    *wide = *wide && may_turn_back(s, r);
    return true;
}
