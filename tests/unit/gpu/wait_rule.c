/* What an instruction waits for: the rules of docs/models/cycle-model.md written out per class, and
 * the two forms, counts and times, against each other. */
#include "gpu/policies/wait_rule.h"
#include "tests/support/check.h"

/* Whether a warp with that much outstanding may not issue, in the words of the parameters' pages.
 */
static bool waits_by_words(const struct sm_params *p, uint8_t cls, bool pending, bool loads,
                           bool stores)
{
    bool orders = cls == OP_FENCE || cls == OP_ACQUIRE || cls == OP_RELEASE;
    if (pending || (orders && (loads || stores))) return true;
    if (cls == OP_BARRIER && p->memory_wait != WAIT_SCOREBOARD) return loads || stores;
    return p->memory_wait == WAIT_BLOCK && (loads || (stores && !p->nonblocking_stores));
}

static void every_class_waits_as_the_parameters_say(void **state)
{
    (void)state;
    for (uint32_t k = 0; k < 3 * 2 * OP_N * 8; k++) {
        struct sm_params p = {.memory_wait = (enum memory_wait)(k % 3),
                              .nonblocking_stores = k / 3 % 2};
        uint8_t cls = (uint8_t)(k / 6 % OP_N), bits = (uint8_t)(k / 6 / OP_N);
        bool loads = bits & 1, stores = bits & 2, pending = loads && (bits & 4);
        enum wait_need need = wait_rule(&p, cls);
        bool waits = pending || (wait_rule_loads(need, pending) && loads) ||
                     (wait_rule_stores(need) && stores);
        assert_true(waits == waits_by_words(&p, cls, pending, loads, stores));
    }
}

static double issue_time(const struct sm_params *p, uint8_t cls, bool pending, double registers,
                         double loads, double stores)
{
    enum wait_need need = wait_rule(p, cls);
    double at = registers;
    if (wait_rule_loads(need, pending) && loads > at) at = loads;
    if (wait_rule_stores(need) && stores > at) at = stores;
    return at;
}

/* A register is there at 10, the last load at 20, the last store at 30. */
static void times_that_each_rule_gives(void **state)
{
    (void)state;
    static const struct {
        enum memory_wait wait;
        bool nonblocking;
        uint8_t cls;
        double pending, computed; /* the register waits for a load, for arithmetic */
    } want[] = {
        {WAIT_SCOREBOARD, false, OP_INT, 10, 10},   {WAIT_SCOREBOARD, false, OP_BARRIER, 10, 10},
        {WAIT_SCOREBOARD, false, OP_FENCE, 30, 30}, {WAIT_ALL_AT_USE, false, OP_INT, 20, 10},
        {WAIT_ALL_AT_USE, false, OP_LOAD, 20, 10},  {WAIT_ALL_AT_USE, false, OP_BARRIER, 30, 30},
        {WAIT_BLOCK, false, OP_INT, 30, 30},        {WAIT_BLOCK, true, OP_INT, 20, 20},
        {WAIT_BLOCK, true, OP_BARRIER, 30, 30},     {WAIT_BLOCK, true, OP_RELEASE, 30, 30},
    };
    for (uint32_t i = 0; i < sizeof want / sizeof *want; i++) {
        struct sm_params p = {.memory_wait = want[i].wait,
                              .nonblocking_stores = want[i].nonblocking};
        assert_true(issue_time(&p, want[i].cls, true, 10, 20, 30) == want[i].pending);
        assert_true(issue_time(&p, want[i].cls, false, 10, 20, 30) == want[i].computed);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_class_waits_as_the_parameters_say),
        cmocka_unit_test(times_that_each_rule_gives),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
