/* mma.h - matrix fragments of a warp (nvcuda::wmma). Source: CUDA C++ Programming Guide, "Warp
 * Matrix Functions".
 *
 * Element e of lane i is element i n + e of the matrix in the order in which it lies in memory, of
 * which each lane holds n; an accumulator's in rows. A product is two matrix instructions of 16 x 8
 * x 16, one of doubles; the runtime computes it (trace/cuda/runtime/matrix.c). */
#pragma once

#include "cuda_bf16.h"
#include "cuda_fp16.h"

typedef unsigned short plumb_halves16 __attribute__((ext_vector_type(16)));
typedef unsigned short plumb_halves8 __attribute__((ext_vector_type(8)));
typedef float plumb_floats8 __attribute__((ext_vector_type(8)));
typedef float plumb_floats4 __attribute__((ext_vector_type(4)));
typedef char plumb_bytes16 __attribute__((ext_vector_type(16)));
typedef int plumb_ints8 __attribute__((ext_vector_type(8)));
typedef double plumb_doubles2 __attribute__((ext_vector_type(2)));

extern "C" {
__device__ plumb_floats8 plumb_cuda_mma_half_float(plumb_halves16 a, plumb_halves16 b,
                                                   plumb_floats8 c, unsigned what);
__device__ plumb_halves8 plumb_cuda_mma_half_half(plumb_halves16 a, plumb_halves16 b,
                                                  plumb_halves8 c, unsigned what);
__device__ plumb_floats8 plumb_cuda_mma_tf32(plumb_floats4 a, plumb_floats4 b, plumb_floats8 c,
                                             unsigned what);
__device__ plumb_ints8 plumb_cuda_mma_int8(plumb_bytes16 a, plumb_bytes16 b, plumb_ints8 c,
                                           unsigned what);
__device__ plumb_doubles2 plumb_cuda_mma_f64(double a, double b, plumb_doubles2 c, unsigned what);
}

