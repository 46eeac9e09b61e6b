/* engine.c - see engine.h. */
#include "engine/engine_job.h"

#include "answer/launch_selection.h"
#include "base/memory/alloc.h"
#include "base/run/parallel.h"
#include "calibration/calibrate.h"
#include "detailed/core/sim.h"
#include "engine/bank_record.h"
#include "engine/causes.h"
#include "engine/constants.h"
#include "engine/correction.h"
#include "engine/profile_pool.h"
#include "engine/ranges.h"
#include "estimator/constants.h"
#include "estimator/model/unmodelled_caches.h"
#include "gpu/energy/account.h"
#include "gpu/geometry/occupancy.h"
#include "gpu/machine/machine.h"
#include "sampler/run/sample.h"
#include "sampler/run/sampling.h"
#include "sampler/run/simulate.h"
#include "sampler/strata/est_params.h"
#include "sampler/strata/long_program.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

int engine_version(enum engine e)
{
    static const int version[ENGINE_N] = {
        [ENGINE_ESTIMATE] = EST_MODEL_VERSION,
        [ENGINE_SAMPLE] = SAMPLE_VERSION * 1000000 + SIM_MODEL_VERSION * 1000 + EST_MODEL_VERSION,
        [ENGINE_SIMULATE] = SIM_MODEL_VERSION};
    return version[e];
}

struct est_params engine_job_params(const struct engine_job *job, struct est_params *caches)
{
    struct est_params params = est_params_of(job->m);
    params.near = job->near;
    if (!job->caches) return params;
    *caches = est_params_of(job->caches);
    params.caches = caches;
    return params;
}

static bool estimate_range(const struct engine_job *job, struct launch_range r, struct metrics *m,
                           struct explanation *x, struct error *e)
{
    struct est_params caches, params = engine_job_params(job, &caches);
    const struct scope scope = {.launch0 = r.first, .launches = r.n};
    return estimate(job->profile, &scope, &params, m, x, e);
}

static bool estimate_kernels(const struct engine_job *job, struct answer *a, struct error *e)
{
    if (!answer_kernels(a, job->p, job->selected, e)) return false;
    for (uint32_t i = 0; i < a->n_kernels; i++) {
        struct launch_range r = {.first = a->kernel[i].launch, .n = 1};
        if (!estimate_range(job, r, &a->kernel[i].m, NULL, e)) return false;
    }
    return true;
}

/* Most selections are a single range of launches. */
bool engine_job_estimate(const struct engine_job *job, struct metrics *sum, struct explanation *x,
                         struct error *e)
{
    struct launch_range r = {0};
    double longest = 0;
    *sum = (struct metrics){0};
    while (launch_selection_next(job->selected, program_launches(job->p), r.first + r.n, &r)) {
        struct metrics m = {0};
        struct explanation own = {0};
        if (!estimate_range(job, r, &m, x ? &own : NULL, e)) return false;
        metrics_accumulate(sum, &m, 1);
        if (!x || m.v[M_cycles] < longest) continue;
        longest = m.v[M_cycles];
        *x = own;
    }
    metrics_finish(sum);
    return true;
}

static void warn_of_outside(const struct engine_job *job, struct answer *a)
{
    struct text l1 = {0}, l2 = {0};
    if (unmodelled_l1(&job->m->l1, &l1)) answer_warn(a, "%s", text_str(&l1));
    if (unmodelled_l2(&job->m->l2, &l2)) answer_warn(a, "%s", text_str(&l2));
    text_fini(&l1);
    text_fini(&l2);
}

static bool run_estimate(const struct engine_job *job, struct answer *a, struct error *e)
{
    if (job->o->max_instructions) answer_warn(a, "max_instructions does not limit an estimate");
    warn_of_outside(job, a);
    if (!engine_job_estimate(job, &a->m, &a->x, e)) return false;
    if (job->o->causes && !causes_find(job, &a->m, &a->x, &a->helps)) return error_no_memory(e);
    if (job->o->per_kernel && !estimate_kernels(job, a, e)) return false;
    correction_apply(job, a);
    return true;
}

static bool run_sample(const struct engine_job *job, struct answer *a, struct error *e)
{
    a->threads = parallel_threads(job->o->threads);
    return sample_run(job->m, job->p, job->profile, &job->costs, job->o, job->others, a, e);
}

static bool run_simulate(const struct engine_job *job, struct answer *a, struct error *e)
{
    return simulate_run(job->m, job->p, job->selected, &job->costs, job->o, a, e);
}

