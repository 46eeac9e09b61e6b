/* cooperative_groups.h - groups of threads: CTAs, tiles of a warp, lanes that run together. Source:
 * CUDA C++ Programming Guide, "Cooperative Groups". Grids that synchronise are not there. */
#pragma once

#include "cuda_runtime.h"

namespace cooperative_groups
{

#define PLUMB_GROUP static __inline__ __device__ __attribute__((always_inline))
#define PLUMB_MEMBER __inline__ __device__ __attribute__((always_inline))

namespace plumb
{
PLUMB_GROUP unsigned rank_in_block()
{
    return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
}
PLUMB_GROUP unsigned lane()
{
    return rank_in_block() % 32;
}
} // namespace plumb

class thread_block
{
  public:
    PLUMB_MEMBER void sync() const { __syncthreads(); }
    PLUMB_MEMBER unsigned size() const { return blockDim.x * blockDim.y * blockDim.z; }
    PLUMB_MEMBER unsigned num_threads() const { return size(); }
    PLUMB_MEMBER unsigned thread_rank() const { return plumb::rank_in_block(); }
    PLUMB_MEMBER dim3 group_index() const { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
    PLUMB_MEMBER dim3 thread_index() const { return dim3(threadIdx.x, threadIdx.y, threadIdx.z); }
    PLUMB_MEMBER dim3 group_dim() const { return dim3(blockDim.x, blockDim.y, blockDim.z); }
    PLUMB_MEMBER dim3 dim_threads() const { return group_dim(); }
    PLUMB_MEMBER static bool is_valid() { return true; }
};
PLUMB_GROUP thread_block this_thread_block()
{
    return thread_block();
}

class grid_group
{
  public:
    PLUMB_MEMBER unsigned long long size() const
    {
        return (unsigned long long)gridDim.x * gridDim.y * gridDim.z * thread_block().size();
    }
    PLUMB_MEMBER unsigned long long num_threads() const { return size(); }
    PLUMB_MEMBER unsigned long long block_rank() const
    {
        return blockIdx.x + (unsigned long long)gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
    }
    PLUMB_MEMBER unsigned long long thread_rank() const
    {
        return block_rank() * thread_block().size() + plumb::rank_in_block();
    }
    PLUMB_MEMBER dim3 group_dim() const { return dim3(gridDim.x, gridDim.y, gridDim.z); }
    PLUMB_MEMBER dim3 dim_blocks() const { return group_dim(); }
    PLUMB_MEMBER unsigned num_blocks() const { return gridDim.x * gridDim.y * gridDim.z; }
    PLUMB_MEMBER dim3 block_index() const { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
    PLUMB_MEMBER bool is_valid() const { return true; }
    PLUMB_MEMBER void sync() const { plumb_cuda_grid_sync(); }
};
PLUMB_GROUP grid_group this_grid()
{
    return grid_group();
}

/* Lanes of a warp, by their mask; shuffles name ranks in the group. */
class plumb_lanes
{
  protected:
    unsigned mask_;
    PLUMB_MEMBER explicit plumb_lanes(unsigned mask) : mask_(mask) {}

  public:
    PLUMB_MEMBER unsigned plumb_mask() const { return mask_; }
    PLUMB_MEMBER void sync() const { __syncwarp(mask_); }
    PLUMB_MEMBER int any(int p) const { return __any_sync(mask_, p); }
    PLUMB_MEMBER int all(int p) const { return __all_sync(mask_, p); }
};

template <unsigned Size, class Parent = void> class thread_block_tile : public plumb_lanes
{
    static_assert(Size >= 1 && Size <= 32 && (Size & (Size - 1)) == 0,
                  "tiles have 1, 2, 4, 8, 16 or 32 threads");
    PLUMB_MEMBER static unsigned first() { return plumb::lane() / Size * Size; }

  public:
    template <class Other>
    PLUMB_MEMBER thread_block_tile(const thread_block_tile<Size, Other> &) : thread_block_tile()
    {
    }
    PLUMB_MEMBER thread_block_tile()
        : plumb_lanes((Size == 32 ? 0xffffffffu : (1u << (Size % 32)) - 1) << first())
    {
    }
    PLUMB_MEMBER static constexpr unsigned size() { return Size; }
    PLUMB_MEMBER static constexpr unsigned num_threads() { return Size; }
    PLUMB_MEMBER unsigned thread_rank() const { return plumb::lane() % Size; }
    PLUMB_MEMBER unsigned meta_group_rank() const { return plumb::rank_in_block() / Size; }
    PLUMB_MEMBER unsigned meta_group_size() const
    {
        return (thread_block().size() + Size - 1) / Size;
    }
    PLUMB_MEMBER unsigned ballot(int p) const
    {
        return (__ballot_sync(mask_, p) & mask_) >> first();
    }
    template <class T> PLUMB_MEMBER T shfl(T v, unsigned rank) const
    {
        return __shfl_sync(mask_, v, (int)rank, (int)Size);
    }
    template <class T> PLUMB_MEMBER T shfl_up(T v, unsigned by) const
    {
        return __shfl_up_sync(mask_, v, by, (int)Size);
    }
    template <class T> PLUMB_MEMBER T shfl_down(T v, unsigned by) const
    {
        return __shfl_down_sync(mask_, v, by, (int)Size);
    }
    template <class T> PLUMB_MEMBER T shfl_xor(T v, unsigned by) const
    {
        return __shfl_xor_sync(mask_, v, (int)by, (int)Size);
    }
    template <class T> PLUMB_MEMBER unsigned match_any(T v) const
    {
        return __match_any_sync(mask_, v) >> first();
    }
};

class coalesced_group : public plumb_lanes
{
    PLUMB_MEMBER unsigned lane_of(unsigned rank) const
    {
        unsigned left = mask_;
        for (unsigned i = 0; i < rank; i++)
            left &= left - 1;
        return (unsigned)__ffs((int)left) - 1;
    }

