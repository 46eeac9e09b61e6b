/* half_type.hpp - a format of 16 bits: the type PLUMB_T, its pair PLUMB_T2, conversions, operations.
 *
 * Each format's header includes it, with macros that give the names of conversions (PLUMB_FORMAT,
 * as in __float2half; PLUMB_PAIR_OF), the functions between bits and float (PLUMB_T_OF_FLOAT,
 * PLUMB_T_TO_FLOAT) and the bits of infinity (PLUMB_T_INFINITY).
 * Source: CUDA Math API, "Half Precision Intrinsics", "Bfloat16 Precision Intrinsics". */
#include "plumb/half_bits.h"

#ifndef PLUMB_HALF
#define PLUMB_HALF static __inline__ __host__ __device__ __attribute__((always_inline))
#define PLUMB_HALF_MEMBER __inline__ __host__ __device__ __attribute__((always_inline))
#define PLUMB_PASTE(before, format, behind) before##format##behind
#define PLUMB_PASTE_OF(before, format, behind) PLUMB_PASTE(before, format, behind)
#define PLUMB_NAMED(before, behind) PLUMB_PASTE_OF(before, PLUMB_FORMAT, behind)
#endif

struct __align__(2) PLUMB_T
{
    unsigned short bits;
    PLUMB_T() = default;
    PLUMB_HALF_MEMBER PLUMB_T(float f) : bits(PLUMB_T_OF_FLOAT(f)) {}
    PLUMB_HALF_MEMBER PLUMB_T(double f) : bits(PLUMB_T_OF_FLOAT((float)f)) {}
    PLUMB_HALF_MEMBER PLUMB_T(int i) : bits(PLUMB_T_OF_FLOAT((float)i)) {}
    PLUMB_HALF_MEMBER PLUMB_T(unsigned i) : bits(PLUMB_T_OF_FLOAT((float)i)) {}
    PLUMB_HALF_MEMBER PLUMB_T(long long i) : bits(PLUMB_T_OF_FLOAT((float)i)) {}
    PLUMB_HALF_MEMBER operator float() const
    {
        return PLUMB_T_TO_FLOAT(bits);
    }
    PLUMB_HALF_MEMBER PLUMB_T &operator+=(const PLUMB_T &b);
    PLUMB_HALF_MEMBER PLUMB_T &operator-=(const PLUMB_T &b);
    PLUMB_HALF_MEMBER PLUMB_T &operator*=(const PLUMB_T &b);
    PLUMB_HALF_MEMBER PLUMB_T &operator/=(const PLUMB_T &b);
};
struct __align__(4) PLUMB_T2
{
    PLUMB_T x, y;
    PLUMB_T2() = default;
    PLUMB_HALF_MEMBER PLUMB_T2(PLUMB_T a, PLUMB_T b) : x(a), y(b) {}
};

/* --- conversions --- */

