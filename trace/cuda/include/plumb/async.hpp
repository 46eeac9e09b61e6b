/* async.hpp - asynchronous copies from global to shared memory (PTX cp.async). Source: PTX ISA,
 * "Data Movement and Conversion Instructions: cp.async".
 *
 * They are done at once; the trace has them as copies that no register waits for. */
#pragma once

#include "cuda_runtime.h"

/* One copy of 4, 8 or 16 bytes, of which the last `zeros` are not read. */
PLUMB_DEVICE void plumb_async_part(void *to, const void *from, size_t bytes, size_t zeros)
{
    if (zeros) {
        for (size_t i = 0; i < bytes / 4; i++)
            ((int *)to)[i] = 4 * i + zeros < bytes ? ((const int *)from)[i] : 0;
    } else if (bytes == 16) {
        plumb_cuda_copy_16(to, from);
    } else if (bytes == 8) {
        plumb_cuda_copy_8(to, from);
    } else {
        plumb_cuda_copy_4(to, from);
    }
}

/* A thread's copies of n bytes, as wide as both sides allow; by loads and stores where they allow
 * none. */
PLUMB_DEVICE void plumb_async_copy(void *to, const void *from, size_t n, size_t aligned)
{
    char *t = (char *)to;
    const char *f = (const char *)from;
    size_t step = aligned >= 16 ? 16 : aligned >= 8 ? 8 : aligned >= 4 ? 4 : 1, i = 0;
    if (step == 16)
        for (; i + 16 <= n; i += 16)
            plumb_cuda_copy_16(t + i, f + i);
    if (step >= 8)
        for (; i + 8 <= n; i += 8)
            plumb_cuda_copy_8(t + i, f + i);
    if (step >= 4)
        for (; i + 4 <= n; i += 4)
            plumb_cuda_copy_4(t + i, f + i);
    for (; i < n; i++)
        t[i] = f[i];
}

/* The same by all threads of a group, each its parts. */
template <class Group>
PLUMB_DEVICE void plumb_async_share(const Group &g, void *to, const void *from, size_t n,
                                    size_t aligned)
{
    size_t step = aligned >= 16 ? 16 : aligned >= 8 ? 8 : 4;
    size_t whole = aligned >= 4 ? n / step * step : 0;
    for (size_t i = g.thread_rank() * step; i < whole; i += g.size() * step)
        plumb_async_part((char *)to + i, (const char *)from + i, step, 0);
    for (size_t i = whole + g.thread_rank(); i < n; i += g.size())
        ((char *)to)[i] = ((const char *)from)[i];
}

/* A number of bytes that says how both sides are aligned. */
namespace cuda
{
template <size_t Alignment> struct aligned_size_t {
    static constexpr size_t align = Alignment;
    size_t value;
    __host__ __device__ explicit constexpr aligned_size_t(size_t n) : value(n) {}
    __host__ __device__ constexpr operator size_t() const { return value; }
};
} // namespace cuda

template <class Shape> struct plumb_shape {
    static constexpr size_t align = 1;
};
template <size_t Alignment> struct plumb_shape<cuda::aligned_size_t<Alignment>> {
    static constexpr size_t align = Alignment;
};
template <class T, class Shape> constexpr size_t plumb_alignment()
{
    return plumb_shape<Shape>::align > alignof(T) ? plumb_shape<Shape>::align : alignof(T);
}
