/* Do the set indices follow their definitions, and do they spread strides? */
#include "base/memory/rng.h"
#include "gpu/geometry/set_index.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* Remainder over GF(2) by schoolbook division. */
static uint64_t remainder_gf2(uint64_t v, uint64_t poly, uint32_t degree)
{
    for (int bit = 63; bit >= (int)degree; bit--)
        if (v >> bit & 1) v ^= poly << ((uint32_t)bit - degree);
    return v;
}

/* The polynomial that the index uses: x^degree = index(2^degree). */
static uint64_t polynomial(uint32_t degree)
{
    uint32_t sets = 1u << degree;
    return sets | index_table[INDEX_IPOLY](sets, sets);
}

static void polynomials_are_irreducible(void **state)
{
    (void)state;
    for (uint32_t degree = 1; degree <= 10; degree++) {
        uint64_t poly = polynomial(degree);
        for (uint64_t d = 2; d < 1u << (degree / 2 + 1); d++) {
            uint32_t k = 63 - (uint32_t)__builtin_clzll(d);
            assert_int_not_equal(remainder_gf2(poly, d, k), 0);
        }
    }
}

static void ipoly_is_the_remainder(void **state)
{
    (void)state;
    struct rng r;
    rng_seed(&r, 4, 0);
    for (uint32_t degree = 1; degree <= 10; degree++) {
        uint64_t poly = polynomial(degree);
        for (int i = 0; i < 3000; i++) {
            uint64_t line = rng_next(&r) >> rng_below(&r, 64);
            assert_int_equal(index_table[INDEX_IPOLY](line, 1u << degree),
                             remainder_gf2(line, poly, degree));
        }
    }
}

/* Rau 1991: any run of `sets` lines a power of two apart visits every set once. */
static void ipoly_spreads_powers_of_two(void **state)
{
    (void)state;
    static uint8_t seen[1024];
    for (uint32_t sets = 2; sets <= 1024; sets *= 2) {
        for (uint32_t shift = 0; shift < 40; shift++) {
            memset(seen, 0, sizeof seen);
            for (uint64_t i = 0; i < sets; i++)
                seen[index_table[INDEX_IPOLY](i << shift, sets)]++;
            for (uint32_t s = 0; s < sets; s++)
                assert_int_equal(seen[s], 1);
        }
    }
}

static void modulo_is_the_remainder(void **state)
{
    (void)state;
    struct rng r;
    rng_seed(&r, 5, 0);
    for (int i = 0; i < 5000; i++) {
        uint64_t line = rng_next(&r);
        uint32_t sets = 1 + (uint32_t)rng_below(&r, 5000);
        assert_int_equal(index_table[INDEX_MODULO](line, sets), line % sets);
        assert_int_equal(index_table[INDEX_MODULO](line, 4096), line % 4096);
    }
}

/* Two fields of the line number; whatever is above them changes nothing. */
static void xor_mixes_the_next_bits(void **state)
{
    (void)state;
    assert_int_equal(index_table[INDEX_XOR](0x5A3, 16), 0xA ^ 0x3);
    assert_int_equal(index_table[INDEX_XOR](0x5A3, 1), 0);
    assert_int_equal(index_table[INDEX_XOR](0x5A3, 2), 0);
    for (uint32_t sets = 2; sets <= 4096; sets *= 2) {
        for (uint64_t high = 0; high < 5; high++) { /* each run of `sets` lines visits all sets */
            static uint8_t seen[4096];
            memset(seen, 0, sizeof seen);
            for (uint64_t i = 0; i < sets; i++)
                assert_int_equal(seen[index_table[INDEX_XOR](high * sets + i, sets)]++, 0);
            memset(seen, 0, sizeof seen); /* so do `sets` lines a way apart */
            for (uint64_t i = 0; i < sets; i++)
                assert_int_equal(seen[index_table[INDEX_XOR](i * sets + high % sets, sets)]++, 0);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(polynomials_are_irreducible), cmocka_unit_test(ipoly_is_the_remainder),
        cmocka_unit_test(ipoly_spreads_powers_of_two), cmocka_unit_test(modulo_is_the_remainder),
        cmocka_unit_test(xor_mixes_the_next_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
