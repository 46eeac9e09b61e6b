/* gp_learn.c - learns the hyperparameters of a Gaussian process's covariance; see gp.h.
 *
 * Every hyperparameter is a logarithm in theta: the terms' amplitudes, their lengths, the noise,
 * the groups' loads.  The gradient of the log likelihood is 1/2 tr(pull dK/dtheta), pull = alpha
 * alpha' - (K + noise)^-1. */
#include "sweeps/auto/gp_kernel.h"

#include "base/memory/alloc.h"
#include "base/run/progress.h"
#include "sweeps/constants.h"

#include <gsl/gsl_linalg.h>
#include <math.h>
#include <string.h>

/* --- shapes --- */

uint32_t gp_lengths(const struct gp_term *t)
{
    if (t->shape != GP_MATERN && t->shape != GP_SQUARED) return 0;
    return t->one_length ? 1 : t->width;
}

bool gp_kernel_start(struct gp_kernel *k)
{
    uint32_t at = 0;
    for (uint32_t i = 0; i < k->terms; i++)
        for (uint32_t j = 0; j < gp_lengths(&k->term[i]); j++) {
            if (at == GP_LENGTHS_MAX) return false;
            k->length[at++] = k->term[i].length;
        }
    for (uint32_t i = 0; i < GP_GROUPS_MAX; i++)
        k->load[i] = 1;
    return true;
}

static double dot(const struct gp_term *t, const double *a, const double *b)
{
    double sum = 0;
    for (uint32_t i = t->from; i < t->from + t->width; i++)
        sum += a[i] * b[i];
    return sum;
}

static double square_of(const struct gp_term *t, const double *length, const double *a,
                        const double *b)
{
    double sum = 0;
    for (uint32_t i = 0; i < t->width; i++) {
        double d = (a[t->from + i] - b[t->from + i]) / length[t->one_length ? 0 : i];
        sum += d * d;
    }
    return sum;
}

/* *steep: minus twice the derivative by the squared distance, so that the derivative by a length's
 * logarithm is steep x (that column's part of the square). */
static double shape_of(const struct gp_term *t, const double *length, const double *a,
                       const double *b, double *steep)
{
    double square, s, e;
    *steep = 0;
    switch (t->shape) {
    case GP_CONSTANT: return 1;
    case GP_PLANE: return 1 + dot(t, a, b);
    case GP_SQUARED: return *steep = exp(-square_of(t, length, a, b) / 2);
    case GP_MATERN:
        square = square_of(t, length, a, b);
        s = sqrt(5 * square);
        e = exp(-s);
        *steep = 5.0 / 3 * (1 + s) * e;
        return (1 + s + s * s / 3) * e;
    }
    return 0;
}

static double load_of(const struct gp_kernel *k, int32_t group)
{
    return group >= 0 && group < GP_GROUPS_MAX ? k->load[group] : 1;
}

/* The factor of the shape between two points. */
static double weight_of(const struct gp_kernel *k, const struct gp_term *t, int32_t a, int32_t b,
                        bool same)
{
    if (t->within_group && !same) return 0;
    double w = t->amplitude * t->amplitude;
    return t->loaded ? w * load_of(k, a) * load_of(k, b) : w;
}

double gp_covariance(const struct gp_kernel *k, const double *a, int32_t a_group, const double *b,
                     int32_t b_group, bool same)
{
    const double *length = k->length;
    double sum = 0, steep;
    for (uint32_t i = 0; i < k->terms; i++) {
        const struct gp_term *t = &k->term[i];
        double w = weight_of(k, t, a_group, b_group, same);
        if (w > 0) sum += w * shape_of(t, length, a, b, &steep);
        length += gp_lengths(t);
    }
    return sum;
}

/* --- theta --- */

struct learning {
    struct gp g;
    struct gp_kernel middle;
    uint32_t lengths, groups, thetas;
    double *theta, *slope, *mean, *square, *best; /* [thetas] */
    double *pull;                                 /* [n][n] */
};

/* order of theta: amplitudes, noise, lengths, loads */
static double *theta_noise(const struct learning *l, double *v)
{
    return v + l->middle.terms;
}

