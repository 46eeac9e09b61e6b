/* posterior.c - see posterior.h. */
#include "calibration/posterior.h"

#include "base/memory/alloc.h"
#include "calibration/constants.h"

#include <math.h>

/* --- the kernel --- */

static double matern(double distance, double length)
{
    double s = sqrt(5) * distance / length;
    return (1 + s + s * s / 3) * exp(-s);
}

double error_kernel_covariance(const struct error_kernel *k, const double distance[PLACE_GROUPS])
{
    double sum = k->offset * k->offset;
    for (uint32_t g = 0; g < PLACE_GROUPS; g++) {
        double part = k->amplitude[g] * k->amplitude[g];
        sum += distance[g] > 0 ? part * matern(distance[g], k->length[g]) : part;
    }
    return sum;
}

double error_kernel_variance(const struct error_kernel *k)
{
    static const double nowhere[PLACE_GROUPS];
    return error_kernel_covariance(k, nowhere) + k->noise * k->noise;
}

struct error_kernel error_kernel_usual(void)
{
    struct error_kernel k = {.offset = KERNEL_OFFSET, .noise = KERNEL_NOISE, .tail = KERNEL_TAIL};
    for (uint32_t g = 0; g < PLACE_GROUPS; g++) {
        k.amplitude[g] = KERNEL_AMPLITUDE;
        k.length[g] = KERNEL_LENGTH;
    }
    k.length[PLACE_USE] = KERNEL_USE_LENGTH;
    k.length[PLACE_MACHINE] = KERNEL_MACHINE_LENGTH;
    return k;
}

static double covariance(const struct posterior *p, const struct place *a, const struct place *b)
{
    double distance[PLACE_GROUPS];
    place_distance(a, b, distance);
    return error_kernel_covariance(&p->kernel, distance);
}

/* --- the runs --- */

/* In place, of a positive definite matrix.  A run that repeats another leaves a pivot of the noise,
 * rounded. */
static void factorize(double *a, uint32_t n, double least)
{
    for (uint32_t j = 0; j < n; j++) {
        double pivot = a[(size_t)j * n + j];
        for (uint32_t k = 0; k < j; k++)
            pivot -= a[(size_t)j * n + k] * a[(size_t)j * n + k];
        double root = sqrt(fmax(pivot, least));
        a[(size_t)j * n + j] = root;
        for (uint32_t i = j + 1; i < n; i++) {
            double v = a[(size_t)i * n + j];
            for (uint32_t k = 0; k < j; k++)
                v -= a[(size_t)i * n + k] * a[(size_t)j * n + k];
            a[(size_t)i * n + j] = v / root;
        }
    }
}

bool posterior_make(struct posterior *p, const struct error_kernel *k,
                    const struct known_run *const *run, uint32_t n, struct error *e)
{
    uint32_t skip = n > POSTERIOR_RUNS_MAX ? n - POSTERIOR_RUNS_MAX : 0;
    double noise = k->noise * k->noise;
    n -= skip;
    *p = (struct posterior){.kernel = *k, .n = n};
    p->run = mem_new(n ? n : 1, sizeof *p->run);
    p->chol = mem_new((size_t)n * n + 1, sizeof *p->chol);
    if (!p->run || !p->chol) return error_no_memory(e);
    for (uint32_t i = 0; i < n; i++)
        p->run[i] = run[skip + i];
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = 0; j <= i; j++) {
            double own = i == j ? noise + p->run[i]->log_sd * p->run[i]->log_sd : 0;
            p->chol[(size_t)i * n + j] = covariance(p, &p->run[i]->place, &p->run[j]->place) + own;
        }
    factorize(p->chol, n, 1e-12 + noise / 2);
    return true;
}

void posterior_fini(struct posterior *p)
{
    mem_free(p->run);
    mem_free(p->chol);
    *p = (struct posterior){.n = 0};
}

/* --- a place --- */

/* x := chol^-1 x */
static void solve_lower(const struct posterior *p, double *x)
{
    for (uint32_t i = 0; i < p->n; i++) {
        for (uint32_t k = 0; k < i; k++)
            x[i] -= p->chol[(size_t)i * p->n + k] * x[k];
        x[i] /= p->chol[(size_t)i * p->n + i];
    }
}

/* x := chol^-T x */
static void solve_upper(const struct posterior *p, double *x)
{
    for (uint32_t i = p->n; i-- > 0;) {
        for (uint32_t k = i + 1; k < p->n; k++)
            x[i] -= p->chol[(size_t)k * p->n + i] * x[k];
        x[i] /= p->chol[(size_t)i * p->n + i];
    }
}

void posterior_look(const struct posterior *p, const struct place *at, struct posterior_view *v)
{
    double most = -1;
    v->nearest = 0;
    for (uint32_t i = 0; i < p->n; i++) {
        v->half[i] = covariance(p, &p->run[i]->place, at);
        if (v->half[i] <= most) continue;
        most = v->half[i];
        v->nearest = i;
    }
    solve_lower(p, v->half);
    v->variance = error_kernel_variance(&p->kernel);
    for (uint32_t i = 0; i < p->n; i++) {
        v->variance -= v->half[i] * v->half[i];
        v->weight[i] = v->half[i];
    }
    v->variance = fmax(v->variance, p->kernel.noise * p->kernel.noise);
    solve_upper(p, v->weight);
}

bool posterior_mean(const struct posterior *p, const struct posterior_view *v, uint32_t metric,
                    double *mean)
{
    *mean = 0;
    for (uint32_t i = 0; i < p->n; i++) {
        if (!p->run[i]->has[metric]) return false;
        *mean += v->weight[i] * p->run[i]->error[metric];
    }
    return true;
}

double posterior_stretch(const struct posterior *p, uint32_t metric, double scale)
{
    double x[POSTERIOR_RUNS_MAX], squares = 0, tail = p->kernel.tail;
    for (uint32_t i = 0; i < p->n; i++)
        x[i] = p->run[i]->error[metric] / scale;
    solve_lower(p, x);
    for (uint32_t i = 0; i < p->n; i++)
        squares += x[i] * x[i];
    return sqrt((tail - 2 + squares) / (tail - 2 + p->n));
}

double posterior_difference(const struct posterior *p, const struct place *a,
                            const struct posterior_view *va, const struct place *b,
                            const struct posterior_view *vb)
{
    double common = covariance(p, a, b), noise = p->kernel.noise * p->kernel.noise;
    for (uint32_t i = 0; i < p->n; i++)
        common -= va->half[i] * vb->half[i];
    return fmax(va->variance + vb->variance - 2 * common, 2 * noise);
}
