/* range_fit.c - see range_fit.h. */
#include "calibration/range_fit.h"

#include "base/memory/alloc.h"
#include "base/memory/sort.h"
#include "base/run/progress.h"
#include "calibration/constants.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_multimin.h>
#include <math.h>

enum { PARAMS = 1 + RANGE_FEATURES, STEPS = 200 };

/* The errors that take part in a fit; features are standardised. */
struct scale_fit {
    double (*x)[RANGE_FEATURES];
    double *y;
    uint32_t n;
};

static double log_scale(const double *theta, const double *x)
{
    double sum = theta[0];
    for (uint32_t k = 0; k < RANGE_FEATURES; k++)
        sum += theta[1 + k] * x[k];
    return sum;
}

/* The negative logarithm of the posterior, and its gradient. */
static void posterior(const gsl_vector *v, void *ctx, double *f, gsl_vector *df)
{
    const struct scale_fit *s = ctx;
    const double *theta = v->data, nu = RANGE_TAIL;
    double sum = 0, g[PARAMS] = {0};
    for (uint32_t i = 0; i < s->n; i++) {
        double scale = log_scale(theta, s->x[i]), z = s->y[i] * exp(-scale), t = z * z / nu;
        double slope = 1 - (nu + 1) * t / (1 + t);
        sum += scale + (nu + 1) / 2 * log1p(t);
        g[0] += slope;
        for (uint32_t k = 0; k < RANGE_FEATURES; k++)
            g[1 + k] += slope * s->x[i][k];
    }
    for (uint32_t k = 1; k < PARAMS; k++) {
        sum += RANGE_RIDGE * theta[k] * theta[k];
        g[k] += 2 * RANGE_RIDGE * theta[k];
    }
    if (f) *f = sum;
    for (uint32_t k = 0; df && k < PARAMS; k++)
        gsl_vector_set(df, k, g[k]);
}

static double posterior_value(const gsl_vector *v, void *ctx)
{
    double f;
    posterior(v, ctx, &f, NULL);
    return f;
}

static void posterior_gradient(const gsl_vector *v, void *ctx, gsl_vector *df)
{
    posterior(v, ctx, NULL, df);
}

static double median_size(const struct scale_fit *s, double *room)
{
    for (uint32_t i = 0; i < s->n; i++)
        room[i] = fabs(s->y[i]);
    sort_doubles(room, s->n);
    return room[s->n / 2];
}

/* room[n]: workspace.  false: no memory. */
static bool fit_scale(const struct scale_fit *s, double theta[PARAMS], double *room)
{
    gsl_multimin_function_fdf target = {.f = posterior_value,
                                        .df = posterior_gradient,
                                        .fdf = posterior,
                                        .n = PARAMS,
                                        .params = (void *)s};
    gsl_multimin_fdfminimizer *m =
        gsl_multimin_fdfminimizer_alloc(gsl_multimin_fdfminimizer_vector_bfgs2, PARAMS);
    gsl_vector *start = gsl_vector_calloc(PARAMS);
    bool ok = m && start;
    if (ok) {
        gsl_vector_set(start, 0, log(fmax(median_size(s, room), RANGE_NOTHING)));
        gsl_multimin_fdfminimizer_set(m, &target, start, 0.1, 0.1);
        for (int i = 0; i < STEPS && gsl_multimin_fdfminimizer_iterate(m) == GSL_SUCCESS; i++)
            if (gsl_multimin_test_gradient(m->gradient, 1e-4 * s->n) == GSL_SUCCESS) break;
        for (uint32_t k = 0; k < PARAMS; k++)
            theta[k] = gsl_vector_get(m->x, k);
    }
    if (start) gsl_vector_free(start);
    if (m) gsl_multimin_fdfminimizer_free(m);
    return ok;
}

/* --- one metric --- */

struct metric_fit {
    struct scale_fit all, part;
    const struct range_point **of; /* [n] */
    double *z, *room;
    double mean[RANGE_FEATURES], sd[RANGE_FEATURES];
};

static bool metric_fit_room(struct metric_fit *f, uint32_t n, struct error *e)
{
    *f = (struct metric_fit){.all = {.x = mem_new(n, sizeof *f->all.x), .y = mem_new(n, 8)},
                             .part = {.x = mem_new(n, sizeof *f->part.x), .y = mem_new(n, 8)},
                             .of = mem_new(n, sizeof(const struct range_point *)),
                             .z = mem_new(n, sizeof *f->z),
                             .room = mem_new(n, sizeof *f->room)};
    return (f->all.x && f->all.y && f->part.x && f->part.y && f->of && f->z && f->room) ||
           error_no_memory(e);
}

static void metric_fit_fini(struct metric_fit *f)
{
    mem_free(f->all.x);
    mem_free(f->all.y);
    mem_free(f->part.x);
    mem_free(f->part.y);
    mem_free(f->of);
    mem_free(f->z);
    mem_free(f->room);
}

static double feature_of(const struct range_point *p, uint32_t metric, uint32_t k)
{
    if (p->own && k == RANGE_DOUBT) return p->own[metric][0];
    if (p->own && k == RANGE_CORRECTION) return p->own[metric][1];
    return p->feature[k];
}

/* Whether a point has the metric; a feature is infinite where the bare range overflows. */
static bool teaches(const struct range_point *p, uint32_t metric)
{
    for (uint32_t k = 0; p->has[metric] && k < RANGE_FEATURES; k++)
        if (!isfinite(feature_of(p, metric, k))) return false;
    return p->has[metric];
}

