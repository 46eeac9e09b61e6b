/* protocols.c - MOESI and NMOESI on two caches and one or two lines, every state; values
 * as far as that is quick, the rest in _long. */
#include "tests/support/protocol_pair.h"

static void one_line(void **state)
{
    (void)state;
    walk_free(protocol_check(&protocol_moesi, 2, all_bytes(2)));
    walk_free(protocol_check(&protocol_nmoesi, 2, BYTE_OWN));
    walk_free(protocol_check(&protocol_nmoesi, 2, BYTE_ATOMIC(2)));
}

static void two_lines_and_a_frame(void **state)
{
    (void)state;
    check_pairs(&protocol_moesi, BYTE_OWN);
    check_pairs(&protocol_moesi, BYTE_ATOMIC(2));
    check_pairs(&protocol_nmoesi, 0);
}

/* The walk notices when a line is taken while the frame holds the other. */
static void a_frame_taken_twice_is_noticed(void **state)
{
    uint64_t n;
    (void)state;
    struct walk *k = protocol_check(&protocol_moesi, 2, 0);
    for (uint32_t i = 0; i < k->s.steps; i++)
        if (k->s.step[i].kind == STEP_FRAME) k->s.step[i].kind = STEP_OTHER;
    assert_non_null(walk_pairs(k, k, &n));
    walk_free(k);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_line),
        cmocka_unit_test(two_lines_and_a_frame),
        cmocka_unit_test(a_frame_taken_twice_is_noticed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
