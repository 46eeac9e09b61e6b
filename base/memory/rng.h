/* rng.h - small reproducible random numbers: splitmix64 for hashing and seeding, xoshiro256** for
 * streams. Results are part of plumb's output: the algorithms must not change. */
#pragma once

#include <stdint.h>

static inline uint64_t rng_splitmix64(uint64_t x)
{
    x += 0x9E3779B97F4A7C15u;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
    return x ^ (x >> 31);
}

struct rng {
    uint64_t s[4];
};

void rng_seed(struct rng *r, uint64_t seed, uint64_t stream); /* equal pairs give equal sequences */
uint64_t rng_next(struct rng *r);
uint64_t rng_below(struct rng *r, uint64_t n); /* uniform in 0..n-1, n > 0, without modulo bias */
double rng_unit(struct rng *r);                /* [0, 1) */
