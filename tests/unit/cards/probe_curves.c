/* Curves of a probe: their files, what is found in them, and how they are compared. */
#include "cards/probe/compare.h"
#include "cards/probe/features.h"
#include "cards/probe/figures.h"
#include "tests/support/check.h"
#include "tests/support/trace_support.h"

#include <math.h>
#include <string.h>

#define HEAD "gpu,experiment,x,value\n"

static bool parse(struct probe_curves *c, const char *text, const char *gpu, struct error *e)
{
    char copy[8192];
    snprintf(copy, sizeof copy, "%s", text);
    *e = (struct error){0};
    return probe_curves_parse(c, "file.csv", copy, gpu, e);
}

static void what_is_wrong_is_said(void **state)
{
    (void)state;
    static const struct {
        const char *text, *gpu, *error;
    } wrong[] = {
        {"", NULL, "file.csv: there is no line"},
        {HEAD, NULL, "file.csv: has no curves"},
        {"gpu,experiment,x\na,pchase_latency,2\n", NULL, "file.csv:1: there is no column value"},
        {HEAD "a,latency,2,30\n", NULL, "file.csv:2: unknown experiment 'latency'"},
        {HEAD "a,pchase_latency,2,30\nb,pchase_latency,2,30\n", NULL, "has curves of a, b"},
        {HEAD "a,pchase_latency,2,30\n", "c", "has no curves of c"},
        {HEAD "a,pchase_latency,0,30\n", NULL, "file.csv:2: x '0'"},
        {HEAD "a,pchase_latency,2,fast\n", NULL, "file.csv:2: value 'fast'"},
        {HEAD "a,pchase_latency,2,nan\n", NULL, "file.csv:2: value 'nan'"},
        {HEAD "a,pchase_latency,2\n", NULL, "file.csv:2: value ''"},
        {HEAD "a,stream_read,1280,3\n", NULL, "file.csv:2: extra ''"},
        {"gpu,experiment,x,value,extra\na,stream_read,1280,3,0x1\n", NULL, "extra '0x1'"},
        {"gpu,experiment,x,value,unit\na,pchase_latency,2,3,GB/s\n", NULL, "unit 'GB/s'"},
        {HEAD "a,\"pchase_latency,2,30\n", NULL, "file.csv:2: a quoted field does not end"},
    };
    for (unsigned i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct probe_curves c;
        struct error e;
        assert_false(parse(&c, wrong[i].text, wrong[i].gpu, &e));
        assert_int_equal(e.kind, ERROR_INPUT);
        if (!strstr(e.text, wrong[i].error)) fail_msg("'%s' lacks '%s'", e.text, wrong[i].error);
        probe_curves_fini(&c);
    }
}

static void rows_of_one_card_are_sorted(void **state)
{
    (void)state;
    struct probe_curves c;
    struct error e;
    check_ok(parse(&c,
                   "x,value,gpu,experiment,extra\n8,3,b,pchase_latency,\n2,1,a,pchase_latency,\n"
                   "4,2,b,pchase_latency,\n640,9,b,stream_init,32x?\n",
                   "b", &e),
             &e);
    assert_string_equal(c.gpu, "b");
    assert_int_equal(c.of[PROBE_CHASE].n, 2);
    assert_true(c.of[PROBE_CHASE].point[0].x == 4);
    assert_near(probe_curve_at(&c.of[PROBE_CHASE], sqrt(32)), 2.5, 1e-12);
    assert_true(isnan(probe_curve_at(&c.of[PROBE_CHASE], 9)) != 0);
    assert_true(isnan(probe_curve_at(&c.of[PROBE_CHASE], 3)) != 0);
    assert_int_equal(c.of[PROBE_INIT].point[0].block, 32);
    assert_int_equal(c.of[PROBE_INIT].point[0].ctas, 0);
    probe_curves_fini(&c);
}

/* A staircase: 30 cycles to 100 KB, 200 to 6,000 KB, 450 beyond, each straight in the logarithms
 * over a factor of 1.5, with 1 % of scatter. */
static double staircase(double x, double scale)
{
    static const double edge[] = {100, 6000}, level[] = {30, 200, 450};
    double v = level[0];
    for (int i = 0; i < 2; i++) {
        double part = log(x / (edge[i] * scale)) / log(1.5);
        v *= pow(level[i + 1] / level[i], fmin(fmax(part, 0), 1));
    }
    return v;
}

static void fill(struct probe_curve *c, double scale, double levels)
{
    int i = 0;
    for (double x = 2; x < 4e5; x *= 1.1, i++) {
        struct probe_point pt = {.id = PROBE_CHASE, .x = x};
        pt.value = staircase(x, scale) * levels * (i % 2 ? 1.005 : 0.995);
        assert_true(probe_curve_add(c, &pt));
    }
}

