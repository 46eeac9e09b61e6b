/* train.c - see train.h.  The runner makes the sampled runs and stores them. */
#include "sweeps/train/train_internal.h"

#include "base/memory/alloc.h"
#include "gpu/machine/machine.h"
#include "sampler/strata/est_params.h"
#include "sampler/strata/long_program.h"
#include "sweeps/constants.h"
#include "sweeps/run/runner.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* --- inputs of the fit ------------------------------------------------------------------------ */

/* For the usual confidence levels the two-sided quantile of the standard normal is near 2.  No run
 * is trusted to better than 1 %: otherwise an exact one would outweigh all others. */
static double log_sd(const struct record *r)
{
    double sd = r->has_confidence ? r->half_width / 2 : 0;
    return fmax(sd, EXACT_RUN_SD);
}

static bool estimate_of(struct trainer *t, uint32_t i, uint32_t workload, double *cycles,
                        struct error *e)
{
    struct known_run *r = mem_new(1, sizeof *r);
    bool ok = r ? trainer_estimate(t, i, workload, r, e) : error_no_memory(e);
    if (ok) *cycles = exp(r->place.estimate);
    mem_free(r);
    return ok;
}

static bool add_row(struct trainer *t, uint32_t i, uint32_t workload, struct record *r,
                    struct error *e)
{
    struct training *out = t->out;
    enum stored state = runner_get(t->plan, t->store, t->point[i], workload, ENGINE_SAMPLE, r, e);
    if (state == STORED_ERROR) return false;
    if (state != STORED_DONE || !r->has[0]) { /* metric 0 is "cycles" */
        if (out->failed++ == 0)
            snprintf(out->first_failure, sizeof out->first_failure, "%s: %.400s",
                     program_name(plan_program(t->plan, workload, &t->machine[i])), r->error);
        return true;
    }
    struct cal_point *c = &t->fit.at[out->n];
    double raw;
    if (!estimate_of(t, i, workload, &raw, e) || !trainer_find_point(t, i, workload, c, e))
        return false;
    c->cycles = r->value[0];
    c->log_sd = log_sd(r);
    c->simulated = t->fit.value[out->n];
    for (uint32_t k = 0; k < METRICS_KEYS_MAX; k++)
        t->fit.value[out->n][k] = r->has[k] ? r->value[k] : NAN;
    out->row[out->n++] = (struct train_row){.point = t->point[i],
                                            .workload = workload,
                                            .sampled = r->value[0],
                                            .raw = raw,
                                            .half_width = r->half_width};
    return true;
}

static bool make_room(struct trainer *t, const struct train_request *q, struct error *e)
{
    uint32_t grid = plan_points(t->plan), points = q->points < grid ? q->points : grid,
             most = 2 * points > TRAIN_CANDIDATES ? 2 * points : (uint32_t)TRAIN_CANDIDATES;
    t->room = q->choose != TRAIN_ACTIVE ? points : most < grid ? most : grid;
    t->runs = points * t->plan->n_workloads;
    t->own = train_own_point(t->plan);
    t->point = mem_new(t->room, sizeof *t->point);
    t->machine = mem_new(t->room, sizeof *t->machine);
    t->order = mem_new((size_t)t->plan->n_workloads * t->room, sizeof *t->order);
    t->asked = mem_new(t->plan->n_workloads, sizeof *t->asked);
    t->out->row = mem_new(t->runs, sizeof *t->out->row);
    t->doubt = mem_new((size_t)t->plan->n_workloads * t->room, sizeof *t->doubt);
    t->residual = mem_new(t->runs, sizeof *t->residual);
    bool ok =
        t->doubt && t->point && t->machine && t->order && t->asked && t->out->row && t->residual;
    return ok ? fit_points_make_room(&t->fit, t->runs, e) : error_no_memory(e);
}

static bool is_asked(const struct trainer *t, uint32_t i, uint32_t workload)
{
    const uint32_t *order = t->order + (size_t)workload * t->room;
    for (uint32_t k = 0; k < t->asked[workload]; k++)
        if (order[k] == i) return true;
    return false;
}

