/* cub.cuh - the parts of CUB that programs use most: reductions and scans of warps and CTAs, loads and stores
 * of a CTA, and reductions, scans and sorts of whole arrays. Source: CUB's documentation, "Warp-wide",
 * "Block-wide" and "Device-wide primitives". */
#pragma once

#include "../plumb/algorithms.hpp"

#include <utility>

namespace cub
{

/* --- operations --- */

struct Sum {
    template <class T> __host__ __device__ T operator()(const T &a, const T &b) const
    {
        return a + b;
    }
};
struct Max {
    template <class T> __host__ __device__ T operator()(const T &a, const T &b) const
    {
        return a > b ? a : b;
    }
};
struct Min {
    template <class T> __host__ __device__ T operator()(const T &a, const T &b) const
    {
        return b < a ? b : a;
    }
};
template <class K, class V> struct KeyValuePair {
    K key;
    V value;
};
struct ArgMax {
    template <class P> __host__ __device__ P operator()(const P &a, const P &b) const
    {
        return b.value > a.value || (a.value == b.value && b.key < a.key) ? b : a;
    }
};
struct ArgMin {
    template <class P> __host__ __device__ P operator()(const P &a, const P &b) const
    {
        return b.value < a.value || (a.value == b.value && b.key < a.key) ? b : a;
    }
};

/* --- lanes --- */

static __device__ __forceinline__ unsigned plumb_thread()
{
    return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
}
static __device__ __forceinline__ unsigned LaneId()
{
    return plumb_thread() % 32;
}

/* A value of any size from another lane, by words. */
template <class T> static __device__ __forceinline__ T plumb_from_lane(T v, int lane, unsigned mask)
{
    constexpr int words = (sizeof(T) + 3) / 4;
    int w[words] = {};
    __builtin_memcpy(w, &v, sizeof(T));
#pragma unroll
    for (int i = 0; i < words; i++)
        w[i] = __shfl_sync(mask, w[i], lane);
    __builtin_memcpy(&v, w, sizeof(T));
    return v;
}

template <class T, int Lanes = 32> class WarpReduce
{
  public:
    struct TempStorage {
    };
    __device__ __forceinline__ WarpReduce(TempStorage &) {}
    /* Of the first `valid` lanes; the result is the first lane's. */
    template <class Operation>
    __device__ __forceinline__ T Reduce(T v, Operation op, int valid = Lanes)
    {
        int lane = (int)LaneId() % Lanes, first = (int)LaneId() - lane;
        unsigned mask = Lanes == 32 ? 0xffffffffu : ((1u << Lanes % 32) - 1) << first;
#pragma unroll
        for (int by = 1; by < Lanes; by *= 2) {
            int from = lane + by;
            T other = plumb_from_lane(v, first + (from < Lanes ? from : lane), mask);
            if (from < valid) v = op(v, other);
        }
        return v;
    }
    __device__ __forceinline__ T Sum(T v) { return Reduce(v, cub::Sum()); }
    __device__ __forceinline__ T Sum(T v, int valid) { return Reduce(v, cub::Sum(), valid); }
};

template <class T, int Lanes = 32> class WarpScan
{
  public:
    struct TempStorage {
    };
    __device__ __forceinline__ WarpScan(TempStorage &) {}
    template <class Operation>
    __device__ __forceinline__ void InclusiveScan(T v, T &out, Operation op)
    {
        int lane = (int)LaneId() % Lanes, first = (int)LaneId() - lane;
        unsigned mask = Lanes == 32 ? 0xffffffffu : ((1u << Lanes % 32) - 1) << first;
#pragma unroll
        for (int by = 1; by < Lanes; by *= 2) {
            T other = plumb_from_lane(v, first + (lane >= by ? lane - by : lane), mask);
            if (lane >= by) v = op(other, v);
        }
        out = v;
    }
    __device__ __forceinline__ void InclusiveSum(T v, T &out) { InclusiveScan(v, out, cub::Sum()); }
    __device__ __forceinline__ void ExclusiveSum(T v, T &out)
    {
        T all;
        InclusiveSum(v, all);
        out = all - v;
    }
};

/* --- CTAs --- */

enum BlockReduceAlgorithm {
    BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY,
    BLOCK_REDUCE_RAKING,
    BLOCK_REDUCE_WARP_REDUCTIONS
};
enum BlockScanAlgorithm { BLOCK_SCAN_RAKING, BLOCK_SCAN_RAKING_MEMOIZE, BLOCK_SCAN_WARP_SCANS };

/* Warps reduce by shuffles, and the first thread joins their results. */
template <class T, int X, BlockReduceAlgorithm Algorithm = BLOCK_REDUCE_WARP_REDUCTIONS, int Y = 1,
          int Z = 1>
class BlockReduce
{
    enum { THREADS = X * Y * Z, WARPS = (THREADS + 31) / 32 };

  public:
    struct TempStorage {
        T part[WARPS];
    };

