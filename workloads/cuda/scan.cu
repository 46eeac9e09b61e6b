// scan.cu - prefix sums in one cooperative launch: CTAs scan their parts, wait for the grid, and add the
// parts before theirs. Argument: elements, at most 256 x 256.
#include "check.h"

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

constexpr int THREADS = 256;

__global__ void scan(const int *in, int *out, int *total, int n)
{
    __shared__ int warps[THREADS / 32];
    cg::thread_block block = cg::this_thread_block();
    auto warp = cg::tiled_partition<32>(block);
    int i = blockIdx.x * THREADS + threadIdx.x, v = i < n ? in[i] : 0;
    for (int by = 1; by < 32; by *= 2) {
        int other = warp.shfl_up(v, by);
        if (warp.thread_rank() >= by) v += other;
    }
    if (warp.thread_rank() == 31) warps[warp.meta_group_rank()] = v;
    block.sync();
    for (int w = 0; w < (int)warp.meta_group_rank(); w++)
        v += warps[w];
    if (threadIdx.x == THREADS - 1) total[blockIdx.x] = v;
    cg::this_grid().sync();
    for (int b = 0; b < (int)blockIdx.x; b++)
        v += total[b];
    if (i < n) out[i] = v;
}

int main(int argc, char **argv)
{
    int n = size_argument(argc, argv, 8000), ctas = (n + THREADS - 1) / THREADS;
    std::vector<int> in(n);
    std::vector<float> random = random_floats(n, 1), want(n);
    for (int i = 0; i < n; i++)
        in[i] = (int)(random[i] * 100);
    int *from = to_device(in), *out = new_device<int>(n), *total = new_device<int>(ctas);
    void *args[] = {&from, &out, &total, &n};
    CUDA(cudaLaunchCooperativeKernel((const void *)scan, dim3(ctas), dim3(THREADS), args, 0, 0));
    for (int i = 0, sum = 0; i < n; i++)
        want[i] = (float)(sum += in[i]);
    std::vector<int> got = to_host(out, n);
    return compare("scan", std::vector<float>(got.begin(), got.end()), want, 0.0f);
}
