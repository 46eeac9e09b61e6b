/* follows_cta_rate.c - do an estimate and a sample follow the cycle model where one dispatcher
 * starts the CTAs of all SMs at a rate? */
#include "tests/support/ask.h"

/* The elements fit the L2. */
static const char *const kernels[] = {
    "generator = \"elementwise\"; kernel = \"init\"; element_bytes = 8; ctas = 4000;"
    "warps_per_cta = 1;",
    "generator = \"elementwise\"; kernel = \"scale\"; element_bytes = 8; ctas = 4000;"
    "warps_per_cta = 2;"};
enum { KERNELS = sizeof kernels / sizeof *kernels };

static struct machine machine_of(const char *rate)
{
    const char *const sets[] = {"sm.cta_launch_cycles=300", "sm.exit_waits_for_stores=false",
                                "sm.count=20", "sm.launch_cycles=0", rate};
    return run_machine("v100", sets, 5);
}

static void estimates_follow_the_rate(void **state)
{
    static const char *const rates[] = {"sm.cta_rate=0",   "sm.cta_rate=0.1", "sm.cta_rate=0.3",
                                        "sm.cta_rate=0.8", "sm.cta_rate=2",   "sm.cta_rate=20"};
    (void)state;
    for (int k = 0; k < KERNELS; k++)
        for (int i = 0; i < 6; i++) {
            struct machine m = machine_of(rates[i]);
            struct metrics est = ask_of(ENGINE_ESTIMATE, &m, kernels[k]);
            struct metrics sim = ask_of(ENGINE_SIMULATE, &m, kernels[k]);
            double ours = run_value(&est, "cycles"), real = run_value(&sim, "cycles");
            print_message("kernel %d, %s: estimated %.0f, simulated %.0f\n", k, rates[i], ours,
                          real);
            assert_near(ours / real, 1, i == 1 || i == 2 ? 0.03 : 0.15);
            /* a warp that waits for the dispatcher is on no SM */
            double lives =
                run_value(&est, "warp_cycles.memory") + run_value(&est, "warp_cycles.compute");
            double lived =
                run_value(&sim, "warp_cycles.memory") + run_value(&sim, "warp_cycles.compute");
            if (i == 1) assert_near(lives / lived, 1, 0.15);
        }
}

static struct answer answer_of(enum engine engine, const struct machine *m, const char *program,
                               uint64_t budget)
{
    struct program *p = run_program(program, m->sm.warp_width);
    struct run_opts o;
    struct answer a;
    struct error e = {0};
    run_opts_default(&o);
    o.no_cache = true;
    o.threads = 1;
    o.budget = budget;
    if (!engine_run(engine, m, p, NULL, NULL, &o, &a, &e)) fail_msg("%s", e.text);
    program_close(p);
    return a;
}

/* In intervals, warps that wait for the dispatcher are on no SM, and the next ones come at its
 * rate. A part of the program is run. */
static void samples_follow_the_rate(void **state)
{
    static const char *const rates[] = {"sm.cta_rate=0.1", "sm.cta_rate=0.8"};
    static const char *const keys[] = {"cycles", "warp_cycles.memory", "warp_cycles.compute"};
    const char *many = "generator = \"elementwise\"; kernel = \"scale\"; element_bytes = 8;"
                       "ctas = 60000; warps_per_cta = 2;";
    (void)state;
    for (int i = 0; i < 2; i++) {
        struct machine m = machine_of(rates[i]);
        struct answer sample = answer_of(ENGINE_SAMPLE, &m, many, 300000);
        struct metrics sim = ask_of(ENGINE_SIMULATE, &m, many);
        for (int k = 0; k < 3; k++) {
            double ours = run_value(&sample.m, keys[k]), real = run_value(&sim, keys[k]);
            print_message("%s, %s: sampled %.0f, simulated %.0f\n", rates[i], keys[k], ours, real);
            assert_true(ours != real);
            assert_near(ours / real, 1, 0.02);
        }
        answer_fini(&sample);
    }
}

static void the_dispatcher_is_named(void **state)
{
    struct machine m = machine_of("sm.cta_rate=0.3");
    (void)state;
    struct answer a = answer_of(ENGINE_ESTIMATE, &m, kernels[0], 0);
    assert_string_equal(a.x.bottleneck, "dispatch");
    answer_fini(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(estimates_follow_the_rate),
                                       cmocka_unit_test(samples_follow_the_rate),
                                       cmocka_unit_test(the_dispatcher_is_named)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
