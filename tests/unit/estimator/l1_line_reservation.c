/* l1_line_reservation.c - is the pool of fetches that an L1's sets let through that of closed
 * forms, and that of an L1 which reserves lines one by one? */
#include "estimator/cache/l1_line_reservation.h"
#include "base/memory/rng.h"
#include "estimator/profile/address_sample.h"
#include "gpu/geometry/set_index.h"
#include "tests/support/check.h"

#include <math.h>
#include <string.h>

enum { SETS = 16, WAYS = 4, MISS = UINT16_MAX };

static const struct cache_params small = {.sets = SETS, .ways = WAYS, .alloc = ALLOC_ON_MISS};

static const struct frc_params none;
static struct line_sample sample;

static void start(void)
{
    sample = (struct line_sample){.runs = 1};
}

static void add(uint64_t line, uint16_t l1, uint8_t sectors, bool store)
{
    sample.at[0][sample.n[0]++] =
        (struct sampled_line){.line = line, .l1 = l1, .sectors = sectors, .store = store};
}

/* Neighbours take every line, a stride of all sets those of one, of half of them those of two. */
static void strides_fill_their_sets(void **state)
{
    (void)state;
    static const struct {
        uint64_t stride;
        double lines;
    } cases[] = {{1, SETS * WAYS}, {SETS / 2, 2 * WAYS}, {SETS, WAYS}, {3 * SETS, WAYS}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        start();
        for (uint64_t i = 0; i < LINE_RUN; i++)
            add(i * cases[k].stride, MISS, 2, false);
        assert_near(l1_reserved_sectors(&sample, &small, &none, 64), 2 * cases[k].lines, 1e-12);
    }
}

/* One set's lines, and an FRC beside them: its entries as well; of two sets only one is asked. */
static void frc_entries_are_more_lines(void **state)
{
    (void)state;
    static const struct {
        struct frc_params frc;
        double lines;
    } cases[] = {{{.entries = 4, .ways = 8}, WAYS + 4},
                 {{.entries = 16, .ways = 8}, WAYS + 8},
                 {{.entries = 16, .ways = 16}, WAYS + 16}};
    start();
    for (uint64_t i = 0; i < LINE_RUN; i++)
        add(i * SETS, MISS, 1, false);
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        assert_near(l1_reserved_sectors(&sample, &small, &cases[k].frc, 64), cases[k].lines, 1);
}

/* As many sets as 4 MB in direct-mapped lines of 32 bytes have. */
static void any_number_of_sets(void **state)
{
    (void)state;
    enum { MANY = 4096 * 1024 / 32 };
    const struct cache_params c = {.sets = MANY, .ways = 1, .alloc = ALLOC_ON_MISS};
    start();
    for (uint64_t i = 0; i < LINE_RUN; i++)
        add(i * MANY / 8, MISS, 1, false);
    assert_near(l1_reserved_sectors(&sample, &c, &none, 64), 8, 1e-12);
}

/* A line on its way takes no second way; what hits takes none; allocation at the fill takes none.
 */
static void what_reserves_nothing_does_not_count(void **state)
{
    (void)state;
    start();
    for (uint64_t i = 0; i < LINE_RUN / 4; i++) {
        add(i * SETS, MISS, 1, false);
        add(i * SETS, MISS, 1, false);                              /* another sector of it */
        add((i + 1000) * SETS, profile_sample_bucket(2), 4, false); /* hits in 64 lines */
        add((i + 2000) * SETS, MISS, 4, true);                      /* passes by */
    }
    assert_near(l1_reserved_sectors(&sample, &small, &none, 64), 2 * WAYS, 1e-12);
    struct cache_params c = small;
    c.alloc = ALLOC_ON_FILL;
    assert_true(isinf(l1_reserved_sectors(&sample, &c, &none, 64)));
    c = small;
    c.ways = LINE_RUN;
    assert_true(isinf(l1_reserved_sectors(&sample, &c, &none, 64)));
}

/* Set after set is filled, with a store behind the last line of each: one that wants a way, too,
 * finds none, one that passes by does not ask. */
