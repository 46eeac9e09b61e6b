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
/* A shuffle of what has one, and of any other trivially copyable type by its words. */
#define PLUMB_SHUFFLE(name, lane_type)                                                         \
    template <class T>                                                                         \
    PLUMB_GROUP auto name(unsigned mask, T v, lane_type with, int width, int)                  \
        ->decltype((T)__##name##_sync(mask, v, with, width))                                   \
    {                                                                                          \
        return __##name##_sync(mask, v, with, width);                                          \
    }                                                                                          \
    template <class T> PLUMB_GROUP T name(unsigned mask, T v, lane_type with, int width, long) \
    {                                                                                          \
        int word[(sizeof(T) + 3) / 4] = {};                                                    \
        __builtin_memcpy(word, &v, sizeof v);                                                  \
        for (int &w : word)                                                                    \
            w = __##name##_sync(mask, w, with, width);                                         \
        __builtin_memcpy(&v, word, sizeof v);                                                  \
        return v;                                                                              \
    }
PLUMB_SHUFFLE(shfl, int)
PLUMB_SHUFFLE(shfl_up, unsigned)
PLUMB_SHUFFLE(shfl_down, unsigned)
PLUMB_SHUFFLE(shfl_xor, int)
} // namespace plumb

/* What tiles of several warps need in shared memory: their barriers, and a word of each warp. */
struct plumb_tile_words {
    unsigned arrived[16], phase[16];
    unsigned long long warp[32];
};
template <unsigned MaxBlockSize = 1024> struct block_tile_memory {
    plumb_tile_words words;
};

class thread_block
{
    plumb_tile_words *words_;

  public:
    PLUMB_MEMBER explicit thread_block(plumb_tile_words *words = nullptr) : words_(words) {}
    PLUMB_MEMBER plumb_tile_words *plumb_words() const { return words_; }
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
template <unsigned MaxBlockSize>
PLUMB_GROUP thread_block this_thread_block(block_tile_memory<MaxBlockSize> &memory)
{
    unsigned rank = plumb::rank_in_block();
    if (rank < 16) memory.words.arrived[rank] = memory.words.phase[rank] = 0;
    __syncthreads();
    return thread_block(&memory.words);
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

template <unsigned Size, class Parent = void, bool Warps = (Size > 32)>
class thread_block_tile : public plumb_lanes
{
    static_assert(Size >= 1 && (Size & (Size - 1)) == 0, "tiles have a power of two of threads");
    PLUMB_MEMBER static unsigned first() { return plumb::lane() / Size * Size; }

  public:
    template <class Other>
    PLUMB_MEMBER thread_block_tile(const thread_block_tile<Size, Other> &) : thread_block_tile()
    {
    }
    PLUMB_MEMBER explicit thread_block_tile(const thread_block &) : thread_block_tile() {}
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
        return plumb::shfl(mask_, v, (int)rank, (int)Size, 0);
    }
    template <class T> PLUMB_MEMBER T shfl_up(T v, unsigned by) const
    {
        return plumb::shfl_up(mask_, v, by, (int)Size, 0);
    }
    template <class T> PLUMB_MEMBER T shfl_down(T v, unsigned by) const
    {
        return plumb::shfl_down(mask_, v, by, (int)Size, 0);
    }
    template <class T> PLUMB_MEMBER T shfl_xor(T v, unsigned by) const
    {
        return plumb::shfl_xor(mask_, v, (int)by, (int)Size, 0);
    }
    template <class T> PLUMB_MEMBER unsigned match_any(T v) const
    {
        return __match_any_sync(mask_, v) >> first();
    }
};

/* Tiles of several warps. */
template <unsigned Size, class Parent> class thread_block_tile<Size, Parent, true>
{
    static_assert(Size <= 1024 && (Size & (Size - 1)) == 0, "tiles have at most 1,024 threads");
    plumb_tile_words *words_;

  public:
    PLUMB_MEMBER explicit thread_block_tile(const thread_block &b) : words_(b.plumb_words()) {}
    PLUMB_MEMBER static constexpr unsigned size() { return Size; }
    PLUMB_MEMBER static constexpr unsigned num_threads() { return Size; }
    PLUMB_MEMBER unsigned thread_rank() const { return plumb::rank_in_block() % Size; }
    PLUMB_MEMBER unsigned meta_group_rank() const { return plumb::rank_in_block() / Size; }
    PLUMB_MEMBER unsigned meta_group_size() const
    {
        return (thread_block().size() + Size - 1) / Size;
    }
    PLUMB_MEMBER void sync() const
    {
        unsigned tile = meta_group_rank(), left = thread_block().size() - tile * Size;
        volatile unsigned *phase = &words_->phase[tile];
        unsigned now = *phase;
        __threadfence_block();
        if (atomicAdd(&words_->arrived[tile], 1u) == (left < Size ? left : Size) - 1) {
            *(volatile unsigned *)&words_->arrived[tile] = 0;
            __threadfence_block();
            *phase = now + 1;
        } else {
            while (*phase == now)
                __nanosleep(20);
        }
    }
    /* Of each warp the value that its first lane gives, to all lanes of the tile. */
    template <class T, class Operation> PLUMB_MEMBER T plumb_combine(T v, Operation combine) const
    {
        static_assert(sizeof(T) <= 8, "values of tiles of several warps have at most 8 bytes");
        unsigned first = meta_group_rank() * (Size / 32);
        volatile T *warp = (volatile T *)words_->warp;
        const unsigned step = 8 / sizeof(T);
        if (plumb::lane() == 0) warp[plumb::rank_in_block() / 32 * step] = v;
        sync();
        v = warp[first * step];
        for (unsigned w = 1; w < Size / 32 && (first + w) * 32 < thread_block().size(); w++)
            v = combine(v, warp[(first + w) * step]);
        sync();
        return v;
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

template <unsigned Size>
PLUMB_GROUP thread_block_tile<Size, thread_block> tiled_partition(const thread_block &b)
{
    return thread_block_tile<Size, thread_block>(b);
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
PLUMB_GROUP T reduce(const thread_block_tile<Size, Parent, false> &g, T v, Operation combine)
{
    for (unsigned by = Size / 2; by > 0; by /= 2)
        v = combine(v, g.shfl_xor(v, by));
    return v;
}

template <unsigned Size, class Parent, class T, class Operation>
PLUMB_GROUP T reduce(const thread_block_tile<Size, Parent, true> &g, T v, Operation combine)
{
    return g.plumb_combine(reduce(thread_block_tile<32>(), v, combine), combine);
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
