/* What the warp schedulers decide in situations written by hand: a few slots, their ages and CTAs,
 * who can issue. */
#include "gpu/policies/sched.h"
#include "tests/support/check.h"

#include <string.h>

struct bench {
    struct sm_params p;
    struct sched s;
    struct sched_batches batches;
    uint64_t age[64], cta[64], resident;
    uint32_t cta_slot[64];
};

#define BIT(slot) (UINT64_C(1) << (slot))

/* `warps` slots per CTA, CTA after CTA in slots and in age; CTA numbers from `first` on. */
static void set_up(struct bench *b, enum sched_kind kind, uint32_t ctas, uint32_t warps,
                   uint64_t first)
{
    *b = (struct bench){.p = {.scheduler = kind,
                              .two_level_warps = 3,
                              .intercl_warps = 3,
                              .owl_ctas = 1,
                              .tbas_warps = 3}};
    for (uint32_t i = 0; i < ctas * warps; i++) {
        b->age[i] = i;
        b->cta[i] = first + i / warps;
        b->cta_slot[i] = i / warps;
        b->resident |= BIT(i);
    }
    const struct sched_view v = {.age = b->age,
                                 .cta = b->cta,
                                 .cta_slot = b->cta_slot,
                                 .resident = &b->resident,
                                 .batches = &b->batches};
    sched_init(&b->s, &b->p, &v);
    sched_launch(&b->s, &(struct sched_launch){0, ctas, 1});
}

/* One cycle in which all runnable slots are ready, too. */
static uint32_t issue(struct bench *b, uint64_t runnable)
{
    if (b->s.ops->admit) runnable = b->s.ops->admit(&b->s, runnable);
    b->s.last = b->s.ops->pick(&b->s, runnable, b->age);
    return b->s.last;
}

static void every_policy_has_a_name_and_picks_a_ready_slot(void **state)
{
    (void)state;
    struct bench b;
    for (int k = 0; k < SCHED_N; k++) {
        set_up(&b, (enum sched_kind)k, 4, 4, 0);
        assert_non_null(b.s.ops->name);
        for (uint64_t ready = 1; ready < 0x10000; ready += 37)
            assert_true(ready >> issue(&b, ready) & 1);
    }
}

static void round_robin_and_greedy(void **state)
{
    (void)state;
    struct bench b;
    set_up(&b, SCHED_LRR, 1, 4, 0);
    assert_int_equal(issue(&b, 0xf), 1);
    assert_int_equal(issue(&b, 0x9), 3);
    assert_int_equal(issue(&b, 0xf), 0);
    set_up(&b, SCHED_GTO, 1, 4, 0);
    b.age[3] = 0, b.age[0] = 9;
    assert_int_equal(issue(&b, 0xe), 3); /* oldest */
    assert_int_equal(issue(&b, 0xf), 3); /* again */
    assert_int_equal(issue(&b, 0x7), 1); /* it waits: the oldest of the others */
    assert_int_equal(issue(&b, 0xf), 1);
}

/* Three places: slots 1, 2, 3 come first and go round; when 2 waits for memory, 4 takes its place,
 * and 2 comes back only when everybody else has been in. */
static void the_first_level_changes_only_at_long_waits(void **state)
{
    (void)state;
    struct bench b;
    set_up(&b, SCHED_TWO_LEVEL, 2, 4, 0);
    static const uint32_t first[] = {1, 2, 3, 1, 2};
    for (uint32_t i = 0; i < 5; i++)
        assert_int_equal(issue(&b, 0xff), first[i]);
    assert_int_equal(issue(&b, 0xff & ~BIT(2)), 3);
    assert_int_equal(b.s.first, BIT(1) | BIT(3) | BIT(4));
    assert_int_equal(issue(&b, 0xff), 4);
    assert_int_equal(issue(&b, 0xff & ~BIT(1)), 5);
    assert_int_equal(b.s.first, BIT(3) | BIT(4) | BIT(5));
}

/* Every runnable warp issues before another one has come into the first level twice. */
static void nobody_starves_behind_the_first_level(void **state)
{
    (void)state;
    struct bench b;
    uint32_t turns[8] = {0};
    set_up(&b, SCHED_TWO_LEVEL, 2, 4, 0);
    uint64_t waits = 0; /* who issued waits for the next three cycles */
    uint32_t back[3] = {64, 64, 64};
    for (uint32_t i = 0; i < 80; i++) {
        if (back[i % 3] < 64) waits &= ~BIT(back[i % 3]);
        uint32_t slot = issue(&b, 0xff & ~waits);
        turns[slot]++;
        waits |= BIT(slot);
        back[i % 3] = slot;
    }
    for (uint32_t i = 0; i < 8; i++)
        assert_in_range(turns[i], 9, 11);
}

