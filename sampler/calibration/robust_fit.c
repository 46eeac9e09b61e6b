/* robust_fit.c - see robust_fit.h. */
#include "sampler/calibration/robust_fit.h"

#include "base/memory/alloc.h"
#include "base/memory/sort.h"
#include "sampler/constants.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_linalg.h>
#include <gsl/gsl_multifit_nlinear.h>
#include <math.h>

struct fit {
    const struct fit_problem *p;
    uint32_t active[FIT_PARAMS_MAX], k; /* indices of the parameters that are fitted */
    double theta[FIT_PARAMS_MAX];       /* all parameters */
    gsl_vector *weight;                 /* [n + k] */
    gsl_matrix *jacobian;               /* [n x k] of f at theta */
    double *f, *up, *down, *residual;   /* [n] */
    struct error *e;
    bool failed;
};

static bool evaluate(struct fit *s, const double *theta, double *f)
{
    if (s->failed) return false;
    s->failed = !s->p->model(theta, f, s->p->ctx, s->e);
    return !s->failed;
}

static void spread_theta(const struct fit *s, const gsl_vector *x, double *theta)
{
    for (uint32_t i = 0; i < s->p->params; i++)
        theta[i] = 0;
    for (uint32_t j = 0; j < s->k; j++)
        theta[s->active[j]] = gsl_vector_get(x, j);
}

/* Data rows: f - y; prior rows: theta. */
static int residuals(const gsl_vector *x, void *ctx, gsl_vector *out)
{
    struct fit *s = ctx;
    double theta[FIT_PARAMS_MAX];
    spread_theta(s, x, theta);
    if (!evaluate(s, theta, s->f)) return GSL_EFAILED;
    for (uint32_t i = 0; i < s->p->n; i++)
        gsl_vector_set(out, i, s->f[i] - s->p->y[i]);
    for (uint32_t j = 0; j < s->k; j++)
        gsl_vector_set(out, s->p->n + j, gsl_vector_get(x, j));
    return GSL_SUCCESS;
}

/* Computes central differences; the model iterates to a tolerance, which smaller steps would
 * meet. */
static int slopes(const gsl_vector *x, void *ctx, gsl_matrix *out)
{
    struct fit *s = ctx;
    double theta[FIT_PARAMS_MAX];
    gsl_matrix_set_zero(out);
    spread_theta(s, x, theta);
    for (uint32_t j = 0; j < s->k; j++) {
        double *t = &theta[s->active[j]], at = *t;
        *t = at + FIT_DIFFERENCE;
        if (!evaluate(s, theta, s->up)) return GSL_EFAILED;
        *t = at - FIT_DIFFERENCE;
        if (!evaluate(s, theta, s->down)) return GSL_EFAILED;
        *t = at;
        for (uint32_t i = 0; i < s->p->n; i++)
            gsl_matrix_set(out, i, j, (s->up[i] - s->down[i]) / (2 * FIT_DIFFERENCE));
        gsl_matrix_set(out, s->p->n + j, j, 1);
    }
    return GSL_SUCCESS;
}

static double median(double *v, uint32_t n)
{
    sort_doubles(v, n);
    return n % 2 ? v[n / 2] : (v[n / 2 - 1] + v[n / 2]) / 2;
}

/* The median absolute residual as a normal standard deviation, corrected for the fitted
 * parameters. */
static double scale_of(struct fit *s)
{
    uint32_t n = s->p->n, spent = s->k < n ? s->k : n - 1;
    for (uint32_t i = 0; i < n; i++)
        s->up[i] = fabs(s->residual[i]);
    double scale = 1.4826 * median(s->up, n) * sqrt((double)n / (n - spent));
    return fmax(scale, FIT_SCALE_LEAST);
}

/* convex: a loss that grows linearly.  Cauchy's loss ignores distant points, and from a bad start
 * those may be the only ones that determine a parameter. */
static void reweight(struct fit *s, double scale, bool convex)
{
    for (uint32_t i = 0; i < s->p->n; i++) {
        double own = s->p->sd ? s->p->sd[i] : 0, variance = scale * scale + own * own;
        double u = s->residual[i] * s->residual[i] / (variance * FIT_CAUCHY * FIT_CAUCHY);
        gsl_vector_set(s->weight, i, 1 / (variance * (convex ? sqrt(1 + u) : 1 + u)));
    }
    double prior = 1 / (s->p->prior_sd * s->p->prior_sd);
    for (uint32_t j = 0; j < s->k; j++)
        gsl_vector_set(s->weight, s->p->n + j, prior);
}

