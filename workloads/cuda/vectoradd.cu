// vectoradd.cu - c = a + b. Argument: elements.
#include "check.h"

__global__ void vectoradd(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) c[i] = a[i] + b[i];
}

int main(int argc, char **argv)
{
    int n = size_argument(argc, argv, 50000);
    std::vector<float> a = random_floats(n, 1), b = random_floats(n, 2), want(n);
    float *c = new_device<float>(n);
    vectoradd<<<(n + 255) / 256, 256>>>(to_device(a), to_device(b), c, n);
    CUDA(cudaGetLastError());
    for (int i = 0; i < n; i++)
        want[i] = a[i] + b[i];
    return compare("vectoradd", to_host(c, n), want, 0.0f);
}
