// libraries.cu - Thrust, CUB's device-wide functions, cuRAND, both 16-bit formats.
#include <cmath>
#include <cstdio>
#include <cub/cub.cuh>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <curand.h>
#include <thrust/device_vector.h>
#include <thrust/extrema.h>
#include <thrust/host_vector.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/reduce.h>
#include <thrust/remove.h>
#include <thrust/scan.h>
#include <thrust/sort.h>
#include <thrust/transform_reduce.h>

static int failed;
static void check(const char *what, bool right)
{
    if (!right) printf("%s: wrong\n", what);
    failed += !right;
}

struct square {
    __host__ __device__ float operator()(float x) const { return x * x; }
};
struct even {
    __host__ __device__ bool operator()(int x) const { return x % 2 == 0; }
};
struct doubled {
    template <class Pair> __host__ __device__ void operator()(Pair p) const
    {
        thrust::get<1>(p) = 2 * thrust::get<0>(p);
    }
};

static void vectors()
{
    const int n = 5000;
    thrust::host_vector<int> h(n);
    for (int i = 0; i < n; i++)
        h[i] = (i * 7919) % 5003;
    thrust::device_vector<int> d = h, out(n);
    int sum = 0, evens = 0;
    for (int x : h)
        sum += x, evens += x % 2 == 0;
    thrust::sort(d.begin(), d.end());
    std::stable_sort(h.begin(), h.end());
    check("sort", d == h);
    check("reduce", thrust::reduce(d.begin(), d.end(), 0, thrust::plus<int>()) == sum);
    thrust::exclusive_scan(d.begin(), d.end(), out.begin());
    check("scan", out[0] == 0 && out[n - 1] == sum - h[n - 1]);
    check("count", thrust::count_if(d.begin(), d.end(), even()) == evens);
    check("max", *thrust::max_element(d.begin(), d.end()) == h[n - 1]);
    check("remove", thrust::remove_if(d.begin(), d.end(), even()) - d.begin() == n - evens);
    thrust::device_vector<float> x(100, 2.0f), y(100);
    check("transform", thrust::transform_reduce(x.begin(), x.end(), square(), 0.0f,
                                                thrust::plus<float>()) == 400.0f);
    auto both = thrust::make_zip_iterator(thrust::make_tuple(x.begin(), y.begin()));
    thrust::for_each(both, both + 100, doubled());
    check("zip", y[99] == 4.0f);
    thrust::device_vector<int> key(300), value(300);
    for (int i = 0; i < 300; i++)
        key[i] = (300 - i) / 2, value[i] = i;
    thrust::sort_by_key(key.begin(), key.end(), value.begin());
    check("stable sort by key", key[0] == 0 && value[0] == 299 && value[1] == 297 && value[2] == 298);
}

static void device_wide()
{
    const int n = 3000;
    int *in, *out;
    size_t bytes = 0;
    void *room;
    cudaMallocManaged(&in, n * sizeof *in);
    cudaMallocManaged(&out, n * sizeof *out);
    for (int i = 0; i < n; i++)
        in[i] = i % 10;
    cub::DeviceReduce::Sum(nullptr, bytes, in, out, n);
    cudaMalloc(&room, bytes);
    cub::DeviceReduce::Sum(room, bytes, in, out, n);
    check("cub sum", out[0] == n / 10 * 45);
    cub::DeviceScan::InclusiveSum(room, bytes, in, out, n);
    check("cub scan", out[n - 1] == n / 10 * 45 && out[4] == 10);
    cub::DeviceRadixSort::SortKeysDescending(room, bytes, in, out, n);
    check("cub sort", out[0] == 9 && out[n - 1] == 0 && out[n / 2] == 4);
}

__global__ void draw(float *out)
{
    curandState s;
    curand_init(7, threadIdx.x + blockIdx.x * blockDim.x, 0, &s);
    out[threadIdx.x + blockIdx.x * blockDim.x] = curand_normal(&s);
}

// Mean and variance of n numbers.
static bool spread(const float *p, int n, float mean, float variance)
{
    double m = 0.0, v = 0.0;
    for (int i = 0; i < n; i++)
        m += p[i] / (double)n;
    for (int i = 0; i < n; i++)
        v += (p[i] - m) * (p[i] - m) / n;
    return fabs(m - mean) < 0.05 && fabs(v - variance) < 0.05;
}

static void random_numbers()
{
    const int n = 16384;
    float *p;
    curandGenerator_t g;
    cudaMallocManaged(&p, n * sizeof *p);
    draw<<<n / 256, 256>>>(p);
    cudaDeviceSynchronize();
    check("curand_normal", spread(p, n, 0.0f, 1.0f));
    curandCreateGenerator(&g, CURAND_RNG_PSEUDO_DEFAULT);
    curandSetPseudoRandomGeneratorSeed(g, 1);
    curandGenerateUniform(g, p, n);
    check("curandGenerateUniform", spread(p, n, 0.5f, 1.0f / 12));
}

static void formats()
{
    __nv_bfloat16 b = 1.00390625f; // half way between 1 and 1 + 2^-7: to even
    check("bfloat16", (float)b == 1.0f && (float)__nv_bfloat16(3.0f) * 2 == 6.0f);
    check("half", (float)__half(65504.0f) == 65504.0f && (float)__half(1.0f / 3) != 1.0f / 3);
}

int main()
{
    vectors();
    device_wide();
    random_numbers();
    formats();
    check("status", cudaGetLastError() == cudaSuccess);
    printf("libraries: %s\n", failed ? "wrong" : "right");
    return failed != 0;
}
