/* curand_kernel.h - random numbers of threads. Source of names and meanings: cuRAND's
 * documentation, "Device API Overview"; of the generators: G. Marsaglia, "Xorshift RNGs", Journal
 * of Statistical Software 8(14), 2003; J. Salmon et al., "Parallel random numbers: as easy as 1, 2,
 * 3", SC 2011.
 *
 * States are seeded in a way of plumb's own: the numbers are as random as cuRAND's, and others. */
#pragma once

#include "cuda_runtime.h"

#define PLUMB_RANDOM static __inline__ __device__ __attribute__((always_inline))

struct curandStateXORWOW {
    unsigned d, v[5];
    int has_normal, has_normal_double;
    float normal;
    double normal_double;
};
struct curandStatePhilox4_32_10 {
    unsigned counter[4], key[2], out[4], next;
    int has_normal, has_normal_double;
    float normal;
    double normal_double;
};
typedef struct curandStateXORWOW curandStateXORWOW_t, curandState_t, curandState;
typedef struct curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;

/* --- bits --- */

/* Mixes the bits of a word; by S. Vigna's splitmix64. */
PLUMB_RANDOM unsigned long long plumb_mix(unsigned long long x)
{
    x += 0x9e3779b97f4a7c15ull;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ x >> 27) * 0x94d049bb133111ebull;
    return x ^ x >> 31;
}

PLUMB_RANDOM unsigned curand(curandStateXORWOW *s)
{
    unsigned t = s->v[0] ^ s->v[0] >> 2;
    s->v[0] = s->v[1];
    s->v[1] = s->v[2];
    s->v[2] = s->v[3];
    s->v[3] = s->v[4];
    s->v[4] = s->v[4] ^ s->v[4] << 4 ^ t ^ t << 1;
    s->d += 362437;
    return s->d + s->v[4];
}
PLUMB_RANDOM void curand_init(unsigned long long seed, unsigned long long sequence,
                              unsigned long long offset, curandStateXORWOW *s)
{
    unsigned long long a = plumb_mix(seed ^ plumb_mix(sequence)), b = plumb_mix(a + offset);
    unsigned long long c = plumb_mix(b);
    s->d = (unsigned)(c >> 32);
    s->v[0] = (unsigned)a | 1;
    s->v[1] = (unsigned)(a >> 32);
    s->v[2] = (unsigned)b;
    s->v[3] = (unsigned)(b >> 32);
    s->v[4] = (unsigned)c;
    s->has_normal = s->has_normal_double = 0;
}

PLUMB_RANDOM void plumb_philox(const unsigned *counter, const unsigned *key, unsigned *out)
{
    unsigned c0 = counter[0], c1 = counter[1], c2 = counter[2], c3 = counter[3];
    unsigned k0 = key[0], k1 = key[1];
#pragma unroll
    for (int round = 0; round < 10; round++) {
        unsigned h0 = __umulhi(0xd2511f53u, c0), l0 = 0xd2511f53u * c0;
        unsigned h1 = __umulhi(0xcd9e8d57u, c2), l1 = 0xcd9e8d57u * c2;
        c0 = h1 ^ c1 ^ k0;
        c1 = l1;
        c2 = h0 ^ c3 ^ k1;
        c3 = l0;
        k0 += 0x9e3779b9u;
        k1 += 0xbb67ae85u;
    }
    out[0] = c0;
    out[1] = c1;
    out[2] = c2;
    out[3] = c3;
}
PLUMB_RANDOM void plumb_philox_next(curandStatePhilox4_32_10 *s)
{
    plumb_philox(s->counter, s->key, s->out);
    if (++s->counter[0] == 0) s->counter[1]++;
    s->next = 0;
}
PLUMB_RANDOM void curand_init(unsigned long long seed, unsigned long long sequence,
                              unsigned long long offset, curandStatePhilox4_32_10 *s)
{
    s->counter[0] = (unsigned)(offset / 4);
    s->counter[1] = (unsigned)(offset / 4 >> 32);
    s->counter[2] = (unsigned)sequence;
    s->counter[3] = (unsigned)(sequence >> 32);
    s->key[0] = (unsigned)seed;
    s->key[1] = (unsigned)(seed >> 32);
    s->has_normal = s->has_normal_double = 0;
    plumb_philox_next(s);
    s->next = (unsigned)(offset % 4);
}
PLUMB_RANDOM unsigned curand(curandStatePhilox4_32_10 *s)
{
    if (s->next == 4) plumb_philox_next(s);
    switch (s->next++) {
    case 0: return s->out[0];
    case 1: return s->out[1];
    case 2: return s->out[2];
    default: return s->out[3];
    }
}
PLUMB_RANDOM uint4 curand4(curandStatePhilox4_32_10 *s)
{
    uint4 r;
    r.x = curand(s);
    r.y = curand(s);
    r.z = curand(s);
    r.w = curand(s);
    return r;
}

/* --- numbers --- */

PLUMB_RANDOM float plumb_share_of(unsigned bits)
{
    return (float)bits * 2.3283064365386963e-10f +
           1.1641532182693481e-10f; /* of 2^32; more than 0 */
}
template <class State> PLUMB_RANDOM float curand_uniform(State *s)
{
    return plumb_share_of(curand(s));
}
template <class State> PLUMB_RANDOM double curand_uniform_double(State *s)
{
    unsigned long long low = curand(s), high = curand(s);
    return ((double)((high << 32 | low) >> 11) + 0.5) * 1.1102230246251565e-16; /* of 2^53 */
}
/* Two normal numbers, by Box and Muller. */
template <class State> PLUMB_RANDOM float2 curand_normal2(State *s)
{
    float size = sqrtf(-2.0f * logf(curand_uniform(s))), angle = 6.2831853f * curand_uniform(s);
    return make_float2(size * sinf(angle), size * cosf(angle));
}
template <class State> PLUMB_RANDOM double2 curand_normal2_double(State *s)
{
    double size = sqrt(-2.0 * log(curand_uniform_double(s)));
    double angle = 6.283185307179586 * curand_uniform_double(s);
    return make_double2(size * sin(angle), size * cos(angle));
}
template <class State> PLUMB_RANDOM float curand_normal(State *s)
{
    s->has_normal = !s->has_normal;
    if (!s->has_normal) return s->normal;
    float2 two = curand_normal2(s);
    s->normal = two.y;
    return two.x;
}
template <class State> PLUMB_RANDOM double curand_normal_double(State *s)
{
    s->has_normal_double = !s->has_normal_double;
    if (!s->has_normal_double) return s->normal_double;
    double2 two = curand_normal2_double(s);
    s->normal_double = two.y;
    return two.x;
}
template <class State> PLUMB_RANDOM float curand_log_normal(State *s, float mean, float deviation)
{
    return expf(mean + deviation * curand_normal(s));
}
PLUMB_RANDOM float4 curand_uniform4(curandStatePhilox4_32_10 *s)
{
    uint4 b = curand4(s);
    return make_float4(plumb_share_of(b.x), plumb_share_of(b.y), plumb_share_of(b.z),
                       plumb_share_of(b.w));
}
PLUMB_RANDOM float4 curand_normal4(curandStatePhilox4_32_10 *s)
{
    float2 a = curand_normal2(s), b = curand_normal2(s);
    return make_float4(a.x, a.y, b.x, b.y);
}
