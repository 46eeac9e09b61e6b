// stencil.cpp - a step of five points over a square, a CTA of 64 x 4 for each tile. Argument: rows,
// a multiple of 64.
#include <hip/hip_runtime.h>

#include "check.h"

__global__ void stencil(const float *in, float *out, int n)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    int i = y * n + x;
    bool inside = x > 0 && y > 0 && x < n - 1 && y < n - 1;
    out[i] = inside ? 0.25f * (in[i - 1] + in[i + 1] + in[i - n] + in[i + n]) : in[i];
}

int main(int argc, char **argv)
{
    int n = size_argument(argc, argv, 128), steps = 4;
    std::vector<float> now = random_floats(n * n, 1), next = now;
    float *a = to_device(now), *b = new_device<float>(n * n);
    for (int s = 0; s < steps; s++) {
        stencil<<<dim3(n / 64, n / 4), dim3(64, 4)>>>(a, b, n);
        std::swap(a, b);
        for (int y = 1; y < n - 1; y++)
            for (int x = 1; x < n - 1; x++) {
                int i = y * n + x;
                next[i] = 0.25f * (now[i - 1] + now[i + 1] + now[i - n] + now[i + n]);
            }
        std::swap(now, next);
    }
    HIP(hipGetLastError());
    return compare("stencil", to_host(a, n * n), now, 1e-5f);
}
