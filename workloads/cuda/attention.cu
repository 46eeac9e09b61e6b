// attention.cu - softmax(q k^T / sqrt(D)) v for one head with an online softmax: each thread has a row of
// q, and the CTA brings tiles of k and v by asynchronous copies, the next while it computes with one.
// Argument: tokens, a multiple of 64.
#include "check.h"

#include <cuda_pipeline.h>

constexpr int D = 32, ROWS = 64, TILE = 16, STEP = 4;

__device__ void bring(float (*k_tile)[D], float (*v_tile)[D], const float *k, const float *v)
{
    for (int i = threadIdx.x * STEP; i < TILE * D; i += ROWS * STEP) {
        __pipeline_memcpy_async(&k_tile[0][0] + i, k + i, STEP * sizeof(float));
        __pipeline_memcpy_async(&v_tile[0][0] + i, v + i, STEP * sizeof(float));
    }
    __pipeline_commit();
}

__global__ void attention(const float *q, const float *k, const float *v, float *out, int n)
{
    __shared__ __align__(16) float k_tile[2][TILE][D], v_tile[2][TILE][D];
    int row = blockIdx.x * ROWS + threadIdx.x;
    float own[D], sum[D] = {}, most = -INFINITY, all = 0.0f;
#pragma unroll
    for (int d = 0; d < D; d++)
        own[d] = q[row * D + d] * rsqrtf((float)D);
    bring(k_tile[0], v_tile[0], k, v);
    for (int t = 0; t < n / TILE; t++) {
        int now = t % 2, next = t + 1;
        if (next * TILE < n)
            bring(k_tile[1 - now], v_tile[1 - now], k + next * TILE * D, v + next * TILE * D);
        else
            __pipeline_commit();
        __pipeline_wait_prior(1);
        __syncthreads();
        for (int j = 0; j < TILE; j++) {
            float score = 0.0f;
#pragma unroll
            for (int d = 0; d < D; d++)
                score += own[d] * k_tile[now][j][d];
            float larger = fmaxf(most, score), keep = __expf(most - larger);
            float share = __expf(score - larger);
            most = larger;
            all = all * keep + share;
#pragma unroll
            for (int d = 0; d < D; d++)
                sum[d] = sum[d] * keep + share * v_tile[now][j][d];
        }
        __syncthreads();
    }
#pragma unroll
    for (int d = 0; d < D; d++)
        out[row * D + d] = sum[d] / all;
}

static std::vector<float> expected(const std::vector<float> &q, const std::vector<float> &k,
                                   const std::vector<float> &v, int n)
{
    std::vector<float> out(n * D), share(n);
    for (int i = 0; i < n; i++) {
        double all = 0.0;
        for (int j = 0; j < n; j++) {
            double score = 0.0;
            for (int d = 0; d < D; d++)
                score += (double)q[i * D + d] * k[j * D + d];
            share[j] = (float)exp(score / sqrt((double)D));
            all += share[j];
        }
        for (int j = 0; j < n; j++)
            for (int d = 0; d < D; d++)
                out[i * D + d] += (float)(share[j] / all) * v[j * D + d];
    }
    return out;
}

int main(int argc, char **argv)
{
    int n = size_argument(argc, argv, 128);
    std::vector<float> q = random_floats(n * D, 1), k = random_floats(n * D, 2);
    std::vector<float> v = random_floats(n * D, 3);
    float *out = new_device<float>(n * D);
    attention<<<n / ROWS, ROWS>>>(to_device(q), to_device(k), to_device(v), out, n);
    CUDA(cudaGetLastError());
    return compare("attention", to_host(out, n * D), expected(q, k, v, n), 1e-4f);
}
