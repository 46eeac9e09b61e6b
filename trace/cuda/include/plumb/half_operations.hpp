/* half_operations.hpp - what the two formats of 16 bits share: arithmetic, comparisons, functions,
 * shuffles of PLUMB_T and its pair PLUMB_T2, whose infinity has the bits PLUMB_T_INFINITY. Included
 * by half_type.hpp. Source: CUDA Math API, "Half Precision Intrinsics", "Bfloat16 Precision
 * Intrinsics".
 *
 * Arithmetic is done in float and rounded, which gives the same result for one operation. A GPU has
 * instructions of its own for pairs; here a pair is two. */

/* --- arithmetic --- */

#define PLUMB_HALF_OPERATION(name, sign)                                    \
    PLUMB_HALF PLUMB_T name(PLUMB_T a, PLUMB_T b)                           \
    {                                                                       \
        return PLUMB_T((float)a sign(float) b);                             \
    }                                                                       \
    PLUMB_HALF PLUMB_T2 name##2(PLUMB_T2 a, PLUMB_T2 b)                     \
    {                                                                       \
        return PLUMB_T2(name(a.x, b.x), name(a.y, b.y));                    \
    }                                                                       \
    PLUMB_HALF PLUMB_T operator sign(const PLUMB_T &a, const PLUMB_T &b)    \
    {                                                                       \
        return name(a, b);                                                  \
    }                                                                       \
    PLUMB_HALF PLUMB_T2 operator sign(const PLUMB_T2 &a, const PLUMB_T2 &b) \
    {                                                                       \
        return name##2(a, b);                                               \
    }                                                                       \
    PLUMB_HALF_MEMBER PLUMB_T &PLUMB_T::operator sign##=(const PLUMB_T &b)  \
    {                                                                       \
        return *this = name(*this, b);                                      \
    }
PLUMB_HALF_OPERATION(__hadd, +)
PLUMB_HALF_OPERATION(__hsub, -)
PLUMB_HALF_OPERATION(__hmul, *)
PLUMB_HALF_OPERATION(__hdiv, /)
PLUMB_HALF PLUMB_T2 __h2div(PLUMB_T2 a, PLUMB_T2 b)
{
    return __hdiv2(a, b);
}
PLUMB_HALF PLUMB_T __hfma(PLUMB_T a, PLUMB_T b, PLUMB_T c)
{
    return PLUMB_T(__builtin_fmaf((float)a, (float)b, (float)c));
}
PLUMB_HALF PLUMB_T2 __hfma2(PLUMB_T2 a, PLUMB_T2 b, PLUMB_T2 c)
{
    return PLUMB_T2(__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y));
}
PLUMB_HALF PLUMB_T __hneg(PLUMB_T a)
{
    return plumb_from_bits(a, a.bits ^ 0x8000);
}
PLUMB_HALF PLUMB_T2 __hneg2(PLUMB_T2 a)
{
    return PLUMB_T2(__hneg(a.x), __hneg(a.y));
}
PLUMB_HALF PLUMB_T __habs(PLUMB_T a)
{
    return plumb_from_bits(a, a.bits & 0x7fff);
}
PLUMB_HALF PLUMB_T operator-(const PLUMB_T &a)
{
    return __hneg(a);
}

/* --- comparisons --- */

#define PLUMB_HALF_COMPARISON(name, sign)                             \
    PLUMB_HALF bool name(PLUMB_T a, PLUMB_T b)                        \
    {                                                                 \
        return (float)a sign(float) b;                                \
    }                                                                 \
    PLUMB_HALF bool operator sign(const PLUMB_T &a, const PLUMB_T &b) \
    {                                                                 \
        return name(a, b);                                            \
    }
PLUMB_HALF_COMPARISON(__heq, ==)
PLUMB_HALF_COMPARISON(__hne, !=)
PLUMB_HALF_COMPARISON(__hlt, <)
PLUMB_HALF_COMPARISON(__hle, <=)
PLUMB_HALF_COMPARISON(__hgt, >)
PLUMB_HALF_COMPARISON(__hge, >=)
PLUMB_HALF PLUMB_T __hmax(PLUMB_T a, PLUMB_T b)
{
    return a > b ? a : b;
}
PLUMB_HALF PLUMB_T __hmin(PLUMB_T a, PLUMB_T b)
{
    return a < b ? a : b;
}
PLUMB_HALF bool __hisnan(PLUMB_T a)
{
    return (a.bits & 0x7fff) > PLUMB_T_INFINITY;
}
PLUMB_HALF bool __hisinf(PLUMB_T a)
{
    return (a.bits & 0x7fff) == PLUMB_T_INFINITY;
}
PLUMB_HALF PLUMB_T2 __hmax2(PLUMB_T2 a, PLUMB_T2 b)
{
    return PLUMB_T2(__hmax(a.x, b.x), __hmax(a.y, b.y));
}
PLUMB_HALF PLUMB_T2 __hmin2(PLUMB_T2 a, PLUMB_T2 b)
{
    return PLUMB_T2(__hmin(a.x, b.x), __hmin(a.y, b.y));
}
PLUMB_HALF PLUMB_T2 __habs2(PLUMB_T2 a)
{
    return PLUMB_T2(__habs(a.x), __habs(a.y));
}
PLUMB_HALF PLUMB_T __hfma_relu(PLUMB_T a, PLUMB_T b, PLUMB_T c)
{
    return __hmax(__hfma(a, b, c), plumb_from_bits(PLUMB_T(), 0));
}