typedef bool run_fn(const struct engine_job *job, struct answer *a, struct error *e);
static const struct {
    run_fn *run;
    bool profile;
} engines[ENGINE_N] = {[ENGINE_ESTIMATE] = {run_estimate, true},
                       [ENGINE_SAMPLE] = {run_sample, true},
                       [ENGINE_SIMULATE] = {run_simulate, false}};

/* What the program's trace does not tell, every answer says. */
static void warn_of_program(struct answer *a, const struct program *p)
{
    enum { MOST = 8 };
    uint32_t n = program_warnings(p);
    for (uint32_t i = 0; i < n && i < MOST; i++)
        answer_warn(a, "%s", program_warning(p, i));
    if (n > MOST) answer_warn(a, "%u more warnings are in 'plumb trace info --brief'", n - MOST);
}

/* What is known to be far off, the answer itself says. */
static void warn_of_doubt(struct answer *a, enum engine e, const struct machine *m)
{
    static const char *const answers[ENGINE_N] = {[ENGINE_ESTIMATE] = "estimates",
                                                  [ENGINE_SAMPLE] = "samples",
                                                  [ENGINE_SIMULATE] = "simulations"};
    if (strcmp(m->doubt.engine, engine_name[e]) != 0) return;
    snprintf(a->doubt, sizeof a->doubt, "do not rely on %s of %.40s: %s (%s)", answers[e], m->name,
             m->doubt.what, m->doubt.source);
    answer_warn(a, "%s", a->doubt);
}

void engine_job_name(struct answer *a, enum engine e, const struct machine *m,
                     const struct program *p, uint64_t seed)
{
    a->engine = e;
    a->seed = seed;
    if (digest_equal(a->machine_digest, (struct digest){0})) a->machine_digest = machine_digest(m);
    a->program_digest = program_digest(p);
    a->threads = 1;
    snprintf(a->machine, sizeof(a->machine), "%s", m->name);
    snprintf(a->program, sizeof(a->program), "%s", program_name(p));
    struct text chosen = {0};
    program_chosen(p, &chosen);
    snprintf(a->kernel_chosen, sizeof a->kernel_chosen, "%s", text_str(&chosen));
    text_fini(&chosen);
    warn_of_doubt(a, e, m);
    warn_of_program(a, p);
    if (m->moved[0]) answer_warn(a, "%s", m->moved);
}

void engine_job_measure_host(struct answer *a, double since)
{
    struct rusage r;
    a->seconds = progress_clock_seconds() - since;
    if (getrusage(RUSAGE_SELF, &r) == 0) a->peak_rss_mb = (double)r.ru_maxrss / 1024;
}

bool engine_job_fits(const struct engine_job *job, struct error *e)
{
    for (uint32_t i = 0; i < program_launches(job->p); i++) {
        const struct launch *l = program_launch(job->p, i);
        if (!job->selected[i] || occupancy(&job->m->sm, &job->m->l1, l).ctas) continue;
        struct text why = {0};
        occupancy_refusal(&job->m->sm, &job->m->l1, l, &why);
        error_input(e, "%s: a CTA of launch %u ('%s') does not fit on an SM of %s: %s",
                    program_name(job->p), i, l->name, job->m->name, text_str(&why));
        text_fini(&why);
        return false;
    }
    return true;
}

bool engine_job_costs(struct engine_job *job, struct error *e)
{
    const struct part_pointers parts = machine_part_pointers(job->m);
    return energy_costs(&job->costs, &parts, e);
}

void engine_job_energy(const struct engine_job *job, struct answer *a)
{
    const struct energy_costs *c = &job->costs;
    for (uint32_t i = 0; i < a->n_kernels; i++) {
        energy_account(c, &a->kernel[i].m);
        metrics_finish(&a->kernel[i].m);
    }
    energy_account(c, &a->m);
    energy_areas(c, &a->m);
    metrics_finish(&a->m);
    if (c->missing[0])
        answer_warn(a, "the tables have no energy of %s ('plumb energy show' says why)",
                    c->missing);
    if (c->stand_ins[0])
        answer_detail(a, "the energy tables have no entry for %s: the nearest one is used",
                      c->stand_ins);
    if (a->m.has[M_energy_dram] && job->m->dram.energy.model == DRAM_ENERGY_PER_BIT)
        answer_warn(a,
                    "the memory's energy is coarse: %g pJ per bit moved, whatever rows, refresh "
                    "and idle time cost",
                    job->m->dram.energy.pj_bit);
}

struct profile *engine_job_profile(const struct machine *m, const struct program *p,
                                   const struct run_opts *o, struct error *e)
{
    struct profile_view view = est_view_of(m);
    enum profile_detail detail = profile_detail_for(p, &view, engine_job_times(o));
    return profile_get(p, &view, detail, o->threads, !o->no_cache, o->progress, e);
}

