/* gp.c - see gp.h. */
#include "sampler/gp.h"

#include "base/mem.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_linalg.h>
#include <gsl/gsl_multimin.h>
#include <math.h>
#include <string.h>

enum { LEARN_POINTS = 160, LEARN_STEPS = 400, STARTS = 2, THETA_MAX = 2 * GP_TERMS_MAX + 1 };
/* Standard deviations of the priors, in logarithms: within a factor of e, of two. */
static const double AMPLITUDE_SD = 1, LENGTH_SD = 0.7, NOISE_SD = 1;
static const double JITTER = 1e-9; /* of the variance, so that equal points do no harm */

/* --- covariance --- */

static double matern(double r)
{
    double s = sqrt(5) * r;
    return (1 + s + s * s / 3) * exp(-s);
}

static double distance(const struct gp_term *t, const double *a, const double *b)
{
    double sum = 0;
    for (uint32_t i = t->from; i < t->from + t->width; i++)
        sum += (a[i] - b[i]) * (a[i] - b[i]);
    return sqrt(sum);
}

static double covariance(const struct gp_kernel *k, const double *a, const double *b,
                         bool same_group)
{
    double sum = 0;
    for (uint32_t i = 0; i < k->terms; i++) {
        const struct gp_term *t = &k->term[i];
        if (t->within_group && !same_group) continue;
        double near = t->width ? matern(distance(t, a, b) / t->length) : 1;
        sum += t->amplitude * t->amplitude * near;
    }
    return sum;
}

static double prior_variance(const struct gp_kernel *k)
{
    double sum = 0;
    for (uint32_t i = 0; i < k->terms; i++)
        sum += k->term[i].amplitude * k->term[i].amplitude;
    return sum;
}

static const double *row(const struct gp *g, uint32_t i)
{
    return g->x + (size_t)i * g->width;
}

/* The Cholesky factor of K + noise, alpha and the evidence for g->kernel; false: not positive
 * definite. */
static bool factorise(struct gp *g)
{
    double ridge = JITTER * prior_variance(&g->kernel), fit = 0, volume = 0;
    gsl_matrix_view c = gsl_matrix_view_array(g->chol, g->n, g->n);
    for (uint32_t i = 0; i < g->n; i++) {
        for (uint32_t j = 0; j <= i; j++) {
            bool same = g->group[i] == g->group[j];
            double v = covariance(&g->kernel, row(g, i), row(g, j), same);
            g->chol[(size_t)i * g->n + j] = g->chol[(size_t)j * g->n + i] = v;
        }
        g->chol[(size_t)i * g->n + i] +=
            g->kernel.noise * g->kernel.noise + g->sd[i] * g->sd[i] + ridge;
    }
    if (gsl_linalg_cholesky_decomp1(&c.matrix) != GSL_SUCCESS) return false;
    gsl_vector_view a = gsl_vector_view_array(g->alpha, g->n);
    memcpy(g->alpha, g->y, g->n * sizeof(double));
    gsl_linalg_cholesky_svx(&c.matrix, &a.vector);
    for (uint32_t i = 0; i < g->n; i++) {
        fit += g->y[i] * g->alpha[i];
        volume += log(g->chol[(size_t)i * g->n + i]);
    }
    g->evidence = -fit / 2 - volume - g->n * log(2 * M_PI) / 2;
    return isfinite(g->evidence);
}

static bool copy_data(struct gp *g, const struct gp_data *d, uint32_t n, struct error *e)
{
    g->n = n;
    g->width = d->width;
    g->x = mem_new((size_t)n * d->width + 1, sizeof(double));
    g->y = mem_new(n, sizeof(double));
    g->sd = mem_new(n, sizeof(double));
    g->group = mem_new(n, sizeof(*g->group));
    g->chol = mem_new((size_t)n * n, sizeof(double));
    g->alpha = mem_new(n, sizeof(double));
    if (!g->x || !g->y || !g->sd || !g->group || !g->chol || !g->alpha) return error_no_memory(e);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t from = (uint32_t)((uint64_t)i * d->n / n); /* evenly, where not all are taken */
        memcpy(g->x + (size_t)i * d->width, d->x + (size_t)from * d->width,
               d->width * sizeof(double));
        g->y[i] = d->y[from];
        g->sd[i] = d->sd[from];
        g->group[i] = d->group[from];
    }
    return true;
}

