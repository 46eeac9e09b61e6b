/* crossbar_contention.c - a launch's accesses sent through a crossbar: what can be said without it.
 */
#include "estimator/terms/crossbar_contention.h"
#include "base/memory/rng.h"
#include "estimator/constants.h"
#include "estimator/network/crossbar_replay.h"
#include "tests/support/check.h"

#include <string.h>

enum { SMS = 8, BLOCK_BYTES = 256 };

static struct block_sample asked;

static struct map slices(uint32_t n)
{
    struct l2_params l2 = {.banks = n, .interleave_bytes = BLOCK_BYTES, .slice_hash = SLICE_MODULO};
    struct dram_params d = {.channels = n,
                            .ranks = 1,
                            .bankgroups = 4,
                            .banks_per_group = 4,
                            .rows = 1u << 14,
                            .row_bytes = 1024,
                            .bus_bytes = 8,
                            .burst_length = 4,
                            .mapping = "row:bank:column"};
    struct map m;
    struct error e;
    assert_true(map_init(&m, &l2, &d, &e));
    return m;
}

/* The k-th access of SM `sm` goes to slice to(sm, k); SMs take turns. */
static double busy(const struct map *m, uint32_t (*to)(uint32_t sm, uint32_t k), uint32_t sectors)
{
    asked.blocks = 1;
    asked.n[0] = BLOCK_LEAST;
    for (uint32_t i = 0; i < BLOCK_LEAST; i++) {
        uint32_t slice = to(i % SMS, i / SMS) % m->slices;
        asked.at[0][i] = (struct sampled){.addr = (uint64_t)slice * BLOCK_BYTES,
                                          .kind = i % 3 ? SAMPLED_READ : SAMPLED_WRITE,
                                          .l1 = UINT16_MAX,
                                          .sectors = (uint8_t)sectors,
                                          .sm = (uint16_t)(i % SMS)};
    }
    return crossbar_replay(&asked, m, 0, 1).busy;
}

static uint32_t each_another(uint32_t sm, uint32_t k)
{
    return sm + k;
}
static uint32_t all_the_same(uint32_t sm, uint32_t k)
{
    (void)sm;
    return k / 64; /* not for long enough to get out of step */
}
static uint32_t two_at_once(uint32_t sm, uint32_t k)
{
    return sm % 2 + 2 * (k / 64);
}
static uint32_t in_step_at_first(uint32_t sm, uint32_t k)
{
    (void)sm;
    return k;
}
static uint32_t by_chance(uint32_t sm, uint32_t k)
{
    return (uint32_t)(rng_splitmix64(((uint64_t)sm << 32) + k) >> 20);
}

/* SMs that start at one slice and go on to the next queue up once and never again. */
static void steps_are_kept_or_found(void **state)
{
    (void)state;
    struct map m = slices(8);
    for (uint32_t sectors = 1; sectors <= 4; sectors *= 2) {
        assert_float_equal(busy(&m, each_another, sectors), 8, 0.4);
        assert_float_equal(busy(&m, in_step_at_first, sectors), 8, 0.4);
        assert_float_equal(busy(&m, all_the_same, sectors), 1, 0.1);
        assert_float_equal(busy(&m, two_at_once, sectors), 2, 0.2);
    }
}

static void chance_is_met_as_often_as_known(void **state)
{
    (void)state;
    for (uint32_t n = 2; n <= 32; n *= 2) {
        struct map m = slices(n);
        double least = n < SMS ? n : SMS;
        double known = least / crossbar_slowdown_by_chance(SMS, n);
        assert_in_range((int)(1000 * busy(&m, by_chance, 1) / known), 930, 1070);
    }
}

/* Reads that the L1 keeps do not come: what is left are every third access, all stores. */
static void hits_of_the_l1_stay_away(void **state)
{
    (void)state;
    struct map m = slices(8);
    assert_float_equal(busy(&m, all_the_same, 1), 1, 0.1);
    for (uint32_t i = 0; i < BLOCK_LEAST; i++) {
        struct sampled *a = &asked.at[0][i];
        a->l1 = 3;
        if (a->kind == SAMPLED_WRITE) a->addr = (uint64_t)((i + i / SMS) % 8) * BLOCK_BYTES;
    }
    assert_true(crossbar_replay(&asked, &m, 4, 1).busy > 3);
    asked.n[0] = 20;
    assert_float_equal(crossbar_replay(&asked, &m, 4, 1).busy, 0, 0);
}

/* A later block tells of the launch; its beginning stands in only where too little of the others
 * reaches the crossbar. */
