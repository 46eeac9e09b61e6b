/* cub_device.hpp - CUB's device-wide functions; see cub/cub.cuh. A call without memory asks for its
 * size; the memory that it then gets stays unused, since the kernels bring their own. */
#pragma once

namespace cub
{

/* Whether the call only asks how much memory it needs. */
static inline bool plumb_asks(void *memory, size_t &bytes)
{
    if (!memory) bytes = 16;
    return !memory;
}

template <class In> struct plumb_value {
    typedef std::remove_cv_t<std::remove_reference_t<decltype(std::declval<In>()[0])>> type;
};

struct DeviceReduce {
    template <class In, class Out, class Operation, class T>
    static cudaError_t Reduce(void *memory, size_t &bytes, In in, Out out, int n, Operation op,
                              T first, cudaStream_t = 0)
    {
        if (plumb_asks(memory, bytes)) return cudaSuccess;
        T all = first;
        plumb::scratch<T> sum(1);
        if (n > 0) plumb::reduce_to(in, (size_t)n, sum.p, op);
        if (n > 0) plumb::check(cudaMemcpy(&all, sum.p, sizeof all, cudaMemcpyDeviceToHost));
        if (n > 0) all = op(first, all);
        plumb::check(cudaMemcpy(out, &all, sizeof all, cudaMemcpyHostToDevice));
        return cudaGetLastError();
    }
    template <class In, class Out>
    static cudaError_t Sum(void *memory, size_t &bytes, In in, Out out, int n, cudaStream_t s = 0)
    {
        typedef std::remove_reference_t<decltype(*out)> T;
        return Reduce(memory, bytes, in, out, n, cub::Sum(), T(0), s);
    }
    /* Of at least one element. */
    template <class In, class Out>
    static cudaError_t Max(void *memory, size_t &bytes, In in, Out out, int n, cudaStream_t = 0)
    {
        if (plumb_asks(memory, bytes)) return cudaSuccess;
        if (n > 0) plumb::reduce_to(in, (size_t)n, out, cub::Max());
        return cudaGetLastError();
    }
    template <class In, class Out>
    static cudaError_t Min(void *memory, size_t &bytes, In in, Out out, int n, cudaStream_t = 0)
    {
        if (plumb_asks(memory, bytes)) return cudaSuccess;
        if (n > 0) plumb::reduce_to(in, (size_t)n, out, cub::Min());
        return cudaGetLastError();
    }
};

struct DeviceScan {
    template <class In, class Out, class Operation>
    static cudaError_t InclusiveScan(void *memory, size_t &bytes, In in, Out out, Operation op,
                                     int n, cudaStream_t = 0)
    {
        typedef typename plumb_value<In>::type T;
        if (plumb_asks(memory, bytes)) return cudaSuccess;
        plumb::scan_inclusive<T>(in, (size_t)n, out, op);
        return cudaGetLastError();
    }
    template <class In, class Out, class Operation, class T>
    static cudaError_t ExclusiveScan(void *memory, size_t &bytes, In in, Out out, Operation op,
                                     T first, int n, cudaStream_t = 0)
    {
        if (plumb_asks(memory, bytes)) return cudaSuccess;
        plumb::scan_exclusive<T>(in, (size_t)n, out, first, op);
        return cudaGetLastError();
    }
    template <class In, class Out>
    static cudaError_t InclusiveSum(void *memory, size_t &bytes, In in, Out out, int n,
                                    cudaStream_t s = 0)
    {
        return InclusiveScan(memory, bytes, in, out, cub::Sum(), n, s);
    }
    template <class In, class Out>
    static cudaError_t ExclusiveSum(void *memory, size_t &bytes, In in, Out out, int n,
                                    cudaStream_t s = 0)
    {
        typedef typename plumb_value<In>::type T;
        return ExclusiveScan(memory, bytes, in, out, cub::Sum(), T(0), n, s);
    }
};

/* A merge sort stands for CUB's radix sort: other traffic, the same result. */
struct DeviceRadixSort {
    template <class K, class V, class Less>
    static cudaError_t plumb_sort(const K *in, K *out, const V *value, V *value_out, int n,
                                  Less less)
    {
        plumb::check(cudaMemcpy(out, in, (size_t)n * sizeof(K), cudaMemcpyDeviceToDevice));
        if (value)
            plumb::check(
                cudaMemcpy(value_out, value, (size_t)n * sizeof(V), cudaMemcpyDeviceToDevice));
        plumb::sort(out, value_out, (size_t)n, less);
        return cudaGetLastError();
    }
    template <class K>
    static cudaError_t SortKeys(void *memory, size_t &bytes, const K *in, K *out, int n, int = 0,
                                int = 0, cudaStream_t = 0)
    {
        if (plumb_asks(memory, bytes)) return cudaSuccess;
        return plumb_sort(in, out, (const char *)0, (char *)0, n, plumb::less_than());
    }
    template <class K>
    static cudaError_t SortKeysDescending(void *memory, size_t &bytes, const K *in, K *out, int n,
                                          int = 0, int = 0, cudaStream_t = 0)
    {
        if (plumb_asks(memory, bytes)) return cudaSuccess;
        return plumb_sort(in, out, (const char *)0, (char *)0, n, plumb::greater_than());
    }
    template <class K, class V>
    static cudaError_t SortPairs(void *memory, size_t &bytes, const K *in, K *out, const V *value,
                                 V *value_out, int n, int = 0, int = 0, cudaStream_t = 0)
    {
        if (plumb_asks(memory, bytes)) return cudaSuccess;
        return plumb_sort(in, out, value, value_out, n, plumb::less_than());
    }
    template <class K, class V>
    static cudaError_t SortPairsDescending(void *memory, size_t &bytes, const K *in, K *out,
                                           const V *value, V *value_out, int n, int = 0, int = 0,
                                           cudaStream_t = 0)
    {
        if (plumb_asks(memory, bytes)) return cudaSuccess;
        return plumb_sort(in, out, value, value_out, n, plumb::greater_than());
    }
};

} // namespace cub
