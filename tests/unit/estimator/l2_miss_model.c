/* l2_miss_model.c - is the share of misses that find no FRC entry that of a loss system, and
 * are the misses that find a line those which a cache with so many lines in transition lets
 * through? */
#include "estimator/terms/l2_miss_model.h"
#include "base/memory/rng.h"
#include "estimator/cache/l2_set_pressure.h"
#include "estimator/profile/address_sample.h"
#include "gpu/geometry/set_index.h"
#include "tests/support/check.h"

#include <math.h>
#include <string.h>

/* One server: a / (1 + a); two at a = 1: 1/5; tables of Erlang's formula for the others. */
static void erlangs_formula(void **state)
{
    (void)state;
    static const struct {
        double servers, load, blocked;
    } cases[] = {{1, 0.5, 1.0 / 3}, {2, 1, 0.2}, {4, 4, 0.310680},  {10, 5, 0.018385},
                 {8, 0, 0},         {0, 3, 1},   {1, 1e6, 0.999999}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_near(l2_miss_blocked_share(cases[i].servers, cases[i].load), cases[i].blocked, 1e-6);
    assert_true(l2_miss_blocked_share(65536, 100) < 1e-9);
}

/* Entries held for a constant time, asked for at random: arrivals that find all of them held. */
static double lost(uint32_t servers, double load, uint64_t seed)
{
    enum { ARRIVALS = 400000 };
    double until[64] = {0}, now = 0, refused = 0;
    struct rng r;
    rng_seed(&r, seed, 1);
    for (uint32_t i = 0; i < ARRIVALS; i++) {
        uint32_t k = 0;
        now -= log(1 - rng_unit(&r)) / load;
        while (k < servers && until[k] > now)
            k++;
        if (k == servers)
            refused++;
        else
            until[k] = now + 1;
    }
    return refused / ARRIVALS;
}

static void any_hold_time_will_do(void **state)
{
    (void)state;
    static const double loads[] = {0.5, 2, 6, 20};
    for (uint32_t servers = 1; servers <= 16; servers *= 4)
        for (size_t i = 0; i < 4; i++)
            assert_near(l2_miss_blocked_share(servers, loads[i]), lost(servers, loads[i], i),
                        0.004);
}

/* --- lines --- */

enum { SETS = 16, WAYS = 4, SLICES = 2 };

static struct block_sample rows[SAMPLE_STREAMS];
static struct sample_content content;
static uint64_t samples; /* each another content */

static struct l2_params small(void)
{
    return (struct l2_params){.banks = SLICES,
                              .interleave_bytes = 256,
                              .cache = {.sets = SETS, .ways = WAYS, .line_bytes = 64},
                              .frc = {.ways = 8}};
}

static struct map map_of(const struct l2_params *l2)
{
    struct map m = {.slices = l2->banks, .interleave_bytes = l2->interleave_bytes};
    m.interleave_shift = 8;
    m.slice_deal = (struct map_deal){.n = l2->banks, .shift = 1, .pow2 = true};
    return m;
}

static void start(void)
{
    memset(rows, 0, sizeof rows);
    rows[0].blocks = 1;
    content.digest = (struct digest){.lo = ++samples};
}

static void add(uint64_t line, uint16_t l2)
{
    rows[0].at[0][rows[0].n[0]++] =
        (struct sampled){.addr = 64 * line, .l1 = UINT16_MAX, .l2 = l2, .sectors = 1};
}

static struct lines_at_once find(const struct l2_params *l2)
{
    struct map map = map_of(l2);
    struct launch_samples s = {.rows = rows, .content = &content};
    struct lines_at_once l;
    lines_at_once_find(&l, &s, 0, &map, l2, 1, 64);
    return l;
}

/* A block's slice and set: chunks of four lines go to the slices in turn. */
static uint32_t place(const struct l2_params *l2, uint64_t line)
{
    uint64_t chunk = line / 4, local = chunk / SLICES * 4 + line % 4;
    return (uint32_t)(chunk % SLICES) * SETS + index_table[l2->cache.index](local, SETS);
}

/* The same windows of misses one by one, with lists in place of counters. */
static double one_by_one(const struct l2_params *l2, uint32_t window)
{
    static uint64_t line[SAMPLE_BLOCK];
    uint32_t fways = l2->frc.entries < 8 ? l2->frc.entries : 8, n = 0;
    uint32_t fsets = fways ? l2->frc.entries / fways : 1;
    double blocks = 0, served = 0;
    for (uint32_t i = 0; i < rows[0].n[0]; i++)
        if (rows[0].at[0][i].l2 >= profile_sample_bucket(64))
            line[n++] = rows[0].at[0][i].addr / 64;
    for (uint32_t from = 0; from < n; from += window) {
        uint32_t taken[SLICES * SETS] = {0}, early[SLICES * SETS] = {0};
        for (uint32_t i = from; i < from + window && i < n; i++) {
            uint32_t p = place(l2, line[i]), f = p / SETS * SETS + p % SETS % fsets;
            bool seen = false;
            for (uint32_t k = from; k < i; k++)
                seen |= line[k] == line[i];
            if (seen) continue;
            blocks++;
            if (early[f] < fways)
                early[f]++, served++;
            else if (taken[p] < WAYS)
                taken[p]++, served++;
        }
    }
    return blocks > 0 ? served / blocks : 1;
}

/* Neighbours find every line, a stride of all sets of a slice only those of one set. */
static void strides_find_their_sets(void **state)
{
    (void)state;
    struct l2_params l2 = small();
    start();
    for (uint64_t i = 0; i < SAMPLE_BLOCK; i++)
        add(i, UINT16_MAX);
    assert_near(lines_at_once_served(&(struct lines_at_once){{1, 1, 1}}, 77), 77, 1e-9);
    struct lines_at_once l = find(&l2);
    assert_near(l.served[0], 1, 0);
    assert_near(l.served[1], SLICES * SETS * WAYS / 256.0, 1e-12);
    start();
    for (uint64_t i = 0; i < SAMPLE_BLOCK; i++)
        add(i * SETS * SLICES, UINT16_MAX);
    l = find(&l2);
    assert_near(l.served[0], WAYS / 32.0, 1e-12);
    l2.frc.entries = 16; /* two sets of eight, of which one is asked */
    l = find(&l2);
    assert_near(l.served[0], (WAYS + 8) / 32.0, 1e-12);
    assert_near(lines_at_once_served(&l, 16), 16 * l.served[0], 1e-9);
    assert_near(lines_at_once_served(&l, 1e6), 1e6 * l.served[2], 1e-6);
    l2.cache.ways = SAMPLE_BLOCK;
    assert_near(find(&l2).served[0], 1, 0);
}

static void any_stream_as_one_by_one(void **state)
{
    (void)state;
    struct rng r;
    rng_seed(&r, 3, 3);
    for (uint32_t k = 0; k < 60; k++) {
        struct l2_params l2 = small();
        l2.cache.index = (enum index_kind)rng_below(&r, INDEX_N);
        l2.frc.entries = (uint32_t[]){0, 4, 8, 32}[rng_below(&r, 4)];
        uint64_t stride = 1u << rng_below(&r, 7), spread = 1 + rng_below(&r, 3000);
        start();
        for (uint32_t i = 0; i < SAMPLE_BLOCK; i++)
            add(i * stride + rng_below(&r, spread), rng_below(&r, 4) ? UINT16_MAX : 0);
        struct lines_at_once l = find(&l2);
        assert_near(l.served[0], one_by_one(&l2, 32), 1e-12);
        assert_near(l.served[1], one_by_one(&l2, 256), 1e-12);
        assert_near(l.served[2], one_by_one(&l2, 2048), 1e-12);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(erlangs_formula),
        cmocka_unit_test(any_hold_time_will_do),
        cmocka_unit_test(strides_find_their_sets),
        cmocka_unit_test(any_stream_as_one_by_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
