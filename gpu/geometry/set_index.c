/* set_index.c - modulo, irreducible-polynomial and XOR indices.
 *
 * ipoly reads a line number as a polynomial over GF(2) and takes its remainder modulo an
 * irreducible polynomial of degree log2(sets) (Rau 1991): every power-of-two stride then visits all
 * sets.  The remainder is linear over GF(2): it is the XOR of the remainders of the line's bytes,
 * each in its place, which are tabled once per degree (4 KB, shared by all caches of the process).
 */
#include "gpu/geometry/set_index.h"

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

enum { IPOLY_MIN_DEGREE = 1, IPOLY_MAX_DEGREE = 10 };

/* Without the leading term, bit i = x^i. */
static const uint8_t ipoly_tail[IPOLY_MAX_DEGREE + 1] = {
    [1] = 0x01, [2] = 0x03, [3] = 0x03, [4] = 0x03, [5] = 0x05,
    [6] = 0x03, [7] = 0x03, [8] = 0x1B, [9] = 0x11, [10] = 0x09,
};

static uint32_t index_modulo(uint64_t line, uint32_t sets)
{
    return (sets & (sets - 1)) == 0 ? (uint32_t)line & (sets - 1) : (uint32_t)(line % sets);
}

enum { LINE_BYTES = 8, DEGREES = IPOLY_MAX_DEGREE - IPOLY_MIN_DEGREE + 1 };

struct remainders {
    atomic_bool ready;
    uint16_t of[LINE_BYTES][256]; /* of a byte's value in its place */
};
static struct remainders remainders[DEGREES];

static void fill_remainders(struct remainders *r, uint32_t degree)
{
    uint32_t sets = 1u << degree, power = 1; /* x^i mod P */
    for (uint32_t i = 0; i < 8 * LINE_BYTES; i++) {
        uint16_t *of = r->of[i / 8];
        for (uint32_t low = 0, bit = 1u << i % 8; low < bit; low++)
            of[bit | low] = (uint16_t)(of[low] ^ power);
        power <<= 1;
        if (power & sets) power ^= sets | ipoly_tail[degree];
    }
}

static const struct remainders *remainders_of(uint32_t degree)
{
    static pthread_mutex_t filling = PTHREAD_MUTEX_INITIALIZER;
    struct remainders *r = &remainders[degree - IPOLY_MIN_DEGREE];
    if (atomic_load_explicit(&r->ready, memory_order_acquire)) return r;
    pthread_mutex_lock(&filling);
    if (!atomic_load_explicit(&r->ready, memory_order_relaxed)) fill_remainders(r, degree);
    atomic_store_explicit(&r->ready, true, memory_order_release);
    pthread_mutex_unlock(&filling);
    return r;
}

static uint32_t index_ipoly(uint64_t line, uint32_t sets)
{
    uint32_t degree = (uint32_t)__builtin_ctz(sets);
    assert((sets & (sets - 1)) == 0 && degree >= IPOLY_MIN_DEGREE && degree <= IPOLY_MAX_DEGREE);
    const struct remainders *r = remainders_of(degree);
    uint32_t low = (uint32_t)line, index = r->of[0][low & 255] ^ r->of[1][low >> 8 & 255] ^
                                           r->of[2][low >> 16 & 255] ^ r->of[3][low >> 24];
    uint32_t place = 4;
    for (uint64_t rest = line >> 32; rest; rest >>= 8)
        index ^= r->of[place++][rest & 255];
    return index;
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