static void stores_that_allocate_want_a_way(void **state)
{
    (void)state;
    struct cache_params c = small;
    start();
    for (uint64_t g = 0; g < LINE_RUN / (WAYS + 1); g++) {
        for (uint64_t k = 0; k < WAYS; k++)
            add((WAYS * g + k) * SETS + g % SETS, MISS, 1, false);
        add((10000 + g) * SETS + g % SETS, MISS, 1, true);
    }
    assert_near(l1_reserved_sectors(&sample, &c, &none, 64), SETS * WAYS, 1e-12);
    c.write_miss = WRITE_MISS_VALIDATE;
    assert_near(l1_reserved_sectors(&sample, &c, &none, 64), WAYS, 1e-12);
}

/* An L1 that goes through the same misses: a round ends when a set is full. */
static double one_by_one(index_fn *index, uint32_t sets, uint32_t ways)
{
    static uint64_t held[1024][64];
    static uint32_t n[1024];
    double rounds = 0, sectors = 0, sum = 0;
    memset(n, 0, sizeof n);
    for (uint32_t i = 0; i < sample.n[0]; i++) {
        uint64_t line = sample.at[0][i].line;
        uint32_t set = index(line, sets), k = 0;
        while (k < n[set] && held[set][k] != line)
            k++;
        if (k == ways) {
            rounds++;
            sum += sectors;
            sectors = 0;
            memset(n, 0, sizeof n);
            k = 0;
        }
        if (k == n[set]) held[set][n[set]++] = line;
        sectors += sample.at[0][i].sectors;
    }
    return rounds > 0 ? sum / rounds : INFINITY;
}

static void any_stream_as_an_l1_has_it(void **state)
{
    (void)state;
    struct rng r;
    rng_seed(&r, 7, 7);
    for (uint32_t k = 0; k < 300; k++) {
        enum index_kind index = (enum index_kind)rng_below(&r, INDEX_N);
        uint32_t sets = 16u << rng_below(&r, 4), ways = 1u << rng_below(&r, 4);
        uint64_t stride = 1u << rng_below(&r, 8), spread = 1 + rng_below(&r, 4000);
        struct cache_params c = {
            .sets = sets, .ways = ways, .index = index, .alloc = ALLOC_ON_MISS};
        start();
        for (uint32_t i = 0; i < LINE_RUN; i++)
            add(i * stride + rng_below(&r, spread), MISS, (uint8_t)(1 + rng_below(&r, 4)), false);
        double want = one_by_one(index_table[index], sets, ways),
               got = l1_reserved_sectors(&sample, &c, &none, 64);
        if (isinf(want))
            assert_true(isinf(got));
        else
            assert_near(got, want, 1e-9 * want);
    }
}

/* Runs stay consecutive, and spread over a stream of any length. */
static void runs_are_kept_whole(void **state)
{
    (void)state;
    for (uint64_t length = 100; length < 300000; length = length * 3 / 2) {
        struct line_sampler a;
        line_sampler_start(&a, &sample);
        for (uint64_t i = 0; i < length; i++)
            line_sampler_offer(&a, &(struct sampled_line){.line = i});
        assert_true(sample.runs >= 1 && sample.runs <= LINE_RUNS);
        for (uint32_t k = 0; k < sample.runs; k++) {
            uint64_t from = sample.at[k][0].line;
            assert_true(from % LINE_RUN == 0 && sample.n[k] >= 1 && sample.n[k] <= LINE_RUN);
            for (uint32_t i = 0; i < sample.n[k]; i++)
                assert_int_equal(sample.at[k][i].line, from + i);
        }
        if (length >= 2 * LINE_RUN * LINE_RUNS)
            assert_true(sample.at[sample.runs - 1][0].line >= length / 4);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(strides_fill_their_sets),
        cmocka_unit_test(frc_entries_are_more_lines),
        cmocka_unit_test(any_number_of_sets),
        cmocka_unit_test(what_reserves_nothing_does_not_count),
        cmocka_unit_test(stores_that_allocate_want_a_way),
        cmocka_unit_test(any_stream_as_an_l1_has_it),
        cmocka_unit_test(runs_are_kept_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
