// gemm.cu - C = alpha A B + beta C by tiles of 16 x 16, either matrix turned or not: the kernel whose machine code
// docs/results/cuda.md counts. Argument: columns of A.
#include <cstdio>
#include <cstdlib>

constexpr int SIDE = 16;

__global__ void gemm(int turn_a, int turn_b, int m, int n, int k, float alpha, const float *a,
                     int lda, const float *b, int ldb, float beta, float *c, int ldc)
{
    __shared__ float as[SIDE][SIDE], bs[SIDE][SIDE];
    int x = threadIdx.x, y = threadIdx.y;
    int row = blockIdx.y * SIDE + y, col = blockIdx.x * SIDE + x;
    float sum = 0;
    for (int t = 0; t < (k + SIDE - 1) / SIDE; t++) {
        int ka = t * SIDE + x, kb = t * SIDE + y;
        as[y][x] = row < m && ka < k ? a[turn_a ? ka * lda + row : row * lda + ka] : 0;
        bs[y][x] = col < n && kb < k ? b[turn_b ? col * ldb + kb : kb * ldb + col] : 0;
        __syncthreads();
#pragma unroll
        for (int i = 0; i < SIDE; i++)
            sum += as[y][i] * bs[i][x];
        __syncthreads();
    }
    if (row < m && col < n) {
        float v = alpha * sum;
        if (beta != 0) v += beta * c[row * ldc + col];
        c[row * ldc + col] = v;
    }
}

int main(int argc, char **argv)
{
    int n = 128, k = argc > 1 ? atoi(argv[1]) : n;
    float *a, *b, *c;
    cudaMalloc(&a, n * k * sizeof *a);
    cudaMalloc(&b, n * k * sizeof *b);
    cudaMalloc(&c, n * n * sizeof *c);
    gemm<<<dim3(n / SIDE, n / SIDE), dim3(SIDE, SIDE)>>>(0, 0, n, n, k, 1.0f, a, k, b, n, 0.0f, c, n);
    return cudaDeviceSynchronize();
}