/* --- learning --- */

/* Offsets of the logarithms from the prior's middle. */
static void kernel_at(struct gp_kernel *k, const struct gp_kernel *middle, const gsl_vector *theta)
{
    uint32_t at = 0;
    *k = *middle;
    for (uint32_t i = 0; i < k->terms; i++) {
        k->term[i].amplitude *= exp(gsl_vector_get(theta, at++));
        if (k->term[i].width) k->term[i].length *= exp(gsl_vector_get(theta, at++));
    }
    k->noise *= exp(gsl_vector_get(theta, at));
}

static double misfit_of_priors(const struct gp_kernel *k, const gsl_vector *theta)
{
    double sum = 0;
    uint32_t at = 0;
    for (uint32_t i = 0; i < k->terms; i++) {
        sum += pow(gsl_vector_get(theta, at++) / AMPLITUDE_SD, 2);
        if (k->term[i].width) sum += pow(gsl_vector_get(theta, at++) / LENGTH_SD, 2);
    }
    return (sum + pow(gsl_vector_get(theta, at) / NOISE_SD, 2)) / 2;
}

struct search {
    struct gp g;
    const struct gp_kernel *middle;
};

static double unlikelihood(const gsl_vector *theta, void *ctx)
{
    struct search *s = ctx;
    kernel_at(&s->g.kernel, s->middle, theta);
    if (!factorise(&s->g)) return 1e12;
    return misfit_of_priors(s->middle, theta) - s->g.evidence;
}

static uint32_t thetas(const struct gp_kernel *k)
{
    uint32_t n = 1;
    for (uint32_t i = 0; i < k->terms; i++)
        n += k->term[i].width ? 2 : 1;
    return n;
}

static bool descend(struct search *s, gsl_vector *theta, double *best, struct gp_kernel *out)
{
    gsl_vector *step = gsl_vector_alloc(theta->size);
    gsl_multimin_fminimizer *m =
        gsl_multimin_fminimizer_alloc(gsl_multimin_fminimizer_nmsimplex2, theta->size);
    gsl_multimin_function f = {.f = unlikelihood, .n = theta->size, .params = s};
    bool ok = step && m;
    if (ok) gsl_vector_set_all(step, 0.5);
    ok = ok && gsl_multimin_fminimizer_set(m, &f, theta, step) == GSL_SUCCESS;
    for (uint32_t i = 0; ok && i < LEARN_STEPS; i++) {
        if (gsl_multimin_fminimizer_iterate(m) != GSL_SUCCESS) break;
        if (gsl_multimin_test_size(gsl_multimin_fminimizer_size(m), 0.01) == GSL_SUCCESS) break;
    }
    if (ok && m->fval < *best) {
        *best = m->fval;
        kernel_at(out, s->middle, m->x);
    }
    if (m) gsl_multimin_fminimizer_free(m);
    if (step) gsl_vector_free(step);
    return ok;
}

/* Kernel of the largest posterior; of many points an even choice decides. */
static bool learn_kernel(struct gp_kernel *k, const struct gp_data *d, const struct gp_kernel *mid,
                         struct error *e)
{
    static const double start[STARTS] = {0, -0.7};
    struct search s = {.middle = mid};
    double best = INFINITY;
    bool ok = copy_data(&s.g, d, d->n < LEARN_POINTS ? d->n : LEARN_POINTS, e);
    *k = *mid;
    for (uint32_t i = 0; ok && i < STARTS; i++) {
        gsl_vector *theta = gsl_vector_alloc(thetas(mid));
        if (theta) gsl_vector_set_all(theta, start[i]);
        ok = (theta && descend(&s, theta, &best, k)) || error_no_memory(e);
        if (theta) gsl_vector_free(theta);
    }
    gp_fini(&s.g);
    return ok;
}

