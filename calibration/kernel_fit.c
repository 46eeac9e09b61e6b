/* kernel_fit.c - see kernel_fit.h. */
#include "calibration/kernel_fit.h"

#include "base/memory/alloc.h"
#include "base/run/progress.h"
#include "calibration/constants.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_multimin.h>
#include <gsl/gsl_sf_gamma.h>
#include <math.h>

/* The logarithms of the offset, and of each group's amplitude and length. */
enum { OFFSET, GROUPS, THETAS = GROUPS + 2 * PLACE_GROUPS };

/* The runs of one program. */
struct kernel_block {
    uint32_t n;
    double *y;                       /* [n] errors of the cycles */
    double *sd;                      /* [n] of the runs themselves */
    float (*distance)[PLACE_GROUPS]; /* [n][n], its lower triangle */
};

struct kernel_learning {
    struct kernel_block *block;
    uint32_t blocks;
    double *matrix, *room; /* of the largest block */
    double middle[THETAS]; /* of the priors */
};

/* --- theta --- */

static void put_theta(const struct error_kernel *k, double *theta)
{
    theta[OFFSET] = log(k->offset);
    for (uint32_t g = 0; g < PLACE_GROUPS; g++) {
        theta[GROUPS + 2 * g] = log(k->amplitude[g]);
        theta[GROUPS + 2 * g + 1] = log(k->length[g]);
    }
}

static void take_theta(const double *theta, struct error_kernel *k)
{
    k->offset = exp(theta[OFFSET]);
    k->noise = KERNEL_NOISE;
    k->tail = KERNEL_TAIL;
    for (uint32_t g = 0; g < PLACE_GROUPS; g++) {
        k->amplitude[g] = exp(theta[GROUPS + 2 * g]);
        k->length[g] = exp(theta[GROUPS + 2 * g + 1]);
    }
}

/* --- likelihood --- */

static double covariance_of(const struct error_kernel *k, const float distance[PLACE_GROUPS])
{
    double d[PLACE_GROUPS];
    for (uint32_t g = 0; g < PLACE_GROUPS; g++)
        d[g] = distance[g];
    return error_kernel_covariance(k, d);
}

/* Factorizes in place.  false: it is not positive definite, as rounded. */
static bool factorize(double *a, uint32_t n, double *log_root)
{
    *log_root = 0;
    for (uint32_t j = 0; j < n; j++) {
        double *row = a + (size_t)j * n, pivot = row[j];
        for (uint32_t k = 0; k < j; k++)
            pivot -= row[k] * row[k];
        if (!(pivot > 0)) return false;
        row[j] = sqrt(pivot);
        *log_root += log(row[j]);
        for (uint32_t i = j + 1; i < n; i++) {
            double *other = a + (size_t)i * n, v = other[j];
            for (uint32_t k = 0; k < j; k++)
                v -= other[k] * row[k];
            other[j] = v / row[j];
        }
    }
    return true;
}

static double squares_of(const double *a, const double *y, uint32_t n, double *room)
{
    double sum = 0;
    for (uint32_t i = 0; i < n; i++) {
        double v = y[i];
        for (uint32_t k = 0; k < i; k++)
            v -= a[(size_t)i * n + k] * room[k];
        room[i] = v / a[(size_t)i * n + i];
        sum += room[i] * room[i];
    }
    return sum;
}

/* The negative logarithm of a block's likelihood, up to a constant. */
static double block_cost(const struct kernel_learning *l, const struct kernel_block *b,
                         const struct error_kernel *k)
{
    double log_root, tail = k->tail, n = b->n;
    for (uint32_t i = 0; i < b->n; i++)
        for (uint32_t j = 0; j <= i; j++) {
            double own = i == j ? k->noise * k->noise + b->sd[i] * b->sd[i] : 0;
            l->matrix[(size_t)i * b->n + j] =
                covariance_of(k, b->distance[(size_t)i * b->n + j]) + own;
        }
    if (!factorize(l->matrix, b->n, &log_root)) return 1e10;
    double squares = squares_of(l->matrix, b->y, b->n, l->room);
    return log_root + (tail + n) / 2 * log1p(squares / (tail - 2)) -
           gsl_sf_lngamma((tail + n) / 2) + gsl_sf_lngamma(tail / 2) + n / 2 * log(tail - 2);
}

static double total_cost(const gsl_vector *theta, void *ctx)
{
    const struct kernel_learning *l = ctx;
    struct error_kernel k;
    double sum = 0;
    take_theta(theta->data, &k);
    for (uint32_t i = 0; i < THETAS; i++) {
        double off = (theta->data[i] - l->middle[i]) / KERNEL_PRIOR_SD;
        sum += off * off / 2;
    }
    for (uint32_t i = 0; i < l->blocks; i++)
        sum += block_cost(l, &l->block[i], &k);
    return sum;
}