  public:
    PLUMB_MEMBER explicit coalesced_group(unsigned mask) : plumb_lanes(mask) {}
    PLUMB_MEMBER unsigned size() const { return (unsigned)__popc((int)mask_); }
    PLUMB_MEMBER unsigned num_threads() const { return size(); }
    PLUMB_MEMBER unsigned thread_rank() const
    {
        return (unsigned)__popc((int)(mask_ & ((1u << plumb::lane()) - 1)));
    }
    template <class T> PLUMB_MEMBER T shfl(T v, unsigned rank) const
    {
        return __shfl_sync(mask_, v, (int)lane_of(rank));
    }
    template <class T> PLUMB_MEMBER T shfl_up(T v, unsigned by) const
    {
        unsigned rank = thread_rank();
        return shfl(v, rank >= by ? rank - by : rank);
    }
    template <class T> PLUMB_MEMBER T shfl_down(T v, unsigned by) const
    {
        unsigned rank = thread_rank();
        return shfl(v, rank + by < size() ? rank + by : rank);
    }
    PLUMB_MEMBER unsigned ballot(int p) const
    {
        unsigned bits = __ballot_sync(mask_, p), packed = 0, at = 0;
        for (unsigned left = mask_; left; left &= left - 1, at++)
            packed |= (bits >> (__ffs((int)left) - 1) & 1) << at;
        return packed;
    }
};
PLUMB_GROUP coalesced_group coalesced_threads()
{
    return coalesced_group(__activemask());
}

template <unsigned Size, class Parent>
PLUMB_GROUP thread_block_tile<Size, Parent> tiled_partition(const Parent &)
{
    return thread_block_tile<Size, Parent>();
}

/* Any of the groups above. */
class thread_group
{
    bool block_;
    unsigned mask_, size_, rank_;

  public:
    PLUMB_MEMBER thread_group(const thread_block &b)
        : block_(true), mask_(0), size_(b.size()), rank_(b.thread_rank())
    {
    }
    template <class Lanes, class = decltype(((Lanes *)0)->any(0))>
    PLUMB_MEMBER thread_group(const Lanes &g)
        : block_(false), mask_(g.plumb_mask()), size_(g.size()), rank_(g.thread_rank())
    {
    }
    PLUMB_MEMBER thread_group(unsigned mask, unsigned size, unsigned rank)
        : block_(false), mask_(mask), size_(size), rank_(rank)
    {
    }
    PLUMB_MEMBER void sync() const
    {
        if (block_)
            __syncthreads();
        else
            __syncwarp(mask_);
    }
    PLUMB_MEMBER unsigned size() const { return size_; }
    PLUMB_MEMBER unsigned num_threads() const { return size_; }
    PLUMB_MEMBER unsigned thread_rank() const { return rank_; }
};
PLUMB_GROUP thread_group tiled_partition(const thread_group &, unsigned size)
{
    unsigned first = plumb::lane() / size * size, bits = size == 32 ? ~0u : (1u << size) - 1;
    return thread_group(bits << first, size, plumb::lane() % size);
}
/* Lanes of a tile whose predicates agree. */
template <unsigned Size, class Parent>
PLUMB_GROUP coalesced_group binary_partition(const thread_block_tile<Size, Parent> &g, bool p)
{
    unsigned yes = __ballot_sync(g.plumb_mask(), p);
    return coalesced_group((p ? yes : ~yes) & g.plumb_mask());
}
PLUMB_GROUP coalesced_group binary_partition(const coalesced_group &g, bool p)
{
    unsigned yes = __ballot_sync(g.plumb_mask(), p);
    return coalesced_group((p ? yes : ~yes) & g.plumb_mask());
}
template <class Group, class T> PLUMB_GROUP coalesced_group labeled_partition(const Group &g, T v)
{
    return coalesced_group(__match_any_sync(g.plumb_mask(), v) & g.plumb_mask());
}

template <class Group> PLUMB_GROUP void sync(const Group &g)
{
    g.sync();
}
template <class Group> PLUMB_GROUP unsigned thread_rank(const Group &g)
{
    return g.thread_rank();
}

/* --- reduce, with these operations --- */

template <class T> struct plus {
    PLUMB_MEMBER T operator()(T a, T b) const { return a + b; }
};
template <class T> struct less {
    PLUMB_MEMBER T operator()(T a, T b) const { return b < a ? b : a; }
};
template <class T> struct greater {
    PLUMB_MEMBER T operator()(T a, T b) const { return a < b ? b : a; }
};
template <class T> struct bit_and {
    PLUMB_MEMBER T operator()(T a, T b) const { return a & b; }
};
template <class T> struct bit_or {
    PLUMB_MEMBER T operator()(T a, T b) const { return a | b; }
};
template <class T> struct bit_xor {
    PLUMB_MEMBER T operator()(T a, T b) const { return a ^ b; }
};
template <unsigned Size, class Parent, class T, class Operation>
PLUMB_GROUP T reduce(const thread_block_tile<Size, Parent> &g, T v, Operation combine)
{
    for (unsigned by = Size / 2; by > 0; by /= 2)
        v = combine(v, g.shfl_xor(v, by));
    return v;
}

template <class T, class Operation>
PLUMB_GROUP T reduce(const coalesced_group &g, T v, Operation combine)
{
    unsigned rank = g.thread_rank(), n = g.size();
    for (unsigned by = 1; by < n; by *= 2) {
        T other = g.shfl_down(v, by);
        if (rank % (2 * by) == 0 && rank + by < n) v = combine(v, other);
    }
    return g.shfl(v, 0);
}

} // namespace cooperative_groups