/* Takes the profile from the pool, unless there is no pool or no room in it. */
static bool find_pooled(struct engine_job *job, struct error *err)
{
    struct error why = {0};
    if (!job->o->profiles) return true;
    job->profile = profile_pool_get(job->o->profiles, job->p, job->m, job->o, &why);
    if (why.kind == ERROR_NONE) return true;
    *err = why;
    return false;
}

/* Makes the job's own profile if the caller gave none or, to sample a long program, one of more
 * than its first waves: an answer must not depend on what the caller happens to have. */
static bool find_profile(enum engine e, struct engine_job *job, struct profile **own,
                         struct error *err)
{
    struct program *head = NULL;
    if (!engines[e].profile) return true;
    if (e == ENGINE_SAMPLE && !sampling_needs_profile(job->m, job->p, job->selected, job->o)) {
        job->profile = NULL;
        return true;
    }
    if (e == ENGINE_SAMPLE && !long_program_open(job->m, job->p, &head, err)) return false;
    if (!head && !job->profile && !find_pooled(job, err)) return false;
    if (head || !job->profile) {
        *own = engine_job_profile(job->m, head ? head : job->p, job->o, err);
        job->profile = *own;
    }
    program_close(head);
    return job->profile != NULL;
}

bool engine_job_run(enum engine e, struct engine_job *job, struct answer *a, struct error *err)
{
    struct profile *own = NULL;
    if (e != ENGINE_ESTIMATE) mem_large_pages(MEM_LARGE_HEAP);
    if (!find_profile(e, job, &own, err)) return false;
    if (job->profile) a->profile = profile_detail_name[profile_detail_had(job->profile)];
    bool ok = engines[e].run(job, a, err);
    if (a->m.has[M_cycles]) engine_job_energy(job, a);
    if (ok) engine_ranges(job, a);
    if (ok) bank_record(e, job, a);
    if (own) profile_free(own);
    return ok;
}

bool engine_run(enum engine e, const struct machine *m, const struct program *p,
                const struct calibration *cal, const struct profile *profile,
                const struct run_opts *o, struct answer *a, struct error *err)
{
    double since = progress_clock_seconds();
    *a = (struct answer){.machine_digest = o->machine_digest};
    engine_job_name(a, e, m, p, o->seed);
    if (cal && cal->machine[0] && !calibration_fits(cal, m, err)) return false;
    bool *selected = launch_selection_find(p, o, err);
    if (!selected) return false;
    struct engine_job job = {
        .m = m, .p = p, .profile = profile, .selected = selected, .cal = cal, .o = o};
    if (cal && e == ENGINE_ESTIMATE) job.said = mem_new(1, sizeof *job.said);
    bool ok = (!cal || e != ENGINE_ESTIMATE || job.said || error_no_memory(err)) &&
              engine_job_fits(&job, err) && engine_job_costs(&job, err) &&
              engine_job_run(e, &job, a, err);
    mem_free(job.said);
    mem_free(selected);
    engine_job_measure_host(a, since);
    return ok;
}

bool engine_may_sample(const struct machine *m, const struct program *p, const struct run_opts *o)
{
    return sampling_needs_profile(m, p, NULL, o);
}

/* Lengths of intervals and warm-ups are in instructions of the whole machine; with many more warps
 * each warp would get too few of them. */
bool engine_shares(const struct machine *first, const struct machine *m, const struct program *p)
{
    if (first->sm.warp_width != m->sm.warp_width) return false;
    for (uint32_t l = 0; l < program_launches(p); l++) {
        const struct launch *launch = program_launch(p, l);
        bool fits = occupancy(&m->sm, &m->l1, launch).ctas &&
                    occupancy(&first->sm, &first->l1, launch).ctas;
        if (!fits || long_program_resident_warps(m, launch) >
                         SHARED_WARPS * long_program_resident_warps(first, launch))
            return false;
    }
    return true;
}

bool engine_compare_full(const struct machine *m, const struct program *p, const struct run_opts *o,
                         struct answer *a, struct error *err)
{
    struct answer *whole = mem_new(1, sizeof(*whole));
    struct run_opts plain = *o;
    plain.per_kernel = false;
    if (!whole) return error_no_memory(err);
    bool ok = engine_run(ENGINE_SIMULATE, m, p, NULL, NULL, &plain, whole, err);
    if (ok) a->full = whole->m;
    a->full_seconds = whole->seconds;
    answer_fini(whole);
    mem_free(whole);
    return ok;
}
