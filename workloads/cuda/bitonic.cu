// bitonic.cu - sorts an array: a launch for each step across CTAs. Argument: elements, a power of two.
#include "check.h"

#include <algorithm>

__global__ void bitonic(float *v, int step, int size)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, other = i ^ step;
    if (other <= i) return;
    bool up = (i & size) == 0;
    float a = v[i], b = v[other];
    if ((a > b) != up) return;
    v[i] = b;
    v[other] = a;
}

int main(int argc, char **argv)
{
    int n = size_argument(argc, argv, 2048);
    std::vector<float> want = random_floats(n, 1);
    float *v = to_device(want);
    for (int size = 2; size <= n; size *= 2)
        for (int step = size / 2; step > 0; step /= 2)
            bitonic<<<n / 256, 256>>>(v, step, size);
    CUDA(cudaGetLastError());
    std::sort(want.begin(), want.end());
    return compare("bitonic", to_host(v, n), want, 0.0f);
}
