/* detailed_window.c - intervals: a window placed by the functional pass is a true slice of the
 * whole run. */
#include "base/mem.h"
#include "detailed/warm.h"
#include "tests/behaviour/run.h"

static const char *const program_text =
    "generator = \"stream\"; ctas = 96; warps_per_cta = 4; iterations = 12; footprint = \"2MB\";";

static struct sim *new_sim(const struct machine *m, const struct program *p)
{
    struct error e = {0};
    struct sim *s = sim_new(m, p, &e);
    if (!s) fail_msg("%s", e.text);
    return s;
}

static void a_window_over_everything_equals_the_whole_run(void **state)
{
    (void)state;
    const char *const presets[] = {"rx540", "qv100"};
    for (int i = 0; i < 2; i++) {
        struct machine m = run_machine(presets[i], NULL, 0);
        struct program *p = run_program(program_text, m.sm.warp_width);
        struct sim *s = new_sim(&m, p);
        struct metrics whole, window;
        struct error e = {0};
        const struct window w = {.launch = 0};
        assert_int_equal(sim_run(s, NULL, NULL, NULL, &e), SIM_DONE);
        sim_metrics(s, &whole);
        assert_int_equal(sim_window(s, &w, NULL, &window, &e), SIM_DONE);
        for (int k = 0; k < METRIC_N; k++) {
            assert_int_equal(whole.has[k], window.has[k]);
            if (whole.has[k]) assert_near(whole.v[k], window.v[k], 1e-9);
        }
        sim_free(s);
        program_close(p);
    }
}

/* Slices that cover a launch end to end: their instructions add up exactly, their cycles and
 * traffic nearly. */
static void consecutive_windows_add_up_to_the_launch(void **state)
{
    (void)state;
    enum { PARTS = 6 };
    const char *const presets[] = {"rx540", "qv100"};
    const char *const sets[] = {"sm.count=4"};
    for (int i = 0; i < 2; i++) {
        struct machine m = run_machine(presets[i], sets, 1);
        struct program *p = run_program(program_text, m.sm.warp_width);
        struct sim *s = new_sim(&m, p);
        struct error e = {0};
        struct metrics whole, sum = {0}, one;
        struct snapshot snap[PARTS];
        uint64_t total, moments[PARTS];
        assert_int_equal(sim_run(s, NULL, NULL, NULL, &e), SIM_DONE);
        sim_metrics(s, &whole);
        assert_true(program_count(p, &total, &e));
        assert_int_equal(total, run_value(&whole, "warp_instructions"));
        for (uint64_t k = 0; k < PARTS; k++)
            moments[k] = total * k / PARTS;
        assert_true(warm_pass(&m, p, moments, PARTS, true, snap, &e));
        for (int k = 0; k < PARTS; k++) {
            uint64_t end = k + 1 < PARTS ? snap[k + 1].launch_done : total;
            snap[k].window.measure_instructions = end - snap[k].launch_done;
            sim_window(s, &snap[k].window, snap[k].warm, &one, &e);
            assert_near(run_value(&one, "warp_instructions"), (double)(end - snap[k].launch_done),
                        m.sm.count * m.sm.subcores);
            metrics_accumulate(&sum, &one, 1);
            snapshot_fini(&snap[k]);
        }
        metrics_finish(&sum);
        print_message("%s: %.0f cycles whole, %.0f in slices\n", presets[i],
                      run_value(&whole, "cycles"), run_value(&sum, "cycles"));
        assert_near(run_value(&sum, "cycles") / run_value(&whole, "cycles"), 1, 0.25);
        assert_near(run_value(&sum, "l2.reads") / run_value(&whole, "l2.reads"), 1, 0.05);
        sim_free(s);
        program_close(p);
    }
}

/* A table that fits the L2 and is read over and over: the middle of the launch must find it there.
 */
static void warm_caches_hit_and_cold_ones_do_not(void **state)
{
    (void)state;
    const char *text = "generator = \"gather\"; ctas = 64; warps_per_cta = 4; iterations = 20;"
                       "footprint = \"128KB\"; arithmetic = 0;";
    struct machine m = run_machine("rx540", NULL, 0);
    struct program *p = run_program(text, m.sm.warp_width);
    struct sim *s = new_sim(&m, p);
    struct error e = {0};
    struct snapshot warm, cold;
    struct metrics a, b;
    uint64_t total;
    assert_true(program_count(p, &total, &e));
    uint64_t middle = total / 2;
    assert_true(warm_pass(&m, p, &middle, 1, true, &warm, &e));
    assert_true(warm_pass(&m, p, &middle, 1, false, &cold, &e));
    assert_null(cold.warm);
    warm.window.measure_instructions = cold.window.measure_instructions = total / 20;
    sim_window(s, &warm.window, warm.warm, &a, &e);
    sim_window(s, &cold.window, cold.warm, &b, &e);
    assert_true(run_value(&a, "l2.hit_rate") > run_value(&b, "l2.hit_rate") + 0.1);
    snapshot_fini(&warm);
    snapshot_fini(&cold);
    sim_free(s);
    program_close(p);
}

/* Barriers and shared memory: every position that the functional pass hands out can be gone on
 * from. */
static void windows_inside_barrier_code_run_to_the_end(void **state)
{
    (void)state;
    enum { PARTS = 25 };
    struct machine m = run_machine("rx540", NULL, 0);
    struct program *p =
        run_program("generator = \"reduction\"; ctas = 40; warps_per_cta = 4;", m.sm.warp_width);
    struct sim *s = new_sim(&m, p);
    struct error e = {0};
    struct snapshot snap[PARTS];
    uint64_t total, moments[PARTS];
    assert_true(program_count(p, &total, &e));
    for (uint64_t k = 0; k < PARTS; k++)
        moments[k] = total * k / PARTS;
    assert_true(warm_pass(&m, p, moments, PARTS, true, snap, &e));
    for (int k = 0; k < PARTS; k++) {
        struct metrics r;
        assert_int_equal(sim_window(s, &snap[k].window, snap[k].warm, &r, &e), SIM_DONE);
        assert_near(run_value(&r, "warp_instructions"), (double)(total - snap[k].launch_done), 0);
        snapshot_fini(&snap[k]);
    }
    sim_free(s);
    program_close(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_window_over_everything_equals_the_whole_run),
        cmocka_unit_test(consecutive_windows_add_up_to_the_launch),
        cmocka_unit_test(warm_caches_hit_and_cold_ones_do_not),
        cmocka_unit_test(windows_inside_barrier_code_run_to_the_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
