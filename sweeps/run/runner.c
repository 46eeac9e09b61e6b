/* runner.c - see runner.h.
 *
 * Runs that need the same profile form a group; the pool of threads makes a group's runs. */
#include "sampler/strata/est_params.h"
#include "sweeps/run/runner_internal.h"

#include "base/memory/alloc.h"
#include "base/run/parallel.h"
#include "engine/engine.h"
#include "engine/profile_pool.h"
#include "sampler/strata/long_program.h"
#include "sweeps/constants.h"
#include "sweeps/run/best_so_far.h"
#include "sweeps/run/write_batch.h"
#include "sweeps/store/sweep_tables.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

/* A sample on another run's intervals depends on that run's machine, too. */
static void add_base(const struct plan *p, uint32_t point, uint32_t workload, struct run_key *k)
{
    struct machine m;
    struct error e;
    char hex[33];
    uint32_t base = plan_base(p, point, workload);
    if (base == PLAN_ALONE || base == point || !plan_machine(p, base, &m, &e)) return;
    digest_hex(plan_digest(p, base, &m), hex);
    size_t n = strlen(k->settings);
    snprintf(k->settings + n, sizeof k->settings - n, " base=%s", hex);
}

struct run_key runner_key_alone(const struct plan *p, struct digest machine, struct digest program,
                                enum engine engine)
{
    const struct run_opts *o = &p->opts;
    struct run_key k = {.machine = machine,
                        .program = program,
                        .engine = engine,
                        .version = engine_version(engine)};
    int n = snprintf(k.settings, sizeof k.settings, "max_instructions=%llu",
                     (unsigned long long)o->max_instructions);
    if (engine != ENGINE_SAMPLE) return k;
    k.seed = o->seed;
    snprintf(k.settings + n, sizeof k.settings - (size_t)n,
             " error=%.17g confidence=%.17g budget=%llu", o->error, o->confidence,
             (unsigned long long)o->budget);
    return k;
}

struct run_key runner_key(const struct plan *p, uint32_t point, const struct machine *m,
                          uint32_t workload, enum engine engine)
{
    const struct digest program = program_digest(plan_program(p, workload, m));
    struct run_key k = runner_key_alone(p, plan_digest(p, point, m), program, engine);
    if (engine == ENGINE_ESTIMATE) k.calibration = calibration_set_digest(&p->calibrations, m);
    if (engine == ENGINE_SAMPLE) add_base(p, point, workload, &k);
    return k;
}

enum stored runner_get(const struct plan *p, struct store *s, uint32_t point, uint32_t workload,
                       enum engine engine, struct record *r, struct error *e)
{
    struct machine m;
    if (!plan_machine(p, point, &m, e)) return STORED_ERROR;
    struct run_key k = runner_key(p, point, &m, workload, engine);
    return store_get(s, &k, r, e);
}

/* --- what is left to do ------------------------------------------------------------------------
 */

static bool same_group(const struct task_group *x, const struct task_group *y)
{
    if (x->workload != y->workload || x->program != y->program || x->base != y->base) return false;
    return x->base != PLAN_ALONE || profile_view_equal(&x->view, &y->view);
}

static bool find_group(struct runner *r, const struct machine *m, const struct task *t,
                       uint32_t *at)
{
    struct task_group g = {.workload = t->workload, .base = PLAN_ALONE};
    g.program = plan_program(r->plan, t->workload, m);
    g.view = est_view_of(m);
    if (r->request->engine == ENGINE_SAMPLE) g.base = plan_base(r->plan, t->point, t->workload);
    for (size_t i = 0; i < r->n_groups; i++) {
        if (!same_group(&r->group[i], &g)) continue;
        *at = (uint32_t)i;
        return true;
    }
    if (!mem_grow(&r->group, &r->cap_groups, r->n_groups + 1, sizeof *r->group)) return false;
    g.profile_ahead = r->request->engine != ENGINE_SIMULATE &&
                      !profile_is_kept(g.program, &g.view, &r->plan->opts);
    *at = (uint32_t)r->n_groups;
    r->group[r->n_groups++] = g;
    return true;
}

