/* How many warps the throttles let go, and which, in situations written by hand. */
#include "gpu/policies/throttle.h"
#include "tests/support/check.h"

#include <string.h>

enum { BLOCKS = 256 };

static struct sm_params params(enum throttle_kind kind, enum active_kind set)
{
    return (struct sm_params){.throttle = kind,
                              .active_set = set,
                              .active_warps = 2,
                              .iwl = {0.1, 4, 8192, 10, IWL_TRANSACTIONS},
                              .ccws = {16, 8, 100, 8}};
}

/* CTAs of `warps` warps; warp names rise by one. */
static uint32_t roster(struct rostered *r, uint32_t ctas, uint32_t warps)
{
    for (uint32_t i = 0; i < ctas * warps; i++)
        r[i] = (struct rostered){.warp = (uint16_t)i, .cta_first = i % warps == 0};
    return ctas * warps;
}

/* Mao, figure 22: two CTAs of two warps, two may be active. */
static void figure_22(void **state)
{
    (void)state;
    struct rostered r[4];
    struct throttle t;
    for (int set = 0; set < ACTIVE_N; set++) {
        struct sm_params p = params(THROTTLE_FIXED, (enum active_kind)set);
        assert_true(throttle_init(&t, &p, BLOCKS));
        throttle_launch(&t, 4, 0);
        t.ops->choose(&t, r, roster(r, 2, 2), 0);
        assert_int_equal(t.barred[0], set == ACTIVE_CTA ? 0xc : 0xa);
        throttle_fini(&t);
    }
}

/* Who waits at a barrier gives its place to the next, in both orders. */
static void a_warp_at_a_barrier_is_not_active(void **state)
{
    (void)state;
    struct rostered r[6];
    struct throttle t;
    for (int set = 0; set < ACTIVE_N; set++) {
        struct sm_params p = params(THROTTLE_FIXED, (enum active_kind)set);
        assert_true(throttle_init(&t, &p, BLOCKS));
        throttle_launch(&t, 6, 0);
        uint32_t n = roster(r, 2, 3);
        r[0].waits = true;
        t.ops->choose(&t, r, n, 0);
        assert_int_equal(t.barred[0], set == ACTIVE_CTA ? 0x38 : 0x34);
        r[1].waits = r[2].waits = true; /* the first CTA waits for nobody any more */
        t.ops->choose(&t, r, n, 0);
        assert_int_equal(t.barred[0], 0x20);
        throttle_fini(&t);
    }
}

static void masks_reach_every_sub_core(void **state)
{
    (void)state;
    struct rostered r[8];
    struct sm_params p = params(THROTTLE_FIXED, ACTIVE_CTA);
    struct throttle t;
    assert_true(throttle_init(&t, &p, BLOCKS));
    throttle_launch(&t, 8, 0);
    uint32_t n = roster(r, 2, 4);
    for (uint32_t i = 0; i < n; i++)
        r[i].warp = (uint16_t)(i % 4 * 64 + i / 4);
    t.ops->choose(&t, r, n, 0);
    assert_int_equal(t.barred[0], 2); /* warp 0 goes */
    assert_int_equal(t.barred[1], 2); /* warp 1 goes */
    assert_int_equal(t.barred[2], 3);
    assert_int_equal(t.barred[3], 3);
    throttle_fini(&t);
}

/* --- IWL --- */

/* Equations by hand: 60 CTAs of 256 threads on 15 SMs are 32 warps each. */
static void equations_4_2_and_4_6(void **state)
{
    (void)state;
    assert_int_equal(throttle_iwl_n_pred(0.1, 60.0 * 256 / (32 * 15)), 4);
    assert_int_equal(throttle_iwl_n_pred(0.1, 30), 3);
    assert_int_equal(throttle_iwl_n_pred(0.1, 31), 4);
    assert_int_equal(throttle_iwl_n_pred(0, 31), 0);
    assert_int_equal(throttle_iwl_n_pred(1, 31), 31);
    assert_int_equal(throttle_iwl_n_act(4, 256, 64, 4), 4); /* 1024 / 256 */
    assert_int_equal(throttle_iwl_n_act(4, 256, 64, 4.1), 4);
    assert_int_equal(throttle_iwl_n_act(4, 256, 64, 3.9), 5);
    assert_int_equal(throttle_iwl_n_act(1, 256, 1000, 100), 1);
    assert_int_equal(throttle_iwl_n_act(4, 256, 1, 1), 512); /* more than there can be: all */
}

static void touch(struct throttle *t, uint32_t warp, uint64_t block, uint32_t times)
{
    for (uint32_t i = 0; i < times; i++) {
        struct throttle_access a = {.warp = warp, .block = block, .load = true, .miss = i == 0};
        t->ops->access(t, &a, 1, 0);
    }
}

/* Twenty warps per SM: two are sampled.  The first touches 4 blocks 8 times each, the second 8 of
 * its own 2 times each, two of the first one's besides (their entries are set: they count as
 * accesses alone). */
