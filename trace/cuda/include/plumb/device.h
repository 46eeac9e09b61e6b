/* device.h - device functions that neither clang's headers nor atomics.h have. Source: CUDA C++
 * Programming Guide, chapter "C++ Language Extensions". */
#pragma once

extern "C" {
__device__ int vprintf(const char *, const char *);
__device__ int printf(const char *, ...);
__device__ void free(void *) __attribute((nothrow));
__device__ void *malloc(size_t) __attribute((nothrow)) __attribute__((malloc));
__device__ void plumb_cuda_assert(const char *what, const char *file, unsigned line,
                                  const char *function);
__device__ void plumb_cuda_nanosleep(unsigned);
__device__ void plumb_cuda_grid_sync(void);
__device__ void plumb_cuda_copy_4(void *to, const void *from);
__device__ void plumb_cuda_copy_8(void *to, const void *from);
__device__ void plumb_cuda_copy_16(void *to, const void *from);
__device__ void plumb_cuda_copy_commit(void);
__device__ void plumb_cuda_copy_wait(int open);
__device__ static __inline__ void __assert_fail(const char *what, const char *file, unsigned line,
                                                const char *function)
{
    plumb_cuda_assert(what, file, line, function);
}
}
namespace std
{
__device__ static inline void free(void *p)
{
    ::free(p);
}
__device__ static inline void *malloc(size_t n)
{
    return ::malloc(n);
}
} // namespace std

#include <new> /* clang's own, which has operator new for the device once __device__ is known */

#define PLUMB_DEVICE_MEMBER __inline__ __device__ __attribute__((always_inline))
#define PLUMB_DEVICE static __inline__ __device__ __attribute__((always_inline))

PLUMB_DEVICE void __nanosleep(unsigned ns)
{
    plumb_cuda_nanosleep(ns);
}

/* Loads and stores with a hint for the caches; the hint is not recorded yet. */
template <class T> PLUMB_DEVICE T __ldcg(const T *p)
{
    return *p;
}
template <class T> PLUMB_DEVICE T __ldca(const T *p)
{
    return *p;
}
template <class T> PLUMB_DEVICE T __ldcs(const T *p)
{
    return *p;
}
template <class T> PLUMB_DEVICE T __ldlu(const T *p)
{
    return *p;
}
template <class T> PLUMB_DEVICE T __ldcv(const T *p)
{
    return *(const volatile T *)p;
}
template <class T> PLUMB_DEVICE void __stwb(T *p, T v)
{
    *p = v;
}
template <class T> PLUMB_DEVICE void __stcg(T *p, T v)
{
    *p = v;
}
template <class T> PLUMB_DEVICE void __stcs(T *p, T v)
{
    *p = v;
}
template <class T> PLUMB_DEVICE void __stwt(T *p, T v)
{
    *p = v;
}

/* Minimum and maximum of CUDA's math library, for the host and the device. */
#define PLUMB_MIN_MAX(where, type, a_type, b_type)                                      \
    static __inline__ where __attribute__((always_inline)) type min(a_type a, b_type b) \
    {                                                                                   \
        return (type)a < (type)b ? (type)a : (type)b;                                   \
    }                                                                                   \
    static __inline__ where __attribute__((always_inline)) type max(a_type a, b_type b) \
    {                                                                                   \
        return (type)a > (type)b ? (type)a : (type)b;                                   \
    }
#define PLUMB_MIN_MAX_OF(where, type) PLUMB_MIN_MAX(where, type, type, type)
PLUMB_MIN_MAX_OF(__host__, int)
PLUMB_MIN_MAX_OF(__host__ __device__, float)
PLUMB_MIN_MAX_OF(__host__ __device__, double)
PLUMB_MIN_MAX_OF(__host__ __device__, unsigned int)
PLUMB_MIN_MAX(__host__ __device__, unsigned int, int, unsigned int)
PLUMB_MIN_MAX(__host__ __device__, unsigned int, unsigned int, int)
PLUMB_MIN_MAX_OF(__host__ __device__, long)
PLUMB_MIN_MAX_OF(__host__ __device__, unsigned long)
PLUMB_MIN_MAX_OF(__host__ __device__, long long)
PLUMB_MIN_MAX_OF(__host__ __device__, unsigned long long)
PLUMB_MIN_MAX(__host__ __device__, double, double, float)
PLUMB_MIN_MAX(__host__ __device__, double, float, double)
