/* index.c - modulo, irreducible-polynomial and XOR set indices.
 *
 * ipoly reads a line number as a polynomial over GF(2) and takes its remainder modulo an
 * irreducible polynomial of degree log2(sets) (Rau 1991): every power-of-two stride then visits all
 * sets.  The remainder is formed by folding: with P = x^k + tail, x^k is congruent to the tail, and
 * (squaring, which is linear over GF(2)) x^2k to the tail's exponents doubled, x^4k to them times
 * four. */
#include "geometry/index.h"

#include <assert.h>
#include <stddef.h>

enum { IPOLY_MIN_DEGREE = 4, IPOLY_MAX_DEGREE = 10 };

/* Without the leading term, bit i = x^i. */
static const uint8_t ipoly_tail[IPOLY_MAX_DEGREE + 1] = {
    [4] = 0x03, [5] = 0x05, [6] = 0x03, [7] = 0x03, [8] = 0x1B, [9] = 0x11, [10] = 0x09,
};

static uint32_t index_modulo(uint64_t line, uint32_t sets)
{
    return (sets & (sets - 1)) == 0 ? (uint32_t)line & (sets - 1) : (uint32_t)(line % sets);
}

/* Folds what lies at or above x^(degree * scale) once. */
static uint64_t fold(uint64_t v, uint32_t degree, uint32_t scale)
{
    uint64_t high = v >> (degree * scale);
    v ^= high << (degree * scale);
    for (uint32_t tail = ipoly_tail[degree]; tail; tail &= tail - 1)
        v ^= high << ((uint32_t)__builtin_ctz(tail) * scale);
    return v;
}

static uint32_t index_ipoly(uint64_t line, uint32_t sets)
{
    uint32_t degree = (uint32_t)__builtin_ctz(sets);
    assert((sets & (sets - 1)) == 0 && degree >= IPOLY_MIN_DEGREE && degree <= IPOLY_MAX_DEGREE);
    for (uint32_t scale = 4; scale; scale /= 2) {
        while (line >> (degree * scale))
            line = fold(line, degree, scale);
    }
    return (uint32_t)line;
}

/* As GPGPU-Sim's bitwise XOR: the set bits and the same number of bits above them. */
static uint32_t index_xor(uint64_t line, uint32_t sets)
{
    assert((sets & (sets - 1)) == 0);
    return (uint32_t)(line ^ (line >> __builtin_ctz(sets))) & (sets - 1);
}

index_fn *const index_table[INDEX_N] = {
    [INDEX_MODULO] = index_modulo,
    [INDEX_IPOLY] = index_ipoly,
    [INDEX_XOR] = index_xor,
};
