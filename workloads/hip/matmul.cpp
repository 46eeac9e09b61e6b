// matmul.cpp - c = a b by tiles in dynamic shared memory. Argument: rows, a multiple of 16.
#include <hip/hip_runtime.h>

#include "check.h"

constexpr int TILE = 16;

__global__ void matmul(const float *a, const float *b, float *c, int n)
{
    HIP_DYNAMIC_SHARED(float, tiles)
    float *as = tiles, *bs = tiles + TILE * TILE;
    int x = hipBlockIdx_x * TILE + hipThreadIdx_x, y = hipBlockIdx_y * TILE + hipThreadIdx_y;
    int own = hipThreadIdx_y * TILE + hipThreadIdx_x;
    float sum = 0.0f;
    for (int t = 0; t < n; t += TILE) {
        as[own] = a[y * n + t + hipThreadIdx_x];
        bs[own] = b[(t + hipThreadIdx_y) * n + x];
        __syncthreads();
        for (int k = 0; k < TILE; k++)
            sum += as[hipThreadIdx_y * TILE + k] * bs[k * TILE + hipThreadIdx_x];
        __syncthreads();
    }
    c[y * n + x] = sum;
}

int main(int argc, char **argv)
{
    int n = size_argument(argc, argv, 128);
    std::vector<float> a = random_floats(n * n, 1), b = random_floats(n * n, 2), want(n * n);
    float *c = new_device<float>(n * n);
    matmul<<<dim3(n / TILE, n / TILE), dim3(TILE, TILE), 2 * TILE * TILE * sizeof(float)>>>(
        to_device(a), to_device(b), c, n);
    HIP(hipGetLastError());
    for (int y = 0; y < n; y++)
        for (int k = 0; k < n; k++)
            for (int x = 0; x < n; x++)
                want[y * n + x] += a[y * n + k] * b[k * n + x];
    return compare("matmul", to_host(c, n * n), want, 1e-4f);
}
