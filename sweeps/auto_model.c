/* auto_model.c - see auto_model.h.
 *
 * Metrics that go with the cycles take their standard error; any other metric is moved, program by
 * program, by the mean log ratio of simulated to estimated over the simulated points, and errs as
 * the ratios spread. */
#include "sweeps/auto_model.h"

#include "base/mem.h"
#include "base/pool.h"
#include "base/rng.h"
#include "machine/machine.h"
#include "sampler/calibrate.h"
#include "sweeps/auto_surrogate.h"
#include "sweeps/runner.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>

enum { ROWS_MIN = 8 }; /* simulated runs below which nothing is fitted */

bool auto_model_new(struct auto_model *m, const struct plan *p, unsigned threads, struct error *e)
{
    *m = (struct auto_model){.plan = p, .threads = threads, .left_out = NAN};
    m->hours = mem_new(plan_points(p), sizeof *m->hours);
    m->failed = mem_new(plan_points(p), sizeof *m->failed);
    m->estimate = mem_new((size_t)plan_points(p) * p->n_workloads, sizeof *m->estimate);
    return beliefs_new(&m->beliefs, p, e) &&
           ((m->hours && m->failed && m->estimate) || error_no_memory(e));
}

void auto_model_fini(struct auto_model *m)
{
    profiles_fini(&m->profiles);
    beliefs_free(&m->beliefs);
    mem_free(m->hours);
    mem_free(m->failed);
    mem_free(m->estimate);
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

static bool is_known(const struct auto_model *m, uint32_t point, uint32_t workload)
{
    return belief_at(&m->beliefs, point, workload, 0)->source == SOURCE_SIMULATE;
}

static void take_simulated(struct auto_model *m, uint32_t point, uint32_t workload,
                           const struct record *r)
{
    const char *name;
    m->hours[point] += r->host_seconds / 3600;
    for (uint32_t k = 0; k <= m->plan->n_objectives; k++)
        if ((name = belief_metric(m->plan, k)))
            *belief_at(&m->beliefs, point, workload, k) = (struct belief){
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
    uint32_t *workload;
    uint32_t n;
};

/* Simulated runs of the points whose hash is at most `bar`. */
static uint32_t count_known(const struct auto_model *m, uint64_t bar)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < plan_points(m->plan); i++)
        for (uint32_t w = 0; w < m->plan->n_workloads && splitmix64(i) <= bar; w++)
            n += is_known(m, i, w);
    return n;
}

/* Of more runs than a fit takes, those of points by chance: every n-th could leave out values of an
 * axis. */
static uint64_t find_bar(const struct auto_model *m)
{
    uint64_t bar = UINT64_MAX;
    while (bar && count_known(m, bar) > RESIDUAL_POINTS_MAX)
        bar -= bar / 32 + 1;
    return bar;
}

static bool add_row(struct auto_model *m, struct training_set *t, uint32_t point, uint32_t workload,
                    struct error *e)
{
    struct machine *machine = &t->machine[t->n];
    if (!plan_machine(m->plan, point, machine, e)) return false;
    const struct profile *profile =
        profiles_get(&m->profiles, m->plan, machine, workload, m->threads, e);
    if (!profile) return false;
    t->workload[t->n] = workload;
    t->row[t->n++] = (struct cal_point){
        .profile = profile,
        .params = engine_est_params(machine),
        .machine = machine,
        .program = program_digest(plan_program(m->plan, workload, machine->sm.warp_width)),
        .cycles = belief_at(&m->beliefs, point, workload, 0)->value,
        .log_sd = 0.01}; /* as in train.c: one exact run must not outweigh all others */
    return true;
}

