/* Do the estimator's hits know the sets that a cache has?  Curves of a profile's organisations,
 * against set-associative LRU caches that are simulated line by line: every number of sets, any
 * index function, slices, streams whose strides are powers of two and streams at random. */
#include "base/memory/alloc.h"
#include "base/memory/rng.h"
#include "estimator/model/unmodelled_caches.h"
#include "estimator/profile/profile_data.h"
#include "tests/support/check.h"

#include <math.h>

enum { N = 6000, FOOTPRINT = 1 << 17, WAYS_MAX = 64 };

/* --- the obvious cache --- */

struct plain {
    uint32_t ways;
    uint64_t *line; /* [sets * ways], youngest first; 0 = none */
};

static bool plain_touch(struct plain *c, uint32_t set, uint64_t line)
{
    uint64_t *at = c->line + (size_t)set * c->ways;
    uint32_t w = 0;
    while (w + 1 < c->ways && at[w] != line + 1)
        w++;
    bool hit = at[w] == line + 1;
    memmove(at + 1, at, w * sizeof *at);
    at[0] = line + 1;
    return hit;
}

/* As caches do it: the slice of a block, its own lines without gaps, the index of those. */
static uint32_t plain_set(const struct l2_params *l2, uint64_t line)
{
    uint32_t block = l2->interleave_bytes / l2->cache.line_bytes, slice = 0;
    if (l2->banks > 1) {
        slice = (uint32_t)(line / block % l2->banks);
        line = line / block / l2->banks * block + line % block;
    }
    return slice * l2->cache.sets + index_table[l2->cache.index](line, l2->cache.sets);
}

/* --- streams --- */

enum stream { RANDOM, STRIDE_4, STRIDE_32, STRIDE_256, STRIDE_4096, COLUMNS, STREAMS };

static uint64_t next_line(enum stream s, uint64_t i, struct rng *r)
{
    static const uint32_t stride[STREAMS] = {0, 4, 32, 256, 4096, 32};
    if (s == RANDOM) return rng_below(r, rng_below(r, 2) ? 400 : FOOTPRINT);
    uint64_t rows = s == STRIDE_4096 ? 24 : 96, row = i % rows;
    if (s == COLUMNS) row = rng_below(r, 96); /* rows of a matrix, in no order */
    return row * stride[s] + i / (rows * 8) % stride[s];
}

static double plain_hits(enum stream s, const struct l2_params *l2)
{
    struct rng r;
    struct plain c = {.ways = l2->cache.ways};
    double hits = 0;
    rng_seed(&r, 3, s);
    c.line = mem_new((size_t)l2->banks * l2->cache.sets * c.ways, sizeof *c.line);
    assert_non_null(c.line);
    for (uint64_t i = 0; i < N; i++) {
        uint64_t line = next_line(s, i, &r);
        hits += plain_touch(&c, plain_set(l2, line), line);
    }
    mem_free(c.line);
    return hits;
}

static double profiled_hits(enum stream s, const struct l2_params *l2)
{
    static struct hit_tally t;
    static struct curve curve;
    struct rng r;
    struct reuse reuse;
    struct set_view v = set_view_l2(l2);
    struct reuse_params p = {.lines = PROFILE_L2_BOUND_BYTES / l2->cache.line_bytes};
    struct geometry_view g = {.sets = (double)l2->banks * l2->cache.sets};
    struct hit_law law;
    t = (struct hit_tally){0};
    rng_seed(&r, 3, s);
    set_view_orgs(&v, p.lines, &p);
    assert_true(reuse_init(&reuse, &p, NULL, NULL));
    for (uint64_t i = 0; i < N; i++) {
        struct reuse_distance d;
        assert_true(reuse_touch(&reuse, next_line(s, i, &r), &d));
        hit_tally_add(&t, d.fresh ? REUSE_FAR : d.global, d.in_set, p.n_orgs);
    }
    reuse_fini(&reuse);
    hit_tally_curve(&t, &curve);
    g.lines = g.sets * l2->cache.ways;
    set_view_find(&v, p.lines, l2->cache.ways, &g);
    assert_true(g.sets <= 1 || g.org != ORG_NONE); /* it has a term of its own */
    hit_law_init(&law, &g);
    return curve_hits(&curve, &law);
}

static struct l2_params cache_of(enum index_kind index, uint32_t slices, uint32_t sets,
                                 uint32_t ways)
{
    struct l2_params l2 = {.banks = slices, .interleave_bytes = 256};
    l2.cache = (struct cache_params){
        .sets = sets, .ways = ways, .line_bytes = 64, .sector_bytes = 64, .index = index};
    return l2;
}

