/* extremes.c - machines at the documented ends of their parameters, a few, and those that
 * once failed: see extreme_runs.h. */
#include "tests/support/extreme_runs.h"

/* A load sent back by the L2 and joined on the way lost its turn there; core 1000 times as slow. */
static void a_refused_load_keeps_its_turn(void **state)
{
    static const char *const sets[] = {"clock.core_mhz=1.0", "l1.latency=10000",
                                       "l2.banks=1",         "l2.ways=1",
                                       "l2.line_wait=nack",  "l2.copy_warms=true",
                                       "dram.clock_mhz=1.0", "dram.fixed_latency=1000000"};
    (void)state;
    struct machine m = run_machine("hd7770-hpcs15", sets, sizeof sets / sizeof *sets);
    struct program *p = run_open("quick/kmeans", m.sm.warp_width);
    struct metrics got = ask(ENGINE_SIMULATE, &m, p);
    assert_true(got.v[M_cycles] > 1e6);
    program_close(p);
}

static void time_that_does_not_fit_is_refused(void **state)
{
    static const char *const sets[] = {"clock.core_mhz=2.856", "clock.noc_mhz=24.489",
                                       "clock.l2_mhz=1.086", "sm.shared_latency=100000"};
    struct error e = {0};
    (void)state;
    struct machine m = run_machine("hd7770-hpcs15", sets, 4);
    struct program *p = run_open("quick/lud", m.sm.warp_width);
    struct sim *s = sim_new(&m, p, &e);
    assert_non_null(s);
    assert_int_equal(sim_run(s, NULL, NULL, NULL, &e), SIM_FAILED);
    assert_int_equal(e.kind, ERROR_INPUT);
    assert_non_null(strstr(e.text, "rounder clocks"));
    sim_free(s);
    program_close(p);
}

static void a_few_dozen_runs(void **state)
{
    (void)state;
    extreme_machines_run_small_programs(0, 30);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_refused_load_keeps_its_turn),
        cmocka_unit_test(time_that_does_not_fit_is_refused),
        cmocka_unit_test(a_few_dozen_runs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
