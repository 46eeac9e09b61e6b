/* time_left.c - see time_left.h. */
#include "sweeps/run/time_left.h"
#include "sampler/strata/est_params.h"

#include "base/memory/alloc.h"
#include "base/run/parallel.h"
#include "engine/engine.h"
#include "gpu/machine/machine.h"
#include "sampler/strata/long_program.h"
#include "sweeps/constants.h"
#include "sweeps/run/runner_internal.h"
#include "sweeps/store/store_internal.h"

#include <math.h>

/* Of each program, for the runs of one engine; NaN: not known yet. */
struct costs {
    const struct plan *plan;
    struct store *store;
    enum engine engine;
    unsigned threads;
    double *run, *profile; /* [workload] seconds of one */
    double began;
    bool measured;
};

static bool costs_new(struct costs *c, const struct plan *p, struct store *s, enum engine engine,
                      unsigned threads, struct error *e)
{
    *c = (struct costs){.plan = p, .store = s, .engine = engine, .threads = threads};
    c->run = mem_new(p->n_workloads, sizeof *c->run);
    c->profile = mem_new(p->n_workloads, sizeof *c->profile);
    c->began = progress_clock_seconds();
    if (!c->run || !c->profile) return error_no_memory(e);
    for (uint32_t w = 0; w < p->n_workloads; w++)
        c->run[w] = c->profile[w] = NAN;
    return true;
}

static void costs_free(struct costs *c)
{
    mem_free(c->run);
    mem_free(c->profile);
}

static bool has_time(const struct costs *c)
{
    return progress_clock_seconds() - c->began < TRIAL_SECONDS;
}

static double stored_seconds(struct store *s, const char *program, enum engine engine)
{
    double v = NAN;
    sqlite3_stmt *q = NULL;
    int rc = sqlite3_prepare_v2(s->db,
                                "SELECT avg(r.host_seconds) FROM run r JOIN program p ON p.digest ="
                                " r.program WHERE p.name = ?1 AND r.engine = ?2 AND r.status ="
                                " 'done'",
                                -1, &q, NULL);
    if (rc == SQLITE_OK) {
        store_bind_text(q, 1, program);
        store_bind_text(q, 2, engine_name[engine]);
        rc = sqlite3_step(q);
    }
    if (rc == SQLITE_ROW && sqlite3_column_type(q, 0) != SQLITE_NULL)
        v = sqlite3_column_double(q, 0);
    sqlite3_finalize(q);
    return v;
}

/* --- trials ------------------------------------------------------------------------------------
 */

/* Copies the first CTAs of each launch, with about PROFILE_INSTRUCTIONS in all. */
static struct program *trial_head(const struct program *p, struct error *e)
{
    uint32_t n = program_launches(p);
    uint64_t *ctas = mem_new(n ? n : 1, sizeof *ctas);
    double part = PROFILE_INSTRUCTIONS / fmax((double)long_program_instructions(p), 1);
    if (!ctas) {
        error_no_memory(e);
        return NULL;
    }
    for (uint32_t i = 0; i < n; i++) {
        double all = (double)program_launch(p, i)->ctas;
        ctas[i] = (uint64_t)fmin(all, fmax(1, ceil(part * all)));
    }
    struct program *head = program_head(p, ctas, e);
    mem_free(ctas);
    return head;
}

/* Makes a profile of the head, and predicts the time of a profile of the whole. */
static struct profile *trial_profile(const struct program *whole, const struct program *head,
                                     const struct profile_view *view, unsigned threads,
                                     double *seconds, struct error *e)
{
    double start = progress_clock_seconds();
    struct profile *f = profile_build(
        head, view, profile_detail_for(whole, view, PROFILE_TIMES_SWEEP), threads, NULL, e);
    double scale =
        (double)long_program_instructions(whole) / fmax((double)long_program_instructions(head), 1);
    *seconds = (progress_clock_seconds() - start) * fmax(scale, 1);
    return f;
}