  private:
    TempStorage &own_;
    static __device__ __forceinline__ TempStorage &shared()
    {
        __shared__ TempStorage s;
        return s;
    }

  public:
    __device__ __forceinline__ BlockReduce() : own_(shared()) {}
    __device__ __forceinline__ BlockReduce(TempStorage &s) : own_(s) {}
    /* Of the first `valid` threads; the result is the first thread's. */
    template <class Operation>
    __device__ __forceinline__ T Reduce(T v, Operation op, int valid = THREADS)
    {
        int t = (int)plumb_thread(), warp = t / 32, left = valid - warp * 32;
        unsigned mask = THREADS - warp * 32 >= 32 ? 0xffffffffu : (1u << (THREADS - warp * 32)) - 1;
#pragma unroll
        for (int by = 16; by > 0; by /= 2) {
            int from = t % 32 + by;
            T other = plumb_from_lane(v, from < 32 ? from : t % 32, mask);
            if (from < 32 && from < left) v = op(v, other);
        }
        if (t % 32 == 0) own_.part[warp] = v;
        __syncthreads();
        if (t == 0)
            for (int w = 1; w < WARPS && w * 32 < valid; w++)
                v = op(v, own_.part[w]);
        return v;
    }
    template <int N, class Operation>
    __device__ __forceinline__ T Reduce(T (&items)[N], Operation op)
    {
        T v = items[0];
#pragma unroll
        for (int i = 1; i < N; i++)
            v = op(v, items[i]);
        return Reduce(v, op);
    }
    __device__ __forceinline__ T Sum(T v) { return Reduce(v, cub::Sum()); }
    __device__ __forceinline__ T Sum(T v, int valid) { return Reduce(v, cub::Sum(), valid); }
    template <int N> __device__ __forceinline__ T Sum(T (&items)[N])
    {
        return Reduce(items, cub::Sum());
    }
};

template <class T, int X, BlockScanAlgorithm Algorithm = BLOCK_SCAN_RAKING, int Y = 1, int Z = 1>
class BlockScan
{
    enum { THREADS = X * Y * Z, WARPS = (THREADS + 31) / 32 };

  public:
    struct TempStorage {
        T total[WARPS];
    };

  private:
    TempStorage &own_;
    static __device__ __forceinline__ TempStorage &shared()
    {
        __shared__ TempStorage s;
        return s;
    }
    /* The inclusive scan; *before: of the warps before this one, if there are any. */
    template <class Operation>
    __device__ __forceinline__ T scan(T v, Operation op, T *before, T *all)
    {
        int t = (int)plumb_thread(), warp = t / 32, lane = t % 32;
        unsigned mask = THREADS - warp * 32 >= 32 ? 0xffffffffu : (1u << (THREADS - warp * 32)) - 1;
#pragma unroll
        for (int by = 1; by < 32; by *= 2) {
            T other = plumb_from_lane(v, lane >= by ? lane - by : lane, mask);
            if (lane >= by) v = op(other, v);
        }
        if (lane == 31 || t == THREADS - 1) own_.total[warp] = v;
        __syncthreads();
        T sum = own_.total[0];
        for (int w = 1; w < WARPS; w++) {
            if (w == warp) *before = sum;
            sum = op(sum, own_.total[w]);
        }
        *all = sum;
        return warp ? op(*before, v) : v;
    }
    /* The value of the thread before, of all warps. */
    template <class Operation>
    __device__ __forceinline__ T exclusive(T v, Operation op, T *all)
    {
        int t = (int)plumb_thread(), lane = t % 32;
        unsigned left = THREADS - t / 32 * 32;
        unsigned mask = left >= 32 ? 0xffffffffu : (1u << left) - 1;
        T before = T();
        T sum = scan(v, op, &before, all);
        T last = plumb_from_lane(sum, lane ? lane - 1 : 0, mask);
        return lane ? last : before;
    }

