/* Which launches and CTAs a capture takes. */
#include "trace/capture/launch_filter.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static void nothing_chosen_takes_everything(void **state)
{
    (void)state;
    struct launch_choice c = {0};
    assert_true(launch_choice_takes(&c, 0, "k"));
    assert_true(launch_choice_takes(&c, 1000000, ""));
    struct launch_choice_range r = launch_choice_of_ctas(&c, 7);
    assert_int_equal(r.first, 0);
    assert_int_equal(r.last, 6);
    assert_null(launch_choice_missing(&c));
    launch_choice_fini(&c);
}

static void lists_of_launches_take_what_they_name(void **state)
{
    (void)state;
    struct launch_choice c = {0};
    assert_true(launch_choice_launches(&c, "1,3,5-9,20"));
    char taken[32] = "";
    for (uint64_t i = 0; i < 24; i++)
        strcat(taken, launch_choice_takes(&c, i, "k") ? "x" : ".");
    assert_string_equal(taken, ".x.x.xxxxx..........x...");
    launch_choice_fini(&c);
}

static void what_is_no_list_is_refused(void **state)
{
    (void)state;
    static const char *const bad[] = {"",    "x",    "1,",  ",1", "1-",    "-1",
                                      "5-3", "1 -2", "1;2", "+1", "1-2-3", "99999999999999999999"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct launch_choice c = {0};
        assert_false(launch_choice_launches(&c, bad[i]));
        launch_choice_fini(&c);
        assert_false(launch_choice_ctas(&c, bad[i]));
        assert_false(c.some_ctas);
    }
    struct launch_choice c = {0};
    assert_false(launch_choice_ctas(&c, "1,2"));
}

static void kernels_are_taken_by_name_and_launches_together(void **state)
{
    (void)state;
    struct launch_choice c = {0};
    assert_true(launch_choice_kernels(&c, "first\nsecond\nthird\n"));
    assert_true(launch_choice_launches(&c, "0-4"));
    assert_true(launch_choice_takes(&c, 0, "second"));
    assert_false(launch_choice_takes(&c, 1, "sec"));
    assert_false(launch_choice_takes(&c, 5, "third"));
    assert_string_equal(launch_choice_missing(&c), "first");
    assert_true(launch_choice_takes(&c, 2, "first"));
    assert_string_equal(launch_choice_missing(&c), "third");
    assert_true(launch_choice_takes(&c, 4, "third"));
    assert_null(launch_choice_missing(&c));
    launch_choice_fini(&c);
}

static void a_kernel_named_twice_is_not_missing(void **state)
{
    (void)state;
    struct launch_choice c = {0};
    assert_true(launch_choice_kernels(&c, "same\nother\nsame\n"));
    assert_true(launch_choice_takes(&c, 0, "same"));
    assert_string_equal(launch_choice_missing(&c), "other");
    assert_true(launch_choice_takes(&c, 1, "other"));
    assert_null(launch_choice_missing(&c));
    launch_choice_fini(&c);
}

static void ranges_of_ctas_end_with_the_launch(void **state)
{
    (void)state;
    struct launch_choice c = {0};
    assert_true(launch_choice_ctas(&c, "3-9"));
    struct launch_choice_range r = launch_choice_of_ctas(&c, 8);
    assert_int_equal(r.first, 3);
    assert_int_equal(r.last, 7);
    r = launch_choice_of_ctas(&c, 3);
    assert_true(r.first > r.last);
    assert_true(launch_choice_ctas(&c, "2"));
    r = launch_choice_of_ctas(&c, 3);
    assert_int_equal(r.first, 2);
    assert_int_equal(r.last, 2);
    launch_choice_fini(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_chosen_takes_everything),
        cmocka_unit_test(lists_of_launches_take_what_they_name),
        cmocka_unit_test(what_is_no_list_is_refused),
        cmocka_unit_test(kernels_are_taken_by_name_and_launches_together),
        cmocka_unit_test(a_kernel_named_twice_is_not_missing),
        cmocka_unit_test(ranges_of_ctas_end_with_the_launch),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