/* One weighted fit from theta; updates theta and the residuals. */
static bool descend(struct fit *s)
{
    size_t rows = s->p->n + s->k;
    gsl_multifit_nlinear_parameters how = gsl_multifit_nlinear_default_parameters();
    gsl_multifit_nlinear_workspace *w =
        gsl_multifit_nlinear_alloc(gsl_multifit_nlinear_trust, &how, rows, s->k);
    gsl_vector *x = gsl_vector_alloc(s->k);
    gsl_multifit_nlinear_fdf fdf = {
        .f = residuals, .df = slopes, .n = rows, .p = s->k, .params = s};
    bool ok = w && x;
    for (uint32_t j = 0; ok && j < s->k; j++)
        gsl_vector_set(x, j, s->theta[s->active[j]]);
    int info;
    ok = ok && gsl_multifit_nlinear_winit(x, s->weight, &fdf, w) == GSL_SUCCESS;
    /* Whatever stops it, the best point found is as good as it gets. */
    if (ok)
        gsl_multifit_nlinear_driver(FIT_STEPS, FIT_STEP_EXACT, FIT_SLOPE_EXACT, 0, NULL, NULL,
                                    &info, w);
    if (ok) spread_theta(s, gsl_multifit_nlinear_position(w), s->theta);
    if (w) gsl_multifit_nlinear_free(w);
    if (x) gsl_vector_free(x);
    if (!ok) return !s->failed ? error_no_memory(s->e) : false;
    return !s->failed;
}

static bool update_residuals(struct fit *s)
{
    if (!evaluate(s, s->theta, s->f)) return false;
    for (uint32_t i = 0; i < s->p->n; i++)
        s->residual[i] = s->p->y[i] - s->f[i];
    return true;
}

static bool iterate(struct fit *s, uint32_t rounds, bool convex)
{
    if (!update_residuals(s)) return false;
    for (uint32_t i = 0; i < rounds; i++) {
        double before[FIT_PARAMS_MAX], moved = 0;
        for (uint32_t k = 0; k < s->p->params; k++)
            before[k] = s->theta[k];
        reweight(s, scale_of(s), convex);
        if (s->k > 0 && !descend(s)) return false;
        if (!update_residuals(s)) return false;
        for (uint32_t k = 0; k < s->p->params; k++)
            moved = fmax(moved, fabs(s->theta[k] - before[k]));
        if (moved < FIT_EXACT) break;
    }
    return true;
}

/* (J' W J + prior)^-1 at theta into cov[k x k]; needs s->weight and leaves J in s->jacobian. */
static bool covariance(struct fit *s, gsl_matrix *cov)
{
    gsl_vector *x = gsl_vector_alloc(s->k);
    for (uint32_t j = 0; j < s->k; j++)
        gsl_vector_set(x, j, s->theta[s->active[j]]);
    bool ok = slopes(x, s, s->jacobian) == GSL_SUCCESS;
    gsl_vector_free(x);
    if (!ok) return false;
    for (uint32_t a = 0; a < s->k; a++)
        for (uint32_t b = 0; b < s->k; b++) {
            double sum = 0;
            for (uint32_t i = 0; i < s->p->n + s->k; i++)
                sum += gsl_matrix_get(s->jacobian, i, a) * gsl_vector_get(s->weight, i) *
                       gsl_matrix_get(s->jacobian, i, b);
            gsl_matrix_set(cov, a, b, sum);
        }
    return gsl_linalg_cholesky_decomp1(cov) == GSL_SUCCESS &&
           gsl_linalg_cholesky_invert(cov) == GSL_SUCCESS;
}

/* h_i = w_i g' C g: how much a point determines its own fitted value. */
static double leverage(const struct fit *s, const gsl_matrix *cov, uint32_t i)
{
    double h = 0;
    for (uint32_t a = 0; a < s->k; a++)
        for (uint32_t b = 0; b < s->k; b++)
            h += gsl_matrix_get(s->jacobian, i, a) * gsl_matrix_get(cov, a, b) *
                 gsl_matrix_get(s->jacobian, i, b);
    return fmin(h * gsl_vector_get(s->weight, i), FIT_LEVERAGE_MOST);
}

