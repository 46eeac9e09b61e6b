/* follows_several_l2.c - do estimates fetch again what earlier launches have left in L2s that each
 * drop all lines when a launch begins, and write back what was dirty, as the cycle model does? */
#include "tests/support/ask.h"

#include <math.h>

static const char program[] =
    "generator = \"stream\"; kernel = \"copy\"; ctas = 16; warps_per_cta = 4; iterations = 4; "
    "unroll = 1; launches = 3;";

static void both_engines_move_the_same_bytes(void **state)
{
    static const char *const several[] = {"sm.count=4", "l2.miss_management=replace_at_once",
                                          "l2.partitions=2", "l2.partition_home=memory"};
    static const char *const names[] = {"l2.bytes_from_memory", "l2.bytes_to_memory"};
    (void)state;
    for (size_t n = 2; n <= 4; n += 2) { /* one L2 keeps its lines, two do not */
        struct machine m = run_machine("rx540", several, n);
        struct metrics est = ask_of(ENGINE_ESTIMATE, &m, program),
                       sim = ask_of(ENGINE_SIMULATE, &m, program);
        for (int k = 0; k < 2; k++) {
            double e = run_value(&est, names[k]), s = run_value(&sim, names[k]);
            if (fabs(e - s) > 0.05 * s)
                fail_msg("%zu: %s: %.0f, simulated %.0f", n, names[k], e, s);
        }
    }
}

/* Writes of lines that the L3 lacks go around it, others stay. */
static void both_engines_write_around_the_l3(void **state)
{
    static const char *const sets[] = {"sm.count=4",
                                       "l2.miss_management=replace_at_once",
                                       "l2.partitions=2",
                                       "l2.partition_home=memory",
                                       "l3.kb=8192",
                                       "l3.write=back",
                                       "l2.write_miss=validate"};
    static const char *const kernels[] = {
        "generator = \"stream\"; kernel = \"copy\"; ctas = 256; warps_per_cta = 4; iterations = 8; "
        "unroll = 1;",
        "generator = \"elementwise\"; kernel = \"init\"; ctas = 1280; warps_per_cta = 4;"};
    (void)state;
    struct machine m = run_machine("rx540", sets, 7);
    for (int i = 0; i < 2; i++) {
        struct metrics est = ask_of(ENGINE_ESTIMATE, &m, kernels[i]),
                       sim = ask_of(ENGINE_SIMULATE, &m, kernels[i]);
        double e = run_value(&est, "dram.writes"), s = run_value(&sim, "dram.writes");
        assert_true(s > 0);
        assert_near(e / s, 1, 0.2);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(both_engines_move_the_same_bytes),
                                       cmocka_unit_test(both_engines_write_around_the_l3)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