/* --- use --- */

bool gp_fit(struct gp *g, const struct gp_data *d, const struct gp_kernel *k, bool learn,
            struct error *e)
{
    *g = (struct gp){.kernel = *k};
    /* GSL's default handler would end the process. */
    gsl_error_handler_t *old = gsl_set_error_handler_off();
    bool ok = (!learn || learn_kernel(&g->kernel, d, k, e)) && copy_data(g, d, d->n, e);
    if (ok && !factorise(g))
        ok = error_run(e, "the covariance of %u points is not positive definite", d->n);
    gsl_set_error_handler(old);
    return ok;
}

void gp_fini(struct gp *g)
{
    mem_free(g->x);
    mem_free(g->y);
    mem_free(g->sd);
    mem_free(g->group);
    mem_free(g->chol);
    mem_free(g->alpha);
    *g = (struct gp){0};
}

/* v = L^-1 k in place; returns its square. */
static double solve_lower(const struct gp *g, double *v)
{
    double square = 0;
    for (uint32_t i = 0; i < g->n; i++) {
        const double *l = g->chol + (size_t)i * g->n;
        double sum = v[i];
        for (uint32_t j = 0; j < i; j++)
            sum -= l[j] * v[j];
        v[i] = sum / l[i];
        square += v[i] * v[i];
    }
    return square;
}

bool gp_predict(const struct gp *g, const double *x, int32_t group, struct gp_value *v,
                struct error *e)
{
    double *k = mem_new(g->n, sizeof(double));
    if (!k) return error_no_memory(e);
    *v = (struct gp_value){0};
    for (uint32_t i = 0; i < g->n; i++) {
        k[i] = covariance(&g->kernel, row(g, i), x, g->group[i] == group);
        v->mean += k[i] * g->alpha[i];
    }
    double left = prior_variance(&g->kernel) - solve_lower(g, k);
    v->sd = left > 0 ? sqrt(left) : 0;
    mem_free(k);
    return true;
}

bool gp_leave_one_out(const struct gp *g, struct gp_value *out, struct error *e)
{
    double *unit = mem_new(g->n, sizeof(double));
    if (!unit) return error_no_memory(e);
    for (uint32_t i = 0; i < g->n; i++) {
        memset(unit, 0, g->n * sizeof(double));
        unit[i] = 1;
        double inverse = solve_lower(g, unit); /* the diagonal of (K + noise)^-1 */
        out[i].mean = g->y[i] - g->alpha[i] / inverse;
        out[i].sd = sqrt(1 / inverse);
    }
    mem_free(unit);
    return true;
}

bool gp_gain(const struct gp *g, const double *x, const int32_t *group, uint32_t n, double *out,
             struct error *e)
{
    double *v = mem_new((size_t)n * g->n + 1, sizeof(double));
    if (!v) return error_no_memory(e);
    for (uint32_t c = 0; c < n; c++) {
        double *k = v + (size_t)c * g->n;
        for (uint32_t i = 0; i < g->n; i++)
            k[i] = covariance(&g->kernel, row(g, i), x + (size_t)c * g->width,
                              g->group[i] == group[c]);
        solve_lower(g, k);
    }
    double noise = g->kernel.noise * g->kernel.noise;
    for (uint32_t a = 0; a < n; a++) {
        double own = 0;
        out[a] = 0;
        for (uint32_t b = 0; b < n; b++) {
            double c = covariance(&g->kernel, x + (size_t)a * g->width, x + (size_t)b * g->width,
                                  group[a] == group[b]);
            for (uint32_t i = 0; i < g->n; i++)
                c -= v[(size_t)a * g->n + i] * v[(size_t)b * g->n + i];
            out[a] += c * c;
            if (a == b) own = c;
        }
        out[a] /= own + noise;
    }
    mem_free(v);
    return true;
}
