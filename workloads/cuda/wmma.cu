// wmma.cu - c = a b of halves with sums in float, by fragments of 16 x 16: a warp for each tile of c.
// Argument: rows, a multiple of 64.
#include "check.h"

#include <mma.h>

using namespace nvcuda;

constexpr int TILE = 16, WARPS = 4;

__global__ void wmma_matmul(const half *a, const half *b, float *c, int n)
{
    int row = blockIdx.y * TILE, column = (blockIdx.x * WARPS + threadIdx.x / 32) * TILE;
    wmma::fragment<wmma::matrix_a, TILE, TILE, TILE, half, wmma::row_major> fa;
    wmma::fragment<wmma::matrix_b, TILE, TILE, TILE, half, wmma::row_major> fb;
    wmma::fragment<wmma::accumulator, TILE, TILE, TILE, float> sum;
    wmma::fill_fragment(sum, 0.0f);
    for (int k = 0; k < n; k += TILE) {
        wmma::load_matrix_sync(fa, a + row * n + k, n);
        wmma::load_matrix_sync(fb, b + k * n + column, n);
        wmma::mma_sync(sum, fa, fb, sum);
    }
    wmma::store_matrix_sync(c + row * n + column, sum, n, wmma::mem_row_major);
}

int main(int argc, char **argv)
{
    int n = size_argument(argc, argv, 128);
    std::vector<float> a = random_floats(n * n, 1), b = random_floats(n * n, 2), want(n * n);
    std::vector<half> ha(a.begin(), a.end()), hb(b.begin(), b.end());
    float *c = new_device<float>(n * n);
    wmma_matmul<<<dim3(n / TILE / WARPS, n / TILE), 32 * WARPS>>>(to_device(ha), to_device(hb), c, n);
    CUDA(cudaGetLastError());
    for (int y = 0; y < n; y++)
        for (int k = 0; k < n; k++)
            for (int x = 0; x < n; x++)
                want[y * n + x] += (float)ha[y * n + k] * (float)hb[k * n + x];
    return compare("wmma", to_host(c, n * n), want, 1e-3f);
}
