/* half_bits.h - the two formats of 16 bits as bits, and single precision. Sources: IEEE 754-2008,
 * binary16; CUDA Math API, "Bfloat16 Precision Intrinsics". */
#pragma once

#ifdef __CUDA__
#define PLUMB_BITS static __inline__ __host__ __device__ __attribute__((always_inline))
#else
#define PLUMB_BITS static inline
#endif

PLUMB_BITS float plumb_half_to_float(unsigned short h)
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
PLUMB_BITS unsigned short plumb_float_to_half(float f)
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

PLUMB_BITS float plumb_bfloat_to_float(unsigned short b)
{
    unsigned bits = (unsigned)b << 16;
    float f;
    __builtin_memcpy(&f, &bits, sizeof f);
    return f;
}

/* To nearest, ties to even. */
PLUMB_BITS unsigned short plumb_float_to_bfloat(float f)
{
    unsigned bits;
    __builtin_memcpy(&bits, &f, sizeof bits);
    if ((bits & 0x7fffffff) > 0x7f800000) return (unsigned short)(0x7fff);
    return (unsigned short)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}
