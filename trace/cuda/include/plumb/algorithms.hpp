/* algorithms.hpp - the kernels behind cub's device-wide functions and thrust: loops over elements,
 * reductions, scans, a stable merge sort. Iterators are anything with operator[] on the device. */
#pragma once

#include "cuda_runtime.h"

#include <cstdio>

namespace plumb
{

enum { THREADS = 256 };

static inline void check(cudaError_t e)
{
    if (e == cudaSuccess) return;
    fprintf(stderr, "%s\n", cudaGetErrorString(e));
    abort();
}

/* Memory of the device for a while. */
template <class T> struct scratch {
    T *p = nullptr;
    explicit scratch(size_t n) { check(cudaMalloc((void **)&p, (n ? n : 1) * sizeof(T))); }
    scratch(const scratch &) = delete;
    ~scratch() { cudaFree(p); }
};

/* --- a thread for each element --- */

template <class Function> __global__ void each(Function f, size_t n)
{
    size_t i = blockIdx.x * (size_t)THREADS + threadIdx.x;
    if (i < n) f(i);
}
template <class Function> static inline void run_each(Function f, size_t n)
{
    if (n) each<<<(unsigned)((n + THREADS - 1) / THREADS), THREADS>>>(f, n);
}

/* --- reductions --- */

template <class In, class T, class Operation>
__global__ void reduce_part(In in, size_t n, T *out, Operation op)
{
    __shared__ __align__(alignof(T)) char place[THREADS * sizeof(T)];
    T *part = (T *)place;
    size_t step = (size_t)gridDim.x * THREADS, i = blockIdx.x * (size_t)THREADS + threadIdx.x;
    unsigned t = threadIdx.x;
    size_t first = blockIdx.x * (size_t)THREADS;
    unsigned there = n - first < THREADS ? (unsigned)(n - first) : THREADS;
    if (i < n) {
        T sum = in[i];
        for (i += step; i < n; i += step)
            sum = op(sum, (T)in[i]);
        part[t] = sum;
    }
    __syncthreads();
    for (unsigned by = THREADS / 2; by > 0; by /= 2) {
        if (t < by && t + by < there) part[t] = op(part[t], part[t + by]);
        __syncthreads();
    }
    if (t == 0) out[blockIdx.x] = part[0];
}

/* The reduction of n > 0 elements, on the device. */
template <class T, class In, class Operation>
static inline void reduce_to(In in, size_t n, T *out, Operation op)
{
    size_t parts = (n + THREADS - 1) / THREADS;
    if (parts > 1024) parts = 1024;
    scratch<T> part(parts);
    reduce_part<<<(unsigned)parts, THREADS>>>(in, n, parts == 1 ? out : part.p, op);
    if (parts > 1) reduce_part<<<1, THREADS>>>(part.p, parts, out, op);
}

/* --- scans --- */

/* Inclusive scans of the parts that CTAs have, in place of `out`; their totals. */
template <class In, class Out, class T, class Operation>
__global__ void scan_part(In in, size_t n, Out out, T *total, Operation op)
{
    __shared__ __align__(alignof(T)) char place[2 * THREADS * sizeof(T)];
    T *from = (T *)place, *to = from + THREADS;
    size_t i = blockIdx.x * (size_t)THREADS + threadIdx.x;
    unsigned t = threadIdx.x;
    if (i < n) from[t] = in[i];
    __syncthreads();
    for (unsigned by = 1; by < THREADS; by *= 2) {
        if (i < n) to[t] = t >= by ? op(from[t - by], from[t]) : from[t];
        __syncthreads();
        T *swap = from;
        from = to;
        to = swap;
    }
    if (i < n) out[i] = from[t];
    if (i + 1 == n || (t == THREADS - 1 && i < n)) total[blockIdx.x] = from[t];
}

template <class Out, class T, class Operation> struct add_before {
    Out out;
    const T *total;
    Operation op;
    __device__ void operator()(size_t i) const
    {
        size_t part = i / THREADS;
        if (part) out[i] = op(total[part - 1], (T)out[i]);
    }
};

template <class T, class In, class Out, class Operation>
static inline void scan_inclusive(In in, size_t n, Out out, Operation op)
{
    if (n == 0) return;
    size_t parts = (n + THREADS - 1) / THREADS;
    scratch<T> total(parts);
    scan_part<<<(unsigned)parts, THREADS>>>(in, n, out, total.p, op);
    if (parts == 1) return;
    scan_inclusive<T>(total.p, parts, total.p, op);
    run_each(add_before<Out, T, Operation>{out, total.p, op}, n);
}

template <class T, class Out, class Operation> struct shift_right {
    const T *from;
    Out out;
    T first;
    Operation op;
    __device__ void operator()(size_t i) const { out[i] = i ? op(first, from[i - 1]) : first; }
};

template <class T, class In, class Out, class Operation>
static inline void scan_exclusive(In in, size_t n, Out out, T first, Operation op)
{
    scratch<T> sums(n);
    scan_inclusive<T>(in, n, sums.p, op);
    run_each(shift_right<T, Out, Operation>{sums.p, out, first, op}, n);
}

/* --- the sort: runs of a CTA's elements in shared memory, then pairs of runs by rank --- */

struct nothing {
};

/* How many of n sorted keys go before one: those that are less, and equal ones if they are
 * `earlier`. */
template <class K, class Less>
__device__ size_t rank_in(const K *key, size_t n, const K &k, bool earlier, Less less)
{
    size_t low = 0, high = n;
    while (low < high) {
        size_t middle = (low + high) / 2;
        bool before = earlier ? !less(k, key[middle]) : less(key[middle], k);
        if (before)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

template <class K, class Less>
__device__ size_t place_in(const K *key, size_t n, size_t i, size_t width, Less less)
{
    size_t run = i / width, first = run * width, other = (run ^ 1) * width;
    size_t least = first < other ? first : other;
    size_t left = other < n ? (n - other < width ? n - other : width) : 0;
    return least + (i - first) + rank_in(key + other, left, key[i], (run & 1) != 0, less);
}

template <class K, class V, class Less>
__global__ void sort_runs(K *key, V *value, size_t n, Less less)
{
    __shared__ __align__(alignof(K)) char key_place[2 * THREADS * sizeof(K)];
    __shared__ __align__(alignof(V)) char value_place[2 * THREADS * sizeof(V)];
    K *from = (K *)key_place, *to = from + THREADS;
    V *value_from = (V *)value_place, *value_to = value_from + THREADS;
    size_t first = blockIdx.x * (size_t)THREADS;
    unsigned t = threadIdx.x;
    size_t count = n - first < THREADS ? n - first : THREADS;
    if (t < count) from[t] = key[first + t];
    if (t < count && value) value_from[t] = value[first + t];
    __syncthreads();
    for (size_t width = 1; width < THREADS; width *= 2) {
        if (t < count) {
            size_t at = place_in(from, count, t, width, less);
            to[at] = from[t];
            if (value) value_to[at] = value_from[t];
        }
        __syncthreads();
        K *keys = from;
        V *values = value_from;
        from = to, to = keys;
        value_from = value_to, value_to = values;
    }
    if (t < count) key[first + t] = from[t];
    if (t < count && value) value[first + t] = value_from[t];
}

template <class K, class V, class Less> struct merge_runs {
    const K *key;
    const V *value;
    K *key_to;
    V *value_to;
    size_t n, width;
    Less less;
    __device__ void operator()(size_t i) const
    {
        size_t at = place_in(key, n, i, width, less);
        key_to[at] = key[i];
        if (value) value_to[at] = value[i];
    }
};

/* Stable. value: NULL where there are none. */
template <class K, class V, class Less>
static inline void sort(K *key, V *value, size_t n, Less less)
{
    if (n < 2) return;
    scratch<K> keys(n);
    scratch<V> values(value ? n : 1);
    K *from = key, *to = keys.p;
    V *value_from = value, *value_to = values.p;
    sort_runs<<<(unsigned)((n + THREADS - 1) / THREADS), THREADS>>>(key, value, n, less);
    for (size_t width = THREADS; width < n; width *= 2) {
        run_each(merge_runs<K, V, Less>{from, value_from, to, value_to, n, width, less}, n);
        K *k = from;
        V *v = value_from;
        from = to, to = k;
        if (value) value_from = value_to, value_to = v;
    }
    if (from == key) return;
    check(cudaMemcpy(key, from, n * sizeof(K), cudaMemcpyDeviceToDevice));
    if (value) check(cudaMemcpy(value, value_from, n * sizeof(V), cudaMemcpyDeviceToDevice));
}

/* --- operations --- */

struct less_than {
    template <class T> __host__ __device__ bool operator()(const T &a, const T &b) const
    {
        return a < b;
    }
};
struct greater_than {
    template <class T> __host__ __device__ bool operator()(const T &a, const T &b) const
    {
        return b < a;
    }
};

} // namespace plumb