/* Scales the features of the points that take part. */
static void standardise(struct metric_fit *f)
{
    struct scale_fit *s = &f->all;
    for (uint32_t k = 0; k < RANGE_FEATURES; k++) {
        double sum = 0, squares = 0;
        for (uint32_t i = 0; i < s->n; i++) {
            sum += s->x[i][k];
            squares += s->x[i][k] * s->x[i][k];
        }
        f->mean[k] = sum / s->n;
        f->sd[k] = sqrt(fmax(squares / s->n - f->mean[k] * f->mean[k], 0));
        if (f->sd[k] < 1e-9 * fabs(f->mean[k])) f->sd[k] = 0; /* constant, but for rounding */
        for (uint32_t i = 0; i < s->n; i++)
            s->x[i][k] = f->sd[k] > 0 ? (s->x[i][k] - f->mean[k]) / f->sd[k] : 0;
    }
}

static void take_points(struct metric_fit *f, const struct range_point *pts, uint32_t n,
                        uint32_t metric)
{
    struct scale_fit *s = &f->all;
    s->n = 0;
    for (uint32_t i = 0; i < n; i++) {
        if (!teaches(&pts[i], metric)) continue;
        for (uint32_t k = 0; k < RANGE_FEATURES; k++)
            s->x[s->n][k] = feature_of(&pts[i], metric, k);
        s->y[s->n] = hypot(pts[i].error[metric], RANGE_NOTHING);
        f->of[s->n++] = &pts[i];
    }
    standardise(f);
}

static bool is_foreign(const struct range_point *a, const struct range_point *b)
{
    return a->program_family != b->program_family && a->machine_family != b->machine_family;
}

/* Every point's error over the scale that points of other programs and machines give it. */
static bool scale_errors(struct metric_fit *f)
{
    const struct scale_fit *s = &f->all;
    for (uint32_t i = 0; i < s->n; i++)
        f->z[i] = -1;
    for (uint32_t i = 0; i < s->n; i++) {
        double theta[PARAMS];
        if (f->z[i] >= 0) continue;
        f->part.n = 0;
        for (uint32_t j = 0; j < s->n; j++) {
            if (!is_foreign(f->of[i], f->of[j])) continue;
            for (uint32_t k = 0; k < RANGE_FEATURES; k++)
                f->part.x[f->part.n][k] = s->x[j][k];
            f->part.y[f->part.n++] = s->y[j];
        }
        if (!fit_scale(f->part.n ? &f->part : s, theta, f->room)) return false;
        for (uint32_t j = i; j < s->n; j++)
            if (f->of[j]->program_family == f->of[i]->program_family &&
                f->of[j]->machine_family == f->of[i]->machine_family)
                f->z[j] = fabs(s->y[j]) * exp(-log_scale(theta, s->x[j]));
    }
    return true;
}

/* Of n sizes, which it sorts: the least that at least a share `level` of n + 1 stays below. */
static void find_quantiles(double *z, uint32_t n, double out[RANGE_LEVELS])
{
    sort_doubles(z, n);
    for (uint32_t i = 0; i < RANGE_LEVELS; i++) {
        uint32_t k = (uint32_t)ceil(range_levels[i] * (n + 1.0));
        out[i] = z[k < n ? k - 1 : n - 1];
    }
}

/* Errors that are nothing but rounding have the same range everywhere. */
static bool is_exact(struct metric_fit *f)
{
    for (uint32_t i = 0; i < f->all.n; i++)
        f->z[i] = fabs(f->all.y[i]);
    sort_doubles(f->z, f->all.n);
    return f->z[(uint32_t)(0.95 * (f->all.n - 1))] <= RANGE_NOTHING;
}

static bool fit_metric(struct metric_fit *f, struct range_scale *out)
{
    double theta[PARAMS];
    *out = (struct range_scale){.cases = f->all.n};
    if (is_exact(f)) {
        find_quantiles(f->z, f->all.n, out->quantile);
        return true;
    }
    if (!scale_errors(f) || !fit_scale(&f->all, theta, f->room)) return false;
    find_quantiles(f->z, f->all.n, out->quantile);
    out->base = theta[0];
    for (uint32_t k = 0; k < RANGE_FEATURES; k++) {
        out->weight[k] = f->sd[k] > 0 ? theta[1 + k] / f->sd[k] : 0;
        out->base -= out->weight[k] * f->mean[k];
    }
    return true;
}

static void find_learned(struct range_table *out, const struct range_point *pts, uint32_t n)
{
    for (uint32_t k = 0; k < RANGE_FEATURES; k++) {
        out->lo[k] = INFINITY;
        out->hi[k] = -INFINITY;
    }
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t m = 0; metrics_key(m); m++)
            for (uint32_t k = 0; teaches(&pts[i], m) && k < RANGE_FEATURES; k++) {
                out->lo[k] = fmin(out->lo[k], feature_of(&pts[i], m, k));
                out->hi[k] = fmax(out->hi[k], feature_of(&pts[i], m, k));
            }
}

bool range_fit(struct range_table *out, const struct range_point *pts, uint32_t n, struct error *e)
{
    struct metric_fit f;
    if (n < RANGE_CASES)
        return error_input(e, "%u cases are too few for ranges; at least %d", n, RANGE_CASES);
    gsl_error_handler_t *handler = gsl_set_error_handler_off();
    bool ok = metric_fit_room(&f, n, e);
    find_learned(out, pts, n);
    for (uint32_t i = 0; ok && metrics_key(i); i++) {
        if (plumb_interrupted) ok = error_interrupted(e, "learning ranges");
        take_points(&f, pts, n, i);
        if (ok && f.all.n >= RANGE_CASES)
            ok = fit_metric(&f, &out->metric[i]) || error_no_memory(e);
    }
    metric_fit_fini(&f);
    gsl_set_error_handler(handler);
    return ok;
}