static bool is_mine(const struct run_request *q, uint32_t point)
{
    return q->shards == 0 || point % q->shards == q->shard - 1;
}

static bool plan_task(struct runner *r, uint32_t point, uint32_t workload, struct error *e)
{
    struct machine m;
    struct task t = {.point = point, .workload = workload};
    if (!plan_machine(r->plan, point, &m, e)) return false;
    struct run_key k = runner_key(r->plan, point, &m, workload, r->request->engine);
    enum stored had = store_get(r->store, &k, NULL, e);
    if (had == STORED_ERROR) return false;
    if (!mem_grow(&r->planned, &r->cap_planned, r->n_planned + 1, sizeof *r->planned))
        return error_no_memory(e);
    struct sweep_task *row = &r->planned[r->n_planned++];
    *row = (struct sweep_task){.point = point, .workload = workload};
    run_key_text(&k, row->key);
    if (!is_mine(r->request, point)) return true;
    r->result->total++;
    if (had == STORED_DONE || (had == STORED_FAILED && !r->request->retry)) {
        r->result->stored += had == STORED_DONE;
        r->result->failed_before += had == STORED_FAILED;
        return true;
    }
    r->result->left++;
    if (!find_group(r, &m, &t, &t.group) ||
        !mem_grow(&r->task, &r->cap_tasks, r->n_tasks + 1, sizeof *r->task))
        return error_no_memory(e);
    r->task[r->n_tasks++] = t;
    r->group[t.group].runs++;
    return true;
}

bool runner_outline(struct runner *r, struct error *e)
{
    const struct run_request *q = r->request;
    uint32_t points = q->point ? q->n_points : plan_points(r->plan), width = r->plan->n_workloads;
    for (uint32_t i = 0; i < points; i++)
        for (uint32_t w = 0; w < width; w++) {
            if (q->wanted && !q->wanted[(size_t)i * width + w]) continue;
            if (!plan_task(r, q->point ? q->point[i] : i, w, e)) return false;
        }
    return true;
}

void runner_forget(struct runner *r)
{
    mem_free(r->planned);
    mem_free(r->task);
    mem_free(r->group);
}

/* --- one run -----------------------------------------------------------------------------------
 */

void runner_record_answer(struct record *rec, const struct answer *a)
{
    for (uint32_t i = 0; metrics_key(i); i++)
        rec->has[i] = metrics_at(&a->m, i, &rec->value[i]);
    rec->has_confidence = a->has_confidence;
    rec->level = a->level;
    rec->half_width = a->half_width;
    rec->intervals = a->intervals;
    rec->simulated_share = a->simulated_share;
    rec->has_place = a->engine == ENGINE_ESTIMATE && a->place.log_cycles > 0;
    rec->place = a->place;
    rec->n_stations = a->x.n;
    memcpy(rec->station, a->x.station, sizeof rec->station);
    if (a->x.n && a->x.bottleneck)
        snprintf(rec->bottleneck, sizeof rec->bottleneck, "%s", a->x.bottleneck);
}

void runner_record_failure(struct record *rec, const struct error *e)
{
    rec->failed = true;
    snprintf(rec->error, sizeof rec->error, "%.500s", e->text);
}

/* false: interrupted; there is nothing to record. */
static bool execute_task(const struct runner *r, const struct task *t, const struct machine *m,
                         struct record *rec)
{
    const struct plan *p = r->plan;
    struct error e = {0};
    struct answer a = {0};
    struct run_opts o = p->opts;
    double start = progress_clock_seconds();
    o.threads = 1;
    o.machine_digest = plan_digest(p, t->point, m);
    if (r->profile_error.kind != ERROR_NONE) {
        runner_record_failure(rec, &r->profile_error);
        return true;
    }
    bool ok = engine_run(r->request->engine, m, r->group[t->group].program,
                         calibration_set_for(&p->calibrations, m), r->profile, &o, &a, &e);
    if (ok)
        runner_record_answer(rec, &a);
    else
        runner_record_failure(rec, &e);
    rec->host_seconds = progress_clock_seconds() - start;
    answer_fini(&a);
    return ok || e.kind != ERROR_INTERRUPTED;
}