static double *theta_length(const struct learning *l, double *v)
{
    return v + l->middle.terms + 1;
}

static double *theta_load(const struct learning *l, double *v)
{
    return theta_length(l, v) + l->lengths;
}

static void take_theta(const struct learning *l, double *theta, struct gp_kernel *k)
{
    const double *length = theta_length(l, theta), *load = theta_load(l, theta);
    for (uint32_t i = 0; i < k->terms; i++)
        k->term[i].amplitude = l->middle.term[i].amplitude * exp(theta[i]);
    k->noise = l->middle.noise * exp(*theta_noise(l, theta));
    for (uint32_t i = 0; i < l->lengths; i++)
        k->length[i] = l->middle.length[i] * exp(length[i]);
    for (uint32_t i = 0; i < l->groups; i++)
        k->load[i] = exp(load[i]);
}

/* Only products of loads and amplitudes are determined.  This leaves the products as they are and
 * makes the mean load 1, which is that of a group without points. */
static void centre_loads(struct gp_kernel *k, uint32_t groups)
{
    double sum = 0;
    for (uint32_t i = 0; i < groups; i++)
        sum += log(k->load[i]);
    double mean = groups ? exp(sum / groups) : 1;
    for (uint32_t i = 0; i < groups; i++)
        k->load[i] /= mean;
    for (uint32_t i = 0; i < k->terms; i++)
        if (k->term[i].loaded) k->term[i].amplitude *= mean;
}

/* Adds the log density of the priors, up to a constant, and its gradient. */
static double add_priors(struct learning *l)
{
    const struct gp_kernel *k = &l->middle;
    double sum = 0;
    for (uint32_t i = 0; i < l->thetas; i++) {
        const double *at = l->theta + i;
        double sd = at >= theta_load(l, l->theta)     ? k->load_sd
                    : at >= theta_length(l, l->theta) ? k->length_sd
                    : at == theta_noise(l, l->theta)  ? k->noise_sd
                                                      : k->amplitude_sd;
        if (sd <= 0) continue;
        sum -= *at * *at / (2 * sd * sd);
        l->slope[i] -= *at / (sd * sd);
    }
    return sum;
}

/* --- the gradient --- */

static bool make_pull(struct learning *l)
{
    uint32_t n = l->g.n;
    gsl_matrix_view p = gsl_matrix_view_array(l->pull, n, n);
    memcpy(l->pull, l->g.chol, (size_t)n * n * sizeof *l->pull);
    if (gsl_linalg_cholesky_invert(&p.matrix) != GSL_SUCCESS) return false;
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = 0; j < n; j++)
            l->pull[(size_t)i * n + j] = l->g.alpha[i] * l->g.alpha[j] - l->pull[(size_t)i * n + j];
    return true;
}

/* Adds the contribution of one pair of points to a term's gradient. */
static void add_pair(struct learning *l, uint32_t term, double *slope_length, const double *length,
                     uint32_t i, uint32_t j)
{
    const struct gp *g = &l->g;
    const struct gp_term *t = &g->kernel.term[term];
    const double *a = g->x + (size_t)i * g->width, *b = g->x + (size_t)j * g->width;
    double w = weight_of(&g->kernel, t, g->group[i], g->group[j], g->group[i] == g->group[j]);
    if (w <= 0) return;
    double steep, pull = l->pull[(size_t)i * g->n + j] * w * (i == j ? 0.5 : 1);
    double value = pull * shape_of(t, length, a, b, &steep);
    l->slope[term] += 2 * value;
    if (t->loaded) {
        theta_load(l, l->slope)[g->group[i]] += value;
        theta_load(l, l->slope)[g->group[j]] += value;
    }
    if (i == j) return;
    for (uint32_t c = 0; c < t->width && gp_lengths(t); c++) {
        uint32_t at = t->one_length ? 0 : c;
        double d = (a[t->from + c] - b[t->from + c]) / length[at];
        slope_length[at] += pull * steep * d * d;
    }
}

