// errors.cu - calls with wrong arguments return the errors that NVIDIA documents. Source: CUDA Runtime API,
// modules Device, Stream, Event, Execution Control, Memory, Occupancy; CUDA C++ Programming Guide, "Compute
// Capabilities" (limits of launches).
#include <cstdio>
#include <cstdlib>

static int wrong;

static void expect(int line, cudaError_t got, cudaError_t want)
{
    if (got == want && (want == cudaSuccess || cudaPeekAtLastError() == want)) {
        if (cudaGetLastError() == want && cudaGetLastError() == cudaSuccess) return;
    }
    printf("errors.cu:%d: %s, expected %s\n", line, cudaGetErrorName(got), cudaGetErrorName(want));
    wrong++;
}
#define EXPECT(call, want) expect(__LINE__, call, want)

__constant__ int table[16];
__global__ void plain(int *p)
{
    if (p) p[threadIdx.x] = table[threadIdx.x % 16];
}
__global__ void dynamic(int *p)
{
    extern __shared__ int s[];
    s[threadIdx.x] = 1;
    if (p) p[threadIdx.x] = s[threadIdx.x];
}
static cudaError_t launch(dim3 grid, dim3 block, size_t shared)
{
    dynamic<<<grid, block, shared>>>(nullptr);
    return cudaPeekAtLastError();
}

static void check_memory(int *p)
{
    int host[128], *q = nullptr;
    void *v;
    size_t pitch;
    EXPECT(cudaMalloc((void **)nullptr, 4), cudaErrorInvalidValue);
    EXPECT(cudaMalloc(&q, (size_t)1 << 45), cudaErrorMemoryAllocation);
    EXPECT(cudaMalloc(&q, 0), cudaSuccess);
    EXPECT(cudaMallocPitch(&v, nullptr, 4, 4), cudaErrorInvalidValue);
    EXPECT(cudaMallocPitch(&v, &pitch, (size_t)1 << 40, (size_t)1 << 40), cudaErrorMemoryAllocation);
    EXPECT(cudaMallocManaged(&v, 64, 8), cudaErrorInvalidValue);
    EXPECT(cudaMallocManaged(&v, 0), cudaErrorInvalidValue);
    EXPECT(cudaHostAlloc(&v, 64, 0x100), cudaErrorInvalidValue);
    EXPECT(cudaMalloc(&q, 64), cudaSuccess);
    EXPECT(cudaFree(q + 1), cudaErrorInvalidValue);
    EXPECT(cudaFree(q), cudaSuccess);
    EXPECT(cudaFree(q), cudaErrorInvalidValue);
    EXPECT(cudaFree(host), cudaErrorInvalidValue);
    EXPECT(cudaFree(nullptr), cudaSuccess);
    EXPECT(cudaMemset(p, 0, 401), cudaErrorInvalidValue);
    EXPECT(cudaMemset(nullptr, 0, 4), cudaErrorInvalidValue);
    EXPECT(cudaMemset2D(p, 8, 0, 16, 2), cudaErrorInvalidValue);
    EXPECT(cudaMemPrefetchAsync(host, sizeof host, 0, nullptr), cudaErrorInvalidValue);
}

