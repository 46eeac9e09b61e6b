// reduction.cu - the sum of an array by shuffles, and a second launch over the CTAs' sums. Argument:
// elements.
#include "check.h"

__inline__ __device__ float sum_of_warp(float v)
{
    for (int offset = warpSize / 2; offset > 0; offset /= 2)
        v += __shfl_down_sync(0xffffffff, v, offset);
    return v;
}

__global__ void reduction(const float *in, float *out, int n)
{
    __shared__ float warps[32];
    float v = 0.0f;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        v += in[i];
    v = sum_of_warp(v);
    if (threadIdx.x % warpSize == 0) warps[threadIdx.x / warpSize] = v;
    __syncthreads();
    v = threadIdx.x < blockDim.x / warpSize ? warps[threadIdx.x] : 0.0f;
    if (threadIdx.x / warpSize == 0) v = sum_of_warp(v);
    if (threadIdx.x == 0) out[blockIdx.x] = v;
}

int main(int argc, char **argv)
{
    int n = size_argument(argc, argv, 100000), ctas = 32;
    std::vector<float> in = random_floats(n, 1);
    float *sums = new_device<float>(ctas), *sum = new_device<float>(1);
    reduction<<<ctas, 256>>>(to_device(in), sums, n);
    reduction<<<1, 256>>>(sums, sum, ctas);
    CUDA(cudaGetLastError());
    double want = 0.0;
    for (float x : in)
        want += x;
    return compare("reduction", to_host(sum, 1), {(float)want}, 1e-4f);
}
