// histogram.cu - 256 bins, counted by atomics in shared memory, then added to global memory.
// Argument: elements.
#include "check.h"

constexpr int BINS = 256;

__global__ void histogram(const unsigned char *in, unsigned *bins, int n)
{
    __shared__ unsigned own[BINS];
    for (int i = threadIdx.x; i < BINS; i += blockDim.x)
        own[i] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&own[in[i]], 1u);
    __syncthreads();
    for (int i = threadIdx.x; i < BINS; i += blockDim.x)
        atomicAdd(&bins[i], own[i]);
}

int main(int argc, char **argv)
{
    int n = size_argument(argc, argv, 60000);
    std::vector<float> numbers = random_floats(n, 1), want(BINS);
    std::vector<unsigned char> in(n);
    for (int i = 0; i < n; i++) {
        in[i] = (unsigned char)(numbers[i] * numbers[i] * 255.0f);
        want[in[i]] += 1.0f;
    }
    unsigned *bins = new_device<unsigned>(BINS);
    CUDA(cudaMemset(bins, 0, BINS * sizeof *bins));
    histogram<<<16, 192>>>(to_device(in), bins, n);
    CUDA(cudaGetLastError());
    std::vector<unsigned> got = to_host(bins, BINS);
    return compare("histogram", std::vector<float>(got.begin(), got.end()), want, 0.0f);
}
