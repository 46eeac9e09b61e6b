// stencil.cu - seven points in three dimensions, with coefficients in constant memory, two steps.
// Argument: points of an edge.
#include "check.h"

#include <utility>

__constant__ float coefficient[2];

__global__ void stencil(const float *in, float *out, int n)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < 1 || y < 1 || x >= n - 1 || y >= n - 1) return;
    for (int z = 1; z < n - 1; z++) {
        int at = (z * n + y) * n + x;
        out[at] = coefficient[0] * in[at] +
                  coefficient[1] * (in[at - 1] + in[at + 1] + in[at - n] + in[at + n] +
                                    in[at - n * n] + in[at + n * n]);
    }
}

static void step(const std::vector<float> &in, std::vector<float> &out, int n, const float *k)
{
    for (int z = 1; z < n - 1; z++)
        for (int y = 1; y < n - 1; y++)
            for (int x = 1; x < n - 1; x++) {
                int i = (z * n + y) * n + x;
                out[i] = k[0] * in[i] + k[1] * (in[i - 1] + in[i + 1] + in[i - n] + in[i + n] +
                                                in[i - n * n] + in[i + n * n]);
            }
}

int main(int argc, char **argv)
{
    int n = size_argument(argc, argv, 34);
    const float k[2] = {0.4f, 0.1f};
    std::vector<float> a = random_floats(n * n * n, 1), b = a;
    float *from = to_device(a), *to = to_device(a);
    CUDA(cudaMemcpyToSymbol(coefficient, k, sizeof k));
    dim3 block(32, 4), grid((n + 31) / 32, (n + 3) / 4);
    for (int i = 0; i < 2; i++) {
        stencil<<<grid, block>>>(from, to, n);
        step(a, b, n, k);
        std::swap(from, to);
        std::swap(a, b);
    }
    CUDA(cudaGetLastError());
    return compare("stencil", to_host(from, a.size()), a, 1e-5f);
}
