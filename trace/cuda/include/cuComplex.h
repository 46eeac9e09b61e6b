/* cuComplex.h - complex numbers of CUDA's. Source of names: the CUDA toolkit's documentation of
 * cuBLAS and cuFFT, which use them; the meanings are those of C's complex numbers. */
#pragma once

#include "cuda_runtime_api.h"

#include <math.h>

typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;

#define PLUMB_COMPLEX(f, type, real, root)                                         \
    PLUMB_MAKE real cuCreal##f(type a)                                             \
    {                                                                              \
        return a.x;                                                                \
    }                                                                              \
    PLUMB_MAKE real cuCimag##f(type a)                                             \
    {                                                                              \
        return a.y;                                                                \
    }                                                                              \
    PLUMB_MAKE type cuConj##f(type a)                                              \
    {                                                                              \
        type c = {a.x, -a.y};                                                      \
        return c;                                                                  \
    }                                                                              \
    PLUMB_MAKE type cuCadd##f(type a, type b)                                      \
    {                                                                              \
        type c = {a.x + b.x, a.y + b.y};                                           \
        return c;                                                                  \
    }                                                                              \
    PLUMB_MAKE type cuCsub##f(type a, type b)                                      \
    {                                                                              \
        type c = {a.x - b.x, a.y - b.y};                                           \
        return c;                                                                  \
    }                                                                              \
    PLUMB_MAKE type cuCmul##f(type a, type b)                                      \
    {                                                                              \
        type c = {a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x};                   \
        return c;                                                                  \
    }                                                                              \
    PLUMB_MAKE type cuCdiv##f(type a, type b)                                      \
    {                                                                              \
        real size = b.x * b.x + b.y * b.y;                                         \
        type c = {(a.x * b.x + a.y * b.y) / size, (a.y * b.x - a.x * b.y) / size}; \
        return c;                                                                  \
    }                                                                              \
    PLUMB_MAKE type cuCfma##f(type a, type b, type c)                              \
    {                                                                              \
        return cuCadd##f(cuCmul##f(a, b), c);                                      \
    }                                                                              \
    PLUMB_MAKE real cuCabs##f(type a)                                              \
    {                                                                              \
        return root(a.x, a.y);                                                     \
    }
PLUMB_COMPLEX(f, cuFloatComplex, float, hypotf)
PLUMB_COMPLEX(, cuDoubleComplex, double, hypot)

PLUMB_MAKE cuFloatComplex make_cuFloatComplex(float x, float y)
{
    return make_float2(x, y);
}
PLUMB_MAKE cuDoubleComplex make_cuDoubleComplex(double x, double y)
{
    return make_double2(x, y);
}
PLUMB_MAKE cuComplex make_cuComplex(float x, float y)
{
    return make_float2(x, y);
}
PLUMB_MAKE cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex c)
{
    return make_double2((double)c.x, (double)c.y);
}
PLUMB_MAKE cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex c)
{
    return make_float2((float)c.x, (float)c.y);
}
