/* calibrate.c - see calibrate.h. */
#include "sampler/calibration/calibrate.h"

#include "base/memory/alloc.h"
#include "base/memory/sort.h"
#include "base/run/progress.h"
#include "detailed/core/sim.h"
#include "gpu/machine/load/machine.h"
#include "sampler/calibration/robust_fit.h"
#include "sampler/constants.h"

#include <math.h>
#include <string.h>

struct points {
    const struct cal_point *pts;
    uint32_t n;
    double *launch; /* cycles of each launch, room for the longest program */
};

static struct correction correction_at(const double *theta)
{
    struct correction c = correction_none();
    for (uint32_t k = 0; k < COEF_N; k++)
        c.coef[k] = exp(theta[k]);
    return c;
}

static bool model(const double *theta, double *f, void *ctx, struct error *e)
{
    const struct points *s = ctx;
    const struct correction c = correction_at(theta);
    for (uint32_t i = 0; i < s->n; i++) {
        const struct cal_point *p = &s->pts[i];
        double cycles = 0;
        if (plumb_interrupted) return error_interrupted(e, "calibrating");
        if (!estimate_launches(p->profile, &p->params, &c, s->launch, e)) return false;
        for (uint32_t l = 0; l < profile_launches(p->profile); l++)
            cycles += s->launch[l];
        if (!(cycles > 0)) return error_run(e, "calibration: a point has no estimated cycles");
        f[i] = log(cycles);
    }
    return true;
}

static double mean_abs(const double *v, uint32_t n)
{
    double sum = 0;
    for (uint32_t i = 0; i < n; i++)
        sum += fabs(v[i]);
    return sum / n;
}

static double root_mean_square(const double *v, uint32_t n)
{
    double sum = 0;
    for (uint32_t i = 0; i < n; i++)
        sum += v[i] * v[i];
    return sqrt(sum / n);
}

static void summarise_fit(struct calibration *c, const struct fit_result *r, const double *residual,
                          uint32_t n)
{
    c->correction = correction_at(r->theta);
    memcpy(c->sd, r->sd, sizeof(c->sd));
    memcpy(c->fitted, r->fitted, sizeof(c->fitted));
    c->fit_error = mean_abs(residual, n);
    c->points = n;
    c->est_version = EST_MODEL_VERSION;
    c->sim_version = SIM_MODEL_VERSION;
}

struct calibration_columns {
    double *y, *sd, *residual, *left_out, *learned; /* [n] */
};

static bool fit_columns(struct points *s, struct calibration_columns *v, struct calibration *out,
                        struct error *e)
{
    const double start[COEF_N] = {0};
    for (uint32_t i = 0; i < s->n; i++) {
        v->y[i] = log(s->pts[i].cycles);
        v->sd[i] = s->pts[i].log_sd;
    }
    if (!model(start, v->residual, s, e)) return false;
    for (uint32_t i = 0; i < s->n; i++)
        v->residual[i] = v->y[i] - v->residual[i];
    out->raw_error = mean_abs(v->residual, s->n);
    struct fit_result r;
    const struct fit_problem p = {.model = model,
                                  .ctx = s,
                                  .n = s->n,
                                  .params = COEF_N,
                                  .y = v->y,
                                  .sd = v->sd,
                                  .prior_sd = COEFFICIENT_SD};
    if (!fit_robust(&p, &r, v->residual, v->left_out, e)) return false;
    summarise_fit(out, &r, v->residual, s->n);
    return true;
}

/* --- the residual --- */

bool calibrate_describe(const struct cal_point *p, const struct correction *c,
                        struct residual_point *out, struct error *e)
{
    struct metrics *m = mem_new(1, sizeof(*m));
    struct explanation *x = mem_new(1, sizeof(*x));
    bool ok = m && x ? estimate(p->profile, NULL, &p->params, c, m, x, e) : error_no_memory(e);
    if (ok) {
        *out = (struct residual_point){.machine = p->machine,
                                       .program = p->program,
                                       .estimate = log(m->v[M_cycles]),
                                       .y = p->cycles > 0 ? log(p->cycles / m->v[M_cycles]) : 0,
                                       .sd = p->log_sd};
        residual_features(m, x, out->feature);
    }
    mem_free(m);
    mem_free(x);
    return ok;
}

