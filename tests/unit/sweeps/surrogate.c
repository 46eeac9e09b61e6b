/* Does the surrogate give back what it was taught: a plane, a function of one axis among many, what
 * is left when a point is left out, and intervals that hold? */
#include "sweeps/auto/surrogate.h"
#include "base/memory/rng.h"
#include "tests/support/check.h"

#include <math.h>
#include <string.h>

enum { MANY = 60, WIDTH = 6, UNSEEN = 400 };

static void draw(struct rng *r, double *x, uint32_t n)
{
    for (uint32_t i = 0; i < n * WIDTH; i++)
        x[i] = (double)rng_below(r, 1u << 30) / (1u << 30);
}

static double plane(const double *x)
{
    return 0.3 + 0.5 * x[0] - 0.2 * x[3];
}

/* A bend along one axis, a slope along another; four say nothing. */
static double bent(const double *x)
{
    return 0.2 * sin(5 * x[1]) + 0.1 * x[4];
}

static double noise(struct rng *r) /* of standard deviation 0.01, nearly normal */
{
    double sum = 0;
    for (int i = 0; i < 12; i++)
        sum += (double)rng_below(r, 1u << 30) / (1u << 30) - 0.5;
    return 0.01 * sum;
}

static struct surrogate teach(struct rng *r, double (*f)(const double *), bool noisy, double *x,
                              double *y, uint32_t n)
{
    struct surrogate s;
    struct error e = {0};
    draw(r, x, n);
    for (uint32_t i = 0; i < n; i++)
        y[i] = f(x + i * WIDTH) + (noisy ? noise(r) : 0);
    if (!surrogate_fit(&s, x, y, n, WIDTH, &e)) fail_msg("%s", e.text);
    return s;
}

/* Twelve points of a plane over six axes: everything else lies on it, but for a fifth of its
 * spread. */
static void a_plane_is_found_from_few_points(void **state)
{
    (void)state;
    struct rng r;
    double x[12 * WIDTH], y[12], work[12], at[UNSEEN * WIDTH], squares = 0;
    rng_seed(&r, 1, 0);
    struct surrogate s = teach(&r, plane, false, x, y, 12);
    draw(&r, at, UNSEEN);
    for (uint32_t i = 0; i < UNSEEN; i++)
        squares += pow(surrogate_at(&s, at + i * WIDTH, work).mean - plane(at + i * WIDTH), 2);
    assert_true(sqrt(squares / UNSEEN) < 0.03);
    surrogate_fini(&s);
}

/* The error at unseen points is little more than the noise, 80 to 98 % of the 90 % intervals hold
 * the new value, and the axis that bends is the one with the shortest reach. */
static void what_matters_is_learned_and_doubts_are_honest(void **state)
{
    (void)state;
    struct rng r;
    double x[MANY * WIDTH], y[MANY], work[MANY], at[UNSEEN * WIDTH], squares = 0;
    uint32_t held = 0;
    rng_seed(&r, 2, 0);
    struct surrogate s = teach(&r, bent, true, x, y, MANY);
    draw(&r, at, UNSEEN);
    for (uint32_t i = 0; i < UNSEEN; i++) {
        struct surrogate_value v = surrogate_at(&s, at + i * WIDTH, work);
        double truth = bent(at + i * WIDTH);
        squares += pow(v.mean - truth, 2) / UNSEEN;
        held += fabs(v.mean - truth - noise(&r)) <= 1.645 * v.sd;
    }
    assert_true(sqrt(squares) < 0.015);
    assert_in_range(held, UNSEEN * 80 / 100, UNSEEN * 98 / 100);
    for (uint32_t k = 0; k < WIDTH; k++)
        assert_true(k == 1 || s.gp.kernel.length[1] < s.gp.kernel.length[k]);
    surrogate_fini(&s);
}

/* The residual of a point left out against a fit without it, the kernel being the same: solved
 * anew by elimination. */
static double without(const struct surrogate *s, uint32_t skip)
{
    enum { N = 12 };
    double a[N][N + 1], k[N][N];
    const struct gp_kernel *c = &s->gp.kernel;
    const double *x = s->gp.x, *y = s->gp.y;
    uint32_t n = s->n;
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = 0; j < n; j++) {
            double far = 0, dot = 1;
            for (uint32_t w = 0; w < WIDTH; w++) {
                far += pow((x[i * WIDTH + w] - x[j * WIDTH + w]) / c->length[w], 2);
                dot += x[i * WIDTH + w] * x[j * WIDTH + w];
            }
            k[i][j] = pow(c->term[0].amplitude, 2) * exp(-far / 2) +
                      pow(c->term[1].amplitude, 2) * dot + (i == j ? pow(c->noise, 2) : 0);
        }
    uint32_t keep[N], m = 0;
    for (uint32_t i = 0; i < n; i++)
        if (i != skip) keep[m++] = i;
    for (uint32_t i = 0; i < m; i++) {
        for (uint32_t j = 0; j < m; j++)
            a[i][j] = k[keep[i]][keep[j]];
        a[i][m] = y[keep[i]];
    }
    for (uint32_t p = 0; p < m; p++)
        for (uint32_t i = 0; i < m; i++) {
            if (i == p) continue;
            double f = a[i][p] / a[p][p];
            for (uint32_t j = p; j <= m; j++)
                a[i][j] -= f * a[p][j];
        }
    double mean = 0;
    for (uint32_t i = 0; i < m; i++)
        mean += k[skip][keep[i]] * a[i][m] / a[i][i];
    return y[skip] - mean;
}

static void left_out_is_what_the_others_say(void **state)
{
    (void)state;
    struct rng r;
    double x[12 * WIDTH], y[12];
    rng_seed(&r, 3, 0);
    struct surrogate s = teach(&r, bent, true, x, y, 12);
    for (uint32_t i = 0; i < 12; i++)
        assert_true(fabs(surrogate_left_out(&s, i) - without(&s, i)) < 1e-6);
    surrogate_fini(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_plane_is_found_from_few_points),
        cmocka_unit_test(what_matters_is_learned_and_doubts_are_honest),
        cmocka_unit_test(left_out_is_what_the_others_say),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
