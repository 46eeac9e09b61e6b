/* same_l1_sizes.c - do both engines find the same hits in L1s whose sets are not all alike? */
#include "tests/support/estimator_support.h"
#include "tests/support/run.h"

#include <stdio.h>

/* A table that fills the L1 about once, read by chance: hits follow the lines that it holds. */
#define TABLE_OF(kb)                                                                       \
    "generator = \"gather\"; ctas = 1; warps_per_cta = 8; iterations = 1500; unroll = 1; " \
    "footprint = \"" kb "KB\"; arithmetic = 0;"

static void hits_follow_the_lines(void **state)
{
    (void)state;
    static const char *const cases[][3] = {
        /* 115 KB in 64 sets, 125 in 58, 100 in 32 */
        {"l1.reserved_kb=13", "l1.kb=19", "l1.ways=3"},
        {"l1.reserved_kb=3", "l1.kb=29", "l1.ways=4"},
        {"l1.reserved_kb=28", "l1.kb=4", "l1.ways=1"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *const sets[] = {cases[i][0], cases[i][1], cases[i][2], "sm.count=1"};
        struct bed b;
        struct metrics est, sim;
        bed_machine(&b, "qv100", sets, sizeof sets / sizeof *sets);
        bed_program(&b, TABLE_OF("160"));
        bed_profile(&b, 2, false);
        bed_estimate(&b, &est, NULL);
        sim = run_on(&b.m, TABLE_OF("160"));
        double s = run_value(&sim, "l1.hit_rate"), e = run_value(&est, "l1.hit_rate");
        printf("%s: %u sets, %u short, hits %.3f, estimated %.3f\n", sets[0], b.m.l1.cache.sets,
               b.m.l1.cache.short_sets, s, e);
        assert_near(e, s, 0.03);
        bed_fini(&b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hits_follow_the_lines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
