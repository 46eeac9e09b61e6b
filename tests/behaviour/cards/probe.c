/* What a probe measures on machines whose answers are known in closed form. */
#include "cards/probe/features.h"
#include "cards/probe/fit.h"
#include "cards/probe/measure.h"
#include "cards/probe/points.h"
#include "cards/probe/programs.h"
#include "cards/probe/run.h"
#include "tests/support/run.h"
#include "tests/support/trace_support.h"

#include <math.h>

static double value_at(const struct machine *m, enum probe_id id, double x, uint32_t block,
                       uint32_t ctas)
{
    struct probe_point pt = {.id = id, .x = x, .block = block, .ctas = ctas};
    struct error e = {0};
    check_ok(probe_measure(m, &pt, 1, &e), &e);
    return pt.value;
}

/* Buffers inside the L1, inside the L2, and far beyond it, where every look-up misses. */
static void a_chase_shows_the_levels_latencies(void **state)
{
    (void)state;
    const char *const sets[] = {"l1.kb=32", "l1.adaptive=false", "dram.clock_mhz=1132",
                                "dram.model=fixed", "dram.fixed_latency=150"};
    struct machine m = run_machine("qv100", sets, 5);
    double l1 = m.sm.memory_latency + m.l1.latency;
    double l2 = l1 + 2 * m.noc.latency + m.l2.extra_latency + m.l2.latency;
    assert_near(value_at(&m, PROBE_CHASE, 2, 0, 1), l1, 0);
    assert_near(value_at(&m, PROBE_CHASE, 24, 0, 1), l1, 0);
    assert_near(value_at(&m, PROBE_CHASE, 1000, 0, 1), l2, 0);
    /* a hit of the open row's memory takes 150 clocks, and the controller sees it an edge later */
    assert_near(value_at(&m, PROBE_CHASE, 1 << 20, 0, 1), l2 + 150, 2);
}

/* A ring of a few lines more than the L1 misses in some sets only; of twice as many, everywhere. */
static void a_knee_lies_at_the_capacity(void **state)
{
    (void)state;
    const char *const sets[] = {"l1.kb=32", "l1.adaptive=false", "l1.ways=256", "l2.banks=32"};
    struct machine m = run_machine("qv100", sets, 4);
    struct probe_options o = {.points = 24, .threads = 2};
    struct probe_plateau p[PROBE_PLATEAUS];
    struct probe_curves c;
    struct text notes = {0};
    struct error e = {0};
    o.want[PROBE_CHASE] = true;
    check_ok(probe_run(&m, &o, &c, &notes, &e), &e);
    const struct probe_curve *chase = &c.of[PROBE_CHASE];
    assert_int_equal(chase->n, 24);
    assert_int_equal(probe_plateaus(chase, p), 3);
    for (int i = 0; i < 2; i++) {
        double size = i == 0 ? 32 : 32 * 96;
        double knee = probe_crossing(chase, probe_middle(&p[i]), probe_middle(&p[i + 1]),
                                     sqrt(p[i].value * p[i + 1].value));
        assert_near(knee / size, 1.08, 0.12);
    }
    assert_int_equal(notes.len, 0);
    text_fini(&notes);
    probe_curves_fini(&c);
}

/* Memory of 10 GB/s a channel is all that a stream gets, whatever it stores. */
static void streams_saturate_the_memory(void **state)
{
    (void)state;
    const char *const sets[] = {"dram.model=fixed", "dram.fixed_gbps=10"};
    struct machine m = run_machine("qv100", sets, 2);
    double most = 10.0 * m.dram.channels;
    assert_near(value_at(&m, PROBE_READ, 0, 512, 2) / most, 1, 0.01);
    assert_near(value_at(&m, PROBE_SCALE, 0, 512, 2) / most, 1, 0.03);
    assert_near(value_at(&m, PROBE_TRIAD, 0, 512, 2) / most, 1, 0.03);
    assert_near(value_at(&m, PROBE_INIT, 0, 512, 2) / most, 1, 0.03);
    /* A stencil reads its neighbours from the L1. */
    assert_near(value_at(&m, PROBE_5PT, 0, 512, 2) / most, 1, 0.05);
}

/* Nobody waits for stores: the queues of the networks take them for a while at several times the
 * memory's rate. What they hold more at the end than at the beginning is less than half a per cent.
 */
static void a_stream_of_stores_stays_below_the_peak(void **state)
{
    (void)state;
    struct machine m = run_machine("a100-80", NULL, 0);
    double peak = machine_derived_value(&m, "peak_gbps");
    assert_in_range(value_at(&m, PROBE_INIT, 0, 640, 2), 0.9 * peak, 1.005 * peak);
    assert_in_range(value_at(&m, PROBE_INIT, 0, 640, 1), 0.9 * peak, 1.005 * peak);
}

/* A stream's points one after another in caches that are filled once are as those of points alone.
 */
static void points_of_a_stream_share_their_caches(void **state)
{
    (void)state;
    struct machine m = run_machine("qv100", NULL, 0);
    struct error e = {0};
    struct probe_point pt[] = {{.id = PROBE_SCALE, .block = 64, .ctas = 1},
                               {.id = PROBE_SCALE, .block = 512, .ctas = 2}};
    check_ok(probe_measure(&m, pt, 2, &e), &e);
    assert_true(pt[1].used > pt[0].used && pt[0].used > 0);
    for (int i = 0; i < 2; i++)
        assert_near(pt[i].value / value_at(&m, PROBE_SCALE, 0, pt[i].block, pt[i].ctas), 1, 0.03);
}

