// matmul.cu - c = a b by tiles in shared memory. Argument: rows, a multiple of 16.
#include "check.h"

constexpr int TILE = 16;

__global__ void matmul(const float *a, const float *b, float *c, int n)
{
    __shared__ float as[TILE][TILE], bs[TILE][TILE];
    int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
    float sum = 0.0f;
    for (int t = 0; t < n; t += TILE) {
        as[threadIdx.y][threadIdx.x] = a[y * n + t + threadIdx.x];
        bs[threadIdx.y][threadIdx.x] = b[(t + threadIdx.y) * n + x];
        __syncthreads();
#pragma unroll
        for (int k = 0; k < TILE; k++)
            sum += as[threadIdx.y][k] * bs[k][threadIdx.x];
        __syncthreads();
    }
    c[y * n + x] = sum;
}

int main(int argc, char **argv)
{
    int n = size_argument(argc, argv, 128);
    std::vector<float> a = random_floats(n * n, 1), b = random_floats(n * n, 2), want(n * n);
    float *c = new_device<float>(n * n);
    dim3 grid(n / TILE, n / TILE), block(TILE, TILE);
    matmul<<<grid, block>>>(to_device(a), to_device(b), c, n);
    CUDA(cudaGetLastError());
    for (int y = 0; y < n; y++)
        for (int k = 0; k < n; k++)
            for (int x = 0; x < n; x++)
                want[y * n + x] += a[y * n + k] * b[k * n + x];
    return compare("matmul", to_host(c, n * n), want, 1e-4f);
}
