// layernorm.cu - rows of halves normalised to mean 0 and variance 1, a CTA for each row, its sums by
// cub::BlockReduce. Argument: rows.
#include "check.h"

#include <cub/cub.cuh>
#include <cuda_fp16.h>

constexpr int COLUMNS = 256, THREADS = COLUMNS / 2;

__global__ void layernorm(const half2 *in, half2 *out)
{
    typedef cub::BlockReduce<float, THREADS> Reduce;
    __shared__ typename Reduce::TempStorage place;
    __shared__ float mean, scale;
    float2 v = __half22float2(in[blockIdx.x * THREADS + threadIdx.x]);
    float sum = Reduce(place).Sum(v.x + v.y);
    if (threadIdx.x == 0) mean = sum / COLUMNS;
    __syncthreads();
    v.x -= mean;
    v.y -= mean;
    sum = Reduce(place).Sum(v.x * v.x + v.y * v.y);
    if (threadIdx.x == 0) scale = rsqrtf(sum / COLUMNS + 1e-5f);
    __syncthreads();
    out[blockIdx.x * THREADS + threadIdx.x] = __floats2half2_rn(v.x * scale, v.y * scale);
}

int main(int argc, char **argv)
{
    int rows = size_argument(argc, argv, 64), n = rows * COLUMNS;
    std::vector<float> random = random_floats(n, 1), want(n);
    std::vector<half> in(random.begin(), random.end());
    half *out = new_device<half>(n);
    layernorm<<<rows, THREADS>>>((const half2 *)to_device(in), (half2 *)out);
    CUDA(cudaGetLastError());
    for (int r = 0; r < rows; r++) {
        double mean = 0.0, square = 0.0;
        for (int c = 0; c < COLUMNS; c++)
            mean += (float)in[r * COLUMNS + c] / (double)COLUMNS;
        for (int c = 0; c < COLUMNS; c++)
            square += pow((float)in[r * COLUMNS + c] - mean, 2) / COLUMNS;
        for (int c = 0; c < COLUMNS; c++)
            want[r * COLUMNS + c] = (float)(((float)in[r * COLUMNS + c] - mean) / sqrt(square + 1e-5));
    }
    std::vector<half> got = to_host(out, n);
    return compare("layernorm", std::vector<float>(got.begin(), got.end()), want, 2e-3f);
}
