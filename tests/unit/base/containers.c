/* Ring, hash map and histogram against naive references, over random operations. */
#include "tests/support/check.h"

#include "base/memory/alloc.h"
#include "base/memory/hash_map.h"
#include "base/memory/histogram.h"
#include "base/memory/ring.h"
#include "base/memory/rng.h"

#include <stdlib.h>

static void ring_is_a_bounded_queue(void **state)
{
    (void)state;
    struct rng rng;
    rng_seed(&rng, 1, 0);
    for (uint32_t bound = 1; bound <= 17; bound++) {
        struct ring r;
        uint32_t model[17], n = 0, next = 0;
        assert_true(ring_init(&r, bound));
        r.head = UINT32_MAX - 40; /* the head's counter must be able to wrap */
        for (int step = 0; step < 2000; step++) {
            if (rng_below(&rng, 2)) {
                assert_int_equal(ring_push(&r, next), n < bound);
                if (n < bound) model[n++] = next;
                next++;
            } else if (n > 0) {
                assert_int_equal(ring_pop(&r), model[0]);
                memmove(model, model + 1, --n * sizeof *model);
            }
            assert_int_equal(ring_empty(&r), n == 0);
            for (uint32_t i = 0; i < n; i++)
                assert_int_equal(ring_at(&r, i), model[i]);
        }
        ring_fini(&r);
    }
}

/* The reference: every possible key's value, or -1. */
enum { KEYS = 300 };

static uint64_t key_of(uint64_t k, unsigned style)
{
    if (style == 0) return k;                /* dense lines */
    if (style == 1) return k << 52 | k;      /* high bits */
    return rng_splitmix64(k) & ~(uint64_t)1; /* anything, but never the reserved key */
}

static void compare(const struct hash_map *m, const int64_t *model, unsigned style)
{
    uint32_t live = 0;
    for (uint64_t k = 0; k < KEYS; k++) {
        const uint32_t *v = hash_map_get(m, key_of(k, style));
        assert_int_equal(v != NULL, model[k] >= 0);
        if (v) assert_int_equal(*v, model[k]);
        live += model[k] >= 0;
    }
    assert_int_equal(m->n, live);
}

static void linemap_is_a_map(void **state)
{
    (void)state;
    struct rng rng;
    rng_seed(&rng, 2, 0);
    for (unsigned style = 0; style < 3; style++) {
        struct hash_map m;
        int64_t model[KEYS];
        memset(model, -1, sizeof model);
        assert_true(hash_map_init(&m, 4));
        for (int step = 0; step < 20000; step++) {
            uint64_t k = rng_below(&rng, KEYS);
            uint32_t v = (uint32_t)rng_below(&rng, 1000);
            /* Phases of growing and of shrinking. */
            if (rng_below(&rng, 4) < (step / 2000 % 2 ? 1u : 3u)) {
                assert_true(hash_map_put(&m, key_of(k, style), v));
                model[k] = v;
            } else {
                assert_int_equal(hash_map_del(&m, key_of(k, style)), model[k] >= 0);
                model[k] = -1;
            }
            if (step % 50 == 0) compare(&m, model, style);
        }
        compare(&m, model, style);
        hash_map_clear(&m);
        memset(model, -1, sizeof model);
        compare(&m, model, style);
        hash_map_fini(&m);
    }
}

static void linemap_keeps_its_reserve(void **state)
{
    (void)state;
    struct hash_map m;
    for (uint32_t reserve = 1; reserve < 600; reserve += 37) {
        assert_true(hash_map_init(&m, reserve));
        shim_fail_after(SHIM_ALLOC, 1); /* any allocation would fail the put */
        for (uint64_t k = 0; k < reserve; k++)
            assert_true(hash_map_put(&m, k * 977, 1));
        shim_fail_after(SHIM_ALLOC, 0);
        hash_map_fini(&m);
    }
}

static void linemap_survives_want_of_memory(void **state)
{
    (void)state;
    struct hash_map m;
    shim_fail_after(SHIM_ALLOC, 1);
    assert_false(hash_map_init(&m, 8));
    assert_true(hash_map_init(&m, 8));
    shim_fail_after(SHIM_ALLOC, 1);
    uint64_t k = 0;
    while (hash_map_put(&m, k, (uint32_t)k))
        k++;
    assert_true(k >= 8);
    for (uint64_t i = 0; i < k; i++)
        assert_int_equal(*hash_map_get(&m, i), i);
    assert_null(hash_map_get(&m, k));
    hash_map_fini(&m);
}

