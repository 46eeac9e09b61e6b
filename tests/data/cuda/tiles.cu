// tiles.cu - tiles of several warps, shuffles of structures, atomics of the system's scope, virtual
// functions, and dynamic shared memory beside static memory that only another kernel has.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cstdio>

namespace cg = cooperative_groups;

struct three {
    unsigned char a, b, c;
};

__global__ void sums(const int *in, int *out)
{
    extern __shared__ int found[];
    __shared__ cg::block_tile_memory<256> memory;
    auto tile = cg::tiled_partition<64>(cg::this_thread_block(memory));
    int sum = cg::reduce(tile, in[threadIdx.x], cg::plus<int>());
    if (tile.thread_rank() == 63) found[tile.meta_group_rank()] = sum;
    __syncthreads();
    if (threadIdx.x < tile.meta_group_size()) out[threadIdx.x] = found[threadIdx.x];
}

__global__ void turned(int *out)
{
    extern __shared__ int found[];
    auto tile = cg::tiled_partition<32>(cg::this_thread_block());
    unsigned short lane = threadIdx.x; // narrows below, of which nvcc only warns
    three t = tile.shfl_xor(three{lane, (unsigned char)(lane + 1), (unsigned char)(lane + 2)}, 5);
    found[threadIdx.x] = t.a + 256 * t.b + 65536 * t.c;
    out[threadIdx.x] = found[threadIdx.x];
    if (threadIdx.x == 0) out[32] = __shfl_down_sync(1u, 5, 16);
}

__global__ void counted(unsigned *at)
{
    atomicInc_system(&at[0], 17);
    atomicDec_block(&at[1], 137);
    if (atomicCAS_system(&at[2], 0u, 7u) == 0) at[3]++;
}

struct shape {
    __device__ virtual ~shape() {}
    __device__ virtual int area() const = 0;
};
struct square : shape {
    int side;
    __device__ square(int n) : side(n) {}
    __device__ int area() const override { return side * side; }
};
struct box : square {
    __device__ box(int n) : square(n) {}
    __device__ int area() const override { return 6 * side * side; }
};
__global__ void areas(int *out)
{
    shape *s = threadIdx.x % 2 ? (shape *)new box(threadIdx.x) : new square(threadIdx.x);
    out[threadIdx.x] = s->area();
    delete s;
}

int main()
{
    int *p, wrong = 0;
    cudaMallocManaged(&p, 512 * sizeof *p);
    for (int i = 0; i < 512; i++)
        p[i] = i < 256 ? i : 0;
    sums<<<1, 256, 4 * sizeof *p>>>(p, p + 256);
    cudaDeviceSynchronize();
    for (int i = 0; i < 4; i++)
        wrong += p[256 + i] != 64 * 64 * i + 32 * 63;
    turned<<<1, 32, 32 * sizeof *p>>>(p);
    cudaDeviceSynchronize();
    for (int i = 0; i < 32; i++)
        wrong += p[i] != (i ^ 5) + 256 * ((i ^ 5) + 1) + 65536 * ((i ^ 5) + 2);
    wrong += p[32] != 0;
    p[0] = p[1] = p[2] = p[3] = 0;
    counted<<<1, 100>>>((unsigned *)p);
    cudaDeviceSynchronize();
    wrong += p[0] != 100 % 18 || p[1] != 138 - 100 || p[2] != 7 || p[3] != 1;
    areas<<<1, 32>>>(p);
    cudaDeviceSynchronize();
    for (int i = 0; i < 32; i++)
        wrong += p[i] != (i % 2 ? 6 : 1) * i * i;
    printf("tiles: %s\n", wrong ? "wrong" : "right");
    return wrong != 0;
}
