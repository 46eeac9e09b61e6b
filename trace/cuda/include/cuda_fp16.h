/* cuda_fp16.h - half precision: the types, conversions, arithmetic and comparisons that programs use
 * most. Source: CUDA Math API, "Half Precision Intrinsics".
 *
 * Arithmetic is done in float and rounded, which gives the same result for one operation. A GPU has
 * instructions of its own for pairs; here a pair is two. */
#pragma once

#include "cuda_runtime.h"

#define PLUMB_HALF static __inline__ __host__ __device__ __attribute__((always_inline))
#define PLUMB_HALF_MEMBER __inline__ __host__ __device__ __attribute__((always_inline))

/* --- the format --- */

PLUMB_HALF float plumb_half_to_float(unsigned short h)
{
    unsigned sign = (unsigned)(h & 0x8000) << 16, exponent = h >> 10 & 31, fraction = h & 0x3ff;
    unsigned bits = sign;
    if (exponent == 31)
        bits |= 0x7f800000u | fraction << 13;
    else if (exponent)
        bits |= (exponent + 112) << 23 | fraction << 13;
    float f;
    if (exponent == 0) {
        f = (float)fraction * (1.0f / 16777216.0f);
        return sign ? -f : f;
    }
    __builtin_memcpy(&f, &bits, sizeof f);
    return f;
}

/* To nearest, ties to even. */
PLUMB_HALF unsigned short plumb_float_to_half(float f)
{
    unsigned bits;
    __builtin_memcpy(&bits, &f, sizeof bits);
    unsigned sign = bits >> 16 & 0x8000, magnitude = bits & 0x7fffffff;
    if (magnitude > 0x7f800000) return (unsigned short)(0x7fff);
    if (magnitude >= 0x47800000) return (unsigned short)(sign | 0x7c00);
    if (magnitude < 0x38800000) { /* below the normal numbers: in units of 2^-24 */
        float scaled = __builtin_rintf(__builtin_fabsf(f) * 16777216.0f);
        return (unsigned short)(sign | (unsigned)scaled);
    }
    unsigned rounded = magnitude - 0x38000000 + 0xfff + (magnitude >> 13 & 1);
    return (unsigned short)(sign | rounded >> 13);
}

struct __align__(2) __half {
    unsigned short bits;
    __half() = default;
    PLUMB_HALF_MEMBER __half(float f) : bits(plumb_float_to_half(f)) {}
    PLUMB_HALF_MEMBER __half(double f) : bits(plumb_float_to_half((float)f)) {}
    PLUMB_HALF_MEMBER __half(int i) : bits(plumb_float_to_half((float)i)) {}
    PLUMB_HALF_MEMBER operator float() const { return plumb_half_to_float(bits); }
    PLUMB_HALF_MEMBER __half &operator+=(const __half &b);
    PLUMB_HALF_MEMBER __half &operator-=(const __half &b);
    PLUMB_HALF_MEMBER __half &operator*=(const __half &b);
    PLUMB_HALF_MEMBER __half &operator/=(const __half &b);
};
typedef __half half;
struct __align__(4) __half2 {
    __half x, y;
    __half2() = default;
    PLUMB_HALF_MEMBER __half2(__half a, __half b) : x(a), y(b) {}
};
typedef __half2 half2;

/* --- conversions --- */

PLUMB_HALF __half __float2half(float f) { return __half(f); }
PLUMB_HALF __half __float2half_rn(float f) { return __half(f); }
PLUMB_HALF __half __double2half(double f) { return __half((float)f); }
PLUMB_HALF float __half2float(__half h) { return (float)h; }
PLUMB_HALF __half __int2half_rn(int i) { return __half((float)i); }
PLUMB_HALF int __half2int_rn(__half h) { return (int)__builtin_rintf((float)h); }
PLUMB_HALF int __half2int_rz(__half h) { return (int)(float)h; }
PLUMB_HALF __half __ushort_as_half(unsigned short b) { __half h; h.bits = b; return h; }
PLUMB_HALF unsigned short __half_as_ushort(__half h) { return h.bits; }
PLUMB_HALF __half2 __halves2half2(__half a, __half b) { return __half2(a, b); }
PLUMB_HALF __half2 make_half2(__half a, __half b) { return __half2(a, b); }
PLUMB_HALF __half2 __half2half2(__half a) { return __half2(a, a); }
PLUMB_HALF __half2 __float2half2_rn(float f) { return __half2(__half(f), __half(f)); }
PLUMB_HALF __half2 __floats2half2_rn(float a, float b) { return __half2(__half(a), __half(b)); }
PLUMB_HALF __half2 __float22half2_rn(float2 f) { return __half2(__half(f.x), __half(f.y)); }
PLUMB_HALF float2 __half22float2(__half2 h) { return make_float2((float)h.x, (float)h.y); }
PLUMB_HALF __half __low2half(__half2 h) { return h.x; }
PLUMB_HALF __half __high2half(__half2 h) { return h.y; }
PLUMB_HALF float __low2float(__half2 h) { return (float)h.x; }
PLUMB_HALF float __high2float(__half2 h) { return (float)h.y; }

