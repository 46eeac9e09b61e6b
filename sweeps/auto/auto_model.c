/* auto_model.c - see auto_model.h.
 *
 * Metrics proportional to the cycles take their standard error.  Any other metric's estimate is
 * corrected, program by program, by the mean log ratio of simulated to estimated values over the
 * simulated points; its standard error is the spread of these ratios. */
#include "sweeps/auto/auto_model.h"

#include "base/memory/alloc.h"
#include "base/run/parallel.h"
#include "calibration/calibrate.h"
#include "engine/engine.h"
#include "gpu/machine/machine.h"
#include "sampler/strata/est_params.h"
#include "sweeps/auto/auto_error.h"
#include "sweeps/auto/auto_surrogate.h"
#include "sweeps/constants.h"
#include "sweeps/run/runner.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

bool auto_model_new(struct auto_model *m, const struct plan *p, unsigned threads, struct error *e)
{
    size_t runs = (size_t)plan_points(p) * p->n_workloads;
    *m = (struct auto_model){.plan = p, .threads = threads, .left_out = NAN};
    profile_pool_init(&m->profiles, 0);
    m->even = mem_new(plan_points(p), sizeof *m->even);
    m->left = mem_new(runs, sizeof *m->left);
    m->forecast = mem_new(runs * (1 + p->n_objectives), sizeof *m->forecast);
    m->forecast_sd = mem_new(runs, sizeof *m->forecast_sd);
    m->hours = mem_new(plan_points(p), sizeof *m->hours);
    m->failed = mem_new(plan_points(p), sizeof *m->failed);
    m->estimate = mem_new(runs, sizeof *m->estimate);
    bool ok = m->even && m->left && m->forecast && m->forecast_sd;
    return predictions_new(&m->predictions, p, e) &&
           ((ok && m->hours && m->failed && m->estimate) || error_no_memory(e));
}

void auto_model_fini(struct auto_model *m)
{
    profile_pool_fini(&m->profiles);
    predictions_free(&m->predictions);
    mem_free(m->hours);
    mem_free(m->failed);
    mem_free(m->estimate);
    mem_free(m->even);
    mem_free(m->left);
    mem_free(m->forecast);
    mem_free(m->forecast_sd);
}

bool auto_model_estimates(struct auto_model *m, struct store *s, struct error *e)
{
    const struct plan *p = m->plan;
    struct record *r = mem_new(1, sizeof *r);
    bool ok = r || error_no_memory(e);
    for (uint32_t i = 0; i < plan_points(p) && ok; i++)
        for (uint32_t w = 0; w < p->n_workloads && ok; w++) {
            enum stored state = runner_get(p, s, i, w, ENGINE_ESTIMATE, r, e);
            ok = state != STORED_ERROR;
            if (state == STORED_DONE)
                m->estimate[(size_t)i * p->n_workloads + w] = record_metric(r, "cycles");
        }
    mem_free(r);
    return ok;
}

static size_t run_index(const struct plan *p, size_t point, uint32_t workload)
{
    return point * p->n_workloads + workload;
}

static bool is_known(const struct auto_model *m, uint32_t point, uint32_t workload)
{
    return prediction_at(&m->predictions, point, workload, 0)->source == SOURCE_SIMULATE;
}

static void take_simulated(struct auto_model *m, uint32_t point, uint32_t workload,
                           const struct record *r)
{
    const char *name;
    m->hours[point] += r->host_seconds / 3600;
    for (uint32_t k = 0; k <= m->plan->n_objectives; k++)
        if ((name = prediction_metric(m->plan, k)))
            *prediction_at(&m->predictions, point, workload, k) = (struct prediction){
                .value = record_metric(r, name), .log_sd = 0, .source = SOURCE_SIMULATE};
}

bool auto_model_gather(struct auto_model *m, struct store *s, const uint32_t *point, uint32_t n,
                       struct error *e)
{
    const struct plan *p = m->plan;
    struct record *r = mem_new(1, sizeof *r);
    if (!r) return error_no_memory(e);
    bool ok = true;
    for (uint32_t i = 0; i < n && ok; i++) {
        for (uint32_t w = 0; w < p->n_workloads && ok; w++) {
            enum stored state = runner_get(p, s, point[i], w, ENGINE_SIMULATE, r, e);
            ok = state != STORED_ERROR;
            if (state == STORED_DONE) take_simulated(m, point[i], w, r);
            m->failed[point[i]] |= state == STORED_FAILED;
        }
    }
    mem_free(r);
    return ok;
}

/* --- fit ---------------------------------------------------------------------------------------
 */

