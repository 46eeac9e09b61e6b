/* follows_atomics.c - do estimates see atomics that go one after the other, at hot slices, through
 * the links of partitions, and in memory where they pass the L2s? */
#include "tests/support/ask.h"

#define ATOMICS "tests/data/atomics/"

static void agree(const char *preset, const char *program, const char *key, double most)
{
    struct machine m = run_machine(preset, NULL, 0);
    struct metrics est = ask_of(ENGINE_ESTIMATE, &m, program),
                   sim = ask_of(ENGINE_SIMULATE, &m, program);
    double e = run_value(&est, key), s = run_value(&sim, key);
    if (e > most * s || s > most * e)
        fail_msg("%s on %s: %s: %.0f, simulated %.0f", program, preset, key, e, s);
}

static void counters_take_as_long_as_simulated(void **state)
{
    static const char *const presets[] = {"qv100", "mi300x", "h100-sxm"};
    static const char *const programs[] = {ATOMICS "one_counter.plt", ATOMICS "ten_counters.plt",
                                           ATOMICS "many_counters.plt", ATOMICS "returning.plt"};
    (void)state;
    for (size_t i = 0; i < sizeof presets / sizeof *presets; i++)
        for (size_t k = 0; k < sizeof programs / sizeof *programs; k++)
            agree(presets[i], programs[k], "cycles", 1.2);
    agree("vega64", ATOMICS "many_counters.plt", "cycles", 1.2);
}

/* An atomic of which nobody asks the value is no load. */
static void loads_do_not_wait_for_atomics_behind_them(void **state)
{
    static const char *const presets[] = {"rx540", "v100"};
    (void)state;
    for (size_t i = 0; i < sizeof presets / sizeof *presets; i++) {
        agree(presets[i], ATOMICS "one_counter.plt", "latency.load_mean", 2);
        agree(presets[i], ATOMICS "ten_counters.plt", "latency.load_mean", 2);
    }
}

static void passing_atomics_read_and_write_memory(void **state)
{
    (void)state;
    agree("mi300x", ATOMICS "ten_counters.plt", "dram.reads", 1.05);
    agree("mi300x", ATOMICS "ten_counters.plt", "dram.writes", 1.06);
    agree("mi300x", ATOMICS "many_counters.plt", "dram.writes", 1.01);
}

/* Twice the ports of the slices help little: places at the links limit what comes to the hot one.
 */
static double saved_by_ports(enum engine engine)
{
    static const char *const sets[] = {"l2.ports=4"};
    struct machine a = run_machine("h100-sxm", NULL, 0), b = run_machine("h100-sxm", sets, 1);
    struct metrics before = ask_of(engine, &a, ATOMICS "one_counter.plt"),
                   after = ask_of(engine, &b, ATOMICS "one_counter.plt");
    return 1 - run_value(&after, "cycles") / run_value(&before, "cycles");
}

static void ports_promise_no_more_than_links_let_through(void **state)
{
    (void)state;
    assert_true(saved_by_ports(ENGINE_SIMULATE) < 0.02);
    assert_true(saved_by_ports(ENGINE_ESTIMATE) < 0.16);
}

/* The stream reads what nobody has read before, and the counters find their sectors. */
static void hits_of_atomics_are_no_reads(void **state)
{
    struct machine m = run_machine("v100", NULL, 0);
    struct metrics est = ask_of(ENGINE_ESTIMATE, &m, ATOMICS "many_counters.plt"),
                   sim = ask_of(ENGINE_SIMULATE, &m, ATOMICS "many_counters.plt");
    (void)state;
    assert_true(run_value(&sim, "l2.read_hits") == 0);
    assert_true(run_value(&est, "l2.read_hits") < 0.01 * run_value(&est, "l2.reads"));
    agree("v100", ATOMICS "many_counters.plt", "l2.hits", 1.1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counters_take_as_long_as_simulated),
        cmocka_unit_test(loads_do_not_wait_for_atomics_behind_them),
        cmocka_unit_test(passing_atomics_read_and_write_memory),
        cmocka_unit_test(hits_of_atomics_are_no_reads),
        cmocka_unit_test(ports_promise_no_more_than_links_let_through)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