static void the_beginning_stands_in_for_nearly_empty_blocks(void **state)
{
    (void)state;
    struct map m = slices(8);
    assert_float_equal(busy(&m, each_another, 1), 8, 0.4);
    asked.blocks = 2;
    for (uint32_t i = 0; i < BLOCK_LEAST; i++)
        asked.at[1][i] = (struct sampled){.kind = SAMPLED_WRITE, .sectors = 1};
    asked.n[1] = 20;
    assert_float_equal(crossbar_replay(&asked, &m, 0, 1).busy, 8, 0.4);
    asked.n[1] = BLOCK_LEAST;
    assert_float_equal(crossbar_replay(&asked, &m, 0, 1).busy, 1, 0.1);
}

/* Of eight SMs the sample has two, as at a launch's end: what they lose is no more than chance. */
static void few_inputs_of_a_sample_are_no_contention(void **state)
{
    static const struct noc_params noc = {.sms_per_port = 1};
    static const struct l2_params l2 = {.banks = 8};
    static const struct est_params e = {.noc = &noc, .l2 = &l2};
    struct map map = slices(8);
    (void)state;
    busy(&map, each_another, 1);
    for (uint32_t i = 0; i < BLOCK_LEAST; i++)
        asked.at[0][i].sm %= 2;
    struct launch_model m = {.e = &e, .wave.sms = 8, .spread.slices = 8};
    m.crossbar = crossbar_replay(&asked, &map, 0, 1);
    assert_float_equal(m.crossbar.inputs, 2, 0);
    assert_true(crossbar_slowdown(&m, 8, 8) <= crossbar_slowdown_by_chance(8, 8));
}

/* One slice after the other is asked for as long as queues last: the time of all is added. */
static void slices_in_turn_are_slower_than_chance(void **state)
{
    static const struct noc_params noc = {.sms_per_port = 1};
    static const struct l2_params l2 = {.banks = 2};
    static const struct est_params e = {.noc = &noc, .l2 = &l2};
    const struct launch_model m = {
        .e = &e, .wave.sms = 16, .spread.slices = 2, .crossbar = {.busy = 1, .inputs = 16}};
    (void)state;
    assert_float_equal(crossbar_slowdown(&m, 16, 2), 2, 0.1);
}

/* Two of 64 slices are asked by all: that one of them is asked for a while is in the spread. */
static void hot_slices_are_slowed_by_chance_alone(void **state)
{
    static const struct noc_params noc = {.sms_per_port = 1};
    static const struct l2_params l2 = {.banks = 64};
    static const struct est_params e = {.noc = &noc, .l2 = &l2};
    const struct launch_model m = {
        .e = &e, .wave.sms = 16, .spread.slices = 2, .crossbar = {.busy = 1, .inputs = 16}};
    (void)state;
    assert_float_equal(crossbar_slowdown(&m, 16, 2), crossbar_slowdown_by_chance(16, 2), 1e-2);
}

static double held(double sms, double crossing)
{
    static const struct noc_params noc = {.sms_per_port = 1};
    static const struct l2_params l2 = {.banks = 8};
    static const struct est_params e = {.noc = &noc, .l2 = &l2};
    const struct launch_model m = {.e = &e,
                                   .wave.sms = sms,
                                   .spread.slices = 8,
                                   .crossbar = {.busy = crossing, .inputs = sms}};
    return crossbar_slowdown(&m, sms, 8);
}

/* Eight SMs may stay in step before eight slices, ten may not; either may meet too often. */
static void more_sms_than_slices_are_not_in_step(void **state)
{
    (void)state;
    assert_true(held(8, 8) < 0.8 * crossbar_slowdown_by_chance(8, 8));
    assert_float_equal(held(10, 8), crossbar_slowdown_by_chance(10, 8), 1e-12);
    assert_true(held(8, 2) > 2 * crossbar_slowdown_by_chance(8, 8));
    assert_true(held(10, 2) > 2 * crossbar_slowdown_by_chance(10, 8));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_are_kept_or_found),
        cmocka_unit_test(chance_is_met_as_often_as_known),
        cmocka_unit_test(hits_of_the_l1_stay_away),
        cmocka_unit_test(the_beginning_stands_in_for_nearly_empty_blocks),
        cmocka_unit_test(more_sms_than_slices_are_not_in_step),
        cmocka_unit_test(few_inputs_of_a_sample_are_no_contention),
        cmocka_unit_test(slices_in_turn_are_slower_than_chance),
        cmocka_unit_test(hot_slices_are_slowed_by_chance_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