/* --- functions --- */

#ifdef __CUDA__
#define PLUMB_HALF_FUNCTION(name, function)                    \
    static __inline__ __device__ PLUMB_T h##name(PLUMB_T a)    \
    {                                                          \
        return PLUMB_T(function((float)a));                    \
    }                                                          \
    static __inline__ __device__ PLUMB_T2 h2##name(PLUMB_T2 a) \
    {                                                          \
        return PLUMB_T2(h##name(a.x), h##name(a.y));           \
    }
PLUMB_HALF_FUNCTION(exp, expf)
PLUMB_HALF_FUNCTION(log, logf)
PLUMB_HALF_FUNCTION(sqrt, sqrtf)
PLUMB_HALF_FUNCTION(rsqrt, rsqrtf)
PLUMB_HALF_FUNCTION(sin, sinf)
PLUMB_HALF_FUNCTION(cos, cosf)
PLUMB_HALF_FUNCTION(tanh, tanhf)
PLUMB_HALF_FUNCTION(rcp, 1.0f /)
PLUMB_HALF_FUNCTION(floor, floorf)
PLUMB_HALF_FUNCTION(ceil, ceilf)
PLUMB_HALF_FUNCTION(trunc, truncf)
PLUMB_HALF_FUNCTION(rint, rintf)
PLUMB_HALF_FUNCTION(exp2, exp2f)
PLUMB_HALF_FUNCTION(log2, log2f)
PLUMB_HALF_FUNCTION(exp10, exp10f)
PLUMB_HALF_FUNCTION(log10, log10f)

#define PLUMB_HALF_SHUFFLE(name, by)                                                          \
    static __inline__ __device__ PLUMB_T name(unsigned mask, PLUMB_T v, by n, int width = 32) \
    {                                                                                         \
        return plumb_from_bits(v, (unsigned short)name(mask, (int)v.bits, n, width));         \
    }
PLUMB_HALF_SHUFFLE(__shfl_sync, int)
PLUMB_HALF_SHUFFLE(__shfl_up_sync, unsigned)
PLUMB_HALF_SHUFFLE(__shfl_down_sync, unsigned)
PLUMB_HALF_SHUFFLE(__shfl_xor_sync, int)

#define PLUMB_PAIR_SHUFFLE(name, by)                                                            \
    static __inline__ __device__ PLUMB_T2 name(unsigned mask, PLUMB_T2 v, by n, int width = 32) \
    {                                                                                           \
        return PLUMB_T2(name(mask, v.x, n, width), name(mask, v.y, n, width));                  \
    }
PLUMB_PAIR_SHUFFLE(__shfl_sync, int)
PLUMB_PAIR_SHUFFLE(__shfl_up_sync, unsigned)
PLUMB_PAIR_SHUFFLE(__shfl_down_sync, unsigned)
PLUMB_PAIR_SHUFFLE(__shfl_xor_sync, int)
static __inline__ __device__ PLUMB_T __ldg(const PLUMB_T *p)
{
    return *p;
}
static __inline__ __device__ PLUMB_T2 __ldg(const PLUMB_T2 *p)
{
    return *p;
}

/* A loop of compare-and-swaps on the word that holds the number. */
static __inline__ __device__ PLUMB_T atomicAdd(PLUMB_T *p, PLUMB_T v)
{
    unsigned *word = (unsigned *)((size_t)p & ~(size_t)3), old = *word, seen;
    unsigned shift = ((size_t)p & 2) * 8;
    for (;; old = seen) {
        PLUMB_T sum = __hadd(plumb_from_bits(v, (unsigned short)(old >> shift)), v);
        unsigned next = (old & ~(0xffffu << shift)) | (unsigned)sum.bits << shift;
        seen = atomicCAS(word, old, next);
        if (seen == old) return plumb_from_bits(v, (unsigned short)(old >> shift));
    }
}
static __inline__ __device__ PLUMB_T2 atomicAdd(PLUMB_T2 *p, PLUMB_T2 v)
{
    return PLUMB_T2(atomicAdd(&p->x, v.x), atomicAdd(&p->y, v.y));
}
#endif

#undef PLUMB_HALF_OPERATION
#undef PLUMB_HALF_COMPARISON
#undef PLUMB_HALF_FUNCTION
#undef PLUMB_HALF_SHUFFLE
#undef PLUMB_PAIR_SHUFFLE