/* Measures the seconds of one run on that machine, on one thread. */
static bool trial_run(const struct costs *c, const struct program *whole,
                      const struct program *head, const struct machine *m,
                      const struct profile *profile, double *seconds, struct error *e)
{
    struct answer *a = mem_new(1, sizeof *a);
    struct run_opts o = c->plan->opts;
    bool estimate = c->engine == ENGINE_ESTIMATE;
    o.threads = 1;
    o.max_instructions = estimate ? 0 : TRIAL_INSTRUCTIONS;
    double start = progress_clock_seconds();
    if (!a) return error_no_memory(e);
    bool ok = engine_run(estimate ? ENGINE_ESTIMATE : ENGINE_SIMULATE, m, estimate ? head : whole,
                         NULL, profile, &o, a, e);
    *seconds = progress_clock_seconds() - start;
    double all = (double)long_program_instructions(whole),
           done = ok ? a->m.v[M_warp_instructions] : 0;
    if (!estimate && all > done && done > 0) *seconds *= all / done;
    /* sampling executes at most half of the instructions */
    if (c->engine == ENGINE_SAMPLE) *seconds /= 2;
    answer_fini(a);
    mem_free(a);
    return ok;
}

/* Measures both costs of that workload at n points that are left.  If the disk cache has the
 * profile, it is used, with the whole program (ahead: the cache lacks it). */
static bool run_trials(struct costs *c, uint32_t workload, bool ahead, const uint32_t *point,
                       uint32_t n, struct error *e)
{
    struct machine m;
    double seconds = 0, sum = 0;
    if (!plan_machine(c->plan, point[0], &m, e)) return false;
    const struct program *whole = plan_program(c->plan, workload, &m);
    struct profile_view view = est_view_of(&m);
    struct profile *profile = NULL;
    struct program *head = ahead ? trial_head(whole, e) : NULL;
    bool ok = head || !ahead;
    if (ok && ahead)
        profile = trial_profile(whole, head, &view, c->threads, &c->profile[workload], e);
    else if (ok && c->engine != ENGINE_SIMULATE)
        profile = profile_get(whole, &view, profile_detail_for(whole, &view, PROFILE_TIMES_SWEEP),
                              c->threads, true, NULL, e);
    ok = ok && (profile || c->engine == ENGINE_SIMULATE);
    uint32_t runs = c->engine == ENGINE_ESTIMATE ? n : 1;
    for (uint32_t i = 0; i < runs && ok; i++) {
        ok = plan_machine(c->plan, point[i], &m, e) &&
             trial_run(c, whole, head ? head : whole, &m, profile, &seconds, e);
        if (i > 0 || runs == 1) sum += seconds; /* the first trial finds no cached results */
    }
    if (isnan(c->run[workload])) {
        c->run[workload] = sum / (runs > 1 ? runs - 1 : 1);
        c->measured = true;
    }
    if (profile) profile_free(profile);
    if (head) program_close(head);
    return ok;
}

/* --- the costs of all programs -----------------------------------------------------------------
 */

static double size_of(const struct costs *c, uint32_t workload)
{
    return fmax((double)long_program_instructions(c->plan->workload[workload].program[0]), 1);
}

/* Programs without a trial: a profile or a simulation takes the mean time per instruction of the
 * others, an estimate their mean time. */
static void fill_from_others(const struct costs *c, double *seconds, bool by_size)
{
    double sum = 0, size = 0;
    for (uint32_t w = 0; w < c->plan->n_workloads; w++) {
        if (isnan(seconds[w])) continue;
        sum += seconds[w];
        size += by_size ? size_of(c, w) : 1;
    }
    for (uint32_t w = 0; w < c->plan->n_workloads && size > 0; w++)
        if (isnan(seconds[w])) seconds[w] = sum / size * (by_size ? size_of(c, w) : 1);
}