static bool resize(struct fit *s)
{
    size_t rows = s->p->n + s->k;
    if (s->weight) gsl_vector_free(s->weight);
    if (s->jacobian) gsl_matrix_free(s->jacobian);
    s->weight = gsl_vector_alloc(rows);
    s->jacobian = s->k ? gsl_matrix_alloc(rows, s->k) : NULL;
    return s->weight && (s->jacobian || s->k == 0);
}

/* Finds the active parameter that the data determine least, if they do so too little or if there
 * are too many parameters. */
static bool weakest(struct fit *s, uint32_t *which)
{
    gsl_matrix *cov = gsl_matrix_alloc(s->k, s->k);
    bool ok = cov && covariance(s, cov);
    double most = 0;
    for (uint32_t j = 0; ok && j < s->k; j++) {
        double sd = sqrt(gsl_matrix_get(cov, j, j));
        if (sd <= most) continue;
        most = sd;
        *which = j;
    }
    if (cov) gsl_matrix_free(cov);
    return ok && (most > FIT_INFORMED * s->p->prior_sd || s->k + 2 > s->p->n);
}

static void fix_parameter(struct fit *s, uint32_t which)
{
    s->theta[s->active[which]] = 0;
    for (uint32_t j = which; j + 1 < s->k; j++)
        s->active[j] = s->active[j + 1];
    s->k--;
}

static bool fit_active(struct fit *s)
{
    uint32_t which = 0;
    bool first = true; /* later rounds start where the previous one ended */
    do {
        if (!resize(s)) return error_no_memory(s->e);
        if (first && !iterate(s, FIT_CONVEX, true)) return false;
        if (!iterate(s, FIT_REWEIGHTS, false)) return false;
        first = false;
        if (s->k == 0 || !weakest(s, &which)) return !s->failed;
        fix_parameter(s, which);
    } while (true);
}

static bool report_fit(struct fit *s, struct fit_result *out, double *left_out)
{
    *out = (struct fit_result){0};
    for (uint32_t i = 0; i < s->p->params; i++)
        out->sd[i] = s->p->prior_sd;
    for (uint32_t i = 0; i < s->p->n; i++)
        left_out[i] = s->residual[i];
    if (s->k == 0) return true;
    gsl_matrix *cov = gsl_matrix_alloc(s->k, s->k);
    if (!cov) return error_no_memory(s->e);
    bool ok = covariance(s, cov);
    for (uint32_t j = 0; ok && j < s->k; j++) {
        out->theta[s->active[j]] = s->theta[s->active[j]];
        out->sd[s->active[j]] = sqrt(gsl_matrix_get(cov, j, j));
        out->fitted[s->active[j]] = true;
    }
    for (uint32_t i = 0; ok && i < s->p->n; i++)
        left_out[i] /= 1 - leverage(s, cov, i);
    gsl_matrix_free(cov);
    return ok || s->failed ? ok : error_run(s->e, "the fit is singular");
}

bool fit_robust(const struct fit_problem *p, struct fit_result *out, double *residual,
                double *left_out, struct error *e)
{
    struct fit s = {.p = p, .k = p->params, .residual = residual, .e = e};
    for (uint32_t j = 0; j < p->params; j++)
        s.active[j] = j;
    s.f = mem_new(p->n, sizeof(double));
    s.up = mem_new(p->n, sizeof(double));
    s.down = mem_new(p->n, sizeof(double));
    /* GSL's default handler would end the process; without it its functions return an error
     * code. */
    gsl_error_handler_t *old = gsl_set_error_handler_off();
    bool ok = s.f && s.up && s.down ? fit_active(&s) && report_fit(&s, out, left_out)
                                    : error_no_memory(e);
    gsl_set_error_handler(old);
    if (s.weight) gsl_vector_free(s.weight);
    if (s.jacobian) gsl_matrix_free(s.jacobian);
    mem_free(s.f);
    mem_free(s.up);
    mem_free(s.down);
    return ok;
}