namespace nvcuda
{
namespace wmma
{

struct matrix_a;
struct matrix_b;
struct accumulator;
struct row_major;
struct col_major;
enum layout_t { mem_row_major, mem_col_major };
namespace precision
{
struct tf32;
}

/* --- what a fragment holds --- */

template <class T> struct plumb_kind {
    typedef T stored, moved;
};
template <> struct plumb_kind<__half> {
    typedef __half stored;
    typedef unsigned short moved;
};
template <> struct plumb_kind<__nv_bfloat16> {
    typedef __nv_bfloat16 stored;
    typedef unsigned short moved;
};
template <> struct plumb_kind<precision::tf32> {
    typedef float stored, moved;
};

template <class Use, int M, int N, int K> struct plumb_size;
template <int M, int N, int K> struct plumb_size<matrix_a, M, N, K> {
    static constexpr int rows = M, columns = K;
};
template <int M, int N, int K> struct plumb_size<matrix_b, M, N, K> {
    static constexpr int rows = K, columns = N;
};
template <int M, int N, int K> struct plumb_size<accumulator, M, N, K> {
    static constexpr int rows = M, columns = N;
};

template <class Use, int M, int N, int K, class T, class Layout = void> struct fragment {
    static constexpr int num_elements =
        plumb_size<Use, M, N, K>::rows * plumb_size<Use, M, N, K>::columns / 32;
    static constexpr int num_storage_elements = num_elements;
    typedef typename plumb_kind<T>::stored element_type, storage_element_type;
    element_type x[num_elements];
};

#define PLUMB_WMMA static __inline__ __device__ __attribute__((always_inline))

PLUMB_WMMA unsigned plumb_lane()
{
    return (threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)) % 32;
}

PLUMB_WMMA float __float_to_tf32(float f)
{
    unsigned bits = (__float_as_uint(f) + 0x1000) & 0xffffe000u;
    return __uint_as_float(bits);
}

/* --- loads and stores: n elements of a lane that lie side by side, by 16 bytes at most --- */

template <class T, int N> PLUMB_WMMA void plumb_load_run(T *x, const T *p)
{
    constexpr int step = 16 / sizeof(T) < N ? 16 / sizeof(T) : N;
    struct __align__(step * sizeof(T)) part
    {
        T x[step];
    };
#pragma unroll
    for (int i = 0; i < N; i += step) {
        part v = *(const part *)(p + i);
#pragma unroll
        for (int k = 0; k < step; k++)
            x[i + k] = v.x[k];
    }
}
template <class T, int N> PLUMB_WMMA void plumb_store_run(T *p, const T *x)
{
    constexpr int step = 16 / sizeof(T) < N ? 16 / sizeof(T) : N;
    struct __align__(step * sizeof(T)) part
    {
        T x[step];
    };
#pragma unroll
    for (int i = 0; i < N; i += step) {
        part v;
#pragma unroll
        for (int k = 0; k < step; k++)
            v.x[k] = x[i + k];
        *(part *)(p + i) = v;
    }
}

/* The lane's part of a matrix whose lines lie `ldm` apart and have `Length` elements. */
template <int N, int Length, class T> PLUMB_WMMA void plumb_load(T *x, const T *p, unsigned ldm)
{
    unsigned at = plumb_lane() * N;
    if (N <= Length) {
        plumb_load_run<T, N>(x, p + at / Length * ldm + at % Length);
        return;
    }
#pragma unroll
    for (int i = 0; i < N; i += Length)
        plumb_load_run<T, (N < Length ? N : Length)>(x + i, p + (at + i) / Length * ldm);
}

#define PLUMB_OPERAND(use, length_row, length_column)                                            \
    template <int M, int N, int K, class T, class P>                                             \
    PLUMB_WMMA void load_matrix_sync(fragment<use, M, N, K, T, row_major> &f, const P *p,        \
                                     unsigned ldm)                                               \
    {                                                                                            \
        plumb_load<fragment<use, M, N, K, T, row_major>::num_elements, length_row>(f.x, p, ldm); \
        __syncwarp();                                                                            \
    }                                                                                            \
    template <int M, int N, int K, class T, class P>                                             \
    PLUMB_WMMA void load_matrix_sync(fragment<use, M, N, K, T, col_major> &f, const P *p,        \
                                     unsigned ldm)                                               \
    {                                                                                            \
        plumb_load<fragment<use, M, N, K, T, col_major>::num_elements, length_column>(f.x, p,    \
                                                                                      ldm);      \
        __syncwarp();                                                                            \
    }
PLUMB_OPERAND(matrix_a, K, M)
PLUMB_OPERAND(matrix_b, N, K)

template <int M, int N, int K, class T>
PLUMB_WMMA void load_matrix_sync(fragment<accumulator, M, N, K, T> &f, const T *p, unsigned ldm,
                                 layout_t layout)
{
    constexpr int n = fragment<accumulator, M, N, K, T>::num_elements;
    unsigned at = plumb_lane() * n;
    if (layout == mem_row_major) {
        plumb_load_run<T, n>(f.x, p + at / N * ldm + at % N);
    } else {
#pragma unroll
        for (int i = 0; i < n; i++)
            f.x[i] = p[at / N + (at % N + i) * ldm];
    }
    __syncwarp();
}
template <int M, int N, int K, class T>
PLUMB_WMMA void store_matrix_sync(T *p, const fragment<accumulator, M, N, K, T> &f, unsigned ldm,
                                  layout_t layout)
{
    constexpr int n = fragment<accumulator, M, N, K, T>::num_elements;
    unsigned at = plumb_lane() * n;
    if (layout == mem_row_major) {
        plumb_store_run<T, n>(p + at / N * ldm + at % N, f.x);
    } else {
#pragma unroll
        for (int i = 0; i < n; i++)
            p[at / N + (at % N + i) * ldm] = f.x[i];
    }
    __syncwarp();
}
template <class Use, int M, int N, int K, class T, class Layout, class V>
PLUMB_WMMA void fill_fragment(fragment<Use, M, N, K, T, Layout> &f, const V &v)
{
#pragma unroll
    for (int i = 0; i < f.num_elements; i++)
        f.x[i] = (typename fragment<Use, M, N, K, T, Layout>::element_type)v;
}

/* --- products --- */

/* The fields of matrix.c's word. */
template <class Layout> constexpr unsigned plumb_by_columns = 0;
template <> constexpr unsigned plumb_by_columns<col_major> = 1;
template <class LA, class LB, int M, int N, int K> constexpr unsigned plumb_word(unsigned element)
{
    return element | plumb_by_columns<LA> << 4 | plumb_by_columns<LB> << 5 | M << 8 | N << 14 |
           (unsigned)K << 20;
}

template <class Vector, class T, int N> PLUMB_WMMA Vector plumb_pack(const T (&x)[N])
{
    Vector v = {};
#pragma unroll
    for (int i = 0; i < N; i++)
        v[i] = __builtin_bit_cast(typename plumb_kind<T>::moved, x[i]);
    return v;
}
template <class Vector, class T, int N> PLUMB_WMMA void plumb_unpack(T (&x)[N], Vector v)
{
#pragma unroll
    for (int i = 0; i < N; i++)
        x[i] = __builtin_bit_cast(T, (typename plumb_kind<T>::moved)v[i]);
}

#define PLUMB_PRODUCT(ta, tc, element, function, fragment_vector, result_vector)                   \
    template <int M, int N, int K, class LA, class LB>                                            \
    PLUMB_WMMA void mma_sync(fragment<accumulator, M, N, K, tc> &d,                               \
                             const fragment<matrix_a, M, N, K, ta, LA> &a,                        \
                             const fragment<matrix_b, M, N, K, ta, LB> &b,                        \
                             const fragment<accumulator, M, N, K, tc> &c, bool = false)           \
    {                                                                                             \
        plumb_unpack(                                                                             \
            d.x, function(plumb_pack<fragment_vector>(a.x), plumb_pack<fragment_vector>(b.x),       \
                          plumb_pack<result_vector>(c.x), plumb_word<LA, LB, M, N, K>(element))); \
    }
PLUMB_PRODUCT(__half, float, 0, plumb_cuda_mma_half_float, plumb_halves16, plumb_floats8)
PLUMB_PRODUCT(__half, __half, 1, plumb_cuda_mma_half_half, plumb_halves16, plumb_halves8)
PLUMB_PRODUCT(__nv_bfloat16, float, 2, plumb_cuda_mma_half_float, plumb_halves16, plumb_floats8)
PLUMB_PRODUCT(precision::tf32, float, 3, plumb_cuda_mma_tf32, plumb_floats4, plumb_floats8)
PLUMB_PRODUCT(signed char, int, 4, plumb_cuda_mma_int8, plumb_bytes16, plumb_ints8)
PLUMB_PRODUCT(unsigned char, int, 5, plumb_cuda_mma_int8, plumb_bytes16, plumb_ints8)

template <class LA, class LB>
PLUMB_WMMA void mma_sync(fragment<accumulator, 8, 8, 4, double> &d,
                         const fragment<matrix_a, 8, 8, 4, double, LA> &a,
                         const fragment<matrix_b, 8, 8, 4, double, LB> &b,
                         const fragment<accumulator, 8, 8, 4, double> &c)
{
    plumb_unpack(d.x, plumb_cuda_mma_f64(a.x[0], b.x[0], plumb_pack<plumb_doubles2>(c.x),
                                         plumb_word<LA, LB, 8, 8, 4>(6)));
}

} // namespace wmma
} // namespace nvcuda