/* Cross-validates both parts: a point's error is against the process without the point, plus the
 * influence that the point had on the coefficients. */
static void validate_fit(struct calibration *c, struct calibration_columns *v, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        v->left_out[i] = v->learned[i] + (v->left_out[i] - v->residual[i]);
        c->cv_worst = fmax(c->cv_worst, fabs(v->left_out[i]));
    }
    c->cv_error = mean_abs(v->left_out, n);
    c->correction.log_sd = root_mean_square(v->left_out, n);
}

static bool learn_residual(struct calibration *c, const struct points *s, const char *const *path,
                           uint32_t paths, struct calibration_columns *v, struct error *e)
{
    struct residual_point *pts = mem_new(s->n, sizeof(*pts));
    bool ok = pts || error_no_memory(e);
    for (uint32_t i = 0; ok && i < s->n; i++)
        ok = calibrate_describe(&s->pts[i], &c->correction, &pts[i], e);
    ok = ok && residual_fit(&c->residual, path, paths, pts, s->n, v->learned, e);
    if (ok) validate_fit(c, v, s->n);
    mem_free(pts);
    return ok;
}

static bool check_points(const struct cal_point *pts, uint32_t n, struct error *e)
{
    if (n > RESIDUAL_POINTS_MAX)
        return error_input(e, "calibration: %u points are too many; at most %d", n,
                           RESIDUAL_POINTS_MAX);
    if (n < CALIBRATE_POINTS_MIN)
        return error_input(e, "calibration: %u points are too few; at least %d", n,
                           CALIBRATE_POINTS_MIN);
    for (uint32_t i = 0; i < n; i++)
        if (!(pts[i].cycles > 0))
            return error_input(e, "calibration: point %u has %g cycles; must be positive", i,
                               pts[i].cycles);
    return true;
}

static struct calibration_columns columns_in(double *all, uint32_t n)
{
    return (struct calibration_columns){.y = all,
                                        .sd = all + n,
                                        .residual = all + 2 * (size_t)n,
                                        .left_out = all + 3 * (size_t)n,
                                        .learned = all + 4 * (size_t)n};
}

/* Fits the process to the same points with all coefficients 1. */
static bool without_coefficients(struct calibration *c, const struct points *s,
                                 const char *const *path, uint32_t paths,
                                 struct calibration_columns *v, struct error *e)
{
    struct fit_result none = {0};
    for (uint32_t k = 0; k < COEF_N; k++)
        none.sd[k] = COEFFICIENT_SD;
    if (!model(none.theta, v->residual, (void *)s, e)) return false;
    for (uint32_t i = 0; i < s->n; i++)
        v->left_out[i] = v->residual[i] = log(s->pts[i].cycles) - v->residual[i];
    summarise_fit(c, &none, v->residual, s->n);
    c->raw_error = c->fit_error;
    return learn_residual(c, s, path, paths, v, e);
}

static bool any_fitted(const struct calibration *c)
{
    uint32_t k = 0;
    while (k < COEF_N && !c->fitted[k])
        k++;
    return k < COEF_N;
}

/* The mean of all but the worst tenth, so that a few distant points do not decide. */
static bool error_of_most(const double *v, uint32_t n, double *error, struct error *e)
{
    double *size = mem_new(n, sizeof(double)), sum = 0;
    uint32_t most = n - (n + 9) / 10;
    if (!size) return error_no_memory(e);
    for (uint32_t i = 0; i < n; i++)
        size[i] = fabs(v[i]);
    sort_doubles(size, n);
    for (uint32_t i = 0; i < most; i++)
        sum += size[i];
    mem_free(size);
    *error = sum / most;
    return true;
}