struct training_set {
    struct cal_point *row;
    struct machine *machine;
    size_t *run;
    uint32_t n;
};

static uint32_t count_known(const struct auto_model *m)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < plan_points(m->plan); i++)
        for (uint32_t w = 0; w < m->plan->n_workloads; w++)
            n += is_known(m, i, w);
    return n;
}

static const struct profile *get_profile(struct auto_model *m, const struct machine *machine,
                                         uint32_t workload, struct error *e)
{
    struct run_opts o = m->plan->opts;
    o.threads = m->threads;
    return profile_pool_get(&m->profiles, plan_program(m->plan, workload, machine), machine, &o, e);
}

static bool add_row(struct auto_model *m, struct training_set *t, uint32_t point, uint32_t workload,
                    struct error *e)
{
    struct machine *machine = &t->machine[t->n];
    if (!plan_machine(m->plan, point, machine, e)) return false;
    const struct profile *profile = get_profile(m, machine, workload, e);
    if (!profile) return false;
    t->run[t->n] = run_index(m->plan, point, workload);
    t->row[t->n++] =
        (struct cal_point){.profile = profile,
                           .params = est_params_of(machine),
                           .machine = machine,
                           .program = program_digest(plan_program(m->plan, workload, machine)),
                           .cycles = prediction_at(&m->predictions, point, workload, 0)->value,
                           .log_sd = EXACT_RUN_SD};
    return true;
}

static bool gather_rows(struct auto_model *m, struct training_set *t, struct error *e)
{
    uint32_t n = count_known(m);
    t->row = mem_new(n, sizeof *t->row);
    t->machine = mem_new(n, sizeof *t->machine);
    t->run = mem_new(n, sizeof *t->run);
    if (!t->row || !t->machine || !t->run) return error_no_memory(e);
    for (uint32_t i = 0; i < plan_points(m->plan); i++)
        for (uint32_t w = 0; w < m->plan->n_workloads; w++)
            if (is_known(m, i, w) && !add_row(m, t, i, w, e)) return false;
    return true;
}

static bool fit_calibration(struct auto_model *m, struct calibration *c, struct error *e)
{
    struct training_set t = {0};
    double *residual = mem_new(count_known(m), sizeof *residual);
    bool ok = residual ? gather_rows(m, &t, e) : error_no_memory(e);
    ok = ok && calibrate_fit(t.row, t.n, m->plan->calibrations.ranges, c, residual, e);
    for (uint32_t i = 0; i < t.n && ok; i++)
        m->left[t.run[i]] = residual[i];
    mem_free(t.row);
    mem_free(t.machine);
    mem_free(t.run);
    mem_free(residual);
    return ok;
}

/* --- predictions -------------------------------------------------------------------------------
 */

struct prediction_pass {
    struct auto_model *model;
    const struct calibration *cal; /* NULL: there is no fit */
    pthread_mutex_t lock;
    struct error first_error;
};

static void keep_answer(struct prediction_pass *f, size_t point, uint32_t workload,
                        const struct answer *a)
{
    const struct plan *p = f->model->plan;
    size_t run = run_index(p, point, workload);
    f->model->forecast_sd[run] = a->has_confidence ? a->correction.log_sd : NAN;
    for (uint32_t k = 0; k <= p->n_objectives; k++) {
        double *v = &f->model->forecast[run * (1 + p->n_objectives) + k];
        const char *name = prediction_metric(p, k);
        if (!name || !metrics_value(&a->m, name, v)) *v = NAN;
    }
}

static bool predict_run(struct prediction_pass *f, const struct machine *machine, size_t point,
                        uint32_t workload, struct error *e)
{
    struct auto_model *m = f->model;
    struct answer *a = mem_new(1, sizeof *a);
    struct run_opts o = m->plan->opts;
    struct calibration cal;
    o.threads = 1;
    if (!a) return error_no_memory(e);
    if (f->cal) {
        cal = *f->cal; /* one fit serves all machines of the sweep */
        snprintf(cal.machine, sizeof cal.machine, "%s", machine->name);
    }
    const struct program *program = plan_program(m->plan, workload, machine);
    const struct profile *profile = profile_pool_find(&m->profiles, program, machine, &o);
    bool ok = engine_run(ENGINE_ESTIMATE, machine, program,
                         f->cal ? &cal : &m->plan->calibrations.bare, profile, &o, a, e);
    if (ok) keep_answer(f, point, workload, a);
    answer_fini(a);
    mem_free(a);
    return ok;
}

