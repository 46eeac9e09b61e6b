/* train.c - see train.h.  The sampled runs go through the runner into a store in memory. */
#include "sweeps/trainer.h"

#include "base/mem.h"
#include "machine/machine.h"
#include "sweeps/runner.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* --- what the fit is given ---------------------------------------------------------------------
 */

/* The standard normal quantile that belongs to a two-sided level is near 2 for the usual ones; no
 * run is trusted to better than 1 %, or one that happens to be exact would outweigh all others. */
static double log_sd(const struct record *r)
{
    double sd = r->has_confidence ? r->half_width / 2 : 0;
    return fmax(sd, 0.01);
}

static bool add_row(struct trainer *t, uint32_t i, uint32_t workload, struct record *r,
                    struct error *e)
{
    struct training *out = t->out;
    enum stored state = runner_get(t->plan, t->store, t->point[i], workload, ENGINE_SAMPLE, r, e);
    if (state == STORED_ERROR) return false;
    if (state != STORED_DONE || !r->has[0]) { /* key 0 is "cycles" */
        if (out->failed++ == 0)
            snprintf(out->first_failure, sizeof out->first_failure, "%s: %.400s",
                     program_name(plan_program(t->plan, workload, t->machine[i].sm.warp_width)),
                     r->error);
        return true;
    }
    const struct profile *profile =
        profiles_get(&t->profiles, t->plan, &t->machine[i], workload, t->threads, e);
    if (!profile) return false;
    t->cal[out->n] = (struct cal_point){
        .profile = profile,
        .params = engine_est_params(&t->machine[i]),
        .cycles = r->value[0],
        .log_sd = log_sd(r),
        .machine = &t->machine[i],
        .program = program_digest(plan_program(t->plan, workload, t->machine[i].sm.warp_width))};
    out->row[out->n++] = (struct train_row){.point = t->point[i],
                                            .workload = workload,
                                            .sampled = r->value[0],
                                            .half_width = r->half_width};
    return true;
}

static bool make_room(struct trainer *t, uint32_t points, struct error *e)
{
    uint32_t grid = plan_points(t->plan), n;
    t->room = points < grid ? points : grid;
    n = t->room * t->plan->n_workloads;
    t->point = mem_new(t->room, sizeof *t->point);
    t->machine = mem_new(t->room, sizeof *t->machine);
    t->out->row = mem_new(n, sizeof *t->out->row);
    t->cal = mem_new(n, sizeof *t->cal);
    t->residual = mem_new(n, sizeof *t->residual);
    return (t->point && t->machine && t->out->row && t->cal && t->residual) || error_no_memory(e);
}

/* The runs of the points from `from` on. */
static bool gather(struct trainer *t, uint32_t from, struct error *e)
{
    struct record *r = mem_new(1, sizeof *r);
    bool ok = r || error_no_memory(e);
    for (uint32_t i = from; i < t->n_points && ok; i++)
        for (uint32_t w = 0; w < t->plan->n_workloads && ok; w++)
            ok = add_row(t, i, w, r, e);
    mem_free(r);
    return ok;
}

bool trainer_add(struct trainer *t, uint32_t point, struct error *e)
{
    t->point[t->n_points] = point;
    return plan_machine(t->plan, point, &t->machine[t->n_points++], e);
}

static bool run_points(struct trainer *t, uint32_t from, const struct train_request *q,
                       struct error *e)
{
    struct run_result ran;
    struct run_request r = {.engine = ENGINE_SAMPLE,
                            .point = t->point + from,
                            .n_points = t->n_points - from,
                            .threads = q->threads,
                            .progress = q->progress};
    if (!runner_run(t->plan, t->store, &r, &ran, e)) return false;
    if (!ran.interrupted) return gather(t, from, e);
    *e = (struct error){.kind = ERROR_INTERRUPTED, .text = "interrupted; nothing was written"};
    return false;
}

/* --- fit ---------------------------------------------------------------------------------------
 */

static bool raw_cycles(const struct cal_point *c, double *cycles, struct error *e)
{
    struct metrics *m = mem_new(1, sizeof *m);
    if (!m) return error_no_memory(e);
    bool ok = estimate(c->profile, NULL, &c->params, NULL, m, NULL, e);
    *cycles = m->v[M_cycles];
    mem_free(m);
    return ok;
}