/* The quantity to which a profile's time is proportional: a profile reads all of the program. */
static double profile_size(const struct program *program)
{
    return fmax((double)long_program_instructions(program), 1);
}

/* The same for a run: only the cycle model's time depends on the program. */
static double run_size(const struct runner *r, const struct program *program)
{
    return r->request->engine == ENGINE_ESTIMATE ? 1 : profile_size(program);
}

static void count_finished(struct runner *r, const struct finished *f)
{
    struct progress *g = r->request->progress;
    r->result->failed += f->record.failed;
    r->result->done += !f->record.failed;
    if (best_add(&r->best, f->point, &f->record) && g) best_text(&r->best, g->note);
    if (!g) return;
    if (f->record.failed) g->failed++;
    g->items.done += run_size(r, plan_program(r->plan, f->workload, &f->machine));
    progress_add(g, 1);
}

bool runner_note_error(struct runner *r, const struct error *e)
{
    pthread_mutex_lock(&r->lock);
    if (r->first_error.kind == ERROR_NONE) r->first_error = *e;
    pthread_mutex_unlock(&r->lock);
    return false;
}

bool runner_hand_in(struct runner *r, struct write_batch *b)
{
    struct error e = {0};
    if (b->n == 0) return true;
    bool ok = write_batch_store(b, &r->target, &e);
    if (!ok) runner_note_error(r, &e);
    pthread_mutex_lock(&r->lock); /* the lock covers the progress, too, which may print the note */
    for (uint32_t i = 0; ok && i < b->n; i++)
        count_finished(r, &b->run[i]);
    pthread_mutex_unlock(&r->lock);
    b->n = 0;
    return ok;
}

static bool is_stopped(const struct runner *r)
{
    return plumb_interrupted || (r->request->stop && r->request->stop(r->request->ctx));
}

static bool run_task(size_t i, unsigned worker, void *ctx)
{
    struct runner *r = ctx;
    const struct task *t = r->member[i];
    struct write_batch *b = &r->write_batch[worker];
    struct error e = {0};
    if (is_stopped(r)) return false;
    struct finished *f = write_batch_next(b);
    f->point = t->point;
    f->workload = t->workload;
    if (!plan_machine(r->plan, t->point, &f->machine, &e)) return runner_note_error(r, &e);
    if (!execute_task(r, t, &f->machine, &f->record)) return false;
    write_batch_add(b);
    return !write_batch_due(b) || runner_hand_in(r, b);
}

/* --- groups ------------------------------------------------------------------------------------
 */

/* The profile of the current members, which *keep then holds. */
static const struct profile *find_profile(struct runner *r, const struct task_group *group,
                                          struct profile_pool *keep)
{
    struct machine m;
    struct error *e = &r->profile_error;
    struct progress *g = r->request->progress;
    double start = progress_clock_seconds();
    if (!plan_machine(r->plan, r->member[0]->point, &m, e)) return NULL;
    const struct program *program = group->program;
    struct run_opts o = r->plan->opts;
    o.threads = r->request->threads;
    const struct profile *f = profile_pool_get(keep, program, &m, &o, e);
    if (!g || !group->profile_ahead) return f;
    g->ahead.done += profile_size(program);
    g->ahead.seconds += progress_clock_seconds() - start;
    return f;
}

