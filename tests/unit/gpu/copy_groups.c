/* Groups of asynchronous copies by time (gpu/policies/copy_groups.h), against a list of all copies
 * that is searched for each wait. */
#include "gpu/policies/copy_groups.h"
#include "base/memory/rng.h"
#include "tests/support/check.h"

enum { MOST = 600 };

struct listed {
    uint64_t group[MOST], committed;
    double over[MOST];
    uint32_t n;
};

static double listed_wait(const struct listed *l, uint32_t open)
{
    double at = 0;
    for (uint32_t i = 0; i < l->n; i++)
        if (l->group[i] + open < l->committed && l->over[i] > at) at = l->over[i];
    return at;
}

static void waits_are_those_of_a_list(void **state)
{
    (void)state;
    struct rng r;
    rng_seed(&r, 3, 0);
    for (uint32_t round = 0; round < 200; round++) {
        struct copy_groups g = {0};
        struct listed l = {.n = 0};
        double now = 0;
        uint32_t most = 1 + (uint32_t)rng_below(&r, INST_COPY_GROUPS);
        for (uint32_t i = 0; i < MOST; i++) {
            now += (double)rng_below(&r, 5);
            uint32_t open = (uint32_t)rng_below(&r, most);
            switch (rng_below(&r, 3)) {
            case 0:
                l.group[l.n] = l.committed;
                l.over[l.n] = now + (double)rng_below(&r, 200);
                copy_groups_add(&g, l.over[l.n++]);
                break;
            case 1:
                l.committed++;
                copy_groups_commit(&g);
                break;
            default: assert_float_equal(copy_groups_wait(&g, open), listed_wait(&l, open), 0);
            }
        }
    }
}

static void only_code_with_copies_needs_groups(void **state)
{
    (void)state;
    struct static_inst code[3] = {{.cls = OP_LOAD}, {.cls = OP_COPY_WAIT}, {.cls = OP_EXIT}};
    assert_false(copy_groups_needed(code, 3));
    code[0].hint = HINT_ASYNC | HINT_BYPASS_L1;
    assert_true(copy_groups_needed(code, 3));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(waits_are_those_of_a_list),
        cmocka_unit_test(only_code_with_copies_needs_groups),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