static bool predict_point(size_t point, unsigned worker, void *ctx)
{
    struct prediction_pass *f = ctx;
    struct machine machine;
    struct error e = {0};
    (void)worker;
    if (plumb_interrupted) return false;
    bool ok = plan_machine(f->model->plan, (uint32_t)point, &machine, &e);
    for (uint32_t w = 0; w < f->model->plan->n_workloads && ok; w++)
        ok = predict_run(f, &machine, point, w, &e);
    if (ok) return true;
    pthread_mutex_lock(&f->lock);
    if (f->first_error.kind == ERROR_NONE) f->first_error = e;
    pthread_mutex_unlock(&f->lock);
    return false;
}

static bool load_profiles(struct auto_model *m, struct error *e)
{
    for (uint32_t i = 0; i < plan_points(m->plan); i++) {
        struct machine machine;
        if (!plan_machine(m->plan, i, &machine, e)) return false;
        for (uint32_t w = 0; w < m->plan->n_workloads; w++)
            if (!get_profile(m, &machine, w, e)) return false;
    }
    return true;
}

static bool predict_all(struct prediction_pass *f, struct error *e)
{
    struct auto_model *m = f->model;
    if (!load_profiles(m, e)) return false;
    pthread_mutex_init(&f->lock, NULL);
    bool ok = parallel_map(m->threads, plan_points(m->plan), predict_point, f);
    pthread_mutex_destroy(&f->lock);
    if (!ok && f->first_error.kind == ERROR_NONE) return error_interrupted(e, "estimating");
    if (!ok) *e = f->first_error;
    return ok;
}

/* --- other metrics ---------------------------------------------------------------------------- */

struct shift {
    double mean, sd; /* of log(simulated / estimated) */
};

static struct shift shift_of(const struct auto_model *m, uint32_t workload, uint32_t metric)
{
    const struct plan *p = m->plan;
    double n = 0, sum = 0, squares = 0;
    for (uint32_t i = 0; i < plan_points(p); i++) {
        if (!is_known(m, i, workload)) continue;
        double guess = m->forecast[run_index(p, i, workload) * (1 + p->n_objectives) + metric];
        double y = log(prediction_at(&m->predictions, i, workload, metric)->value / guess);
        if (!isfinite(y)) continue;
        n++;
        sum += y;
        squares += y * y;
    }
    if (n < 2) return (struct shift){.mean = 0, .sd = NAN};
    double mean = sum / n, var = (squares - n * mean * mean) / (n - 1);
    return (struct shift){.mean = mean, .sd = sqrt(fmax(var, 0) * (1 + 1 / n))};
}

static void predict_metric(struct auto_model *m, uint32_t workload, uint32_t metric)
{
    const struct plan *p = m->plan;
    bool with_cycles = summary_goes_with_cycles(prediction_metric(p, metric));
    struct shift shift = {0};
    if (!with_cycles) shift = shift_of(m, workload, metric);
    for (uint32_t i = 0; i < plan_points(p); i++) {
        size_t run = run_index(p, i, workload);
        if (is_known(m, i, workload)) continue;
        *prediction_at(&m->predictions, i, workload, metric) = (struct prediction){
            .value = m->forecast[run * (1 + p->n_objectives) + metric] * exp(shift.mean),
            .log_sd = with_cycles ? m->forecast_sd[run] : shift.sd,
            .source = m->calibrated ? SOURCE_CALIBRATED : SOURCE_ESTIMATE};
    }
}

static void believe_all(struct auto_model *m)
{
    const struct plan *p = m->plan;
    for (uint32_t w = 0; w < p->n_workloads; w++)
        for (uint32_t k = 0; k <= p->n_objectives; k++)
            if (prediction_metric(p, k)) predict_metric(m, w, k);
}

/* Makes the forecasts and their leave-one-out errors for the runs known now. */
static bool predict_points(struct auto_model *m, struct error *e)
{
    uint32_t known = count_known(m);
    struct calibration *c = mem_new(1, sizeof *c);
    struct prediction_pass f = {.model = m, .cal = known >= ROWS_LEAST ? c : NULL};
    bool ok = c != NULL || error_no_memory(e);
    for (size_t i = 0; i < (size_t)plan_points(m->plan) * m->plan->n_workloads; i++)
        m->left[i] = NAN;
    if (ok && f.cal) ok = fit_calibration(m, c, e);
    ok = ok && predict_all(&f, e);
    m->calibrated = f.cal ? known : 0;
    if (c) calibration_fini(c);
    mem_free(c);
    return ok;
}

bool auto_model_learn(struct auto_model *m, struct error *e)
{
    if (!predict_points(m, e)) return false;
    believe_all(m);
    return auto_surrogate_revise(m, e) && auto_doubt(m, e);
}
