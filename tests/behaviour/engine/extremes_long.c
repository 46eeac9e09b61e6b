/* extremes_long.c - the same, three hundred machines. */
#include "tests/support/extreme_runs.h"

static void hundreds_of_runs(void **state)
{
    (void)state;
    extreme_machines_run_small_programs(1000, 300);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hundreds_of_runs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
