/* detailed_protocols.c - MOESI and NMOESI on two caches and a line, every state, with values. */
#include "tests/unit/protocol_walk.h"

static void nothing_goes_wrong(void **state)
{
    (void)state;
    mem_free(check(&protocol_moesi, 2, 1, true, 0));
    mem_free(check(&protocol_nmoesi, 2, 1, true, 0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_goes_wrong),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
