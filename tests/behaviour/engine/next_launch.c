/* What lies between launches: each behind another takes longer by what sm.next_launch_cycles is
 * more than sm.launch_cycles, by both engines; a program of one launch knows nothing of it. */
#include "tests/support/ask.h"

#include <math.h>

#define LAUNCHES(n)                                                           \
    "generator = \"stream\"; kernel = \"copy\"; ctas = 8; warps_per_cta = 4;" \
    "iterations = 2; launches = " #n ";"

static double cycles_of(enum engine engine, const char *next, const char *program)
{
    const char *sets[] = {"sm.count=4", "sm.launch_cycles=5000", next};
    struct machine m = run_machine("qv100", sets, 3);
    struct program *p = run_program(program, m.sm.warp_width);
    struct metrics got = ask(engine, &m, p);
    program_close(p);
    return got.v[M_cycles];
}

static void launches_behind_others_begin_later(void **state)
{
    (void)state;
    static const enum engine engines[] = {ENGINE_SIMULATE, ENGINE_ESTIMATE};
    const char *as_ever = "sm.next_launch_cycles=0", *later = "sm.next_launch_cycles=9000",
               *sooner = "sm.next_launch_cycles=1000";
    for (uint32_t i = 0; i < 2; i++) {
        double three = cycles_of(engines[i], as_ever, LAUNCHES(3));
        assert_true(fabs(cycles_of(engines[i], later, LAUNCHES(3)) - three - 8000) < 1e-6);
        assert_true(fabs(cycles_of(engines[i], sooner, LAUNCHES(3)) - three + 8000) < 1e-6);
        assert_true(cycles_of(engines[i], later, LAUNCHES(1)) ==
                    cycles_of(engines[i], as_ever, LAUNCHES(1)));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(launches_behind_others_begin_later),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
