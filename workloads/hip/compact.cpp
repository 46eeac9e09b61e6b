// compact.cpp - keeps the elements above a half: lanes find their places by __ballot, and each warp
// takes room by one atomic. Argument: elements.
#include <hip/hip_runtime.h>

#include "check.h"

#include <algorithm>

__global__ void compact(const float *in, float *out, unsigned *count, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % warpSize;
    float v = i < n ? in[i] : 0.0f;
    unsigned long long kept = __ballot(v > 0.5f), before = kept & ((1ull << lane) - 1);
    unsigned first = 0;
    if (lane == 0) first = atomicAdd(count, (unsigned)__popcll(kept));
    first = __shfl(first, 0);
    if (v > 0.5f) out[first + __popcll(before)] = v;
}

int main(int argc, char **argv)
{
    int n = size_argument(argc, argv, 10000);
    std::vector<float> in = random_floats(n, 1), want;
    float *out = new_device<float>(n);
    unsigned *count = to_device(std::vector<unsigned>(1));
    compact<<<(n + 255) / 256, 256>>>(to_device(in), out, count, n);
    HIP(hipGetLastError());
    std::copy_if(in.begin(), in.end(), std::back_inserter(want), [](float x) { return x > 0.5f; });
    std::vector<float> got = to_host(out, to_host(count, 1)[0]);
    if (got.size() != want.size())
        return printf("compact: %zu kept, not %zu\n", got.size(), want.size()), 1;
    std::sort(got.begin(), got.end());
    std::sort(want.begin(), want.end());
    return compare("compact", got, want, 0.0f);
}
