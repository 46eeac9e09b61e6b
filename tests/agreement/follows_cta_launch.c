/* follows_cta_launch.c - does an estimate follow the cycle model where CTAs take time to begin, and
 * where ended ones keep their places for their stores? */
#include "tests/support/ask.h"

/* One warp per CTA and few CTAs per SM, so that nothing hides it; the elements fit the L2. */
static const char *const kernels[] = {
    "generator = \"elementwise\"; kernel = \"init\"; element_bytes = 8; ctas = 4000;"
    "warps_per_cta = 1;",
    "generator = \"elementwise\"; kernel = \"scale\"; element_bytes = 8; ctas = 4000;"
    "warps_per_cta = 1;"};

static void estimates_follow_places_that_are_not_filled_at_once(void **state)
{
    static const char *const modes[][2] = {
        {"sm.cta_launch_cycles=0", "sm.exit_waits_for_stores=true"},
        {"sm.cta_launch_cycles=300", "sm.exit_waits_for_stores=true"},
        {"sm.cta_launch_cycles=300", "sm.exit_waits_for_stores=false"},
        {"sm.cta_launch_cycles=2000", "sm.exit_waits_for_stores=false"},
    };
    (void)state;
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < 4; i++) {
            const char *const sets[] = {modes[i][0], modes[i][1], "sm.max_ctas=2", "sm.count=20",
                                        "sm.launch_cycles=0"};
            struct machine m = run_machine("v100", sets, 5);
            struct metrics est = ask_of(ENGINE_ESTIMATE, &m, kernels[k]);
            struct metrics sim = ask_of(ENGINE_SIMULATE, &m, kernels[k]);
            double ours = run_value(&est, "cycles"), real = run_value(&sim, "cycles");
            print_message("kernel %d, %s %s: estimated %.0f, simulated %.0f\n", k, modes[i][0],
                          modes[i][1], ours, real);
            assert_near(ours / real, 1, 0.15);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(estimates_follow_places_that_are_not_filled_at_once)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