/* Four CTAs of two warps; the first level holds CTA 12 and half of 13.  Who comes next: a warp of
 * those, of the CTA before them, of the one after them. */
static void intercl_takes_neighbouring_ctas_in_the_papers_order(void **state)
{
    (void)state;
    struct bench b;
    set_up(&b, SCHED_INTERCL, 4, 2, 10);
    uint64_t all = 0xff;
    b.s.first = BIT(4) | BIT(5) | BIT(6); /* CTAs 12, 12, 13 */
    assert_int_equal(b.s.ops->admit(&b.s, all & ~BIT(4)), BIT(5) | BIT(6) | BIT(7));
    assert_int_equal(b.s.ops->admit(&b.s, all & ~(BIT(4) | BIT(7))), BIT(5) | BIT(6) | BIT(2));
    b.s.first = BIT(4) | BIT(5) | BIT(6);
    assert_int_equal(b.s.ops->admit(&b.s, all & ~(BIT(4) | BIT(7) | BIT(2) | BIT(3))),
                     BIT(5) | BIT(6) | BIT(0));
    b.s.first = BIT(0) | BIT(1);
    assert_int_equal(b.s.ops->admit(&b.s, all & ~(BIT(2) | BIT(3))), BIT(0) | BIT(1) | BIT(4));
    b.s.first = 0; /* empty: the oldest, then its CTA's */
    assert_int_equal(b.s.ops->admit(&b.s, all & ~BIT(0)), BIT(1) | BIT(2) | BIT(3));
}

static void intercl_is_greedy_then_oldest_inside(void **state)
{
    (void)state;
    struct bench b;
    set_up(&b, SCHED_INTERCL, 4, 2, 0);
    assert_int_equal(issue(&b, 0xff), 0);
    assert_int_equal(issue(&b, 0xff), 0);
    assert_int_equal(issue(&b, 0xfe), 1);
    assert_int_equal(b.s.first, BIT(1) | BIT(2) | BIT(3));
    assert_int_equal(issue(&b, 0xff), 1);
}

/* A CTA goes first as long as it has warps; neighbouring SMs begin with different ones. */
static void owl_keeps_its_leader_until_it_ends(void **state)
{
    (void)state;
    struct bench b;
    set_up(&b, SCHED_OWL, 4, 2, 0);
    sched_launch(&b.s, &(struct sched_launch){5, 4, 1}); /* SM 5 begins with the second CTA */
    assert_int_equal(issue(&b, 0xff), 2);
    assert_int_equal(issue(&b, 0xff), 3);
    assert_int_equal(issue(&b, 0xff & ~(BIT(2) | BIT(3))), 4); /* both wait: the next CTA */
    assert_int_equal(issue(&b, 0xff), 2);                      /* data are back */
    assert_int_equal(issue(&b, BIT(0) | BIT(6)), 6);
    b.resident &= ~BIT(3);
    b.s.ops->ended(&b.s, 3);
    assert_int_equal(issue(&b, 0xf7), 2); /* one of its warps is left */
    b.resident &= ~BIT(2);                /* it has ended: the third leads */
    b.s.ops->ended(&b.s, 2);
    assert_int_equal(issue(&b, 0xf3), 4);
    b.resident |= BIT(2) | BIT(3); /* who comes in its place goes last */
    assert_int_equal(issue(&b, BIT(0) | BIT(2)), 0);
}

/* CTAs come one by one: who is to lead does when it is there. */
static void owl_waits_for_its_leader(void **state)
{
    (void)state;
    struct bench b;
    set_up(&b, SCHED_OWL, 4, 2, 0);
    sched_launch(&b.s, &(struct sched_launch){2, 4, 1});
    b.resident = BIT(0) | BIT(1);
    assert_int_equal(issue(&b, b.resident), 1);
    b.resident = 0xff;
    assert_int_equal(issue(&b, 0xff), 4);
    b.resident = 0xff & ~BIT(6); /* another than the leader's: nothing changes */
    b.s.ops->ended(&b.s, 6);
    assert_int_equal(issue(&b, b.resident), 5);
    b.resident = 0; /* all end: the next in the order leads */
    b.s.ops->ended(&b.s, 5);
    b.resident = 0xff;
    assert_int_equal(issue(&b, 0xff), 6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_policy_has_a_name_and_picks_a_ready_slot),
        cmocka_unit_test(round_robin_and_greedy),
        cmocka_unit_test(the_first_level_changes_only_at_long_waits),
        cmocka_unit_test(nobody_starves_behind_the_first_level),
        cmocka_unit_test(intercl_takes_neighbouring_ctas_in_the_papers_order),
        cmocka_unit_test(intercl_is_greedy_then_oldest_inside),
        cmocka_unit_test(owl_keeps_its_leader_until_it_ends),
        cmocka_unit_test(owl_waits_for_its_leader),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