/* The bucket by its definition: 16 equal steps between consecutive powers of two. */
static uint32_t bucket_by_search(uint64_t v)
{
    double lower = 16, step = 1;
    uint32_t bucket = 16;
    if (v < 16) return (uint32_t)v;
    while ((double)v >= lower * 2) {
        lower *= 2;
        step *= 2;
        bucket += 16;
    }
    return bucket + (uint32_t)(((double)v - lower) / step);
}

static void histogram_buckets(void **state)
{
    (void)state;
    struct rng rng;
    rng_seed(&rng, 3, 0);
    for (uint64_t v = 0; v < 5000; v++)
        assert_int_equal(histogram_bucket(v), bucket_by_search(v));
    for (int i = 0; i < 20000; i++) {
        uint64_t v = rng_next(&rng) >> (32 + rng_below(&rng, 32));
        assert_int_equal(histogram_bucket(v), bucket_by_search(v));
    }
    assert_int_equal(histogram_bucket(UINT32_MAX), HISTOGRAM_BUCKETS - 1);
    assert_int_equal(histogram_bucket(1ull << 32), HISTOGRAM_BUCKETS - 1);
    assert_int_equal(histogram_bucket(UINT64_MAX), HISTOGRAM_BUCKETS - 1);
}

static int by_value(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

static void histogram_quantiles_follow_the_sorted_values(void **state)
{
    (void)state;
    enum { N = 5000 };
    static uint64_t v[N];
    static struct histogram h;
    struct rng rng;
    double sum = 0;
    rng_seed(&rng, 4, 0);
    for (int i = 0; i < N; i++) {
        v[i] = rng_next(&rng) >> (44 + rng_below(&rng, 16));
        sum += (double)v[i];
        histogram_add(&h, v[i], 1);
    }
    qsort(v, N, sizeof *v, by_value);
    assert_near(histogram_mean(&h), sum / N, 1e-9 * sum / N);
    for (int p = 1; p <= 100; p++) {
        double exact = (double)v[(p * N + 99) / 100 - 1], got = histogram_quantile(&h, p / 100.0);
        assert_near(got, exact, exact / 16 + 1e-9); /* within the bucket's relative width */
    }
}

static void histogram_small_values_are_exact(void **state)
{
    (void)state;
    static struct histogram h;
    assert_near(histogram_quantile(&h, 0.5), 0, 0);
    for (uint64_t v = 1; v <= 9; v++)
        histogram_add(&h, v, 2);
    assert_near(histogram_quantile(&h, 0.5), 5, 0);
    assert_near(histogram_quantile(&h, 1), 9, 0);
    assert_near(histogram_quantile(&h, 0), 1, 0);
    assert_near(histogram_mean(&h), 5, 1e-12);
}

static void histogram_intervals_are_differences(void **state)
{
    (void)state;
    static struct histogram all, before, part, diff, sum;
    struct rng rng;
    rng_seed(&rng, 5, 0);
    for (int i = 0; i < 2000; i++) {
        uint64_t v = rng_below(&rng, 10000);
        histogram_add(&all, v, 1);
        histogram_add(i < 700 ? &before : &part, v, 1);
    }
    histogram_diff(&diff, &all, &before);
    assert_memory_equal(&diff, &part, sizeof diff);
    histogram_accumulate(&sum, &before, 1);
    histogram_accumulate(&sum, &part, 1);
    assert_memory_equal(&sum, &all, sizeof sum);
    histogram_accumulate(&sum, &part, 2.5);
    assert_near(sum.n, 2000 + 2.5 * 1300, 1e-9);
    assert_near(sum.sum, all.sum + 2.5 * part.sum, 1e-3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ring_is_a_bounded_queue),
        cmocka_unit_test(linemap_is_a_map),
        cmocka_unit_test(linemap_keeps_its_reserve),
        cmocka_unit_test(linemap_survives_want_of_memory),
        cmocka_unit_test(histogram_buckets),
        cmocka_unit_test(histogram_quantiles_follow_the_sorted_values),
        cmocka_unit_test(histogram_small_values_are_exact),
        cmocka_unit_test(histogram_intervals_are_differences),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
