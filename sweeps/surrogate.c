/* surrogate.c - see surrogate.h. */
#include "sweeps/surrogate.h"

#include "base/mem.h"
#include "base/sort.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_linalg.h>
#include <math.h>
#include <string.h>

/* Of the logarithms that are learned: the columns' lengths, then these. */
enum { SCALE, NOISE, LINEAR, OTHERS };
enum { LEARN_POINTS = 128, LEARN_STEPS = 100, THETA_MAX = SURROGATE_COLUMNS_MAX + OTHERS };

/* Priors' middles and standard deviations, of logarithms.  Two runs at the same place differ by
 * nothing, near ones by one or two percent: the noise is what no smooth function says. */
static const double LENGTH_SD = 1, NOISE_VARIANCE = 3e-4, NOISE_SD = 1;
static const double LENGTH_START = 1.5, NOISE_START = 0.1; /* of the variance of y */
static const double VARIANCE_LEAST = 1e-4;

struct learning {
    struct surrogate *s;
    double *near; /* [n][n] the smooth part */
    double *pull; /* [n][n] alpha alpha' - inverse */
    double theta[THETA_MAX], slope[THETA_MAX];
    uint32_t thetas;
};

static const double *row(const struct surrogate *s, uint32_t i)
{
    return s->x + (size_t)i * s->width;
}

static double smooth(const struct surrogate *s, const double *a, const double *b)
{
    double sum = 0;
    for (uint32_t k = 0; k < s->width; k++) {
        double d = (a[k] - b[k]) / s->length[k];
        sum += d * d;
    }
    return s->scale * exp(-sum / 2);
}

static double plane(const struct surrogate *s, const double *a, const double *b)
{
    double sum = 1;
    for (uint32_t k = 0; k < s->width; k++)
        sum += a[k] * b[k];
    return s->linear * sum;
}

/* inverse and alpha for the present lengths and variances; near may be NULL. */
static bool factorise(struct surrogate *s, double *near)
{
    uint32_t n = s->n;
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = 0; j <= i; j++) {
            double v = smooth(s, row(s, i), row(s, j));
            if (near) near[i * n + j] = near[j * n + i] = v;
            v += plane(s, row(s, i), row(s, j)) + (i == j ? s->noise : 0);
            s->inverse[(size_t)i * n + j] = s->inverse[(size_t)j * n + i] = v;
        }
    gsl_matrix_view k = gsl_matrix_view_array(s->inverse, n, n);
    if (gsl_linalg_cholesky_decomp1(&k.matrix) != GSL_SUCCESS) return false;
    if (gsl_linalg_cholesky_invert(&k.matrix) != GSL_SUCCESS) return false;
    for (uint32_t i = 0; i < n; i++) {
        s->alpha[i] = 0;
        for (uint32_t j = 0; j < n; j++)
            s->alpha[i] += s->inverse[(size_t)i * n + j] * s->y[j];
    }
    return true;
}

/* --- learning ----------------------------------------------------------------------------------
 */

static void take_theta(struct learning *l)
{
    struct surrogate *s = l->s;
    const double *other = l->theta + s->width;
    for (uint32_t k = 0; k < s->width; k++)
        s->length[k] = exp(l->theta[k]);
    s->scale = exp(other[SCALE]);
    s->noise = exp(other[NOISE]);
    s->linear = exp(other[LINEAR]);
}

static double length_slope(const struct learning *l, uint32_t k)
{
    const struct surrogate *s = l->s;
    double sum = 0;
    for (uint32_t i = 0; i < s->n; i++)
        for (uint32_t j = 0; j < i; j++) {
            double d = (row(s, i)[k] - row(s, j)[k]) / s->length[k];
            sum += l->pull[i * s->n + j] * l->near[i * s->n + j] * d * d;
        }
    return sum - l->theta[k] / (LENGTH_SD * LENGTH_SD);
}

/* The gradient of the log posterior (Rasmussen & Williams 5.9). */
static void find_slope(struct learning *l)
{
    struct surrogate *s = l->s;
    double *other = l->slope + s->width;
    memset(l->slope, 0, sizeof l->slope);
    for (uint32_t i = 0; i < s->n; i++)
        for (uint32_t j = 0; j < s->n; j++) {
            size_t at = (size_t)i * s->n + j;
            double pull = l->pull[at] = s->alpha[i] * s->alpha[j] - s->inverse[at];
            other[SCALE] += pull * l->near[at] / 2;
            other[LINEAR] += pull * plane(s, row(s, i), row(s, j)) / 2;
            if (i == j) other[NOISE] += pull * s->noise / 2;
        }
    for (uint32_t k = 0; k < s->width; k++)
        l->slope[k] = length_slope(l, k);
    other[NOISE] -= log(s->noise / NOISE_VARIANCE) / (NOISE_SD * NOISE_SD);
}

/* Adam, upwards. */
static bool climb(struct learning *l)
{
    static const double STEP = 0.1, FIRST = 0.9, SECOND = 0.99;
    double mean[THETA_MAX] = {0}, square[THETA_MAX] = {0};
    for (int t = 1; t <= LEARN_STEPS; t++) {
        take_theta(l);
        if (!factorise(l->s, l->near)) return false;
        find_slope(l);
        for (uint32_t k = 0; k < l->thetas; k++) {
            mean[k] = FIRST * mean[k] + (1 - FIRST) * l->slope[k];
            square[k] = SECOND * square[k] + (1 - SECOND) * l->slope[k] * l->slope[k];
            double spread = sqrt(square[k] / (1 - pow(SECOND, t)));
            l->theta[k] += STEP * mean[k] / (1 - pow(FIRST, t)) / (spread + 1e-8);
        }
    }
    take_theta(l);
    return true;
}