  public:
    __device__ __forceinline__ BlockScan() : own_(shared()) {}
    __device__ __forceinline__ BlockScan(TempStorage &s) : own_(s) {}
    template <class Operation>
    __device__ __forceinline__ void InclusiveScan(T v, T &out, Operation op, T &all)
    {
        T before = T();
        out = scan(v, op, &before, &all);
    }
    template <class Operation>
    __device__ __forceinline__ void InclusiveScan(T v, T &out, Operation op)
    {
        T all;
        InclusiveScan(v, out, op, all);
    }
    template <class Operation>
    __device__ __forceinline__ void ExclusiveScan(T v, T &out, T first, Operation op, T &all)
    {
        T before = exclusive(v, op, &all);
        out = plumb_thread() ? op(first, before) : first;
    }
    template <class Operation>
    __device__ __forceinline__ void ExclusiveScan(T v, T &out, T first, Operation op)
    {
        T all;
        ExclusiveScan(v, out, first, op, all);
    }
    __device__ __forceinline__ void InclusiveSum(T v, T &out) { InclusiveScan(v, out, cub::Sum()); }
    __device__ __forceinline__ void InclusiveSum(T v, T &out, T &all)
    {
        InclusiveScan(v, out, cub::Sum(), all);
    }
    __device__ __forceinline__ void ExclusiveSum(T v, T &out)
    {
        ExclusiveScan(v, out, T(0), cub::Sum());
    }
    __device__ __forceinline__ void ExclusiveSum(T v, T &out, T &all)
    {
        ExclusiveScan(v, out, T(0), cub::Sum(), all);
    }
    /* Of several elements of each thread. */
    template <int N> __device__ __forceinline__ void ExclusiveSum(T (&in)[N], T (&out)[N], T &all)
    {
        T sum = in[0], before;
#pragma unroll
        for (int i = 1; i < N; i++)
            sum = sum + in[i];
        ExclusiveSum(sum, before, all);
#pragma unroll
        for (int i = 0; i < N; i++) {
            T v = in[i];
            out[i] = before;
            before = before + v;
        }
    }
    template <int N> __device__ __forceinline__ void ExclusiveSum(T (&in)[N], T (&out)[N])
    {
        T all;
        ExclusiveSum(in, out, all);
    }
    template <int N> __device__ __forceinline__ void InclusiveSum(T (&in)[N], T (&out)[N], T &all)
    {
        T own[N];
#pragma unroll
        for (int i = 0; i < N; i++)
            own[i] = in[i];
        ExclusiveSum(in, out, all);
#pragma unroll
        for (int i = 0; i < N; i++)
            out[i] = out[i] + own[i];
    }
    template <int N> __device__ __forceinline__ void InclusiveSum(T (&in)[N], T (&out)[N])
    {
        T all;
        InclusiveSum(in, out, all);
    }
};

/* --- loads and stores of a CTA --- */

enum BlockLoadAlgorithm {
    BLOCK_LOAD_DIRECT,
    BLOCK_LOAD_STRIPED,
    BLOCK_LOAD_VECTORIZE,
    BLOCK_LOAD_TRANSPOSE,
    BLOCK_LOAD_WARP_TRANSPOSE
};
enum BlockStoreAlgorithm {
    BLOCK_STORE_DIRECT,
    BLOCK_STORE_STRIPED,
    BLOCK_STORE_VECTORIZE,
    BLOCK_STORE_TRANSPOSE,
    BLOCK_STORE_WARP_TRANSPOSE
};

/* Element i of thread t is i of its N; those that go through shared memory in CUB access it directly. */
template <class T, int X, int N, BlockLoadAlgorithm Algorithm = BLOCK_LOAD_DIRECT, int Y = 1,
          int Z = 1>
class BlockLoad
{
    static __device__ __forceinline__ int place(int i)
    {
        int t = (int)plumb_thread();
        return Algorithm == BLOCK_LOAD_STRIPED ? i * X * Y * Z + t : t * N + i;
    }

  public:
    struct TempStorage {
    };
    __device__ __forceinline__ BlockLoad() {}
    __device__ __forceinline__ BlockLoad(TempStorage &) {}
    template <class In> __device__ __forceinline__ void Load(In in, T (&items)[N])
    {
#pragma unroll
        for (int i = 0; i < N; i++)
            items[i] = in[place(i)];
    }
    template <class In> __device__ __forceinline__ void Load(In in, T (&items)[N], int valid)
    {
#pragma unroll
        for (int i = 0; i < N; i++)
            if (place(i) < valid) items[i] = in[place(i)];
    }
    template <class In, class D>
    __device__ __forceinline__ void Load(In in, T (&items)[N], int valid, D otherwise)
    {
#pragma unroll
        for (int i = 0; i < N; i++)
            items[i] = place(i) < valid ? in[place(i)] : (T)otherwise;
    }
};
template <class T, int X, int N, BlockStoreAlgorithm Algorithm = BLOCK_STORE_DIRECT, int Y = 1,
          int Z = 1>
class BlockStore
{
    static __device__ __forceinline__ int place(int i)
    {
        int t = (int)plumb_thread();
        return Algorithm == BLOCK_STORE_STRIPED ? i * X * Y * Z + t : t * N + i;
    }

  public:
    struct TempStorage {
    };
    __device__ __forceinline__ BlockStore() {}
    __device__ __forceinline__ BlockStore(TempStorage &) {}
    template <class Out> __device__ __forceinline__ void Store(Out out, T (&items)[N])
    {
#pragma unroll
        for (int i = 0; i < N; i++)
            out[place(i)] = items[i];
    }
    template <class Out> __device__ __forceinline__ void Store(Out out, T (&items)[N], int valid)
    {
#pragma unroll
        for (int i = 0; i < N; i++)
            if (place(i) < valid) out[place(i)] = items[i];
    }
};

} // namespace cub

#include "../plumb/cub_device.hpp"
