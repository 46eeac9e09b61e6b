/* gp.c - see gp.h. */
#include "sweeps/auto/gp_kernel.h"

#include "base/memory/alloc.h"
#include "sweeps/constants.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_linalg.h>
#include <math.h>
#include <string.h>

static const double *row_of(const struct gp *g, uint32_t i)
{
    return g->x + (size_t)i * g->width;
}

static double covariance_with(const struct gp *g, uint32_t i, const double *x, int32_t group)
{
    return gp_covariance(&g->kernel, row_of(g, i), g->group[i], x, group, g->group[i] == group);
}

static double variance_at(const struct gp *g, const double *x, int32_t group)
{
    return gp_covariance(&g->kernel, x, group, x, group, true);
}

/* Computes the Cholesky factor of K + noise, alpha and the evidence for g->kernel. */
bool gp_factorise(struct gp *g)
{
    double fit = 0, volume = 0, noise = g->kernel.noise * g->kernel.noise;
    gsl_matrix_view c = gsl_matrix_view_array(g->chol, g->n, g->n);
    for (uint32_t i = 0; i < g->n; i++) {
        double *own = &g->chol[(size_t)i * g->n + i];
        for (uint32_t j = 0; j <= i; j++) {
            double v = covariance_with(g, j, row_of(g, i), g->group[i]);
            g->chol[(size_t)i * g->n + j] = g->chol[(size_t)j * g->n + i] = v;
        }
        *own = *own * (1 + GP_JITTER) + noise + g->sd[i] * g->sd[i];
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

bool gp_copy(struct gp *g, const struct gp_data *d, uint32_t n, struct error *e)
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
        uint32_t from = (uint32_t)((uint64_t)i * d->n / n); /* evenly, if not all are copied */
        memcpy(g->x + (size_t)i * d->width, d->x + (size_t)from * d->width,
               d->width * sizeof(double));
        g->y[i] = d->y[from];
        g->sd[i] = d->sd[from];
        g->group[i] = d->group[from];
    }
    return true;
}

/* --- prediction --- */

bool gp_fit(struct gp *g, const struct gp_data *d, const struct gp_kernel *k, bool learn,
            struct error *e)
{
    *g = (struct gp){.kernel = *k};
    /* GSL's default handler would end the process. */
    gsl_error_handler_t *old = gsl_set_error_handler_off();
    bool ok = (!learn || gp_learn(&g->kernel, d, e)) && gp_copy(g, d, d->n, e);
    if (ok && !gp_factorise(g))
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

struct gp_value gp_at(const struct gp *g, const double *x, int32_t group, double *work)
{
    struct gp_value v = {0};
    for (uint32_t i = 0; i < g->n; i++) {
        work[i] = covariance_with(g, i, x, group);
        v.mean += work[i] * g->alpha[i];
    }
    double left = variance_at(g, x, group) - solve_lower(g, work);
    v.sd = left > 0 ? sqrt(left) : 0;
    return v;
}

bool gp_predict(const struct gp *g, const double *x, int32_t group, struct gp_value *v,
                struct error *e)
{
    double *work = mem_new(g->n, sizeof(double));
    if (!work) return error_no_memory(e);
    *v = gp_at(g, x, group, work);
    mem_free(work);
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
