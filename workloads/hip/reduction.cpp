// reduction.cpp - the sum of an array by shuffles of 64 lanes and one atomic for each warp.
// Argument: elements.
#include <hip/hip_runtime.h>

#include "check.h"

__global__ void reduction(const float *in, float *out, int n)
{
    float v = 0.0f;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        v += in[i];
    for (int by = warpSize / 2; by > 0; by /= 2)
        v += __shfl_down(v, by);
    if (threadIdx.x % warpSize == 0) atomicAdd(out, v);
}

int main(int argc, char **argv)
{
    int n = size_argument(argc, argv, 100000);
    std::vector<float> in = random_floats(n, 1);
    float *sum = to_device(std::vector<float>(1));
    hipLaunchKernelGGL(reduction, dim3(32), dim3(256), 0, 0, to_device(in), sum, n);
    HIP(hipGetLastError());
    double want = 0.0;
    for (float x : in)
        want += x;
    return compare("reduction", to_host(sum, 1), {(float)want}, 1e-4f);
}
