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
__device__ static __inline__ void __assert_fail(const char *what, const char *file, unsigned line,
                                                const char *function)
{
    plumb_cuda_assert(what, file, line, function);
}
}
namespace std
{
__device__ static inline void free(void *p) { ::free(p); }
__device__ static inline void *malloc(size_t n) { return ::malloc(n); }
} // namespace std

#define PLUMB_DEVICE static __inline__ __device__ __attribute__((always_inline))

PLUMB_DEVICE void __nanosleep(unsigned ns) { plumb_cuda_nanosleep(ns); }
PLUMB_DEVICE void __trap() { __builtin_trap(); }

/* Loads and stores with a hint for the caches; the hint is not recorded yet. */
template <class T> PLUMB_DEVICE T __ldcg(const T *p) { return *p; }
template <class T> PLUMB_DEVICE T __ldca(const T *p) { return *p; }
template <class T> PLUMB_DEVICE T __ldcs(const T *p) { return *p; }
template <class T> PLUMB_DEVICE T __ldlu(const T *p) { return *p; }
template <class T> PLUMB_DEVICE T __ldcv(const T *p) { return *(const volatile T *)p; }
template <class T> PLUMB_DEVICE void __stwb(T *p, T v) { *p = v; }
template <class T> PLUMB_DEVICE void __stcg(T *p, T v) { *p = v; }
template <class T> PLUMB_DEVICE void __stcs(T *p, T v) { *p = v; }
template <class T> PLUMB_DEVICE void __stwt(T *p, T v) { *p = v; }

/* Minimum and maximum of CUDA's math library, on the device. */
#define PLUMB_MIN_MAX(type)                                                                        \
    PLUMB_DEVICE type min(type a, type b) { return a < b ? a : b; }                                \
    PLUMB_DEVICE type max(type a, type b) { return a > b ? a : b; }
PLUMB_MIN_MAX(unsigned long)
PLUMB_MIN_MAX(long)
PLUMB_DEVICE unsigned int min(int a, unsigned int b) { return min((unsigned int)a, b); }
PLUMB_DEVICE unsigned int min(unsigned int a, int b) { return min(a, (unsigned int)b); }
PLUMB_DEVICE unsigned int max(int a, unsigned int b) { return max((unsigned int)a, b); }
PLUMB_DEVICE unsigned int max(unsigned int a, int b) { return max(a, (unsigned int)b); }