/* Buckets are exact where ways are even up to 64. */
static void check(enum index_kind index, uint32_t slices, uint32_t sets)
{
    static const uint32_t ways[] = {1, 3, 8, 24, WAYS_MAX};
    for (uint32_t w = 0; w < sizeof ways / sizeof ways[0]; w++) {
        if ((uint64_t)slices * sets * ways[w] * 64 > PROFILE_L2_BOUND_BYTES) continue;
        struct l2_params l2 = cache_of(index, slices, sets, ways[w]);
        for (enum stream s = 0; s < STREAMS; s++) {
            double want = plain_hits(s, &l2), got = profiled_hits(s, &l2);
            if (fabs(got - want) > 0.5)
                fail_msg("index %d, %u slices of %u sets, %u ways, stream %d: %g hits for %g",
                         (int)index, slices, sets, ways[w], (int)s, got, want);
        }
    }
}

static void modulo_sets_of_any_number_are_exact(void **state)
{
    (void)state;
    for (uint32_t sets = 1; sets <= 65536; sets *= sets < 64 ? 2 : 4)
        check(INDEX_MODULO, 1, sets);
    check(INDEX_MODULO, 1, 48);
    check(INDEX_MODULO, 1, 3);
    check(INDEX_MODULO, 1, 96 * 7);
}

static void hashed_sets_are_those_of_their_function(void **state)
{
    (void)state;
    for (uint32_t sets = 2; sets <= 4096; sets *= 8)
        check(INDEX_XOR, 1, sets);
    for (uint32_t sets = 16; sets <= 1024; sets *= 4)
        check(INDEX_IPOLY, 1, sets);
}

static void slices_belong_to_the_index(void **state)
{
    (void)state;
    check(INDEX_MODULO, 2, 128);
    check(INDEX_MODULO, 6, 48);
    check(INDEX_MODULO, 8, 2); /* blocks that are larger than all sets together */
    check(INDEX_XOR, 4, 64);
    check(INDEX_IPOLY, 6, 32);
}

/* By chance, as the law has it, such rows would hit: 96 lines in 256 sets of four ways. */
static void strides_do_not_meet_their_sets_by_chance(void **state)
{
    (void)state;
    struct l2_params l2 = cache_of(INDEX_MODULO, 2, 128, 4);
    double sets = profiled_hits(STRIDE_256, &l2) / N, chance = 0;
    for (uint32_t i = 0; i < N; i++)
        chance += i < 96 ? 0 : hit_curve_binomial(95, 4, 256) / N;
    assert_true(sets < 0.05 && chance > 0.9);
}

static bool same_view(const struct set_view *a, const struct set_view *b)
{
    uint32_t of[2][SET_VIEW_NUMBERS];
    set_view_numbers(a, of[0]);
    set_view_numbers(b, of[1]);
    return memcmp(of[0], of[1], sizeof of[0]) == 0;
}

static void sweeps_of_capacity_share_their_view(void **state)
{
    (void)state;
    struct l2_params small = cache_of(INDEX_MODULO, 2, 64, 16), large = small;
    large.cache.sets = 128;
    struct set_view a = set_view_l2(&small), b = set_view_l2(&large);
    assert_true(same_view(&a, &b));
    large.banks = 1;
    b = set_view_l2(&large);
    assert_true(same_view(&a, &b));
    large.cache.sets = 3 * 64;
    b = set_view_l2(&large);
    assert_false(same_view(&a, &b));
}

static void what_lies_outside_is_said_by_name(void **state)
{
    (void)state;
    struct text why = {0};
    struct l2_params l2 = cache_of(INDEX_MODULO, 2, 128, 64);
    l2.bank_kb = 512;
    assert_false(unmodelled_l2(&l2, &why));
    l2.cache.ways = 128;
    l2.bank_kb = 1024;
    assert_true(unmodelled_l2(&l2, &why));
    assert_non_null(strstr(text_str(&why), "l2.ways: 128; the estimate counts conflicts up to 64 ways"));
    text_fini(&why);
    why = (struct text){0};
    struct l1_params l1 = {.enabled = true, .kb = 512};
    l1.cache = (struct cache_params){.sets = 128, .ways = 64, .line_bytes = 64, .sector_bytes = 64};
    assert_true(unmodelled_l1(&l1, &why));
    assert_non_null(strstr(text_str(&why), "l1.kb: 512 KB; the estimate follows reuse up to 256 KB"));
    text_fini(&why);
    l1.enabled = false;
    assert_false(unmodelled_l1(&l1, &why));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(modulo_sets_of_any_number_are_exact),
        cmocka_unit_test(hashed_sets_are_those_of_their_function),
        cmocka_unit_test(slices_belong_to_the_index),
        cmocka_unit_test(strides_do_not_meet_their_sets_by_chance),
        cmocka_unit_test(sweeps_of_capacity_share_their_view),
        cmocka_unit_test(what_lies_outside_is_said_by_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