static uint32_t points_asked(const struct trainer *t)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < t->n_points; i++) {
        uint32_t w = 0;
        while (w < t->plan->n_workloads && !is_asked(t, i, w))
            w++;
        n += w < t->plan->n_workloads;
    }
    return n;
}

/* Gathers the wanted runs. */
static bool gather_points(struct trainer *t, const bool *wanted, struct error *e)
{
    struct record *r = mem_new(1, sizeof *r);
    bool ok = r || error_no_memory(e);
    for (uint32_t i = 0; i < t->n_points && ok; i++)
        for (uint32_t w = 0; w < t->plan->n_workloads && ok; w++)
            ok = !wanted[(size_t)i * t->plan->n_workloads + w] || add_row(t, i, w, r, e);
    mem_free(r);
    return ok;
}

static bool run_wanted(struct trainer *t, const bool *wanted, const struct train_request *q,
                       struct error *e)
{
    struct run_result ran;
    struct run_request r = {.engine = ENGINE_SAMPLE,
                            .point = t->point,
                            .n_points = t->n_points,
                            .wanted = wanted,
                            .threads = q->threads,
                            .progress = q->progress};
    if (!runner_run(t->plan, t->store, &r, &ran, e)) return false;
    if (!ran.interrupted) return gather_points(t, wanted, e);
    *e = (struct error){.kind = ERROR_INTERRUPTED, .text = "interrupted; nothing was written"};
    return false;
}

/* Makes the requested runs that are not made yet; had[workloads]: how many were. */
static bool run_asked(struct trainer *t, uint32_t *had, const struct train_request *q,
                      struct error *e)
{
    uint32_t width = t->plan->n_workloads;
    bool *wanted = mem_new((size_t)t->n_points * width, sizeof *wanted);
    if (!wanted) return error_no_memory(e);
    for (uint32_t w = 0; w < width; w++)
        for (; had[w] < t->asked[w]; had[w]++)
            wanted[(size_t)t->order[(size_t)w * t->room + had[w]] * width + w] = true;
    bool ok = run_wanted(t, wanted, q, e);
    mem_free(wanted);
    return ok;
}

/* --- fit ---------------------------------------------------------------------------------------
 */

static bool fit_rows(struct trainer *t, struct error *e)
{
    if (!calibrate_fit(t->fit.at, t->out->n, t->plan->calibrations.ranges, &t->out->calibration,
                       t->residual, e))
        return false;
    for (uint32_t i = 0; i < t->out->n; i++) {
        struct train_row *row = &t->out->row[i];
        row->left_out = t->residual[i];
        row->fitted = row->sampled * exp(-row->left_out);
    }
    return true;
}

static struct digest training_digest(const struct trainer *t)
{
    struct digest d = digest_text("training");
    for (uint32_t i = 0; i < t->n_points; i++) {
        for (uint32_t w = 0; w < t->plan->n_workloads; w++) {
            char hex[33];
            if (!is_asked(t, i, w)) continue;
            struct run_key k = runner_key(t->plan, t->point[i], &t->machine[i], w, ENGINE_SAMPLE);
            run_key_text(&k, hex);
            d = digest_join(d, digest_text(hex));
        }
    }
    return d;
}

static uint64_t most_instructions(const struct workload *w)
{
    uint64_t most = 0;
    for (uint32_t i = 0; i < w->n_programs; i++) {
        uint64_t n = long_program_instructions(w->program[i]);
        if (n > most) most = n;
    }
    return most;
}

/* Refuses runs that end early: they have fewer cycles than the estimate of the whole program, with
 * which they would be compared. */
static bool runs_are_whole(const struct plan *p, struct error *e)
{
    uint64_t limit = p->opts.max_instructions;
    for (uint32_t w = 0; limit && w < p->n_workloads; w++) {
        uint64_t n = most_instructions(&p->workload[w]);
        if (n <= limit) continue;
        return error_input(e,
                           "%s: max_instructions is %" PRIu64 ", but %s has %" PRIu64
                           "; a calibration needs whole programs",
                           p->file, limit, plan_workload(p, w), n);
    }
    return true;
}