static bool gather_rows(struct auto_model *m, struct training_set *t, struct error *e)
{
    uint64_t bar = find_bar(m);
    uint32_t n = count_known(m, bar);
    t->row = mem_new(n, sizeof *t->row);
    t->machine = mem_new(n, sizeof *t->machine);
    t->workload = mem_new(n, sizeof *t->workload);
    if (!t->row || !t->machine || !t->workload) return error_no_memory(e);
    for (uint32_t i = 0; i < plan_points(m->plan); i++)
        for (uint32_t w = 0; w < m->plan->n_workloads; w++)
            if (splitmix64(i) <= bar && is_known(m, i, w) && !add_row(m, t, i, w, e)) return false;
    return true;
}

/* The mean error of a program's runs, each left out; NaN: it has none. */
static double mean_error(const struct training_set *t, const double *residual, uint32_t workload)
{
    double sum = 0, n = 0;
    for (uint32_t i = 0; i < t->n; i++) {
        if (t->workload[i] != workload) continue;
        sum += fabs(expm1(residual[i]));
        n++;
    }
    return sum / n;
}

static bool fit(struct auto_model *m, struct calibration *c, double *left_out, struct error *e)
{
    struct training_set t = {0};
    const char *path[AXES_MAX];
    double *residual = mem_new(count_known(m, UINT64_MAX), sizeof *residual);
    bool ok = residual ? gather_rows(m, &t, e) : error_no_memory(e);
    ok = ok && calibrate_fit(t.row, t.n, path, plan_paths(m->plan, path), c, residual, e);
    for (uint32_t w = 0; w < m->plan->n_workloads && ok; w++)
        left_out[w] = mean_error(&t, residual, w);
    mem_free(t.row);
    mem_free(t.machine);
    mem_free(t.workload);
    mem_free(residual);
    return ok;
}

/* --- predictions -------------------------------------------------------------------------------
 */

struct forecast {
    struct auto_model *model;
    const struct calibration *cal; /* NULL: not fitted */
    double *value;                 /* as beliefs.cell: what the estimator says, known or not */
    double *log_sd;                /* [point * workloads + workload] of cycles */
    pthread_mutex_t lock;
    struct error first_error;
};

static size_t run_index(const struct plan *p, size_t point, uint32_t workload)
{
    return point * p->n_workloads + workload;
}

static void keep_answer(struct forecast *f, size_t point, uint32_t workload, const struct answer *a)
{
    const struct plan *p = f->model->plan;
    size_t run = run_index(p, point, workload);
    double z = gsl_cdf_ugaussian_Pinv(0.5 + a->level / 2);
    f->log_sd[run] = a->has_confidence ? log1p(a->half_width) / z : NAN;
    for (uint32_t k = 0; k <= p->n_objectives; k++) {
        double *v = &f->value[run * (1 + p->n_objectives) + k];
        const char *name = belief_metric(p, k);
        if (!name || !metrics_value(&a->m, name, v)) *v = NAN;
    }
}

static bool predict_run(struct forecast *f, const struct machine *machine, size_t point,
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
    const struct profile *profile = profiles_find(&m->profiles, machine, workload);
    bool ok = engine_run(ENGINE_ESTIMATE, machine,
                         plan_program(m->plan, workload, machine->sm.warp_width),
                         f->cal ? &cal : NULL, profile, &o, a, e);
    if (ok) keep_answer(f, point, workload, a);
    answer_fini(a);
    mem_free(a);
    return ok;
}

static bool predict_point(size_t point, unsigned worker, void *ctx)
{
    struct forecast *f = ctx;
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
            if (!profiles_get(&m->profiles, m->plan, &machine, w, m->threads, e)) return false;
    }
    return true;
}

static bool predict_all(struct forecast *f, struct error *e)
{
    struct auto_model *m = f->model;
    if (!load_profiles(m, e)) return false;
    pthread_mutex_init(&f->lock, NULL);
    bool ok = pool_map(m->threads, plan_points(m->plan), predict_point, f);
    pthread_mutex_destroy(&f->lock);
    if (!ok && f->first_error.kind == ERROR_NONE) return error_interrupted(e, "estimating");
    if (!ok) *e = f->first_error;
    return ok;
}

