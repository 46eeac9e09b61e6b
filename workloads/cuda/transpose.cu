// transpose.cu - a matrix turned by tiles of 32 x 32 in shared memory with padded rows. Argument:
// rows, a multiple of 32.
#include "check.h"

constexpr int TILE = 32, ROWS = 8;

__global__ void transpose(const float *in, float *out, int n)
{
    __shared__ float tile[TILE][TILE + 1];
    int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
    for (int k = 0; k < TILE; k += ROWS)
        tile[threadIdx.y + k][threadIdx.x] = in[(y + k) * n + x];
    __syncthreads();
    x = blockIdx.y * TILE + threadIdx.x;
    y = blockIdx.x * TILE + threadIdx.y;
    for (int k = 0; k < TILE; k += ROWS)
        out[(y + k) * n + x] = tile[threadIdx.x][threadIdx.y + k];
}

int main(int argc, char **argv)
{
    int n = size_argument(argc, argv, 256);
    std::vector<float> in = random_floats(n * n, 1), want(n * n);
    float *out = new_device<float>(n * n);
    transpose<<<dim3(n / TILE, n / TILE), dim3(TILE, ROWS)>>>(to_device(in), out, n);
    CUDA(cudaGetLastError());
    for (int y = 0; y < n; y++)
        for (int x = 0; x < n; x++)
            want[x * n + y] = in[y * n + x];
    return compare("transpose", to_host(out, n * n), want, 0.0f);
}
