/* rng.c - see rng.h.  xoshiro256** and its seeding by splitmix64: Blackman and Vigna, "Scrambled
 * linear pseudorandom number generators" (2021).  Bounded numbers: Lemire, "Fast random integer
 * generation in an interval" (2019). */
#include "base/memory/rng.h"

#include <assert.h>

__extension__ typedef unsigned __int128 u128;

void rng_seed(struct rng *r, uint64_t seed, uint64_t stream)
{
    uint64_t x = rng_splitmix64(seed) ^ rng_splitmix64(~stream);
    for (unsigned i = 0; i < 4; i++) {
        r->s[i] = rng_splitmix64(x);
        x += 0x9E3779B97F4A7C15u;
    }
}

static uint64_t rotl(uint64_t x, unsigned k)
{
    return x << k | x >> (64 - k);
}

uint64_t rng_next(struct rng *r)
{
    uint64_t *s = r->s;
    uint64_t result = rotl(s[1] * 5, 7) * 9, t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = rotl(s[3], 45);
    return result;
}

uint64_t rng_below(struct rng *r, uint64_t n)
{
    assert(n > 0);
    u128 m = (u128)rng_next(r) * n;
    uint64_t reject = (0 - n) % n; /* 2^64 mod n: this many low products would bias the result */
    while ((uint64_t)m < reject)
        m = (u128)rng_next(r) * n;
    return (uint64_t)(m >> 64);
}

double rng_unit(struct rng *r)
{
    return (double)(rng_next(r) >> 11) * 0x1p-53;
}
