// nbody.cu - the accelerations of bodies that attract one another, by tiles of float4 in shared
// memory. Argument: bodies, a multiple of 128.
#include "check.h"

constexpr int TILE = 128;
constexpr float SOFTENING = 0.01f;

__device__ float3 attract(float4 on, float4 by, float3 a)
{
    float x = by.x - on.x, y = by.y - on.y, z = by.z - on.z;
    float inverse = rsqrtf(x * x + y * y + z * z + SOFTENING);
    float s = by.w * inverse * inverse * inverse;
    return make_float3(a.x + x * s, a.y + y * s, a.z + z * s);
}

__global__ void nbody(const float4 *bodies, float4 *acceleration, int n)
{
    extern __shared__ float4 tile[];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float4 own = bodies[i];
    float3 a = make_float3(0.0f, 0.0f, 0.0f);
    for (int t = 0; t < n; t += TILE) {
        tile[threadIdx.x] = bodies[t + threadIdx.x];
        __syncthreads();
#pragma unroll 4
        for (int k = 0; k < TILE; k++)
            a = attract(own, tile[k], a);
        __syncthreads();
    }
    acceleration[i] = make_float4(a.x, a.y, a.z, 0.0f);
}

int main(int argc, char **argv)
{
    int n = size_argument(argc, argv, 512);
    std::vector<float> numbers = random_floats((size_t)n * 4, 1), want;
    std::vector<float4> bodies(n);
    for (int i = 0; i < n; i++)
        bodies[i] = make_float4(numbers[4 * i], numbers[4 * i + 1], numbers[4 * i + 2],
                                numbers[4 * i + 3]);
    float4 *out = new_device<float4>(n);
    nbody<<<n / TILE, TILE, TILE * sizeof(float4)>>>(to_device(bodies), out, n);
    CUDA(cudaGetLastError());
    for (int i = 0; i < n; i++) {
        double a[3] = {0, 0, 0};
        for (int k = 0; k < n; k++) {
            double d[3] = {bodies[k].x - bodies[i].x, bodies[k].y - bodies[i].y,
                           bodies[k].z - bodies[i].z};
            double r = 1.0 / sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2] + SOFTENING);
            for (int c = 0; c < 3; c++)
                a[c] += bodies[k].w * r * r * r * d[c];
        }
        for (int c = 0; c < 3; c++)
            want.push_back((float)a[c]);
    }
    std::vector<float> got;
    for (float4 a : to_host(out, n))
        for (float x : {a.x, a.y, a.z})
            got.push_back(x);
    return compare("nbody", got, want, 1e-3f);
}
