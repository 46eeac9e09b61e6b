/* atomics.h - CUDA's atomic functions, on global and shared memory. Source: CUDA C++ Programming
 * Guide, "Atomic Functions". */
#pragma once

#define PLUMB_ATOMIC static __inline__ __device__ __attribute__((always_inline))
/* The three scopes of an operation do the same here. */
#define PLUMB_ATOMIC_SCOPES(name, type, body)                                                      \
    PLUMB_ATOMIC type name(type *p, type v){body} PLUMB_ATOMIC type name##_block(type *p, type v){ \
        body} PLUMB_ATOMIC type name##_system(type *p, type v)                                     \
    {                                                                                              \
        body                                                                                       \
    }

typedef unsigned int plumb_uint;
typedef unsigned long long plumb_ull;

PLUMB_ATOMIC_SCOPES(atomicAdd, int, return __iAtomicAdd(p, v);)
PLUMB_ATOMIC_SCOPES(atomicAdd, plumb_uint, return __uAtomicAdd(p, v);)
PLUMB_ATOMIC_SCOPES(atomicAdd, plumb_ull, return __ullAtomicAdd(p, v);)
PLUMB_ATOMIC_SCOPES(atomicAdd, float, return __fAtomicAdd(p, v);)
PLUMB_ATOMIC_SCOPES(atomicAdd, double, return __dAtomicAdd(p, v);)
PLUMB_ATOMIC_SCOPES(atomicSub, int, return __iAtomicAdd(p, -v);)
PLUMB_ATOMIC_SCOPES(atomicSub, plumb_uint, return __uAtomicAdd(p, -v);)
PLUMB_ATOMIC_SCOPES(atomicExch, int, return __iAtomicExch(p, v);)
PLUMB_ATOMIC_SCOPES(atomicExch, plumb_uint, return __uAtomicExch(p, v);)
PLUMB_ATOMIC_SCOPES(atomicExch, plumb_ull, return __ullAtomicExch(p, v);)
PLUMB_ATOMIC_SCOPES(atomicExch, float,
                    return __int_as_float(__iAtomicExch((int *)p, __float_as_int(v)));)
PLUMB_ATOMIC_SCOPES(atomicMin, int, return __iAtomicMin(p, v);)
PLUMB_ATOMIC_SCOPES(atomicMin, plumb_uint, return __uAtomicMin(p, v);)
PLUMB_ATOMIC_SCOPES(atomicMin, long long, return __illAtomicMin(p, v);)
PLUMB_ATOMIC_SCOPES(atomicMin, plumb_ull, return __ullAtomicMin(p, v);)
PLUMB_ATOMIC_SCOPES(atomicMax, int, return __iAtomicMax(p, v);)
PLUMB_ATOMIC_SCOPES(atomicMax, plumb_uint, return __uAtomicMax(p, v);)
PLUMB_ATOMIC_SCOPES(atomicMax, long long, return __illAtomicMax(p, v);)
PLUMB_ATOMIC_SCOPES(atomicMax, plumb_ull, return __ullAtomicMax(p, v);)
PLUMB_ATOMIC_SCOPES(atomicAnd, int, return __iAtomicAnd(p, v);)
PLUMB_ATOMIC_SCOPES(atomicAnd, plumb_uint, return __uAtomicAnd(p, v);)
PLUMB_ATOMIC_SCOPES(atomicAnd, plumb_ull, return __ullAtomicAnd(p, v);)
PLUMB_ATOMIC_SCOPES(atomicOr, int, return __iAtomicOr(p, v);)
PLUMB_ATOMIC_SCOPES(atomicOr, plumb_uint, return __uAtomicOr(p, v);)
PLUMB_ATOMIC_SCOPES(atomicOr, plumb_ull, return __ullAtomicOr(p, v);)
PLUMB_ATOMIC_SCOPES(atomicXor, int, return __iAtomicXor(p, v);)
PLUMB_ATOMIC_SCOPES(atomicXor, plumb_uint, return __uAtomicXor(p, v);)
PLUMB_ATOMIC_SCOPES(atomicXor, plumb_ull, return __ullAtomicXor(p, v);)

/* A GPU has one instruction for each of these; here they are a loop of compare-and-swaps that no
 * other lane can disturb, and count as one atomic access and a few instructions. */

#define PLUMB_ATOMIC_SWAP(name, type, body)           \
    PLUMB_ATOMIC type name(type *p, type old, type v) \
    {                                                 \
        return body(p, old, v);                       \
    }
#define PLUMB_ATOMIC_SWAPS(name)                      \
    PLUMB_ATOMIC_SWAP(name, int, __iAtomicCAS)        \
    PLUMB_ATOMIC_SWAP(name, plumb_uint, __uAtomicCAS) \
    PLUMB_ATOMIC_SWAP(name, plumb_ull, __ullAtomicCAS)
PLUMB_ATOMIC_SWAPS(atomicCAS)
PLUMB_ATOMIC_SWAPS(atomicCAS_block)
PLUMB_ATOMIC_SWAPS(atomicCAS_system)

/* Replaces a value by what comes after it. */
#define PLUMB_ATOMIC_STEP(next)                        \
    plumb_uint old = *(volatile plumb_uint *)p, seen;  \
    while ((seen = __uAtomicCAS(p, old, next)) != old) \
        old = seen;                                    \
    return old;
PLUMB_ATOMIC_SCOPES(atomicInc, plumb_uint, PLUMB_ATOMIC_STEP(old >= v ? 0 : old + 1))
PLUMB_ATOMIC_SCOPES(atomicDec, plumb_uint, PLUMB_ATOMIC_STEP(old == 0 || old > v ? v : old - 1))