static void check_copies(int *p)
{
    int host[128] = {0};
    EXPECT(cudaMemcpy(p, host, 401, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
    EXPECT(cudaMemcpy(p + 99, host, 8, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
    EXPECT(cudaMemcpy(host, p, 401, cudaMemcpyDeviceToHost), cudaErrorInvalidValue);
    EXPECT(cudaMemcpy(host, p, 401, cudaMemcpyDefault), cudaErrorInvalidValue);
    EXPECT(cudaMemcpy(p, host, 401, cudaMemcpyDefault), cudaErrorInvalidValue);
    EXPECT(cudaMemcpy(host, host + 64, 4, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
    EXPECT(cudaMemcpy(nullptr, p, 4, cudaMemcpyDeviceToHost), cudaErrorInvalidValue);
    EXPECT(cudaMemcpy(host, p, 4, (cudaMemcpyKind)9), cudaErrorInvalidMemcpyDirection);
    EXPECT(cudaMemcpy2D(p, 4, host, 16, 8, 2, cudaMemcpyHostToDevice), cudaErrorInvalidPitchValue);
    EXPECT(cudaMemcpy2D(p, 64, host, 16, 8, 8, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
    EXPECT(cudaMemcpyToSymbol(table, host, 65), cudaErrorInvalidValue);
    EXPECT(cudaMemcpyToSymbol(table, host, 4, 64), cudaErrorInvalidValue);
    EXPECT(cudaMemcpyToSymbol(host, host, 4), cudaErrorInvalidSymbol);
    EXPECT(cudaMemcpyFromSymbol(host, table, 64), cudaSuccess);
}

static void check_launches(int *p)
{
    EXPECT(launch(1, 1024, 4096), cudaSuccess);
    EXPECT(launch(1, 1025, 0), cudaErrorInvalidConfiguration);
    EXPECT(launch(1, 0, 0), cudaErrorInvalidConfiguration);
    EXPECT(launch(0, 32, 0), cudaErrorInvalidConfiguration);
    EXPECT(launch(dim3(1, 65536), 32, 0), cudaErrorInvalidConfiguration);
    EXPECT(launch(1, dim3(1, 1, 65), 0), cudaErrorInvalidConfiguration);
    EXPECT(launch(1, 32, 49152), cudaSuccess);
    EXPECT(launch(1, 32, 49153), cudaErrorInvalidValue);
    auto most = cudaFuncAttributeMaxDynamicSharedMemorySize;
    EXPECT(cudaFuncSetAttribute(dynamic, most, 98304), cudaSuccess);
    EXPECT(launch(1, 32, 98304), cudaSuccess);
    EXPECT(launch(1, 32, 98305), cudaErrorInvalidValue);
    EXPECT(cudaFuncSetAttribute(dynamic, most, 1 << 20), cudaErrorInvalidValue);
    EXPECT(cudaFuncSetAttribute(dynamic, most, -1), cudaErrorInvalidValue);
    EXPECT(cudaFuncSetAttribute((const void *)p, most, 1024), cudaErrorInvalidDeviceFunction);
    EXPECT(cudaLaunchKernel((const void *)p, 1, 1, nullptr, 0, nullptr),
           cudaErrorInvalidDeviceFunction);
}

static void check_device()
{
    int n;
    float ms;
    cudaDeviceProp prop;
    cudaStream_t s;
    cudaEvent_t a, b;
    EXPECT(cudaSetDevice(1), cudaErrorInvalidDevice);
    EXPECT(cudaSetDevice(-1), cudaErrorInvalidDevice);
    EXPECT(cudaGetDeviceProperties(&prop, 1), cudaErrorInvalidDevice);
    EXPECT(cudaGetDeviceCount(nullptr), cudaErrorInvalidValue);
    EXPECT(cudaDeviceGetAttribute(&n, cudaDevAttrWarpSize, 3), cudaErrorInvalidDevice);
    EXPECT(cudaDeviceGetAttribute(&n, (cudaDeviceAttr)9999, 0), cudaErrorInvalidValue);
    EXPECT(cudaStreamCreate(nullptr), cudaErrorInvalidValue);
    EXPECT(cudaStreamCreateWithFlags(&s, 77), cudaErrorInvalidValue);
    EXPECT(cudaEventCreateWithFlags(&a, 77), cudaErrorInvalidValue);
    EXPECT(cudaEventCreate(&a), cudaSuccess);
    EXPECT(cudaEventCreate(&b), cudaSuccess);
    EXPECT(cudaEventRecord(nullptr), cudaErrorInvalidResourceHandle);
    EXPECT(cudaEventRecord(a), cudaSuccess);
    EXPECT(cudaEventElapsedTime(&ms, a, b), cudaErrorInvalidResourceHandle);
    EXPECT(cudaEventElapsedTime(nullptr, a, a), cudaErrorInvalidValue);
    EXPECT(cudaOccupancyMaxActiveBlocksPerMultiprocessor(nullptr, plain, 32, 0),
           cudaErrorInvalidValue);
}

int main()
{
    int *p;
    cudaMalloc(&p, 100 * sizeof *p);
    check_memory(p);
    check_copies(p);
    check_launches(p);
    check_device();
    plain<<<1, 32>>>(p);
    EXPECT(cudaDeviceSynchronize(), cudaSuccess);
    plain<<<1, 32>>>(p + 90); // from here on the device is broken
    bool stays = cudaDeviceSynchronize() == cudaErrorIllegalAddress &&
                 cudaMalloc(&p, 4) == cudaErrorIllegalAddress &&
                 cudaGetLastError() == cudaErrorIllegalAddress &&
                 cudaGetLastError() == cudaErrorIllegalAddress;
    printf("%s\n", wrong || !stays ? "wrong" : "all right");
    return wrong || !stays;
}
