/* vector_types.h - CUDA's vector types, their alignment, and make_NAME. Source: CUDA C++
 * Programming Guide, "Built-in Vector Types". */
#pragma once

#include "plumb/qualifiers.h"

#ifdef __cplusplus
#define PLUMB_MAKE static __inline__ __attribute__((always_inline)) __host__ __device__
#else
#define PLUMB_MAKE static __inline__
#endif

#define PLUMB_VECTORS(name, type, align2, align4)                     \
    struct name##1                                                    \
    {                                                                 \
        type x;                                                       \
    };                                                                \
    struct __align__(align2) name##2                                  \
    {                                                                 \
        type x, y;                                                    \
    };                                                                \
    struct name##3                                                    \
    {                                                                 \
        type x, y, z;                                                 \
    };                                                                \
    struct __align__(align4) name##4                                  \
    {                                                                 \
        type x, y, z, w;                                              \
    };                                                                \
    typedef struct name##1 name##1;                                   \
    typedef struct name##2 name##2;                                   \
    typedef struct name##3 name##3;                                   \
    typedef struct name##4 name##4;                                   \
    PLUMB_MAKE name##1 make_##name##1(type x)                         \
    {                                                                 \
        name##1 v = {x};                                              \
        return v;                                                     \
    }                                                                 \
    PLUMB_MAKE name##2 make_##name##2(type x, type y)                 \
    {                                                                 \
        name##2 v = {x, y};                                           \
        return v;                                                     \
    }                                                                 \
    PLUMB_MAKE name##3 make_##name##3(type x, type y, type z)         \
    {                                                                 \
        name##3 v = {x, y, z};                                        \
        return v;                                                     \
    }                                                                 \
    PLUMB_MAKE name##4 make_##name##4(type x, type y, type z, type w) \
    {                                                                 \
        name##4 v = {x, y, z, w};                                     \
        return v;                                                     \
    }

PLUMB_VECTORS(char, signed char, 2, 4)
PLUMB_VECTORS(uchar, unsigned char, 2, 4)
PLUMB_VECTORS(short, short, 4, 8)
PLUMB_VECTORS(ushort, unsigned short, 4, 8)
PLUMB_VECTORS(int, int, 8, 16)
PLUMB_VECTORS(uint, unsigned int, 8, 16)
PLUMB_VECTORS(long, long, 16, 16)
PLUMB_VECTORS(ulong, unsigned long, 16, 16)
PLUMB_VECTORS(longlong, long long, 16, 16)
PLUMB_VECTORS(ulonglong, unsigned long long, 16, 16)
PLUMB_VECTORS(float, float, 8, 16)
PLUMB_VECTORS(double, double, 16, 16)

typedef unsigned int cuuint32_t;

struct dim3 {
    unsigned int x, y, z;
#ifdef __cplusplus
    constexpr __host__ __device__ dim3(unsigned int a = 1, unsigned int b = 1, unsigned int c = 1)
        : x(a), y(b), z(c)
    {
    }
    constexpr __host__ __device__ dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
    constexpr __host__ __device__ operator uint3() const
    {
        return uint3{x, y, z};
    }
#endif
};
typedef struct dim3 dim3;