static void cost_gradient(const gsl_vector *theta, void *ctx, gsl_vector *out)
{
    static const double STEP = 1e-4;
    double at[THETAS], here = total_cost(theta, ctx);
    gsl_vector_view moved = gsl_vector_view_array(at, THETAS);
    for (uint32_t i = 0; i < THETAS; i++)
        at[i] = gsl_vector_get(theta, i);
    for (uint32_t i = 0; i < THETAS; i++) {
        double kept = at[i];
        at[i] = kept + STEP;
        gsl_vector_set(out, i, (total_cost(&moved.vector, ctx) - here) / STEP);
        at[i] = kept;
    }
}

static void cost_and_gradient(const gsl_vector *theta, void *ctx, double *f, gsl_vector *out)
{
    *f = total_cost(theta, ctx);
    cost_gradient(theta, ctx, out);
}

/* --- the blocks --- */

static bool same_program(const struct known_run *a, const struct known_run *b)
{
    return digest_equal(a->program, b->program);
}

static bool is_first(const struct known_run *const *run, uint32_t i)
{
    for (uint32_t j = 0; j < i; j++)
        if (same_program(run[j], run[i])) return false;
    return true;
}

static bool fill_block(struct kernel_block *b, const struct known_run *const *run, uint32_t n,
                       uint32_t first)
{
    const uint32_t cycles = metrics_key_index("cycles");
    const struct known_run **of = mem_new(n, sizeof *of);
    for (uint32_t i = first; of && i < n; i++)
        if (same_program(run[i], run[first])) of[b->n++] = run[i];
    b->y = mem_new(b->n, sizeof *b->y);
    b->sd = mem_new(b->n, sizeof *b->sd);
    b->distance = mem_new((size_t)b->n * b->n, sizeof *b->distance);
    bool ok = of && b->y && b->sd && b->distance;
    for (uint32_t i = 0; ok && i < b->n; i++) {
        b->y[i] = of[i]->error[cycles];
        b->sd[i] = of[i]->log_sd;
        for (uint32_t j = 0; j <= i; j++) {
            double d[PLACE_GROUPS];
            place_distance(&of[i]->place, &of[j]->place, d);
            for (uint32_t g = 0; g < PLACE_GROUPS; g++)
                b->distance[(size_t)i * b->n + j][g] = (float)d[g];
        }
    }
    mem_free(of);
    return ok;
}

static bool fill_blocks(struct kernel_learning *l, const struct known_run *const *run, uint32_t n)
{
    uint32_t largest = 0;
    l->block = mem_new(n, sizeof *l->block);
    for (uint32_t i = 0; l->block && i < n; i++) {
        if (!is_first(run, i)) continue;
        struct kernel_block *b = &l->block[l->blocks++];
        if (!fill_block(b, run, n, i)) return false;
        if (b->n > largest) largest = b->n;
    }
    l->matrix = mem_new((size_t)largest * largest + 1, sizeof *l->matrix);
    l->room = mem_new(largest + 1, sizeof *l->room);
    return l->block && l->matrix && l->room;
}

static void free_blocks(struct kernel_learning *l)
{
    for (uint32_t i = 0; i < l->blocks; i++) {
        mem_free(l->block[i].y);
        mem_free(l->block[i].sd);
        mem_free(l->block[i].distance);
    }
    mem_free(l->block);
    mem_free(l->matrix);
    mem_free(l->room);
}

/* --- the fit --- */

static bool minimise(struct kernel_learning *l, double theta[THETAS], int steps, struct error *e)
{
    gsl_multimin_function_fdf target = {
        .f = total_cost, .df = cost_gradient, .fdf = cost_and_gradient, .n = THETAS, .params = l};
    gsl_multimin_fdfminimizer *m =
        gsl_multimin_fdfminimizer_alloc(gsl_multimin_fdfminimizer_vector_bfgs2, THETAS);
    gsl_vector_view start = gsl_vector_view_array(theta, THETAS);
    if (!m) return error_no_memory(e);
    gsl_multimin_fdfminimizer_set(m, &target, &start.vector, 0.1, 0.1);
    for (int i = 0; i < steps && !plumb_interrupted; i++)
        if (gsl_multimin_fdfminimizer_iterate(m) != GSL_SUCCESS) break;
    for (uint32_t i = 0; i < THETAS; i++)
        theta[i] = gsl_vector_get(m->x, i);
    gsl_multimin_fdfminimizer_free(m);
    return !plumb_interrupted || error_interrupted(e, "learning the kernel of errors");
}

bool kernel_fit(struct error_kernel *out, const struct error_kernel *prior, int steps,
                const struct known_run *const *run, uint32_t n, struct error *e)
{
    struct kernel_learning l = {.blocks = 0};
    double theta[THETAS];
    put_theta(prior, l.middle);
    put_theta(prior, theta);
    gsl_error_handler_t *handler = gsl_set_error_handler_off();
    bool ok = fill_blocks(&l, run, n) || error_no_memory(e);
    ok = ok && minimise(&l, theta, steps, e);
    take_theta(theta, out);
    free_blocks(&l);
    gsl_set_error_handler(handler);
    return ok;
}