static bool run_group(struct runner *r, uint32_t g)
{
    const struct task_group *group = &r->group[g];
    struct profile_pool own;
    if (is_stopped(r)) return false;
    r->n_members = 0;
    for (size_t i = 0; i < r->n_tasks; i++)
        if (r->task[i].group == g) r->member[r->n_members++] = &r->task[i];
    r->profile_error = (struct error){0};
    if (group->base != PLAN_ALONE) return runner_shared(r, group);
    r->profile = NULL;
    profile_pool_init(&own, 0);
    if (r->request->engine != ENGINE_SIMULATE)
        r->profile = find_profile(r, group, r->request->profiles ? r->request->profiles : &own);
    bool ok = r->profile_error.kind != ERROR_INTERRUPTED &&
              parallel_map(r->request->threads, r->n_members, run_task, r);
    for (unsigned i = 0; i < r->workers; i++)
        ok = runner_hand_in(r, &r->write_batch[i]) && ok;
    profile_pool_fini(&own);
    return ok;
}

static bool make_room(struct runner *r, struct error *e)
{
    bool shared = r->request->runs_only;
    uint32_t limit = r->request->engine == ENGINE_ESTIMATE || shared ? WRITE_BATCH_RUNS : 1;
    double seconds = shared ? WRITE_SHARED_SECONDS : WRITE_BATCH_SECONDS;
    unsigned workers = parallel_threads(r->request->threads);
    r->member = mem_new(r->n_tasks ? r->n_tasks : 1, sizeof *r->member);
    r->target = (struct write_target){
        .plan = r->plan,
        .store = r->store,
        .engine = r->request->engine,
        .bases = &r->bases,
        .sweep = r->result->sweep != 0,
        .known = mem_new(plan_points(r->plan), sizeof *r->target.known),
    };
    r->write_batch = mem_new(workers, sizeof *r->write_batch);
    if (!r->member || !r->target.known || !r->write_batch) return error_no_memory(e);
    if (!write_bases_init(&r->bases, r->plan, e)) return false;
    while (r->workers < workers)
        if (!write_batch_init(&r->write_batch[r->workers++], limit, seconds, e)) return false;
    return true;
}

static void free_room(struct runner *r)
{
    for (unsigned i = 0; i < r->workers; i++)
        write_batch_fini(&r->write_batch[i]);
    mem_free(r->write_batch);
    write_bases_fini(&r->bases);
    mem_free(r->target.known);
    mem_free(r->member);
}

static void start_progress(const struct runner *r, struct progress *g)
{
    progress_start(g, "runs", r->n_tasks);
    for (size_t i = 0; i < r->n_groups; i++) {
        const struct task_group *group = &r->group[i];
        g->items.all += (double)group->runs * run_size(r, group->program);
        if (group->profile_ahead && group->base == PLAN_ALONE)
            g->ahead.all += profile_size(group->program);
    }
}

static bool run_groups(struct runner *r, struct error *e)
{
    if (!make_room(r, e)) return false;
    struct progress *g = r->request->progress;
    if (g) start_progress(r, g);
    for (uint32_t i = 0; i < r->n_groups; i++)
        if (!run_group(r, (uint32_t)((i + r->request->first_group) % r->n_groups))) break;
    if (g) progress_finish(g);
    r->result->interrupted = plumb_interrupted;
    if (r->first_error.kind == ERROR_NONE) return true;
    *e = r->first_error;
    return false;
}

bool runner_run(const struct plan *p, struct store *s, const struct run_request *q,
                struct run_result *result, struct error *e)
{
    *result = (struct run_result){0};
    struct runner r = {.plan = p, .store = s, .request = q, .result = result};
    pthread_mutex_init(&r.lock, NULL);
    pthread_mutex_init(&r.storing, NULL);
    bool ok = best_init(&r.best, p, e) && runner_outline(&r, e);
    if (ok && !q->count_only && !q->runs_only)
        ok = sweep_tables_plan(s, p, &result->sweep, e) &&
             sweep_tables_tasks(s, result->sweep, q->engine, r.planned, r.n_planned, e);
    if (ok && !q->count_only && !q->plan_only) ok = run_groups(&r, e);
    pthread_mutex_destroy(&r.lock);
    pthread_mutex_destroy(&r.storing);
    best_fini(&r.best);
    runner_forget(&r);
    free_room(&r);
    return ok;
}