/* Checks the plan before anything is sampled. */
static bool can_be_fitted(const struct plan *p, const struct train_request *q, struct error *e)
{
    uint32_t grid = plan_points(p), points = q->points < grid ? q->points : grid;
    uint64_t planned = (uint64_t)points * p->n_workloads;
    if (!runs_are_whole(p, e)) return false;
    if (points < 2)
        return error_input(
            e, "%s: one machine does not show how errors change; 2 or more are needed", p->file);
    if (planned > CALIBRATE_POINTS_MAX)
        return error_input(e,
                           "%s: %" PRIu64 " sampled runs, at most %d can be fitted; give fewer "
                           "programs or --points",
                           p->file, planned, CALIBRATE_POINTS_MAX);
    return planned >= CALIBRATE_POINTS_MIN ||
           error_input(e,
                       "%s: %" PRIu64
                       " sampled runs, at least %d are needed to fit; give more programs "
                       "or --points",
                       p->file, planned, CALIBRATE_POINTS_MIN);
}

static bool fit_calibration(struct trainer *t, struct error *e)
{
    struct calibration *c = &t->out->calibration;
    if (t->out->n < CALIBRATE_POINTS_MIN)
        return error_run(e, "%s: only %u of %u sampled runs succeeded, %d are needed to fit: %s",
                         t->plan->file, t->out->n, t->out->n + t->out->failed, CALIBRATE_POINTS_MIN,
                         t->out->first_failure);
    if (!fit_rows(t, e)) return false;
    snprintf(c->machine, sizeof c->machine, "%s", t->plan->base->name);
    c->training = training_digest(t);
    return true;
}

/* The size of the next batch: half of the remaining runs, because later batches know the programs'
 * variances better; all of them if that is hardly one run for each program; and no more than will
 * end in time at the rate so far. */
static uint32_t batch_size(const struct trainer *t, const struct train_request *q, double seconds)
{
    uint32_t asked = trainer_asked(t), left = t->runs - asked, each = t->plan->n_workloads,
             n = left > 2 * each ? left / 2 : left;
    if (q->seconds <= 0) return n;
    double in_time = fmax(q->seconds - seconds, 0) / (seconds / asked);
    return in_time < n ? (uint32_t)in_time : n;
}

/* Makes the first runs, then batches chosen by the variance that they are expected to remove. */
static bool run_all(struct trainer *t, const struct train_request *q, struct error *e)
{
    double since = progress_clock_seconds();
    uint32_t *had = mem_new(t->plan->n_workloads, sizeof *had), more = q->choose == TRAIN_ACTIVE;
    bool ok = had || error_no_memory(e);
    ok = ok && trainer_first(t, q, e) && run_asked(t, had, q, e);
    while (ok && more > 0) {
        ok = trainer_next(t, batch_size(t, q, progress_clock_seconds() - since), &more, e) &&
             (more == 0 || run_asked(t, had, q, e));
    }
    mem_free(had);
    return ok;
}

bool train(struct training *out, const struct plan *plan, const struct train_request *q,
           struct error *e)
{
    /* each run on intervals of its own: errors of shared intervals do not average out */
    struct plan p = *plan;
    p.sample_base = NULL;
    *out = (struct training){0};
    struct trainer t = {.plan = &p, .out = out, .threads = q->threads};
    fit_points_init(&t.fit);
    bool ok = can_be_fitted(plan, q, e) && make_room(&t, q, e);
    t.store = ok ? store_open(q->runs ? q->runs : ":memory:", true, e) : NULL;
    ok = t.store && run_all(&t, q, e) && fit_calibration(&t, e);
    fit_points_fini(&t.fit);
    store_close(t.store);
    out->points = t.asked && t.order ? points_asked(&t) : 0;
    mem_free(t.order);
    mem_free(t.asked);
    mem_free(t.point);
    mem_free(t.machine);
    mem_free(t.doubt);
    mem_free(t.residual);
    return ok;
}

void train_fini(struct training *t)
{
    mem_free(t->row);
    calibration_fini(&t->calibration);
    *t = (struct training){0};
}
