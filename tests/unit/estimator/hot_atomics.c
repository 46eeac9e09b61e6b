/* hot_atomics.c - the share of a launch's atomics that go to one place, from samples of it. */
#include "estimator/dram/hot_atomics.h"
#include "base/memory/rng.h"
#include "estimator/dram/row_locality.h"
#include "estimator/dram/unevenness.h"
#include "tests/support/check.h"

static struct spread_sample sample;

static struct map map_of(uint32_t slices, uint32_t partitions, enum partition_home home)
{
    struct l2_params l2 = {.banks = slices,
                           .interleave_bytes = 256,
                           .slice_hash = SLICE_MODULO,
                           .partitions = partitions,
                           .partition_home = home};
    struct dram_params d = {.channels = 4,
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

/* Of `of` atomics one goes to a counter of its own among `counters`, the others to the first; a
 * load lies between any two. */
static double share(uint32_t counters, uint32_t of)
{
    struct hot_atomics h;
    struct map m = map_of(8, 1, 0);
    sample.n = SAMPLE_SPREAD;
    for (uint32_t i = 0; i < SAMPLE_SPREAD; i++) {
        uint64_t counter = (i / 2) % of ? 0 : rng_splitmix64(i) % counters;
        sample.at[i] = (struct sampled){.addr = i % 2 ? UINT64_C(1) << 30 | i * 32 : counter * 32,
                                        .kind = i % 2 ? SAMPLED_READ : SAMPLED_ATOMIC,
                                        .sectors = 1,
                                        .l1 = UINT16_MAX,
                                        .l2 = i % 2 ? UINT16_MAX : 0};
    }
    hot_atomics_find(&h, &sample, &m, &(struct dram_params){0}, false);
    return h.share;
}

static void shares_are_those_of_the_whole_launch(void **state)
{
    (void)state;
    assert_float_equal(share(1, 1), 1, 1e-9);
    assert_float_equal(share(4096, 2), 0.5, 0.01);
    assert_float_equal(share(64, 1), 1.0 / 64, 0.2 / 64); /* the fullest has 28 in this sample */
}

/* N atomics to one address, one in k cycles, take N k. */
static void a_sector_is_served_at_its_slices_rate(void **state)
{
    struct l2_params l2 = {.ports = 2};
    (void)state;
    assert_float_equal(hot_atomics_slice_cycles(&l2, 1), 0.5, 0);
    l2.data_banks = 4; /* of which it has one */
    l2.bank_cycles = 3;
    assert_float_equal(hot_atomics_slice_cycles(&l2, 2), 6, 0);
}

/* Two partitions of four slices: each atomic comes to its home, half of them by the other
 * partition's slice; a read that hits comes to its SM's. */
static void homes_count_once(void **state)
{
    struct map m = map_of(8, 2, HOME_PARTITION);
    const struct row_stream f = {.together = UINT64_C(1) << m.interleave_shift};
    (void)state;
    sample.n = SAMPLE_SPREAD;
    for (uint32_t i = 0; i < SAMPLE_SPREAD; i++)
        sample.at[i] = (struct sampled){.kind = SAMPLED_ATOMIC, .sectors = 1, .sm = (uint16_t)i};
    assert_float_equal(row_locality_even(&sample, &m, &f, EVEN_SLICES), 1.5, 0.01);
    for (uint32_t i = 0; i < SAMPLE_SPREAD; i++)
        sample.at[i].kind = SAMPLED_READ;
    assert_float_equal(row_locality_even(&sample, &m, &f, EVEN_SLICES), 2, 0.02);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(shares_are_those_of_the_whole_launch),
                                       cmocka_unit_test(a_sector_is_served_at_its_slices_rate),
                                       cmocka_unit_test(homes_count_once)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