/* --- arithmetic --- */

#define PLUMB_HALF_OPERATION(name, sign)                                                           \
    PLUMB_HALF __half name(__half a, __half b) { return __half((float)a sign(float) b); }          \
    PLUMB_HALF __half2 name##2(__half2 a, __half2 b)                                               \
    {                                                                                              \
        return __half2(name(a.x, b.x), name(a.y, b.y));                                            \
    }                                                                                              \
    PLUMB_HALF __half operator sign(const __half &a, const __half &b) { return name(a, b); }       \
    PLUMB_HALF __half2 operator sign(const __half2 &a, const __half2 &b) { return name##2(a, b); } \
    PLUMB_HALF_MEMBER __half &__half::operator sign##=(const __half &b)                            \
    {                                                                                              \
        return *this = name(*this, b);                                                             \
    }
PLUMB_HALF_OPERATION(__hadd, +)
PLUMB_HALF_OPERATION(__hsub, -)
PLUMB_HALF_OPERATION(__hmul, *)
PLUMB_HALF_OPERATION(__hdiv, /)
PLUMB_HALF __half2 __h2div(__half2 a, __half2 b) { return __hdiv2(a, b); }
PLUMB_HALF __half __hfma(__half a, __half b, __half c)
{
    return __half(__builtin_fmaf((float)a, (float)b, (float)c));
}
PLUMB_HALF __half2 __hfma2(__half2 a, __half2 b, __half2 c)
{
    return __half2(__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y));
}
PLUMB_HALF __half __hneg(__half a) { return __ushort_as_half(a.bits ^ 0x8000); }
PLUMB_HALF __half2 __hneg2(__half2 a) { return __half2(__hneg(a.x), __hneg(a.y)); }
PLUMB_HALF __half __habs(__half a) { return __ushort_as_half(a.bits & 0x7fff); }
PLUMB_HALF __half operator-(const __half &a) { return __hneg(a); }

/* --- comparisons --- */

#define PLUMB_HALF_COMPARISON(name, sign)                                                          \
    PLUMB_HALF bool name(__half a, __half b) { return (float)a sign(float) b; }                    \
    PLUMB_HALF bool operator sign(const __half &a, const __half &b) { return name(a, b); }
PLUMB_HALF_COMPARISON(__heq, ==)
PLUMB_HALF_COMPARISON(__hne, !=)
PLUMB_HALF_COMPARISON(__hlt, <)
PLUMB_HALF_COMPARISON(__hle, <=)
PLUMB_HALF_COMPARISON(__hgt, >)
PLUMB_HALF_COMPARISON(__hge, >=)
PLUMB_HALF __half __hmax(__half a, __half b) { return a > b ? a : b; }
PLUMB_HALF __half __hmin(__half a, __half b) { return a < b ? a : b; }
PLUMB_HALF bool __hisnan(__half a) { return (a.bits & 0x7fff) > 0x7c00; }

/* --- functions --- */

#ifdef __CUDA__
#define PLUMB_HALF_FUNCTION(name, function)                                                        \
    static __inline__ __device__ __half h##name(__half a) { return __half(function((float)a)); }   \
    static __inline__ __device__ __half2 h2##name(__half2 a)                                       \
    {                                                                                              \
        return __half2(h##name(a.x), h##name(a.y));                                                \
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

#define PLUMB_HALF_SHUFFLE(name, by)                                                               \
    static __inline__ __device__ __half name(unsigned mask, __half v, by n, int width = 32)        \
    {                                                                                              \
        return __ushort_as_half((unsigned short)name(mask, (int)v.bits, n, width));                \
    }
PLUMB_HALF_SHUFFLE(__shfl_sync, int)
PLUMB_HALF_SHUFFLE(__shfl_up_sync, unsigned)
PLUMB_HALF_SHUFFLE(__shfl_down_sync, unsigned)
PLUMB_HALF_SHUFFLE(__shfl_xor_sync, int)
#endif
