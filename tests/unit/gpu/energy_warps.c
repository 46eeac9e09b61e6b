/* What schedulers and throttles keep: the papers' counts, and those that follow from parameters. */
#include "gpu/energy/sram_model.h"
#include "gpu/energy/warp_policy_cost.h"
#include "gpu/machine/machine.h"
#include "tests/support/check.h"

#include <string.h>

static uint32_t kept_on(const char *preset, struct warp_structure out[WARP_STRUCTURES],
                        const char *const *sets, size_t n)
{
    struct machine m;
    struct errors all = {0};
    if (!machine_load(&m, preset, sets, n, &all)) fail_msg("%s", all.item[0].text);
    return warp_structures(&m.sm, &m.l1, out);
}
#define KEPT_ON(preset, out, ...)                            \
    kept_on(preset, out, (const char *const[]){__VA_ARGS__}, \
            sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *))
#define KEPT(out, ...) KEPT_ON("fermi-vws", out, __VA_ARGS__)

static double area(const struct warp_structure *s)
{
    struct error e;
    struct sram_figures f;
    const struct sram_tables *t = sram_tables("caches", &e);
    struct sram_key key = warp_structure_key(s, 32);
    if (!t || !sram_find(t, &key, &f, &e)) fail_msg("%s", e.text);
    return f.v[SRAM_area_mm2];
}

/* Mao 4.2.1: a table of 8,192 entries, "total 1KB", and two counters of 10 bits for each of 48
 * warps. */
static void iwl_as_the_paper_counts_it(void **state)
{
    (void)state;
    struct warp_structure s[WARP_STRUCTURES];
    assert_int_equal(KEPT(s, "sm.throttle=iwl"), 2);
    assert_int_equal(s[0].bits, 8 * 1024);
    assert_int_equal(s[1].bits, 2 * 10 * 48);
    assert_near(area(&s[0]), 0.00204255, 1e-8); /* the table's memory of 1 KB */
}

/* 48 warps of 16 tags in two sets of 8 ways: 42 - 7 - 1 bits each; 256 lines with one of 48 owners;
 * scores up to 4,800.  "IWL brings in substantially smaller hardware": 3 times fewer bits, a
 * fifth of the area. */
static void ccws_needs_more(void **state)
{
    (void)state;
    struct warp_structure c[WARP_STRUCTURES], i[WARP_STRUCTURES];
    assert_int_equal(KEPT(c, "sm.throttle=ccws", "sm.scheduler=gto"), 3);
    assert_int_equal(c[0].bits, 48 * 16 * 34);
    assert_int_equal(c[1].bits, 256 * 6);
    assert_int_equal(c[2].bits, 48 * 13);
    KEPT(i, "sm.throttle=iwl");
    assert_true(c[0].bits + c[1].bits + c[2].bits > 3 * (i[0].bits + i[1].bits));
    assert_near(area(&c[0]), 0.0112851, 1e-8);
    assert_true(area(&c[0]) > 5 * area(&i[0]));
}

/* Whoever may be in the L1 has an owner: 128 KB of titanv's 128 beside no shared memory, in lines
 * of 128 bytes, one of 64 warps. */
static void owners_of_an_adaptive_l1_at_its_largest(void **state)
{
    (void)state;
    struct warp_structure s[WARP_STRUCTURES];
    assert_int_equal(KEPT_ON("titanv", s, "sm.throttle=ccws"), 3);
    assert_int_equal(s[1].bits, 1024 * 6);
}

static void orders_need_next_to_nothing(void **state)
{
    (void)state;
    struct warp_structure s[WARP_STRUCTURES];
    assert_int_equal(KEPT(s, "sm.scheduler=gto"), 0);
    assert_int_equal(KEPT(s, "sm.throttle=fixed", "sm.dispatch=serial"), 0);
    assert_int_equal(KEPT(s, "sm.scheduler=intercl"), 1);
    assert_int_equal(s[0].bits, 48);
    assert_int_equal(KEPT(s, "sm.scheduler=tbas"), 1);
    assert_int_equal(s[0].bits, 48 + 8 * 3); /* eight batches have an order */
    assert_int_equal(KEPT(s, "sm.scheduler=owl", "sm.throttle=iwl"), 3);
    assert_int_equal(s[2].bits, 3); /* one of eight CTAs */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(iwl_as_the_paper_counts_it),
        cmocka_unit_test(ccws_needs_more),
        cmocka_unit_test(owners_of_an_adaptive_l1_at_its_largest),
        cmocka_unit_test(orders_need_next_to_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