static bool learn_cost(struct costs *c, uint32_t workload, bool profile, const uint32_t *point,
                       uint32_t n, struct error *e)
{
    if (isnan(c->run[workload]) && c->store)
        c->run[workload] = stored_seconds(c->store, plan_workload(c->plan, workload), c->engine);
    bool known = !isnan(c->run[workload]) && (!profile || !isnan(c->profile[workload]));
    return known || !has_time(c) || run_trials(c, workload, profile, point, n, e);
}

/* --- what is left ------------------------------------------------------------------------------
 */

/* Chooses some of the group's points, evenly. */
static uint32_t points_of(const struct runner *r, uint32_t g, uint32_t point[TRIAL_RUNS])
{
    uint64_t seen = 0, all = r->group[g].runs;
    uint32_t n = 0;
    for (size_t i = 0; i < r->n_tasks && n < TRIAL_RUNS; i++) {
        if (r->task[i].group != g) continue;
        if (seen * TRIAL_RUNS >= n * all) point[n++] = r->task[i].point;
        seen++;
    }
    return n;
}

static bool learn_all(struct costs *c, const struct runner *r, struct error *e)
{
    uint32_t point[TRIAL_RUNS];
    for (uint32_t g = 0; g < r->n_groups; g++) {
        uint32_t n = points_of(r, g, point);
        if (!learn_cost(c, r->group[g].workload, r->group[g].profile_ahead, point, n, e))
            return false;
    }
    fill_from_others(c, c->run, c->engine != ENGINE_ESTIMATE);
    fill_from_others(c, c->profile, true);
    return true;
}

/* Adds up the groups in the order in which the runner takes them. */
static void add_up(struct forecast *f, const struct costs *c, const struct runner *r)
{
    double runs = 0, profiles = 0, all = 0;
    for (size_t i = 0; i < r->n_groups; i++) {
        const struct task_group *g = &r->group[i];
        double turns = ceil((double)g->runs / c->threads);
        runs += (double)g->runs * c->run[g->workload];
        all += turns * c->run[g->workload];
        if (!g->profile_ahead) continue;
        f->profiles++;
        profiles += c->profile[g->workload];
    }
    f->run_seconds = r->n_tasks ? runs / (double)r->n_tasks : 0;
    f->profile_seconds = f->profiles ? profiles / f->profiles : 0;
    f->seconds = all + profiles + STORE_SECONDS * (double)r->n_tasks;
    f->measured = c->measured;
}

bool forecast_left(struct forecast *f, const struct plan *p, struct store *s,
                   const struct run_request *q, struct error *e)
{
    struct costs c;
    struct run_result result = {0};
    struct store *here = s ? s : store_open(":memory:", true, e);
    struct runner r = {.plan = p, .store = here, .request = q, .result = &result};
    *f = (struct forecast){0};
    bool ok = costs_new(&c, p, s, q->engine, parallel_threads(q->threads), e) && here &&
              runner_outline(&r, e) && learn_all(&c, &r, e);
    if (ok) add_up(f, &c, &r);
    runner_forget(&r);
    costs_free(&c);
    if (!s) store_close(here);
    return ok;
}

bool forecast_simulations(struct forecast *f, const struct plan *p, struct store *s,
                          struct error *e)
{
    struct costs c;
    double sum = 0;
    const uint32_t first = 0;
    *f = (struct forecast){0};
    bool ok = costs_new(&c, p, s, ENGINE_SIMULATE, 1, e);
    for (uint32_t w = 0; w < p->n_workloads && ok; w++)
        ok = learn_cost(&c, w, false, &first, 1, e);
    if (ok) {
        fill_from_others(&c, c.run, true);
        for (uint32_t w = 0; w < p->n_workloads; w++)
            sum += c.run[w];
        f->run_seconds = sum / p->n_workloads;
        f->measured = c.measured;
    }
    costs_free(&c);
    return ok;
}
