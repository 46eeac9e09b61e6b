/* cuda_bf16.h - the 16-bit format with single precision's range: the types and conversions. Source:
 * CUDA Math API, "Bfloat16 Precision Intrinsics". */
#pragma once

#include "cuda_runtime.h"

#include "plumb/half_bits.h"

#ifndef PLUMB_HALF
#define PLUMB_HALF static __inline__ __host__ __device__ __attribute__((always_inline))
#define PLUMB_HALF_MEMBER __inline__ __host__ __device__ __attribute__((always_inline))
#endif

struct __align__(2) __nv_bfloat16
{
    unsigned short bits;
    __nv_bfloat16() = default;
    PLUMB_HALF_MEMBER __nv_bfloat16(float f) : bits(plumb_float_to_bfloat(f)) {}
    PLUMB_HALF_MEMBER __nv_bfloat16(double f) : bits(plumb_float_to_bfloat((float)f)) {}
    PLUMB_HALF_MEMBER __nv_bfloat16(int i) : bits(plumb_float_to_bfloat((float)i)) {}
    PLUMB_HALF_MEMBER __nv_bfloat16(unsigned i) : bits(plumb_float_to_bfloat((float)i)) {}
    PLUMB_HALF_MEMBER __nv_bfloat16(long long i) : bits(plumb_float_to_bfloat((float)i)) {}
    PLUMB_HALF_MEMBER operator float() const
    {
        return plumb_bfloat_to_float(bits);
    }
    PLUMB_HALF_MEMBER __nv_bfloat16 &operator+=(const __nv_bfloat16 &b);
    PLUMB_HALF_MEMBER __nv_bfloat16 &operator-=(const __nv_bfloat16 &b);
    PLUMB_HALF_MEMBER __nv_bfloat16 &operator*=(const __nv_bfloat16 &b);
    PLUMB_HALF_MEMBER __nv_bfloat16 &operator/=(const __nv_bfloat16 &b);
};
typedef __nv_bfloat16 nv_bfloat16;
struct __align__(4) __nv_bfloat162
{
    __nv_bfloat16 x, y;
    __nv_bfloat162() = default;
    PLUMB_HALF_MEMBER __nv_bfloat162(__nv_bfloat16 a, __nv_bfloat16 b) : x(a), y(b) {}
};
typedef __nv_bfloat162 nv_bfloat162;

/* --- conversions --- */

PLUMB_HALF __nv_bfloat16 __float2bfloat16(float f)
{
    return __nv_bfloat16(f);
}
PLUMB_HALF __nv_bfloat16 __float2bfloat16_rn(float f)
{
    return __nv_bfloat16(f);
}
PLUMB_HALF __nv_bfloat16 __double2bfloat16(double f)
{
    return __nv_bfloat16((float)f);
}
PLUMB_HALF float __bfloat162float(__nv_bfloat16 h)
{
    return (float)h;
}
PLUMB_HALF __nv_bfloat16 __int2bfloat16_rn(int i)
{
    return __nv_bfloat16((float)i);
}
PLUMB_HALF int __bfloat162int_rn(__nv_bfloat16 h)
{
    return (int)__builtin_rintf((float)h);
}
PLUMB_HALF int __bfloat162int_rz(__nv_bfloat16 h)
{
    return (int)(float)h;
}
PLUMB_HALF __nv_bfloat16 __ushort_as_bfloat16(unsigned short b)
{
    __nv_bfloat16 h;
    h.bits = b;
    return h;
}
PLUMB_HALF unsigned short __bfloat16_as_ushort(__nv_bfloat16 h)
{
    return h.bits;
}
PLUMB_HALF __nv_bfloat162 __halves2bfloat162(__nv_bfloat16 a, __nv_bfloat16 b)
{
    return __nv_bfloat162(a, b);
}
PLUMB_HALF __nv_bfloat162 make_bfloat162(__nv_bfloat16 a, __nv_bfloat16 b)
{
    return __nv_bfloat162(a, b);
}
PLUMB_HALF __nv_bfloat162 __bfloat162bfloat162(__nv_bfloat16 a)
{
    return __nv_bfloat162(a, a);
}
PLUMB_HALF __nv_bfloat162 __float2bfloat162_rn(float f)
{
    return __nv_bfloat162(__nv_bfloat16(f), __nv_bfloat16(f));
}
PLUMB_HALF __nv_bfloat162 __floats2bfloat162_rn(float a, float b)
{
    return __nv_bfloat162(__nv_bfloat16(a), __nv_bfloat16(b));
}
PLUMB_HALF __nv_bfloat162 __float22bfloat162_rn(float2 f)
{
    return __nv_bfloat162(__nv_bfloat16(f.x), __nv_bfloat16(f.y));
}
PLUMB_HALF float2 __bfloat1622float2(__nv_bfloat162 h)
{
    return make_float2((float)h.x, (float)h.y);
}
PLUMB_HALF __nv_bfloat16 __low2bfloat16(__nv_bfloat162 h)
{
    return h.x;
}
PLUMB_HALF __nv_bfloat16 __high2bfloat16(__nv_bfloat162 h)
{
    return h.y;
}
PLUMB_HALF float __low2float(__nv_bfloat162 h)
{
    return (float)h.x;
}
PLUMB_HALF float __high2float(__nv_bfloat162 h)
{
    return (float)h.y;
}

PLUMB_HALF int __bfloat162int_rd(__nv_bfloat16 h)
{
    return (int)__builtin_floorf((float)h);
}
PLUMB_HALF __nv_bfloat16 __uint2bfloat16_rn(unsigned i)
{
    return __nv_bfloat16((float)i);
}
PLUMB_HALF __nv_bfloat16 __short2bfloat16_rn(short i)
{
    return __nv_bfloat16((float)i);
}
PLUMB_HALF short __bfloat16_as_short(__nv_bfloat16 h)
{
    return (short)h.bits;
}
PLUMB_HALF __nv_bfloat16 __short_as_bfloat16(short b)
{
    return __ushort_as_bfloat16((unsigned short)b);
}
PLUMB_HALF __nv_bfloat162 __low2bfloat162(__nv_bfloat162 h)
{
    return __nv_bfloat162(h.x, h.x);
}
PLUMB_HALF __nv_bfloat162 __high2bfloat162(__nv_bfloat162 h)
{
    return __nv_bfloat162(h.y, h.y);
}
PLUMB_HALF __nv_bfloat162 __lows2bfloat162(__nv_bfloat162 a, __nv_bfloat162 b)
{
    return __nv_bfloat162(a.x, b.x);
}
PLUMB_HALF __nv_bfloat162 __highs2bfloat162(__nv_bfloat162 a, __nv_bfloat162 b)
{
    return __nv_bfloat162(a.y, b.y);
}
PLUMB_HALF __nv_bfloat162 __lowhigh2highlow(__nv_bfloat162 h)
{
    return __nv_bfloat162(h.y, h.x);
}
PLUMB_HALF __nv_bfloat16 plumb_from_bits(__nv_bfloat16, unsigned b)
{
    return __ushort_as_bfloat16((unsigned short)b);
}

#define PLUMB_T __nv_bfloat16
#define PLUMB_T2 __nv_bfloat162
#define PLUMB_T_INFINITY 0x7f80
#include "plumb/half_operations.hpp"