static void two_samples_make_the_first_estimate(void **state)
{
    (void)state;
    struct sm_params p = params(THROTTLE_IWL, ACTIVE_CTA);
    struct throttle t;
    assert_true(throttle_init(&t, &p, BLOCKS));
    throttle_launch(&t, 20, 0);
    assert_int_equal(t.iwl->n_pred, 2);
    for (uint32_t w = 0; w < 3; w++)
        t.ops->born(&t, w);
    for (uint64_t b = 0; b < 4; b++)
        touch(&t, 0, 100 + b, 8);
    for (uint64_t b = 0; b < 8; b++)
        touch(&t, 1, 200 + b, 2);
    touch(&t, 1, 100, 1);
    touch(&t, 1, 101 + 8192, 1); /* another block of the same entry */
    t.ops->ended(&t, 0);
    assert_int_equal(t.limit, UINT32_MAX);
    t.ops->ended(&t, 1);
    assert_float_equal(t.iwl->ws, (4 + 8) / 2.0, 1e-12);
    assert_float_equal(t.iwl->rr, (32 / 4.0 + 18 / 8.0) / 2, 1e-12);
    assert_int_equal(t.limit, 34); /* 4 * 256 / (6 * 5.125) = 33.3 */
    touch(&t, 2, 100, 1);          /* the table was cleared after two warps: it counts again */
    t.ops->ended(&t, 2);
    assert_float_equal(t.iwl->ws, (6 + 1) / 2.0, 1e-12);
    throttle_launch(&t, 20, 0); /* the next kernel begins anew */
    assert_int_equal(t.limit, UINT32_MAX);
    throttle_fini(&t);
}

/* 10-bit counters stay at 1,023, so that even endless streams leave two warps active. */
static void counters_stay_at_their_end(void **state)
{
    (void)state;
    struct sm_params p = params(THROTTLE_IWL, ACTIVE_CTA);
    struct throttle t;
    assert_true(throttle_init(&t, &p, BLOCKS));
    throttle_launch(&t, 1, 0);
    t.ops->born(&t, 7);
    for (uint64_t b = 0; b < 5000; b++)
        touch(&t, 7, b, 1);
    t.ops->ended(&t, 7);
    assert_float_equal(t.iwl->ws, 1023, 0);
    assert_float_equal(t.iwl->rr, 1, 0);
    assert_int_equal(t.limit, 2); /* ceil(1024 / 1023) */
    throttle_fini(&t);
}

/* Three loads of four lines each: twelve transactions, three instructions; the blocks that they
 * miss are twelve either way. */
static void what_an_access_is(void **state)
{
    (void)state;
    static const double rereference[IWL_ACCESS_N] = {1, 0.25};
    static const uint32_t limit[IWL_ACCESS_N] = {86, 342}; /* 1024 / 12, 1024 / 3 */
    for (int kind = 0; kind < IWL_ACCESS_N; kind++) {
        struct sm_params p = params(THROTTLE_IWL, ACTIVE_CTA);
        struct throttle t;
        p.iwl.accesses = (enum iwl_access)kind;
        assert_true(throttle_init(&t, &p, BLOCKS));
        throttle_launch(&t, 1, 0);
        t.ops->born(&t, 7);
        for (uint64_t b = 0; b < 12; b++) {
            if (b % 4 == 0) t.ops->asked(&t, 7);
            touch(&t, 7, b, 1);
        }
        t.ops->ended(&t, 7);
        assert_float_equal(t.iwl->ws, 12, 0);
        assert_float_equal(t.iwl->rr, rereference[kind], 0);
        assert_int_equal(t.limit, limit[kind]);
        throttle_fini(&t);
    }
}

/* --- CCWS --- */

static void lose(struct throttle *t, uint32_t warp, uint64_t block, uint64_t issued, uint64_t now)
{
    struct throttle_access a = {.warp = warp, .block = block, .load = true, .miss = true};
    t->ops->access(t, &a, issued, now);
    t->ops->left(t, block);
}

static struct throttle four_warps(const struct sm_params *p, struct rostered *r)
{
    struct throttle t;
    assert_true(throttle_init(&t, p, BLOCKS));
    throttle_launch(&t, 4, 1000);
    roster(r, 1, 4);
    for (uint32_t w = 0; w < 4; w++)
        t.ops->born(&t, w);
    return t;
}

/* A block that was pushed out and is missed again by its warp: 1 hit in 16 instructions x 8 x 400
 * points = 200, a hundred above the base: the four warps' scores make 500, and the last one's top
 * is above the 400 until a hundred cycles have passed. */
static void lost_locality_suspends_the_last_warp(void **state)
{
    (void)state;
    struct rostered r[4];
    struct sm_params p = params(THROTTLE_CCWS, ACTIVE_SPREAD);
    struct throttle t = four_warps(&p, r);
    lose(&t, 2, 77, 1010, 50);
    t.ops->choose(&t, r, 4, 50);
    assert_int_equal(t.no_loads[0], 0);
    assert_int_equal(t.due, UINT64_MAX);
    lose(&t, 1, 77, 1011, 55); /* another warp's tag: nothing lost */
    assert_int_equal(t.ccws->hits, 0);
    lose(&t, 2, 77, 1016, 60);
    t.ops->choose(&t, r, 4, 60);
    assert_int_equal(t.no_loads[0], 8);
    assert_int_equal(t.barred[0], 0);
    assert_int_equal(t.due, 160);
    t.ops->choose(&t, r, 4, 159);
    assert_int_equal(t.no_loads[0], 8);
    t.ops->choose(&t, r, 4, 160);
    assert_int_equal(t.no_loads[0], 0);
    throttle_fini(&t);
}

