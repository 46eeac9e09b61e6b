/* train.c - see train.h.  The sampled runs go through the runner into a store in memory. */
#include "sweeps/train.h"

#include "base/mem.h"
#include "machine/machine.h"
#include "sweeps/profiles.h"
#include "sweeps/runner.h"

#include <gsl/gsl_qrng.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

struct trainer {
    const struct plan *plan;
    struct training *out;
    struct store *store;
    uint32_t *point, n_points;
    struct machine *machine; /* of each point */
    struct profiles profiles;
    struct cal_point *cal;
    double *residual;
    unsigned threads;
};

/* --- which points ------------------------------------------------------------------------------
 */

static bool is_legal(const struct plan *p, uint32_t point)
{
    struct machine m;
    struct error e;
    return plan_machine(p, point, &m, &e);
}

/* Of a point from a place in the unit cube, each axis's values spread evenly over 0..1. */
static double distance(const struct plan *p, uint32_t point, const double *u)
{
    double sum = 0;
    const uint32_t *index = &p->index[(size_t)point * p->n_axes];
    for (uint32_t i = 0; i < p->n_axes; i++) {
        if (index[i] == AXIS_UNSET) continue;
        double d = (index[i] + 0.5) / p->axis[i].n - u[p->axis[i].dim];
        sum += d * d;
    }
    return sum;
}

/* The nearest legal point that is not among out[n]; UINT32_MAX: there is none. */
static uint32_t nearest(const struct plan *p, const double *u, const bool *taken)
{
    uint32_t best = UINT32_MAX;
    double least = INFINITY;
    for (uint32_t i = 0; i < plan_points(p); i++) {
        if (taken[i]) continue;
        double d = distance(p, i, u);
        if (d >= least || !is_legal(p, i)) continue;
        least = d;
        best = i;
    }
    return best;
}

uint32_t train_points(const struct plan *p, uint32_t count, uint32_t first, uint32_t *out)
{
    double u[AXES_MAX];
    uint32_t n = 0, dims = p->axis[p->n_axes - 1].dim + 1;
    bool *taken = mem_new(plan_points(p), sizeof *taken);
    gsl_qrng *sobol = gsl_qrng_alloc(gsl_qrng_sobol, dims);
    if (first != UINT32_MAX && count && taken) {
        taken[first] = true;
        out[n++] = first;
    }
    while (sobol && taken && n < count) {
        gsl_qrng_get(sobol, u);
        uint32_t point = nearest(p, u, taken);
        if (point == UINT32_MAX) break;
        taken[point] = true;
        out[n++] = point;
    }
    if (sobol) gsl_qrng_free(sobol);
    mem_free(taken);
    return n;
}

static bool has_own_value(const struct plan *p, uint32_t axis, uint32_t index)
{
    const struct axis *a = &p->axis[axis];
    if (axis == 0 && p->n_machines > 1) return index == 0;
    return machine_is(p->base, a->path, a->value[index]);
}

uint32_t train_own_point(const struct plan *p)
{
    bool own[AXES_MAX][AXIS_VALUES_MAX];
    for (uint32_t k = 0; k < p->n_axes; k++)
        for (uint32_t v = 0; v < p->axis[k].n && v < AXIS_VALUES_MAX; v++)
            own[k][v] = has_own_value(p, k, v);
    for (uint32_t i = 0; i < plan_points(p); i++) {
        const uint32_t *index = &p->index[(size_t)i * p->n_axes];
        uint32_t k = 0;
        while (k < p->n_axes &&
               (index[k] == AXIS_UNSET || (index[k] < AXIS_VALUES_MAX && own[k][index[k]])))
            k++;
        if (k == p->n_axes) return i;
    }
    return UINT32_MAX;
}

static bool choose(struct trainer *t, uint32_t count, struct error *e)
{
    uint32_t grid = plan_points(t->plan);
    if (count > grid) count = grid;
    t->point = mem_new(count, sizeof *t->point);
    t->machine = mem_new(count, sizeof *t->machine);
    if (!t->point || !t->machine) return error_no_memory(e);
    t->n_points = train_points(t->plan, count, train_own_point(t->plan), t->point);
    for (uint32_t i = 0; i < t->n_points; i++)
        if (!plan_machine(t->plan, t->point[i], &t->machine[i], e)) return false;
    return true;
}

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

static bool gather(struct trainer *t, struct error *e)
{
    uint32_t workloads = t->plan->n_workloads, n = t->n_points * workloads;
    struct record *r = mem_new(1, sizeof *r);
    t->out->row = mem_new(n, sizeof *t->out->row);
    t->cal = mem_new(n, sizeof *t->cal);
    t->residual = mem_new(n, sizeof *t->residual);
    bool ok = (r && t->out->row && t->cal && t->residual) || error_no_memory(e);
    for (uint32_t i = 0; i < n && ok; i++)
        ok = add_row(t, i / workloads, i % workloads, r, e);
    mem_free(r);
    return ok;
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

static bool fit_rows(struct trainer *t, struct error *e)
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

static bool enough_planned(const struct trainer *t, struct error *e)
{
    uint32_t planned = t->n_points * t->plan->n_workloads;
    return planned >= CALIBRATE_POINTS_MIN ||
           error_input(e,
                       "%s: %u sampled runs, at least %d are needed to fit; give more programs or "
                       "--points",
                       t->plan->file, planned, CALIBRATE_POINTS_MIN);
}

static bool fit(struct trainer *t, struct error *e)
{
    struct calibration *c = &t->out->calibration;
    if (!gather(t, e)) return false;
    if (t->out->n < CALIBRATE_POINTS_MIN)
        return error_run(e, "%s: only %u of %u sampled runs succeeded, %d are needed to fit: %s",
                         t->plan->file, t->out->n, t->out->n + t->out->failed, CALIBRATE_POINTS_MIN,
                         t->out->first_failure);
    if (!fit_rows(t, e)) return false;
    snprintf(c->machine, sizeof c->machine, "%s", t->plan->base->name);
    c->training = training_digest(t);
    return fill_rows(t, e);
}

bool train(struct training *out, const struct plan *plan, const struct train_request *q,
           struct error *e)
{
    struct plan p = *plan; /* sampled without a calibration, whatever the plan has */
    p.calibration_file = NULL;
    *out = (struct training){0};
    struct trainer t = {.plan = &p, .out = out, .threads = q->threads};
    struct run_result ran;
    bool ok = choose(&t, q->points, e) && enough_planned(&t, e);
    t.store = ok ? store_open(":memory:", true, e) : NULL;
    struct run_request r = {.engine = ENGINE_SAMPLE, .point = t.point, .n_points = t.n_points};
    r.threads = q->threads;
    r.progress = q->progress;
    ok = t.store && runner_run(&p, t.store, &r, &ran, e);
    if (ok && ran.interrupted) {
        *e = (struct error){.kind = ERROR_INTERRUPTED, .text = "interrupted; nothing was written"};
        ok = false;
    }
    ok = ok && fit(&t, e);
    profiles_fini(&t.profiles);
    store_close(t.store);
    mem_free(t.point);
    mem_free(t.machine);
    mem_free(t.cal);
    mem_free(t.residual);
    return ok;
}

void train_fini(struct training *t)
{
    mem_free(t->row);
    calibration_fini(&t->calibration);
    *t = (struct training){0};
}