/* One warp of each SM at a time: bandwidth is its bytes over its time, which is at least the load's
 * latency. */
static void few_threads_are_bound_by_latency(void **state)
{
    (void)state;
    struct machine m = run_machine("qv100", NULL, 0);
    double one = value_at(&m, PROBE_READ, 0, 32, 1), two = value_at(&m, PROBE_READ, 0, 64, 1);
    double latency = value_at(&m, PROBE_CHASE, 1 << 20, 0, 1) / m.clock.core_mhz * 1e-6;
    assert_in_range(one, 0.5 * m.sm.count * 32 * 8 / latency / 1e9,
                    m.sm.count * 32 * 8 / latency / 1e9);
    assert_near(two / one, 2, 0.1);
}

/* An L1 of four banks of a sector, each with one access per cycle: a warp's doubles of stride 2^k
 * touch 8 2^k sectors, its floats without an offset 4 2^k. */
static void strides_take_the_l1s_turns(void **state)
{
    (void)state;
    struct machine m = run_machine("qv100", NULL, 0);
    assert_near(value_at(&m, PROBE_STRIDE_DOUBLE, 1, 0, 1), 32 * 8 / 2, 0.5);
    assert_near(value_at(&m, PROBE_STRIDE_DOUBLE, 2, 0, 1), 32 * 8 / 4, 0.5);
    assert_near(value_at(&m, PROBE_STRIDE_FLOAT, 0, 0, 1), 32 * 4, 0.5);
}

/* Reads that hit in the L1s: every SM takes a line per cycle. */
static void shared_buffers_come_from_the_l1s(void **state)
{
    (void)state;
    struct machine m = run_machine("qv100", NULL, 0);
    double most = m.sm.count * 128 * m.clock.core_mhz * 1e-3;
    assert_near(value_at(&m, PROBE_SHARED_READ, 64, 0, 1) / most, 1, 0.01);
    assert_in_range(value_at(&m, PROBE_SHARED_READ, 1024, 0, 1), 100, 0.2 * most);
}

/* A machine's own chase leads back to its latencies from others. */
static void a_fit_finds_the_latencies(void **state)
{
    (void)state;
    const char *const sets[] = {"l1.latency=33", "l2.extra_latency=121", "dram.extra_latency=77"};
    struct machine truth = run_machine("qv100", sets, 3), m = run_machine("qv100", NULL, 0);
    struct probe_options o = {.points = 24, .threads = 2};
    struct probe_curves c;
    struct probe_fit fit;
    struct text notes = {0};
    struct error e = {0};
    o.want[PROBE_CHASE] = true;
    check_ok(probe_run(&truth, &o, &c, &notes, &e), &e);
    check_ok(probe_fit_latencies(&m, &c.of[PROBE_CHASE], &fit, &e), &e);
    assert_int_equal(fit.n, 3);
    assert_int_equal(m.l1.latency, 33);
    assert_int_equal(m.l2.extra_latency, 121);
    assert_near(m.dram.extra_latency, 77, 1);
    text_fini(&notes);
    probe_curves_fini(&c);
}

/* Points are those of the measured curve, and its CTAs per SM. */
static void points_follow_a_curve(void **state)
{
    (void)state;
    struct machine m = run_machine("qv100", NULL, 0);
    struct probe_curves c;
    struct error e = {0};
    struct probe_point pt[PROBE_POINTS_MAX];
    check_ok(probe_curves_load(&c, "tests/data/curves/v100.csv", NULL, &e), &e);
    uint32_t n = probe_points_of_curve(&m, &c.of[PROBE_TRIAD], 10, pt);
    assert_in_range(n, 8, 10);
    assert_true(pt[0].x == 1280 && pt[n - 1].x == 163840);
    for (uint32_t i = 0; i < n; i++)
        assert_true(pt[i].x == 80.0 * pt[i].block * pt[i].ctas);
    n = probe_points_of_curve(&m, &c.of[PROBE_CHASE], 20, pt);
    assert_in_range(n, 15, 20);
    bool knees = false;
    for (uint32_t i = 0; i < n; i++) {
        assert_true(probe_curve_at(&c.of[PROBE_CHASE], pt[i].x) > 0);
        knees |= fabs(pt[i].x / 6311 - 1) < 0.05;
    }
    assert_true(knees); /* from 212 cycles to 431 the curve crosses the middle there */
    probe_curves_fini(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_chase_shows_the_levels_latencies),
        cmocka_unit_test(a_knee_lies_at_the_capacity),
        cmocka_unit_test(streams_saturate_the_memory),
        cmocka_unit_test(a_stream_of_stores_stays_below_the_peak),
        cmocka_unit_test(points_of_a_stream_share_their_caches),
        cmocka_unit_test(few_threads_are_bound_by_latency),
        cmocka_unit_test(strides_take_the_l1s_turns),
        cmocka_unit_test(shared_buffers_come_from_the_l1s),
        cmocka_unit_test(a_fit_finds_the_latencies),
        cmocka_unit_test(points_follow_a_curve),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
