/* kernel_fit.c - is a kernel from which errors of programs were drawn found again? */
#include "calibration/kernel_fit.h"
#include "base/memory/rng.h"
#include "base/run/progress.h"
#include "calibration/constants.h"
#include "tests/support/check.h"

#include <gsl/gsl_linalg.h>
#include <math.h>

/* Each run of a program differs from the program's first in one parameter, its use or its time, so
 * that errors tell the groups apart. */
static const char *const moved[] = {
    "l2.latency",  "l2.latency",     "l2.latency",       "l2.latency",  "sm.count",
    "l1.kb",       "l1.latency",     "l1.mshr.entries",  "l2.bank_kb",  "noc.latency",
    "noc.latency", "dram.clock_mhz", "dram.timing.tRTP", "noc.topology"};
enum {
    MOVED = sizeof moved / sizeof *moved,
    BLOCK = 1 + MOVED + 2, /* the first, those, the use and the time */
    PROGRAMS = 40,
    RUNS = PROGRAMS * BLOCK
};
static struct known_run run[RUNS];
static const struct known_run *of[RUNS];
static uint32_t cycles;

static double draw_normal(struct rng *r)
{
    double u = 1 - rng_unit(r), v = rng_unit(r);
    return sqrt(-2 * log(u)) * cos(2 * acos(-1.0) * v);
}

/* The places of a program's runs, without errors. */
static void draw_places(struct known_run *block, uint32_t program, struct rng *r)
{
    for (uint32_t i = 0; i < BLOCK; i++) {
        struct place *p = &block[i].place;
        block[i] = (struct known_run){.program = {.hi = 1, .lo = program}};
        block[i].has[cycles] = true;
        if (i > 0 && i <= MOVED) p->param[place_param_index(moved[i - 1])] = 0.5 + 3 * rng_unit(r);
        if (i == MOVED + 1) p->feature[0] = 0.5 + 0.5 * rng_unit(r);
        if (i == MOVED + 2) p->estimate = 0.5 + 2 * rng_unit(r);
    }
}

/* Errors of a program of that kernel: normal ones, times a scale of its own, so that they have
 * Student's distribution. */
static void draw_errors(struct known_run *block, const struct error_kernel *k, double scale,
                        struct rng *r)
{
    gsl_matrix *m = gsl_matrix_alloc(BLOCK, BLOCK);
    double normal[BLOCK], d[PLACE_GROUPS];
    for (uint32_t i = 0; i < BLOCK; i++) {
        normal[i] = draw_normal(r);
        for (uint32_t j = 0; j < BLOCK; j++) {
            place_distance(&block[i].place, &block[j].place, d);
            gsl_matrix_set(m, i, j,
                           error_kernel_covariance(k, d) + (i == j ? k->noise * k->noise : 0));
        }
    }
    gsl_linalg_cholesky_decomp1(m);
    for (uint32_t i = 0; i < BLOCK; i++) {
        block[i].error[cycles] = 0;
        for (uint32_t j = 0; j <= i; j++)
            block[i].error[cycles] += scale * gsl_matrix_get(m, i, j) * normal[j];
    }
    gsl_matrix_free(m);
}

/* The scale of Student's distribution of an even number of degrees of freedom and variance 1. */
static double draw_scale(uint32_t tail, struct rng *r)
{
    double squares = 0;
    for (uint32_t i = 0; i < tail; i++)
        squares += pow(draw_normal(r), 2);
    return sqrt((tail - 2) / squares);
}

/* tail: 0: no heavy tails. */
static void draw_all(const struct error_kernel *k, uint32_t tail, uint64_t seed)
{
    struct rng r;
    rng_seed(&r, seed, 0);
    for (uint32_t p = 0; p < PROGRAMS; p++) {
        draw_places(run + p * BLOCK, p, &r);
        draw_errors(run + p * BLOCK, k, tail ? draw_scale(tail, &r) : 1, &r);
    }
    for (uint32_t i = 0; i < RUNS; i++)
        of[i] = &run[i];
}

static struct error_kernel fit(uint32_t n)
{
    struct error_kernel k;
    struct error e = {0};
    const struct error_kernel usual = error_kernel_usual();
    if (!kernel_fit(&k, &usual, KERNEL_STEPS, of, n, &e)) fail_msg("%s", e.text);
    return k;
}

/* An offset, and one group alone. */
static struct error_kernel one_group(enum place_group g)
{
    struct error_kernel k = {.offset = 0.3, .noise = KERNEL_NOISE, .tail = 1e6};
    for (uint32_t i = 0; i < PLACE_GROUPS; i++)
        k.length[i] = 1;
    k.amplitude[g] = 0.2;
    return k;
}

/* The standard deviation of the difference of errors that are so far apart in a group. */
static double deviation(const struct error_kernel *k, enum place_group g, double apart)
{
    double here[PLACE_GROUPS] = {0}, there[PLACE_GROUPS] = {0};
    there[g] = apart;
    return sqrt(2 * (error_kernel_covariance(k, here) - error_kernel_covariance(k, there)));
}

static void assert_factor(double a, double b, double factor)
{
    if (!(a <= factor * b && b <= factor * a)) fail_msg("%g is not %g", a, b);
}

