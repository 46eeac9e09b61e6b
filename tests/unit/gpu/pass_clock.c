/* pass_clock.c - the clock of a functional pass, by hand. */
#include "gpu/functional/warming/pass_clock.h"

#include "tests/support/check.h"

/* Two launches of 100 instructions: 10 a cycle, then 4 a cycle; the first drains for 30 cycles. */
static void note_all(struct pass_clock *t, uint64_t step)
{
    t->step = step;
    for (uint64_t i = 0; i <= 100; i += 10)
        assert_true(pass_clock_note(t, i, (double)i / 10, false));
    assert_true(pass_clock_note(t, 100, 40, true));
    assert_true(
        pass_clock_note(t, 100, 45, false)); /* the second has begun, and done nothing yet */
    for (uint64_t i = 4; i <= 100; i += 4)
        assert_true(pass_clock_note(t, 100 + i, 45 + (double)i / 4, false));
    assert_true(pass_clock_note(t, 200, 75, true));
}

static void what_drains_belongs_to_its_launch(void **state)
{
    (void)state;
    struct pass_clock t = {0};
    note_all(&t, 1);
    assert_near(pass_clock_at(&t, 0), 0, 0);
    assert_near(pass_clock_at(&t, 55), 5.5, 1e-12);
    assert_near(pass_clock_at(&t, 90), 9, 1e-12);
    assert_near(pass_clock_at(&t, 100), 40, 0); /* its end, and where the next begins */
    assert_near(pass_clock_at(&t, 104), 46, 1e-12);
    assert_near(pass_clock_at(&t, 196), 69, 1e-12);
    assert_near(pass_clock_at(&t, 200), 75, 0);
    pass_clock_fini(&t);
}

/* Few marks: launches' ends are exact all the same. */
static void marks_lie_a_step_apart(void **state)
{
    (void)state;
    struct pass_clock t = {0};
    note_all(&t, 50);
    assert_int_equal(t.n, 5); /* 0, 50, 100, 152, 200 */
    assert_near(pass_clock_at(&t, 50), 5, 0);
    assert_near(pass_clock_at(&t, 100), 40, 0);
    assert_near(pass_clock_at(&t, 152), 58, 0);
    assert_near(pass_clock_at(&t, 200), 75, 0);
    pass_clock_fini(&t);
}

/* The end of a launch is known when it has drained; what is walked again changes nothing. */
static void what_is_known(void **state)
{
    (void)state;
    struct pass_clock t = {.step = 1};
    assert_false(pass_clock_knows(&t, 0));
    assert_true(pass_clock_note(&t, 0, 0, false) && pass_clock_note(&t, 40, 4, false));
    assert_true(pass_clock_knows(&t, 39));
    assert_false(pass_clock_knows(&t, 40));
    assert_true(pass_clock_note(&t, 40, 9, true));
    assert_true(pass_clock_knows(&t, 40));
    assert_false(pass_clock_knows(&t, 41));
    note_all(&t, 1);
    double at = pass_clock_at(&t, 150);
    note_all(&t, 1);
    assert_near(pass_clock_at(&t, 150), at, 0);
    assert_near(pass_clock_at(&t, 40), 9, 0);
    pass_clock_fini(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_drains_belongs_to_its_launch),
        cmocka_unit_test(marks_lie_a_step_apart),
        cmocka_unit_test(what_is_known),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
