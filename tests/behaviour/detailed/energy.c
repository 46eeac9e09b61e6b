/* energy.c - the memory's energy in a simulation's answer: counts of its own keys times
 * the set's figures, summed; absent without figures. */
#include "tests/support/run.h"

/* Dirty lines leave a small L2. */
static const char *const TRIAD =
    "generator = \"stream\"; kernel = \"triad\"; ctas = 48; warps_per_cta = 4; iterations = 8;";

static const char *const parts[] = {"dram.energy_mj.activate", "dram.energy_mj.read",
                                    "dram.energy_mj.write",    "dram.energy_mj.io",
                                    "dram.energy_mj.refresh",  "dram.energy_mj.background"};
enum { PARTS = sizeof parts / sizeof *parts };

static void total_is_the_sum_of_its_parts(void **state)
{
    static const char *const presets[] = {"rx540", "qv100", "gtx480"};
    (void)state;
    for (size_t i = 0; i < sizeof presets / sizeof *presets; i++) {
        struct metrics m = RUN(presets[i], TRIAD, "sm.count=4");
        double sum = 0, total = run_value(&m, "energy_mj.dram");
        for (size_t k = 0; k < PARTS; k++)
            sum += run_value(&m, parts[k]);
        assert_true(total > 0);
        assert_near(sum / total, 1, 1e-12);
        assert_near(run_value(&m, "dram.energy_pj_per_bit"), 1e9 * total / (8 * m.v[M_dram_bytes]),
                    1e-9 * total);
    }
}

static void parts_are_counts_times_figures(void **state)
{
    (void)state;
    struct metrics m = RUN(
        "rx540", TRIAD, "sm.count=4", "l2.bank_kb=16", "dram.energy.activate_pj=1000.0",
        "dram.energy.read_pj=300.0", "dram.energy.write_pj=500.0", "dram.energy.read_io_pj_bit=2.0",
        "dram.energy.write_io_pj_bit=3.0", "dram.energy.refresh_pj=70000.0",
        "dram.energy.act_standby_mw=50.0", "dram.energy.pre_standby_mw=50.0",
        "dram.energy.act_powerdown_mw=50.0", "dram.energy.pre_powerdown_mw=50.0");
    double reads = run_value(&m, "dram.reads"), writes = run_value(&m, "dram.writes");
    assert_true(reads > 0 && writes > 0 && run_value(&m, "dram.activates") > 0);
    assert_near(run_value(&m, "dram.energy_mj.activate"), 1000e-9 * run_value(&m, "dram.activates"),
                1e-12);
    assert_near(run_value(&m, "dram.energy_mj.read"), 300e-9 * reads, 1e-12);
    assert_near(run_value(&m, "dram.energy_mj.write"), 500e-9 * writes, 1e-12);
    assert_near(run_value(&m, "dram.energy_mj.io"), 512e-9 * (2 * reads + 3 * writes), 1e-12);
    assert_near(run_value(&m, "dram.energy_mj.refresh"), 70000e-9 * run_value(&m, "dram.refreshes"),
                1e-12);
    /* Four channels of one rank, the same power in every state: power x time, to a clock. */
    double us = run_value(&m, "time_us"), background = 4 * 50e-6 * us;
    assert_near(run_value(&m, "dram.energy_mj.background") / background, 1, 1e-3);
}

static void an_open_row_costs_more_than_a_closed_one(void **state)
{
    (void)state;
    struct metrics open = RUN("rx540", TRIAD, "sm.count=4"),
                   closed = RUN("rx540", TRIAD, "sm.count=4", "dram.page_policy=closed");
    double per_us_open =
        run_value(&open, "dram.energy_mj.background") / run_value(&open, "time_us");
    double per_us_closed =
        run_value(&closed, "dram.energy_mj.background") / run_value(&closed, "time_us");
    assert_true(per_us_open <= 4 * 675e-6 && per_us_open > per_us_closed);
    assert_true(per_us_closed >= 4 * 375e-6);
    assert_true(run_value(&closed, "dram.energy_mj.activate") >
                run_value(&open, "dram.energy_mj.activate"));
}

static void per_bit_is_all_that_is_known(void **state)
{
    (void)state;
    struct metrics m =
        RUN("rx540", TRIAD, "sm.count=4", "dram.energy.model=per_bit", "dram.energy.pj_bit=6.0");
    double v, total = run_value(&m, "energy_mj.dram");
    assert_near(total / (6e-9 * 8 * run_value(&m, "dram.bytes")), 1, 1e-12);
    assert_near(run_value(&m, "dram.energy_mj.read") + run_value(&m, "dram.energy_mj.write"), total,
                1e-12 * total);
    assert_near(run_value(&m, "dram.energy_pj_per_bit"), 6.0, 1e-9);
    assert_false(metrics_value(&m, "dram.energy_mj.background", &v) ||
                 metrics_value(&m, "dram.energy_mj.activate", &v));
}

static void absent_without_figures(void **state)
{
    (void)state;
    static const char *const off[] = {"dram.energy.model=none", "dram.model=fixed"};
    double v;
    for (size_t i = 0; i < sizeof off / sizeof *off; i++) {
        struct metrics m = RUN("rx540", TRIAD, "sm.count=4", off[i]);
        for (size_t k = 0; k < PARTS; k++)
            assert_false(metrics_value(&m, parts[k], &v));
        assert_false(metrics_value(&m, "energy_mj.dram", &v));
        assert_false(metrics_value(&m, "dram.energy_pj_per_bit", &v));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(total_is_the_sum_of_its_parts),
        cmocka_unit_test(parts_are_counts_times_figures),
        cmocka_unit_test(an_open_row_costs_more_than_a_closed_one),
        cmocka_unit_test(per_bit_is_all_that_is_known),
        cmocka_unit_test(absent_without_figures),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