static bool fill_rows(struct trainer *t, struct error *e)
{
    for (uint32_t i = 0; i < t->out->n; i++) {
        struct train_row *row = &t->out->row[i];
        row->left_out = t->residual[i];
        row->fitted = row->sampled * exp(-row->left_out);
        if (!raw_cycles(&t->cal[i], &row->raw, e)) return false;
    }
    return true;
}

bool trainer_fit(struct trainer *t, struct error *e)
{
    const char *path[AXES_MAX];
    return calibrate_fit(t->cal, t->out->n, path, plan_paths(t->plan, path), &t->out->calibration,
                         t->residual, e);
}

static struct digest training_digest(const struct trainer *t)
{
    struct digest d = digest_text("training");
    for (uint32_t i = 0; i < t->n_points; i++) {
        for (uint32_t w = 0; w < t->plan->n_workloads; w++) {
            char hex[33];
            struct run_key k = runner_key(t->plan, t->point[i], &t->machine[i], w, ENGINE_SAMPLE);
            run_key_text(&k, hex);
            d = digest_join(d, digest_text(hex));
        }
    }
    return d;
}

/* Before anything is sampled. */
static bool can_be_fitted(const struct trainer *t, struct error *e)
{
    uint64_t planned = (uint64_t)t->room * t->plan->n_workloads;
    if (planned > RESIDUAL_POINTS_MAX)
        return error_input(e,
                           "%s: %" PRIu64 " sampled runs, at most %d can be fitted; give fewer "
                           "programs or --points",
                           t->plan->file, planned, RESIDUAL_POINTS_MAX);
    return planned >= CALIBRATE_POINTS_MIN ||
           error_input(e,
                       "%s: %" PRIu64
                       " sampled runs, at least %d are needed to fit; give more programs "
                       "or --points",
                       t->plan->file, planned, CALIBRATE_POINTS_MIN);
}

static bool fit(struct trainer *t, struct error *e)
{
    struct calibration *c = &t->out->calibration;
    if (t->out->n < CALIBRATE_POINTS_MIN)
        return error_run(e, "%s: only %u of %u sampled runs succeeded, %d are needed to fit: %s",
                         t->plan->file, t->out->n, t->out->n + t->out->failed, CALIBRATE_POINTS_MIN,
                         t->out->first_failure);
    if (!trainer_fit(t, e)) return false;
    snprintf(c->machine, sizeof c->machine, "%s", t->plan->base->name);
    c->training = training_digest(t);
    return fill_rows(t, e);
}

/* The first points, then one after another by what it would teach. */
static bool run_all(struct trainer *t, const struct train_request *q, struct error *e)
{
    double since = clock_seconds(), last = 0;
    bool none = false, ok = trainer_first(t, q, e) && run_points(t, 0, q, e);
    while (ok && !none && q->choose == TRAIN_ACTIVE && t->n_points < t->room) {
        uint32_t from = t->n_points;
        double now = clock_seconds() - since;
        if (q->seconds > 0 && now + last > q->seconds) break;
        ok = trainer_next(t, &none, e) && (none || run_points(t, from, q, e));
        last = clock_seconds() - since - now;
    }
    return ok;
}

bool train(struct training *out, const struct plan *plan, const struct train_request *q,
           struct error *e)
{
    struct plan p = *plan; /* sampled without a calibration, whatever the plan has */
    p.calibration_file = NULL;
    *out = (struct training){0};
    struct trainer t = {.plan = &p, .out = out, .threads = q->threads};
    bool ok = make_room(&t, q->points, e) && can_be_fitted(&t, e);
    t.store = ok ? store_open(":memory:", true, e) : NULL;
    ok = t.store && run_all(&t, q, e) && fit(&t, e);
    profiles_fini(&t.profiles);
    store_close(t.store);
    mem_free(t.point);
    mem_free(t.machine);
    mem_free(t.cal);
    mem_free(t.residual);
    out->points = t.n_points;
    return ok;
}

void train_fini(struct training *t)
{
    mem_free(t->row);
    calibration_fini(&t->calibration);
    *t = (struct training){0};
}