static void plateaus_and_knees_are_found(void **state)
{
    (void)state;
    struct probe_curve c = {0};
    struct probe_plateau p[PROBE_PLATEAUS];
    fill(&c, 1, 1);
    assert_int_equal(probe_plateaus(&c, p), 3);
    assert_near(p[0].value, 30, 0.1);
    assert_near(p[1].value, 200, 1);
    assert_near(p[2].value, 450, 2);
    assert_in_range(p[0].high, 90, 102);
    assert_in_range(p[1].low, 145, 170);
    /* the geometric mean of two levels is crossed in the middle of the way */
    double knee = probe_crossing(&c, probe_middle(&p[0]), probe_middle(&p[1]), sqrt(30 * 200.0));
    assert_near(knee, 100 * sqrt(1.5), 1);
    assert_true(isnan(probe_crossing(&c, 2, 50, sqrt(30 * 200.0))) != 0);
    struct probe_curves own = {0};
    own.of[PROBE_CHASE] = c;
    probe_curves_fini(&own);
}

static void two_near_levels_are_one_plateau(void **state)
{
    (void)state;
    struct probe_curves c = {0};
    struct probe_plateau p[PROBE_PLATEAUS];
    for (double x = 2; x < 400; x *= 1.1) {
        struct probe_point pt = {.id = PROBE_CHASE, .x = x, .value = x < 20 ? 100 : 108};
        assert_true(probe_curve_add(&c.of[PROBE_CHASE], &pt));
    }
    assert_int_equal(probe_plateaus(&c.of[PROBE_CHASE], p), 1);
    assert_near(p[0].value, 108, 1e-9); /* the longer one */
    probe_curves_fini(&c);
}

static void errors_are_those_that_were_put_in(void **state)
{
    (void)state;
    struct probe_curves measured = {0}, ours = {0};
    struct probe_comparison c;
    struct error e = {0};
    fill(&measured.of[PROBE_CHASE], 1, 1);
    fill(&ours.of[PROBE_CHASE], 1.3, 1.05);
    check_ok(probe_compare(&measured, &ours, &c, &e), &e);
    assert_int_equal(c.n, 5);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(c.error[i].feature, PROBE_PLATEAU);
        assert_near(c.error[i].error, 0.05, 0.01);
        assert_true(probe_error_passes(&c.error[i]));
    }
    for (int i = 3; i < 5; i++) {
        assert_int_equal(c.error[i].feature, PROBE_KNEE);
        assert_near(c.error[i].error, 0.3, 0.02);
        assert_false(probe_error_passes(&c.error[i]));
    }
    assert_int_equal(probe_worst(&c)->feature, PROBE_KNEE);
    probe_comparison_fini(&c);
    check_ok(probe_compare(&measured, &measured, &c, &e), &e);
    for (size_t i = 0; i < c.n; i++)
        assert_near(c.error[i].error, 0, 0.005);
    probe_comparison_fini(&c);
    probe_curves_fini(&measured);
    probe_curves_fini(&ours);
}

/* Bandwidth rises with the threads up to 100: saturation is 100, and the ramp is below 90. */
static void streams_have_saturation_and_ramp(void **state)
{
    (void)state;
    struct probe_curves measured = {0}, ours = {0};
    struct probe_comparison c;
    struct error e = {0};
    for (int i = 1; i <= 12; i++) {
        struct probe_point pt = {.id = PROBE_READ, .x = 1000.0 * i, .value = fmin(20.0 * i, 100)};
        assert_true(probe_curve_add(&measured.of[PROBE_READ], &pt));
        pt.value *= i < 5 ? 1.5 : 0.9;
        assert_true(probe_curve_add(&ours.of[PROBE_READ], &pt));
    }
    check_ok(probe_compare(&measured, &ours, &c, &e), &e);
    assert_int_equal(c.n, 2);
    assert_near(c.error[0].error, -0.1, 1e-9);
    assert_near(c.error[0].measured, 100, 1e-9);
    assert_near(c.error[1].error, 0.5, 1e-9);
    probe_comparison_fini(&c);
    probe_curves_fini(&measured);
    probe_curves_fini(&ours);
}

static void a_file_reads_back(void **state)
{
    (void)state;
    struct probe_curves a = {.gpu = "card"}, b;
    struct text csv = {0};
    struct error e = {0};
    fill(&a.of[PROBE_CHASE], 1, 1);
    probe_curves_csv(&a, "here", &csv);
    check_ok(probe_curves_parse(&b, "again.csv", csv.s, NULL, &e), &e);
    assert_string_equal(b.gpu, "card");
    assert_int_equal(a.of[PROBE_CHASE].n, b.of[PROBE_CHASE].n);
    for (size_t i = 0; i < a.of[PROBE_CHASE].n; i++)
        assert_near(b.of[PROBE_CHASE].point[i].value / a.of[PROBE_CHASE].point[i].value, 1, 1e-5);
    text_fini(&csv);
    probe_curves_fini(&a);
    probe_curves_fini(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_wrong_is_said),
        cmocka_unit_test(rows_of_one_card_are_sorted),
        cmocka_unit_test(plateaus_and_knees_are_found),
        cmocka_unit_test(two_near_levels_are_one_plateau),
        cmocka_unit_test(errors_are_those_that_were_put_in),
        cmocka_unit_test(streams_have_saturation_and_ramp),
        cmocka_unit_test(a_file_reads_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
