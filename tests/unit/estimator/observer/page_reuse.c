/* page_reuse.c - distances between accesses to pages, by hand. */
#include "estimator/reuse/page_reuse.h"
#include "tests/support/check.h"

enum { LINE = 128, LINES = 32 }; /* of a page of 4 KB */

static void distances_count_other_pages(void **state)
{
    struct page_reuse p;
    (void)state;
    assert_true(page_reuse_init(&p, 12, LINE));
    for (uint32_t i = 0; i < 5; i++)
        assert_true(page_reuse_touch(&p, i * LINES) == REUSE_FAR);
    assert_int_equal(page_reuse_touch(&p, 4 * LINES + 1), 0); /* another line of the same page */
    assert_int_equal(page_reuse_touch(&p, LINES - 1), 4);
    assert_int_equal(page_reuse_touch(&p, 2 * LINES + 7), 3);
    assert_int_equal((int)p.accesses.total, 8);
    assert_int_equal((int)p.accesses.far, 5);
    page_reuse_launch(&p); /* the pages stay */
    assert_int_equal((int)p.accesses.total, 0);
    assert_int_equal(page_reuse_touch(&p, 2 * LINES), 0);
    page_reuse_fini(&p);
}

/* A far access to a page that no line told of is told of by the next line that is followed, once.
 */
static void a_far_page_is_told_once(void **state)
{
    struct page_reuse p;
    (void)state;
    assert_true(page_reuse_init(&p, 12, LINE));
    page_reuse_touch(&p, 0);
    assert_true(page_reuse_is_far(&p, false));
    page_reuse_touch(&p, 1);
    assert_true(page_reuse_is_far(&p, true));
    page_reuse_touch(&p, 2);
    assert_false(page_reuse_is_far(&p, true));
    for (uint32_t i = 1; i <= PAGE_REUSE_FAR; i++)
        page_reuse_touch(&p, i * LINES);
    page_reuse_touch(&p, 3);
    assert_true(page_reuse_is_far(&p, true));
    page_reuse_fini(&p);
}

static void nothing_is_kept_without_pages(void **state)
{
    struct page_reuse p;
    (void)state;
    assert_true(page_reuse_init(&p, 0, LINE));
    assert_int_equal(page_reuse_touch(&p, 5), 0);
    assert_false(page_reuse_is_far(&p, true));
    page_reuse_wait(&p, 7);
    assert_int_equal((int)p.waits.total, 0);
    page_reuse_fini(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(distances_count_other_pages),
        cmocka_unit_test(a_far_page_is_told_once),
        cmocka_unit_test(nothing_is_kept_without_pages),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
