/* Random numbers and digests against their authors' published values. */
#include "tests/support/check.h"

#include "base/memory/rng.h"
#include "base/text/digest.h"

static void splitmix_is_the_published_one(void **state)
{
    (void)state;
    /* Vigna's splitmix64.c seeded with 1234567: the first five outputs (rosettacode.org). */
    static const uint64_t published[] = {6457827717110365317u, 3203168211198807973u,
                                         9817491932198370423u, 4593380528125082431u,
                                         16408922859458223821u};
    for (uint64_t i = 0; i < 5; i++)
        assert_true(rng_splitmix64(1234567 + i * 0x9E3779B97F4A7C15u) == published[i]);
}

static void xoshiro_is_the_published_one(void **state)
{
    (void)state;
    /* xoshiro256starstar.c from the state 1, 2, 3, 4: the first outputs (as in rand_xoshiro's
     * tests). */
    static const uint64_t published[] = {
        11520u, 0u, 1509978240u, 1215971899390074240u, 1216172134540287360u, 607988272756665600u};
    struct rng r = {{1, 2, 3, 4}};
    for (int i = 0; i < 6; i++)
        assert_true(rng_next(&r) == published[i]);
}

static void streams_repeat_and_differ(void **state)
{
    (void)state;
    struct rng a, b, c, d;
    rng_seed(&a, 7, 1);
    rng_seed(&b, 7, 1);
    rng_seed(&c, 7, 2);
    rng_seed(&d, 1, 7);
    for (int i = 0; i < 100; i++) {
        uint64_t v = rng_next(&a);
        assert_true(v == rng_next(&b));
        assert_true(v != rng_next(&c));
        assert_true(v != rng_next(&d));
    }
}

static void bounded_numbers_are_uniform(void **state)
{
    (void)state;
    enum { SIDES = 7, N = 70000 };
    double count[SIDES] = {0}, chi2 = 0, mean = 0;
    struct rng r;
    rng_seed(&r, 42, 0);
    for (int i = 0; i < N; i++) {
        uint64_t v = rng_below(&r, SIDES);
        assert_true(v < SIDES);
        count[v]++;
        double u = rng_unit(&r);
        assert_true(u >= 0 && u < 1);
        mean += u / N;
    }
    for (int i = 0; i < SIDES; i++)
        chi2 += (count[i] - N / SIDES) * (count[i] - N / SIDES) / (N / SIDES);
    assert_true(chi2 < 22.5);       /* 0.1 % point of chi-square with 6 degrees of freedom */
    assert_near(mean, 0.5, 0.0044); /* 4 standard errors of a uniform mean */
    assert_int_equal(rng_below(&r, 1), 0);
}

static void digests_are_xxh3(void **state)
{
    (void)state;
    char hex[33];
    digest_hex(digest_text(""), hex); /* XXH128 of the empty input, as `xxhsum -H2` prints it */
    assert_string_equal(hex, "99aa06d3014798d86001c324468d497f");
    assert_true(digest_equal(digest_text("plumb"), digest_bytes("plumb", 5)));
    assert_false(digest_equal(digest_text("plumb"), digest_text("plumc")));
}

static void digests_join_in_order(void **state)
{
    (void)state;
    struct digest a = digest_text("a"), b = digest_text("b");
    struct digest ab = digest_join(a, b);
    assert_true(digest_equal(ab, digest_join(a, b)));
    assert_false(digest_equal(ab, digest_join(b, a)));
    assert_false(digest_equal(ab, a));
}

static void digests_parse_what_they_print(void **state)
{
    (void)state;
    char hex[33];
    struct digest d = {.hi = 0x0123456789abcdefu, .lo = 0xfu}, back;
    digest_hex(d, hex);
    assert_string_equal(hex, "0123456789abcdef000000000000000f");
    assert_true(digest_parse(&back, hex));
    assert_true(digest_equal(d, back));
    assert_true(digest_parse(&back, "0123456789ABCDEF000000000000000F"));
    assert_true(digest_equal(d, back));
    assert_false(digest_parse(&back, "0123456789abcdef000000000000000"));
    assert_false(digest_parse(&back, "0123456789abcdef000000000000000g"));
    assert_false(digest_parse(&back, "0123456789abcdef000000000000000f0"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(splitmix_is_the_published_one),
        cmocka_unit_test(xoshiro_is_the_published_one),
        cmocka_unit_test(streams_repeat_and_differ),
        cmocka_unit_test(bounded_numbers_are_uniform),
        cmocka_unit_test(digests_are_xxh3),
        cmocka_unit_test(digests_join_in_order),
        cmocka_unit_test(digests_parse_what_they_print),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