static void add_likelihood(struct learning *l)
{
    const struct gp *g = &l->g;
    const double *length = g->kernel.length;
    double *slope_length = theta_length(l, l->slope), *noise = theta_noise(l, l->slope);
    for (uint32_t t = 0; t < g->kernel.terms; t++) {
        for (uint32_t i = 0; i < g->n; i++)
            for (uint32_t j = 0; j <= i; j++)
                add_pair(l, t, slope_length, length, i, j);
        length += gp_lengths(&g->kernel.term[t]);
        slope_length += gp_lengths(&g->kernel.term[t]);
    }
    for (uint32_t i = 0; i < g->n; i++)
        *noise += l->pull[(size_t)i * g->n + i] * g->kernel.noise * g->kernel.noise;
}

/* --- the search --- */

/* One ascent step of Adam. */
static void take_step(struct learning *l, int t)
{
    for (uint32_t k = 0; k < l->thetas; k++) {
        l->mean[k] = ADAM_FIRST * l->mean[k] + (1 - ADAM_FIRST) * l->slope[k];
        l->square[k] = ADAM_SECOND * l->square[k] + (1 - ADAM_SECOND) * l->slope[k] * l->slope[k];
        double spread = sqrt(l->square[k] / (1 - pow(ADAM_SECOND, t)));
        l->theta[k] += ADAM_STEP * l->mean[k] / (1 - pow(ADAM_FIRST, t)) / (spread + ADAM_LEAST);
    }
}

/* Climbs, and returns to the best theta that it passed. */
static bool climb_likelihood(struct learning *l, struct error *e)
{
    double most = -INFINITY;
    for (int t = 1; t <= LEARN_STEPS; t++) {
        if (plumb_interrupted) return error_interrupted(e, "learning");
        take_theta(l, l->theta, &l->g.kernel);
        if (!gp_factorise(&l->g) || !make_pull(l)) break;
        memset(l->slope, 0, l->thetas * sizeof *l->slope);
        double posterior = l->g.evidence + add_priors(l);
        if (posterior > most) {
            most = posterior;
            memcpy(l->best, l->theta, l->thetas * sizeof *l->best);
        }
        add_likelihood(l);
        take_step(l, t);
    }
    take_theta(l, l->best, &l->g.kernel);
    centre_loads(&l->g.kernel, l->groups);
    if (isfinite(most)) return true;
    return error_run(e, "the covariance of %u points is not positive definite", l->g.n);
}

static void count_groups(struct learning *l, const struct gp_data *d)
{
    bool loaded = false;
    for (uint32_t i = 0; i < l->middle.terms; i++) {
        l->lengths += gp_lengths(&l->middle.term[i]);
        loaded |= l->middle.term[i].loaded;
    }
    for (uint32_t i = 0; loaded && i < d->n; i++)
        if ((uint32_t)(d->group[i] + 1) > l->groups) l->groups = (uint32_t)(d->group[i] + 1);
    l->thetas = l->middle.terms + 1 + l->lengths + l->groups;
}

bool gp_learn(struct gp_kernel *k, const struct gp_data *d, struct error *e)
{
    struct learning *l = mem_new(1, sizeof *l);
    if (!l) return error_no_memory(e);
    l->middle = *k;
    l->g.kernel = *k;
    count_groups(l, d);
    double *all = mem_new(5 * (size_t)l->thetas, sizeof *all);
    bool ok = gp_copy(&l->g, d, d->n < LEARN_POINTS ? d->n : LEARN_POINTS, e);
    l->pull = mem_new((size_t)l->g.n * l->g.n, sizeof *l->pull);
    if (ok && (!all || !l->pull)) ok = error_no_memory(e);
    if (ok) {
        l->theta = all;
        l->slope = all + l->thetas;
        l->mean = l->slope + l->thetas;
        l->square = l->mean + l->thetas;
        l->best = l->square + l->thetas;
        ok = climb_likelihood(l, e);
    }
    if (ok) *k = l->g.kernel;
    gp_fini(&l->g);
    mem_free(all);
    mem_free(l->pull);
    mem_free(l);
    return ok;
}
