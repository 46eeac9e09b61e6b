/* detailed_random.c - random machines x random programs, a few: see random_runs.h. */
#include "tests/behaviour/random_runs.h"

/* A fault planted where no one else looks: two overrides and at least three CTAs. */
static bool planted(const struct random_case *c)
{
    struct machine m = build_machine(&c->machine);
    return m.l1.cache.repl == REPL_FIFO && m.l2.ports == 3 && c->program.size[SHAPE_CTAS] >= 3;
}

static void a_planted_fault_is_shrunk_to_what_it_needs(void **state)
{
    static struct atlas a;
    uint32_t found = 0;
    (void)state;
    atlas_init(&a);
    for (uint64_t seed = 0; found < 5; seed++) {
        struct random_case c;
        struct rng r;
        rng_seed(&r, 7, seed);
        struct machine m = draw_machine(&a, &r, &c.machine);
        try_set(&a, &c.machine, &m, "l1.replacement", "fifo");
        try_set(&a, &c.machine, &m, "l2.ports", "3");
        c.program = draw_recipe(&r);
        if (!planted(&c)) continue;
        found++;
        shrink(&c, planted);
        assert_int_equal(c.machine.n, 2);
        assert_int_equal(c.program.size[SHAPE_CTAS], 3);
        assert_int_equal(c.program.size[SHAPE_STEPS] * c.program.size[SHAPE_LAUNCHES], 1);
    }
    atlas_fini(&a);
}

/* Found by the long tier: a launch ended while dirty lines of a write-back L1 were on their way. */
static void cases_that_once_failed(void **state)
{
    static const struct random_case launch_end = {
        {"hd7770-europar18", {"sm.units.sfu.latency=5", "l1.write=back"}, 2},
        {WILD, {10, 1, 39, 2}, 2729537928835456235u},
    };
    (void)state;
    assert_int_equal(run_apart(&launch_end), RAN);
}

static void a_few_hundred_runs(void **state)
{
    (void)state;
    random_machines_run_random_programs(0, 300);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_planted_fault_is_shrunk_to_what_it_needs),
        cmocka_unit_test(cases_that_once_failed),
        cmocka_unit_test(a_few_hundred_runs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