static void start(struct learning *l)
{
    const struct surrogate *s = l->s;
    double variance = 0;
    for (uint32_t i = 0; i < s->n; i++)
        variance += s->y[i] * s->y[i] / s->n;
    variance = fmax(variance, VARIANCE_LEAST);
    l->thetas = s->width + OTHERS;
    for (uint32_t k = 0; k < s->width; k++)
        l->theta[k] = log(LENGTH_START);
    l->theta[s->width + SCALE] = l->theta[s->width + LINEAR] = log(variance);
    l->theta[s->width + NOISE] = log(NOISE_START * variance);
}

/* --- use ---------------------------------------------------------------------------------------
 */

/* n of them, evenly. */
static bool copy(struct surrogate *s, const double *x, const double *y, uint32_t from, uint32_t n,
                 struct error *e)
{
    s->n = n;
    s->x = mem_new((size_t)n * s->width, sizeof *s->x);
    s->y = mem_new(n, sizeof *s->y);
    s->inverse = mem_new((size_t)n * n, sizeof *s->inverse);
    s->alpha = mem_new(n, sizeof *s->alpha);
    if (!s->x || !s->y || !s->inverse || !s->alpha) return error_no_memory(e);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t at = (uint32_t)((uint64_t)i * from / n);
        memcpy(s->x + (size_t)i * s->width, x + (size_t)at * s->width, s->width * sizeof *x);
        s->y[i] = y[at] - s->mean;
    }
    return true;
}

static bool learn(struct surrogate *s, const double *x, const double *y, uint32_t n,
                  struct error *e)
{
    struct surrogate few = *s;
    struct learning l = {.s = &few};
    bool ok = copy(&few, x, y, n, n < LEARN_POINTS ? n : LEARN_POINTS, e);
    l.near = mem_new((size_t)few.n * few.n, sizeof *l.near);
    l.pull = mem_new((size_t)few.n * few.n, sizeof *l.pull);
    if (ok && (!l.near || !l.pull)) ok = error_no_memory(e);
    if (ok) start(&l);
    if (ok && !climb(&l))
        ok = error_run(e, "the covariance of %u points is not positive definite", few.n);
    memcpy(s->length, few.length, sizeof s->length);
    s->scale = few.scale;
    s->noise = few.noise;
    s->linear = few.linear;
    surrogate_fini(&few);
    mem_free(l.near);
    mem_free(l.pull);
    return ok;
}

/* The place of the 90 % quantile counts the point to come among the others (Vovk 2005).  At least
 * 1: few points seldom show how far off they may be. */
static bool find_stretch(struct surrogate *s, struct error *e)
{
    static const double Z_90 = 1.6448536269514722;
    double *z = mem_new(s->n, sizeof *z);
    if (!z) return error_no_memory(e);
    for (uint32_t i = 0; i < s->n; i++) /* the residual over its standard deviation */
        z[i] = fabs(s->alpha[i]) / sqrt(s->inverse[(size_t)i * s->n + i]);
    sort_doubles(z, s->n);
    uint32_t at = (uint32_t)ceil(0.9 * (s->n + 1));
    s->stretch = fmax(1, z[(at < s->n ? at : s->n) - 1] / Z_90);
    mem_free(z);
    return true;
}

bool surrogate_fit(struct surrogate *s, const double *x, const double *y, uint32_t n,
                   uint32_t width, struct error *e)
{
    *s = (struct surrogate){.width = width};
    for (uint32_t i = 0; i < n; i++)
        s->mean += y[i] / n;
    gsl_error_handler_t *old = gsl_set_error_handler_off(); /* the default ends the process */
    bool ok = learn(s, x, y, n, e) && copy(s, x, y, n, n, e);
    if (ok && !factorise(s, NULL))
        ok = error_run(e, "the covariance of %u points is not positive definite", n);
    gsl_set_error_handler(old);
    return ok && find_stretch(s, e);
}

void surrogate_fini(struct surrogate *s)
{
    mem_free(s->x);
    mem_free(s->y);
    mem_free(s->inverse);
    mem_free(s->alpha);
    s->x = s->y = s->inverse = s->alpha = NULL;
}

struct surrogate_value surrogate_at(const struct surrogate *s, const double *x, double *work)
{
    double mean = s->mean, left = s->scale + s->noise + plane(s, x, x);
    for (uint32_t i = 0; i < s->n; i++) {
        const double *inverse = s->inverse + (size_t)i * s->n;
        double sum = 0, k = smooth(s, x, row(s, i)) + plane(s, x, row(s, i));
        for (uint32_t j = 0; j < i; j++)
            sum += inverse[j] * work[j];
        work[i] = k;
        mean += k * s->alpha[i];
        left -= k * (2 * sum + inverse[i] * k);
    }
    return (struct surrogate_value){.mean = mean, .sd = s->stretch * sqrt(fmax(left, s->noise))};
}

double surrogate_left_out(const struct surrogate *s, uint32_t i)
{
    return s->alpha[i] / s->inverse[(size_t)i * s->n + i];
}