/* --- beliefs -----------------------------------------------------------------------------------
 */

struct shift {
    double mean, sd; /* of log(simulated / estimated) */
};

static struct shift shift_of(const struct forecast *f, uint32_t workload, uint32_t metric)
{
    const struct auto_model *m = f->model;
    const struct plan *p = m->plan;
    double n = 0, sum = 0, squares = 0;
    for (uint32_t i = 0; i < plan_points(p); i++) {
        if (!is_known(m, i, workload)) continue;
        double guess = f->value[run_index(p, i, workload) * (1 + p->n_objectives) + metric];
        double y = log(belief_at(&m->beliefs, i, workload, metric)->value / guess);
        if (!isfinite(y)) continue;
        n++;
        sum += y;
        squares += y * y;
    }
    if (n < 2) return (struct shift){.mean = 0, .sd = NAN};
    double mean = sum / n, var = (squares - n * mean * mean) / (n - 1);
    return (struct shift){.mean = mean, .sd = sqrt(fmax(var, 0) * (1 + 1 / n))};
}

static void believe(struct forecast *f, uint32_t workload, uint32_t metric)
{
    struct auto_model *m = f->model;
    const struct plan *p = m->plan;
    bool with_cycles = summary_goes_with_cycles(belief_metric(p, metric));
    struct shift shift = {0};
    if (!with_cycles) shift = shift_of(f, workload, metric);
    for (uint32_t i = 0; i < plan_points(p); i++) {
        size_t run = run_index(p, i, workload);
        if (is_known(m, i, workload)) continue;
        *belief_at(&m->beliefs, i, workload, metric) = (struct belief){
            .value = f->value[run * (1 + p->n_objectives) + metric] * exp(shift.mean),
            .log_sd = with_cycles ? f->log_sd[run] : shift.sd,
            .source = f->cal ? SOURCE_CALIBRATED : SOURCE_ESTIMATE};
    }
}

static void believe_all(struct forecast *f)
{
    const struct plan *p = f->model->plan;
    for (uint32_t w = 0; w < p->n_workloads; w++)
        for (uint32_t k = 0; k <= p->n_objectives; k++)
            if (belief_metric(p, k)) believe(f, w, k);
}

/* Over the programs that anything is known of. */
static double mean_of(const double *v, uint32_t n)
{
    double sum = 0, known = 0;
    for (uint32_t i = 0; i < n; i++) {
        if (isnan(v[i])) continue;
        sum += v[i];
        known++;
    }
    return sum / known;
}

bool auto_model_learn(struct auto_model *m, struct error *e)
{
    const struct plan *p = m->plan;
    size_t runs = (size_t)plan_points(p) * p->n_workloads;
    struct calibration *c = mem_new(1, sizeof *c);
    double *left_out = mem_new(p->n_workloads, sizeof *left_out);
    struct forecast f = {.model = m};
    f.value = mem_new(runs * (1 + p->n_objectives), sizeof *f.value);
    f.log_sd = mem_new(runs, sizeof *f.log_sd);
    bool ok = (c && left_out && f.value && f.log_sd) || error_no_memory(e);
    for (uint32_t w = 0; w < p->n_workloads && ok; w++)
        left_out[w] = NAN;
    bool enough = ok && count_known(m, UINT64_MAX) >= ROWS_MIN;
    if (enough) ok = fit(m, c, left_out, e);
    if (enough) f.cal = c;
    ok = ok && predict_all(&f, e);
    if (ok) believe_all(&f);
    ok = ok && auto_surrogate_revise(m, left_out, e);
    if (ok) m->left_out = mean_of(left_out, p->n_workloads);
    if (c) calibration_fini(c);
    mem_free(c);
    mem_free(left_out);
    mem_free(f.value);
    mem_free(f.log_sd);
    return ok;
}
