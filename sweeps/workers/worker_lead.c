/* worker_lead.c - decides which runs the workers make; see worker.h. */
#include "sweeps/workers/worker_internal.h"

#include "base/io/file.h"
#include "sweeps/constants.h"
#include "sweeps/store/merge.h"

#include <inttypes.h>

/* --- an engine ---------------------------------------------------------------------------------
 */

/* Adds the runs of a point that the store lacks; retry: and those that failed. */
static bool add_missing(const struct sweep_worker *w, struct store *had_runs, bool retry,
                        uint32_t point, struct run_batch *b, struct error *e)
{
    const struct plan *p = w->plan;
    for (uint32_t i = 0; i < p->n_workloads; i++) {
        enum stored had = runner_get(p, had_runs, point, i, b->engine, NULL, e);
        if (had == STORED_ERROR) return false;
        if (had == STORED_DONE || (had == STORED_FAILED && !retry)) continue;
        if (!batch_add(b, (uint64_t)point * p->n_workloads + i, 1, e)) return false;
    }
    return true;
}

static bool publish_missing(struct sweep_worker *w, struct error *e)
{
    const struct plan *p = w->plan;
    struct run_batch b = {.engine = p->engine, .workers = w->dir.workers, .last = true};
    struct store *output = NULL;
    bool ok = true;
    if (file_exists(p->output)) {
        output = store_open(p->output, false, e);
        ok = output != NULL;
        for (uint32_t i = 0; ok && i < plan_points(p); i++)
            ok = !worker_is_stopped(w) ? add_missing(w, output, w->request->retry, i, &b, e)
                                       : error_interrupted(e, "looking for what is stored");
        store_close(output);
    } else {
        ok = batch_add(&b, 0, (uint64_t)plan_points(p) * p->n_workloads, e);
    }
    ok = ok && work_dir_publish(&w->dir, w->number, &b, e);
    batch_fini(&b);
    return ok;
}

/* --- engine auto -------------------------------------------------------------------------------
 */

static void skip_broken(const char *why, void *ctx)
{
    worker_say(ctx, "left out: %s", why);
}

static bool merge_others(struct sweep_worker *w, struct error *e)
{
    struct work_merged sum;
    return worker_open_store(w, e) &&
           work_dir_merge(&w->dir, w->store, w->name, skip_broken, w, &sum, e);
}

static bool merge_output(struct sweep_worker *w, struct error *e)
{
    struct merge_result r;
    return !file_exists(w->plan->output) || merge_database(w->store, w->plan->output, &r, e);
}

/* Publishes the requested runs that the store lacks. */
static bool publish_request(struct sweep_worker *w, const struct run_request *q, struct error *e)
{
    const struct plan *p = w->plan;
    struct run_batch b = {.engine = q->engine, .workers = w->dir.workers};
    uint32_t points = q->point ? q->n_points : plan_points(p);
    bool ok = true;
    for (uint32_t i = 0; ok && i < points; i++)
        ok = add_missing(w, w->store, false, q->point ? q->point[i] : i, &b, e);
    ok = ok && work_dir_publish(&w->dir, w->number, &b, e);
    batch_fini(&b);
    return ok;
}

static bool share_missing(struct sweep_worker *w, const struct run_request *q, struct error *e)
{
    bool over, there;
    if (lease_is_lost(&w->leases, w->leader) || worker_is_stopped(w))
        return error_interrupted(e, "sharing runs");
    batch_fini(&w->batch);
    if (!publish_request(w, q, e) ||
        !work_dir_batch(&w->dir, w->number, w->plan, &w->batch, &there, e) ||
        !worker_batch(w, &over, e))
        return false;
    return over ? merge_others(w, e) : error_interrupted(e, "sharing runs");
}

/* An auto_make_fn: all workers make the runs, which then are in the store.  A batch of that number
 * may be another leader's, which has gone; then the next one has what is missing. */
static bool share_runs(const struct plan *p, struct store *s, const struct run_request *q,
                       struct run_result *r, struct error *e, void *ctx)
{
    struct sweep_worker *w = ctx;
    struct run_request plan_only = *q, count = *q;
    plan_only.plan_only = true;
    count.count_only = true;
    if (!runner_run(p, s, &plan_only, r, e)) return false;
    for (int tries = 0; r->left > 0; tries++) {
        struct run_result after;
        if (!share_missing(w, q, e) || !runner_run(p, s, &count, &after, e)) return false;
        r->left = after.left;
        if (r->left > 0 && tries == WORK_DEATHS)
            return error_run(e, "%" PRIu64 " runs are missing: they ended their workers", r->left);
    }
    return true;
}

static void pass_on(const char *line, void *ctx)
{
    worker_say(ctx, "%s", line);
}

/* *done: it chose to the end. */
static bool lead_auto(struct sweep_worker *w, bool *done, struct error *e)
{
    struct auto_result *r = &w->result->chosen;
    struct auto_request q = {.threads = w->request->threads,
                             .make = share_runs,
                             .make_ctx = w,
                             .say = pass_on,
                             .ctx = w};
    struct run_batch end = {.engine = ENGINE_SIMULATE, .workers = w->dir.workers, .last = true};
    if (!merge_others(w, e) || !merge_output(w, e) || !auto_run(w->plan, w->store, &q, r, e))
        return false;
    *done = r->end != AUTO_INTERRUPTED && !lease_is_lost(&w->leases, w->leader);
    if (!*done) return true;
    w->result->led = true;
    return work_dir_publish(&w->dir, w->number, &end, e);
}

/* -----------------------------------------------------------------------------------------------
 */

/* The generation to claim; UINT32_MAX: somebody leads, or has led to the end. */
static bool find_vacancy(const struct sweep_worker *w, uint32_t *generation, struct error *e)
{
    shared_time now;
    const char *dir = w->dir.claims;
    uint32_t n = lease_generations(dir, WORK_LEADER);
    *generation = UINT32_MAX;
    if (lease_is_done(dir, WORK_LEADER)) return true;
    if (!lease_clock(&w->leases, &now, e)) return false;
    if (n && !lease_is_stale(dir, WORK_LEADER, n - 1, w->dir.lease, now)) return true;
    if (lease_is_deadly(dir, WORK_LEADER, n))
        return error_run(e, "%s: choosing the runs has ended %d workers; --retry tries it again",
                         w->dir.path, WORK_DEATHS);
    *generation = n;
    return true;
}

bool worker_lead(struct sweep_worker *w, bool *leading, struct error *e)
{
    uint32_t generation;
    bool lost, done = true;
    *leading = false;
    if (!find_vacancy(w, &generation, e)) return false;
    if (generation == UINT32_MAX) return true;
    if (!lease_claim(&w->leases, WORK_LEADER, generation, &w->leader, e)) return false;
    *leading = w->leader != NULL;
    if (!*leading) return true;
    bool ok = w->plan->automatic ? lead_auto(w, &done, e) : publish_missing(w, e);
    struct lease *x = w->leader;
    w->leader = NULL;
    if (ok && done) return lease_finish(&w->leases, x, &lost, e);
    lease_give_back(&w->leases, x);
    return ok;
}