static int setup(void **state)
{
    (void)state;
    cycles = metrics_key_index("cycles");
    for (uint32_t i = 0; i < MOVED; i++)
        if (place_param_index(moved[i]) == UINT32_MAX) return -1;
    return 0;
}

/* Whether runs of a program differ in that group. */
static bool is_told_apart(enum place_group g)
{
    double d[PLACE_GROUPS], most = 0;
    for (uint32_t i = 1; i < BLOCK; i++) {
        place_distance(&run[0].place, &run[i].place, d);
        most = fmax(most, d[g]);
    }
    return most > 0;
}

/* The fit's tails are heavier than those of the programs that are drawn here.  What it finds is the
 * matrix of the usual form of Student's distribution, (tail - 2) / tail times the covariance. */
static double spread(double tail)
{
    return sqrt((1 - 2.0 / KERNEL_TAIL) / (1 - 2 / tail));
}

static void check_recovered(enum place_group group, const struct error_kernel *k, double size)
{
    const struct error_kernel truth = one_group(group);
    assert_factor(size * k->offset, truth.offset, 1.5);
    assert_factor(size * k->amplitude[group], truth.amplitude[group], 1.5);
    assert_factor(size * deviation(k, group, 1), deviation(&truth, group, 1), 1.5);
    for (uint32_t g = 0; g < PLACE_GROUPS; g++)
        if (g != group && g != PLACE_MACHINE && is_told_apart(g) &&
            deviation(k, g, 1) > deviation(k, group, 1) / 3)
            fail_msg("%s takes part, too", place_group_name[g]);
}

static void one_group_is_found(void **state)
{
    const struct error_kernel truth = one_group(PLACE_L2_TIME);
    (void)state;
    draw_all(&truth, 0, 51);
    const struct error_kernel k = fit(RUNS);
    check_recovered(PLACE_L2_TIME, &k, spread(INFINITY));
}

static void another_group_is_found(void **state)
{
    const struct error_kernel truth = one_group(PLACE_NOC);
    (void)state;
    draw_all(&truth, 0, 52);
    const struct error_kernel k = fit(RUNS);
    check_recovered(PLACE_NOC, &k, spread(INFINITY));
}

static void a_group_is_found_among_heavy_tails(void **state)
{
    enum { TAIL = 6 };
    const struct error_kernel truth = one_group(PLACE_L2_TIME);
    (void)state;
    draw_all(&truth, TAIL, 57);
    const struct error_kernel k = fit(RUNS);
    check_recovered(PLACE_L2_TIME, &k, spread(TAIL));
}

/* The runs of a program need not stand together. */
static void the_order_of_programs_does_not_matter(void **state)
{
    enum { HALF = PROGRAMS / 2 };
    static struct known_run turned[HALF * BLOCK];
    const struct error_kernel truth = one_group(PLACE_L2_TIME);
    (void)state;
    draw_all(&truth, 6, 54);
    const struct error_kernel was = fit(RUNS / 2);
    for (uint32_t p = 0; p < HALF; p++) /* the runs of all programs mixed */
        for (uint32_t i = 0; i < BLOCK; i++)
            turned[i * HALF + (HALF - 1 - p)] = run[p * BLOCK + i];
    memcpy(run, turned, sizeof turned);
    const struct error_kernel is = fit(RUNS / 2);
    assert_near(is.offset, was.offset, 0.02 * was.offset);
    assert_near(is.amplitude[PLACE_L2_TIME], was.amplitude[PLACE_L2_TIME], 0.01);
}

/* One run says next to nothing: what was believed before stays. */
static void little_is_learned_from_little(void **state)
{
    const struct error_kernel truth = one_group(PLACE_L2_TIME), usual = error_kernel_usual();
    (void)state;
    draw_all(&truth, 0, 55);
    run[0].error[cycles] = usual.offset;
    const struct error_kernel k = fit(1);
    for (uint32_t g = 0; g < PLACE_GROUPS; g++) {
        assert_factor(k.length[g], usual.length[g], 1.2);
        assert_factor(k.amplitude[g], usual.amplitude[g], 2);
    }
    assert_factor(k.offset, usual.offset, 2);
}

static void interrupts_end_it(void **state)
{
    const struct error_kernel truth = one_group(PLACE_L2_TIME), usual = error_kernel_usual();
    struct error_kernel k;
    struct error e = {0};
    (void)state;
    draw_all(&truth, 0, 56);
    plumb_interrupted = true;
    bool ok = kernel_fit(&k, &usual, KERNEL_STEPS, of, RUNS, &e);
    plumb_interrupted = false;
    assert_false(ok);
    assert_int_equal(e.kind, ERROR_INTERRUPTED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_group_is_found),
        cmocka_unit_test(another_group_is_found),
        cmocka_unit_test(a_group_is_found_among_heavy_tails),
        cmocka_unit_test(the_order_of_programs_does_not_matter),
        cmocka_unit_test(little_is_learned_from_little),
        cmocka_unit_test(interrupts_end_it),
    };
    return cmocka_run_group_tests(tests, setup, NULL);
}