PLUMB_HALF PLUMB_T PLUMB_NAMED(__float2, )(float f)
{
    return PLUMB_T(f);
}
PLUMB_HALF PLUMB_T PLUMB_NAMED(__float2, _rn)(float f)
{
    return PLUMB_T(f);
}
PLUMB_HALF PLUMB_T PLUMB_NAMED(__double2, )(double f)
{
    return PLUMB_T((float)f);
}
PLUMB_HALF float PLUMB_NAMED(__, 2float)(PLUMB_T h)
{
    return (float)h;
}
PLUMB_HALF PLUMB_T PLUMB_NAMED(__int2, _rn)(int i)
{
    return PLUMB_T((float)i);
}
PLUMB_HALF int PLUMB_NAMED(__, 2int_rn)(PLUMB_T h)
{
    return (int)__builtin_rintf((float)h);
}
PLUMB_HALF int PLUMB_NAMED(__, 2int_rz)(PLUMB_T h)
{
    return (int)(float)h;
}
PLUMB_HALF PLUMB_T PLUMB_NAMED(__ushort_as_, )(unsigned short b)
{
    PLUMB_T h;
    h.bits = b;
    return h;
}
PLUMB_HALF unsigned short PLUMB_NAMED(__, _as_ushort)(PLUMB_T h)
{
    return h.bits;
}
PLUMB_HALF PLUMB_T2 PLUMB_NAMED(__halves2, 2)(PLUMB_T a, PLUMB_T b)
{
    return PLUMB_T2(a, b);
}
PLUMB_HALF PLUMB_T2 PLUMB_NAMED(make_, 2)(PLUMB_T a, PLUMB_T b)
{
    return PLUMB_T2(a, b);
}
PLUMB_HALF PLUMB_T2 PLUMB_PAIR_OF(PLUMB_T a)
{
    return PLUMB_T2(a, a);
}
PLUMB_HALF PLUMB_T2 PLUMB_NAMED(__float2, 2_rn)(float f)
{
    return PLUMB_T2(PLUMB_T(f), PLUMB_T(f));
}
PLUMB_HALF PLUMB_T2 PLUMB_NAMED(__floats2, 2_rn)(float a, float b)
{
    return PLUMB_T2(PLUMB_T(a), PLUMB_T(b));
}
PLUMB_HALF PLUMB_T2 PLUMB_NAMED(__float22, 2_rn)(float2 f)
{
    return PLUMB_T2(PLUMB_T(f.x), PLUMB_T(f.y));
}
PLUMB_HALF float2 PLUMB_NAMED(__, 22float2)(PLUMB_T2 h)
{
    return make_float2((float)h.x, (float)h.y);
}
PLUMB_HALF PLUMB_T PLUMB_NAMED(__low2, )(PLUMB_T2 h)
{
    return h.x;
}
PLUMB_HALF PLUMB_T PLUMB_NAMED(__high2, )(PLUMB_T2 h)
{
    return h.y;
}
PLUMB_HALF float __low2float(PLUMB_T2 h)
{
    return (float)h.x;
}
PLUMB_HALF float __high2float(PLUMB_T2 h)
{
    return (float)h.y;
}

PLUMB_HALF int PLUMB_NAMED(__, 2int_rd)(PLUMB_T h)
{
    return (int)__builtin_floorf((float)h);
}
PLUMB_HALF PLUMB_T PLUMB_NAMED(__uint2, _rn)(unsigned i)
{
    return PLUMB_T((float)i);
}
PLUMB_HALF PLUMB_T PLUMB_NAMED(__short2, _rn)(short i)
{
    return PLUMB_T((float)i);
}
PLUMB_HALF short PLUMB_NAMED(__, _as_short)(PLUMB_T h)
{
    return (short)h.bits;
}
PLUMB_HALF PLUMB_T PLUMB_NAMED(__short_as_, )(short b)
{
    return PLUMB_NAMED(__ushort_as_, )((unsigned short)b);
}
PLUMB_HALF PLUMB_T2 PLUMB_NAMED(__low2, 2)(PLUMB_T2 h)
{
    return PLUMB_T2(h.x, h.x);
}
PLUMB_HALF PLUMB_T2 PLUMB_NAMED(__high2, 2)(PLUMB_T2 h)
{
    return PLUMB_T2(h.y, h.y);
}
PLUMB_HALF PLUMB_T2 PLUMB_NAMED(__lows2, 2)(PLUMB_T2 a, PLUMB_T2 b)
{
    return PLUMB_T2(a.x, b.x);
}
PLUMB_HALF PLUMB_T2 PLUMB_NAMED(__highs2, 2)(PLUMB_T2 a, PLUMB_T2 b)
{
    return PLUMB_T2(a.y, b.y);
}
PLUMB_HALF PLUMB_T2 __lowhigh2highlow(PLUMB_T2 h)
{
    return PLUMB_T2(h.y, h.x);
}
PLUMB_HALF PLUMB_T plumb_from_bits(PLUMB_T, unsigned b)
{
    return PLUMB_NAMED(__ushort_as_, )((unsigned short)b);
}

#include "plumb/half_operations.hpp"

#undef PLUMB_T
#undef PLUMB_T2
#undef PLUMB_T_INFINITY
#undef PLUMB_T_OF_FLOAT
#undef PLUMB_T_TO_FLOAT
#undef PLUMB_FORMAT
#undef PLUMB_PAIR_OF
