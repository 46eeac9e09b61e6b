/* random_long.c - random machines x random programs, thousands: see random_runs.h. */
#include "tests/support/few_line_runs.h"

static void thousands_of_runs(void **state)
{
    (void)state;
    random_machines_run_random_programs(100, 6900);
}

static void dozens_beside_few_lines(void **state)
{
    (void)state;
    beside_few_lines(40, 12);
}

static void dozens_under_an_inclusive_l2(void **state)
{
    (void)state;
    much_leaves_an_inclusive_l2(120, 12);
}

static void hundreds_under_quickrelease(void **state)
{
    (void)state;
    little_room_under_quickrelease(300, 16);
}

static void hundreds_beside_cpus(void **state)
{
    (void)state;
    beside_cpus(300, 16);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(thousands_of_runs),
        cmocka_unit_test(dozens_beside_few_lines),
        cmocka_unit_test(dozens_under_an_inclusive_l2),
        cmocka_unit_test(hundreds_under_quickrelease),
        cmocka_unit_test(hundreds_beside_cpus),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