/* Drops the coefficients if they do not help.  They are the same for all programs; if each program
 * has an error of its own, they add nothing to the process and may mislead it.  They stay if
 * without them the leave-one-out error is clearly larger. */
static bool drop_useless(struct calibration *c, const struct points *s, const char *const *path,
                         uint32_t paths, struct calibration_columns *v, struct error *e)
{
    if (!any_fitted(c)) return true;
    struct calibration *bare = mem_new(1, sizeof(*bare));
    double *all = mem_new(5 * (size_t)s->n, sizeof(double));
    struct calibration_columns w = columns_in(all, s->n);
    double with, without;
    bool ok = bare && all ? without_coefficients(bare, s, path, paths, &w, e) : error_no_memory(e);
    ok = ok && error_of_most(v->left_out, s->n, &with, e) &&
         error_of_most(w.left_out, s->n, &without, e);
    if (ok && with > COEFFICIENTS_CLEARLY * without) {
        struct calibration kept = *bare;
        *bare = *c;
        *c = kept;
        memcpy(v->left_out, w.left_out, s->n * sizeof(double));
    }
    if (bare) calibration_fini(bare);
    mem_free(bare);
    mem_free(all);
    return ok;
}

bool calibrate_fit(const struct cal_point *pts, uint32_t n, const char *const *path, uint32_t paths,
                   struct calibration *out, double *residual, struct error *e)
{
    *out = (struct calibration){0};
    if (!check_points(pts, n, e)) return false;
    struct points s = {.pts = pts, .n = n};
    uint32_t launches = 0;
    for (uint32_t i = 0; i < n; i++)
        if (profile_launches(pts[i].profile) > launches)
            launches = profile_launches(pts[i].profile);
    s.launch = mem_new(launches, sizeof(double));
    double *all = mem_new(5 * (size_t)n, sizeof(double));
    struct calibration_columns v = columns_in(all, n);
    bool ok = s.launch && all ? fit_columns(&s, &v, out, e) : error_no_memory(e);
    ok = ok && learn_residual(out, &s, path, paths, &v, e) &&
         drop_useless(out, &s, path, paths, &v, e);
    if (ok && residual) memcpy(residual, v.left_out, n * sizeof(double));
    mem_free(all);
    mem_free(s.launch);
    return ok;
}

void calibration_fini(struct calibration *c)
{
    residual_fini(&c->residual);
}

bool calibrate_apply(const struct calibration *c, const struct machine *m,
                     const struct digest *program, const struct metrics *estimated,
                     const struct explanation *x, struct calibrated *out, struct error *e)
{
    *out = (struct calibrated){.factor = 1, .log_sd = c->correction.log_sd};
    if (c->residual.gp.n == 0) return true;
    double feature[RESIDUAL_FEATURES];
    struct gp_value v;
    residual_features(estimated, x, feature);
    if (!residual_predict(&c->residual, m, program, feature, log(estimated->v[M_cycles]), &v,
                          &out->outside, e))
        return false;
    out->factor = exp(v.mean);
    out->log_sd = v.sd;
    return true;
}

bool calibration_fits(const struct calibration *c, const struct machine *m, struct error *e)
{
    if (strcmp(c->machine, m->name) != 0)
        return error_input(e, "the calibration was made for %s, not for %s", c->machine, m->name);
    if (c->est_version != EST_MODEL_VERSION)
        return error_input(
            e, "the calibration was made for estimator model %d; this is %d: calibrate again",
            c->est_version, EST_MODEL_VERSION);
    if (c->sim_version != SIM_MODEL_VERSION)
        return error_input(
            e, "the calibration was made with cycle model %d; this is %d: calibrate again",
            c->sim_version, SIM_MODEL_VERSION);
    return true;
}
