/* cuda_fp16.h - half precision: the types and conversions. Source: CUDA Math API, "Half Precision
 * Intrinsics". */
#pragma once

#include "cuda_runtime.h"

#include "plumb/half_bits.h"

#ifndef PLUMB_HALF
#define PLUMB_HALF static __inline__ __host__ __device__ __attribute__((always_inline))
#define PLUMB_HALF_MEMBER __inline__ __host__ __device__ __attribute__((always_inline))
#endif

struct __align__(2) __half
{
    unsigned short bits;
    __half() = default;
    PLUMB_HALF_MEMBER __half(float f) : bits(plumb_float_to_half(f)) {}
    PLUMB_HALF_MEMBER __half(double f) : bits(plumb_float_to_half((float)f)) {}
    PLUMB_HALF_MEMBER __half(int i) : bits(plumb_float_to_half((float)i)) {}
    PLUMB_HALF_MEMBER __half(unsigned i) : bits(plumb_float_to_half((float)i)) {}
    PLUMB_HALF_MEMBER __half(long long i) : bits(plumb_float_to_half((float)i)) {}
    PLUMB_HALF_MEMBER operator float() const
    {
        return plumb_half_to_float(bits);
    }
    PLUMB_HALF_MEMBER __half &operator+=(const __half &b);
    PLUMB_HALF_MEMBER __half &operator-=(const __half &b);
    PLUMB_HALF_MEMBER __half &operator*=(const __half &b);
    PLUMB_HALF_MEMBER __half &operator/=(const __half &b);
};
typedef __half half;
struct __align__(4) __half2
{
    __half x, y;
    __half2() = default;
    PLUMB_HALF_MEMBER __half2(__half a, __half b) : x(a), y(b) {}
};
typedef __half2 half2;

/* --- conversions --- */

PLUMB_HALF __half __float2half(float f)
{
    return __half(f);
}
PLUMB_HALF __half __float2half_rn(float f)
{
    return __half(f);
}
PLUMB_HALF __half __double2half(double f)
{
    return __half((float)f);
}
PLUMB_HALF float __half2float(__half h)
{
    return (float)h;
}
PLUMB_HALF __half __int2half_rn(int i)
{
    return __half((float)i);
}
PLUMB_HALF int __half2int_rn(__half h)
{
    return (int)__builtin_rintf((float)h);
}
PLUMB_HALF int __half2int_rz(__half h)
{
    return (int)(float)h;
}
PLUMB_HALF __half __ushort_as_half(unsigned short b)
{
    __half h;
    h.bits = b;
    return h;
}
PLUMB_HALF unsigned short __half_as_ushort(__half h)
{
    return h.bits;
}
PLUMB_HALF __half2 __halves2half2(__half a, __half b)
{
    return __half2(a, b);
}
PLUMB_HALF __half2 make_half2(__half a, __half b)
{
    return __half2(a, b);
}
PLUMB_HALF __half2 __half2half2(__half a)
{
    return __half2(a, a);
}
PLUMB_HALF __half2 __float2half2_rn(float f)
{
    return __half2(__half(f), __half(f));
}
PLUMB_HALF __half2 __floats2half2_rn(float a, float b)
{
    return __half2(__half(a), __half(b));
}
PLUMB_HALF __half2 __float22half2_rn(float2 f)
{
    return __half2(__half(f.x), __half(f.y));
}
PLUMB_HALF float2 __half22float2(__half2 h)
{
    return make_float2((float)h.x, (float)h.y);
}
PLUMB_HALF __half __low2half(__half2 h)
{
    return h.x;
}
PLUMB_HALF __half __high2half(__half2 h)
{
    return h.y;
}
PLUMB_HALF float __low2float(__half2 h)
{
    return (float)h.x;
}
PLUMB_HALF float __high2float(__half2 h)
{
    return (float)h.y;
}

PLUMB_HALF int __half2int_rd(__half h)
{
    return (int)__builtin_floorf((float)h);
}
PLUMB_HALF __half __uint2half_rn(unsigned i)
{
    return __half((float)i);
}
PLUMB_HALF __half __short2half_rn(short i)
{
    return __half((float)i);
}
PLUMB_HALF short __half_as_short(__half h)
{
    return (short)h.bits;
}
PLUMB_HALF __half __short_as_half(short b)
{
    return __ushort_as_half((unsigned short)b);
}
PLUMB_HALF __half2 __low2half2(__half2 h)
{
    return __half2(h.x, h.x);
}
PLUMB_HALF __half2 __high2half2(__half2 h)
{
    return __half2(h.y, h.y);
}
PLUMB_HALF __half2 __lows2half2(__half2 a, __half2 b)
{
    return __half2(a.x, b.x);
}
PLUMB_HALF __half2 __highs2half2(__half2 a, __half2 b)
{
    return __half2(a.y, b.y);
}
PLUMB_HALF __half2 __lowhigh2highlow(__half2 h)
{
    return __half2(h.y, h.x);
}
PLUMB_HALF __half plumb_from_bits(__half, unsigned b)
{
    return __ushort_as_half((unsigned short)b);
}

#define PLUMB_T __half
#define PLUMB_T2 __half2
#define PLUMB_T_INFINITY 0x7c00
#include "plumb/half_operations.hpp"
