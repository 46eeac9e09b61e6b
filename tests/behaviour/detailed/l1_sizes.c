/* l1_sizes.c - L1s whose capacity is no whole number of ways for all sets: what a launch finds
 * there, to the line. */
#include "tests/support/run.h"

/* 128 KB, of which neither L1 nor shared memory gets 13: 115 KB are 920 lines in 64 sets, the first
 * 24 of 15 ways, the others of 14. */
#define V100_LIKE                                                                  \
    "l1.reserved_kb=13", "l1.kb=19", "l1.ways=3", "sm.count=1", "l1.index=modulo", \
        "dram.model=fixed"

#define RING(kb, loads)                                                                    \
    "generator = \"pointer_chase\"; ctas = 1; warps_per_cta = 1; order = \"sequential\"; " \
    "footprint = " #kb "; stride = 128; "                                                  \
    "unroll = 1; iterations = " #loads ";"

static struct metrics chase(const char *text)
{
    static const char *const sets[] = {V100_LIKE};
    struct machine m = run_machine("qv100", sets, sizeof sets / sizeof *sets);
    assert_int_equal(m.l1.cache.sets, 64);
    assert_int_equal(m.l1.cache.ways, 3);
    assert_int_equal(m.l1.cache.short_sets, 40);
    return run_on(&m, text);
}

static void a_ring_of_all_lines_hits(void **state)
{
    (void)state;
    struct metrics r = chase(RING(117760, 2760)); /* 920 lines, three laps */
    assert_int_equal(run_value(&r, "l1.misses"), 920);
}

/* 8 more lines are one too many for 8 sets of 14, which then keep nothing of what goes round. */
static void lines_too_many_for_short_sets_miss(void **state)
{
    (void)state;
    struct metrics r = chase(RING(118784, 2784)); /* 928 lines, three laps */
    assert_int_equal(run_value(&r, "l1.misses"), 928 + 2 * 8 * 15);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ring_of_all_lines_hits),
        cmocka_unit_test(lines_too_many_for_short_sets_miss),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
