// softmax.cu - the softmax of each row of a matrix, a CTA for each row. Argument: rows.
#include "check.h"

template <class Combine> __device__ float combine_block(float v, float *warps, Combine combine)
{
    for (int offset = 16; offset > 0; offset /= 2)
        v = combine(v, __shfl_xor_sync(0xffffffff, v, offset));
    if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = v;
    __syncthreads();
    v = warps[0];
    for (int i = 1; i < blockDim.x / 32; i++)
        v = combine(v, warps[i]);
    __syncthreads();
    return v;
}

__global__ void softmax(const float *in, float *out, int columns)
{
    __shared__ float warps[32];
    const float *row = in + blockIdx.x * columns;
    float most = -INFINITY, sum = 0.0f;
    for (int i = threadIdx.x; i < columns; i += blockDim.x)
        most = fmaxf(most, row[i]);
    most = combine_block(most, warps, [](float a, float b) { return fmaxf(a, b); });
    for (int i = threadIdx.x; i < columns; i += blockDim.x)
        sum += expf(row[i] - most);
    sum = combine_block(sum, warps, [](float a, float b) { return a + b; });
    for (int i = threadIdx.x; i < columns; i += blockDim.x)
        out[blockIdx.x * columns + i] = expf(row[i] - most) / sum;
}

int main(int argc, char **argv)
{
    int rows = size_argument(argc, argv, 64), columns = 1000;
    std::vector<float> in = random_floats(rows * columns, 1), want(rows * columns);
    float *out = new_device<float>(in.size());
    softmax<<<rows, 128>>>(to_device(in), out, columns);
    CUDA(cudaGetLastError());
    for (int r = 0; r < rows; r++) {
        double sum = 0.0;
        for (int i = 0; i < columns; i++)
            sum += exp((double)in[r * columns + i]);
        for (int i = 0; i < columns; i++)
            want[r * columns + i] = (float)(exp((double)in[r * columns + i]) / sum);
    }
    return compare("softmax", to_host(out, in.size()), want, 1e-5f);
}