/* The greatest score is the cut-off: that warp alone. */
static void the_worst_case_leaves_one_warp(void **state)
{
    (void)state;
    struct rostered r[4];
    struct sm_params p = params(THROTTLE_CCWS, ACTIVE_SPREAD);
    struct throttle t = four_warps(&p, r);
    lose(&t, 3, 77, 1001, 10);
    lose(&t, 3, 77, 1001, 10);
    t.ops->choose(&t, r, 4, 10);
    assert_int_equal(t.no_loads[0], 7);
    assert_int_equal(t.due, 110); /* then two fit: 300 + 100 */
    t.ops->choose(&t, r, 4, 110);
    assert_int_equal(t.no_loads[0], 6);
    assert_int_equal(t.due, 210);
    throttle_fini(&t);
}

/* A score from when there were more warps is above all there is room for now: its warp goes on,
 * alone. */
static void the_first_warp_goes_when_others_end(void **state)
{
    (void)state;
    struct rostered r[4];
    struct sm_params p = params(THROTTLE_CCWS, ACTIVE_SPREAD);
    struct throttle t = four_warps(&p, r);
    lose(&t, 3, 77, 1001, 10);
    lose(&t, 3, 77, 1001, 10);
    t.ops->ended(&t, 0);
    t.ops->ended(&t, 1);
    t.ops->choose(&t, r + 2, 2, 20);
    assert_int_equal(t.no_loads[0], 4);
    assert_int_equal(t.due, 310);
    t.ops->ended(&t, 2);
    t.ops->choose(&t, r + 3, 1, 30);
    assert_int_equal(t.no_loads[0], 0);
    assert_int_equal(t.due, UINT64_MAX);
    throttle_fini(&t);
}

/* Two warps above the base: the higher one comes first, time of return against a count by hand,
 * cycle by cycle. */
static void returns_are_those_of_a_count_per_cycle(void **state)
{
    (void)state;
    struct rostered r[4];
    struct sm_params p = params(THROTTLE_CCWS, ACTIVE_SPREAD);
    struct throttle t = four_warps(&p, r);
    t.ccws->expires[1] = 130;
    t.ccws->expires[3] = 250;
    uint64_t seen = 0;
    for (uint64_t now = 0; now < 300; now++) {
        static const uint32_t order[] = {3, 1, 0, 2};
        uint64_t top = 0, want = 0;
        for (uint32_t k = 0; k < 4; k++) {
            uint64_t e = t.ccws->expires[order[k]];
            top += 100 + (e > now ? e - now : 0);
            if (top > 400) want |= UINT64_C(1) << order[k];
        }
        if (now == 0 || now == t.due) {
            t.ops->choose(&t, r, 4, now);
            seen++;
        }
        assert_int_equal(t.no_loads[0], want);
    }
    assert_int_equal(t.due, UINT64_MAX);
    assert_in_range(seen, 3, 4);
    throttle_fini(&t);
}

/* Sixteen tags in two sets of eight: the ninth of a set pushes the oldest out. */
static void victim_tags_have_sets(void **state)
{
    (void)state;
    struct rostered r[4];
    struct sm_params p = params(THROTTLE_CCWS, ACTIVE_SPREAD);
    struct throttle t = four_warps(&p, r);
    for (uint64_t b = 0; b < 9; b++)
        lose(&t, 0, 2 * b, 1100, 0);
    struct throttle_access a = {.warp = 0, .block = 0, .load = true, .miss = true};
    t.ops->access(&t, &a, 1100, 0);
    assert_int_equal(t.ccws->hits, 0); /* the first one is forgotten */
    for (uint64_t b = 1; b < 9; b++) {
        a.block = 2 * b;
        t.ops->access(&t, &a, 1100, 0);
        assert_int_equal(t.ccws->hits, b);
    }
    throttle_fini(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(figure_22),
        cmocka_unit_test(a_warp_at_a_barrier_is_not_active),
        cmocka_unit_test(masks_reach_every_sub_core),
        cmocka_unit_test(equations_4_2_and_4_6),
        cmocka_unit_test(two_samples_make_the_first_estimate),
        cmocka_unit_test(counters_stay_at_their_end),
        cmocka_unit_test(what_an_access_is),
        cmocka_unit_test(lost_locality_suspends_the_last_warp),
        cmocka_unit_test(the_worst_case_leaves_one_warp),
        cmocka_unit_test(the_first_warp_goes_when_others_end),
        cmocka_unit_test(returns_are_those_of_a_count_per_cycle),
        cmocka_unit_test(victim_tags_have_sets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
