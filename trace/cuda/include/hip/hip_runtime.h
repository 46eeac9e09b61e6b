/* hip_runtime.h - HIP's runtime and built-ins for programs that plumb compiles
 * (docs/guide/cuda.md). Source of names and meanings: HIP C++ Kernel Language; HIP Runtime API
 * Reference.
 *
 * `plumb cc --hip` includes it before every source. The runtime is CUDA's under HIP's names; warps
 * have 64 lanes, and functions of the warp no masks. */
#pragma once

#define PLUMB_HIP 1
#include "../cuda_runtime.h"

#include "../plumb/hip_names.h"

#undef __CUDACC__
#undef __NVCC__
#define __HIP__ 1
#define __HIPCC__ 1
#define __HIP_PLATFORM_AMD__ 1
#define __HIP_PLATFORM_HCC__ 1
#ifdef __CUDA_ARCH__
#define __HIP_DEVICE_COMPILE__ 1
#define __HIP_ARCH_HAS_DOUBLES__ 1
#define __HIP_ARCH_HAS_WARP_SHUFFLE__ 1
#define __HIP_ARCH_HAS_WARP_BALLOT__ 1
#define __HIP_ARCH_HAS_GLOBAL_INT32_ATOMICS__ 1
#endif

#define HIP_KERNEL_NAME(...) __VA_ARGS__
#define HIP_DYNAMIC_SHARED(type, name) extern __shared__ type name[];
#define HIP_SYMBOL(name) name
#define hipLaunchKernelGGL(kernel, grid, block, shared, stream, ...) \
    (kernel)<<<(grid), (block), (shared), (stream)>>>(__VA_ARGS__)

#ifdef __CUDA__

/* --- the device: the sizes of an MI100 --- */

struct hipDeviceProp_t : public cudaDeviceProp {
    int gcnArch;
    char gcnArchName[256];
};
static inline hipError_t hipGetDeviceProperties(hipDeviceProp_t *p, int device)
{
    if (!p) return hipErrorInvalidValue;
    hipError_t e = cudaGetDeviceProperties(p, device);
    p->gcnArch = 908;
    strcpy(p->gcnArchName, "gfx908");
    p->totalGlobalMem = (size_t)32 << 30;
    p->multiProcessorCount = 120;
    p->sharedMemPerBlock = p->sharedMemPerMultiprocessor = p->sharedMemPerBlockOptin = 65536;
    p->maxThreadsPerMultiProcessor = 2560;
    p->clockRate = 1502000;
    p->memoryClockRate = 1200000;
    p->memoryBusWidth = 4096;
    p->l2CacheSize = 8 << 20;
    p->major = 9;
    p->minor = 0;
    return e;
}
template <class T>
static inline hipError_t hipHostMalloc(T **p, size_t bytes, unsigned int flags = 0)
{
    return cudaHostAlloc((void **)p, bytes, flags);
}
template <class T> static inline hipError_t hipExtMallocWithFlags(T **p, size_t bytes, unsigned int)
{
    return cudaMalloc((void **)p, bytes);
}

/* --- positions --- */

#define hipThreadIdx_x threadIdx.x
#define hipThreadIdx_y threadIdx.y
#define hipThreadIdx_z threadIdx.z
#define hipBlockIdx_x blockIdx.x
#define hipBlockIdx_y blockIdx.y
#define hipBlockIdx_z blockIdx.z
#define hipBlockDim_x blockDim.x
#define hipBlockDim_y blockDim.y
#define hipBlockDim_z blockDim.z
#define hipGridDim_x gridDim.x
#define hipGridDim_y gridDim.y
#define hipGridDim_z gridDim.z
static constexpr int warpSize = 64;

extern "C" {
__device__ unsigned plumb_hip_shuffle(unsigned mode, unsigned value, unsigned argument,
                                      unsigned width);
__device__ unsigned long long plumb_hip_vote(unsigned kind, unsigned value);
__device__ unsigned long long plumb_cuda_here(void);
}

PLUMB_DEVICE unsigned __lane_id()
{
    return (threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)) % 64;
}

/* --- functions of the warp; clang's headers have CUDA's old ones of the same names --- */

#define __shfl plumb_hip_shfl
#define __shfl_up plumb_hip_shfl_up
#define __shfl_down plumb_hip_shfl_down
#define __shfl_xor plumb_hip_shfl_xor
#define __all plumb_hip_all
#define __any plumb_hip_any
#define __ballot plumb_hip_ballot

template <class T> PLUMB_DEVICE T plumb_hip_move(unsigned mode, T v, unsigned argument, int width)
{
    constexpr int words = (sizeof(T) + 3) / 4;
    unsigned w[words] = {};
    __builtin_memcpy(w, &v, sizeof(T));
#pragma unroll
    for (int i = 0; i < words; i++)
        w[i] = plumb_hip_shuffle(mode, w[i], argument, (unsigned)width);
    __builtin_memcpy(&v, w, sizeof(T));
    return v;
}
template <class T> PLUMB_DEVICE T __shfl(T v, int lane, int width = 64)
{
    return plumb_hip_move(0, v, (unsigned)lane, width);
}
template <class T> PLUMB_DEVICE T __shfl_up(T v, unsigned by, int width = 64)
{
    return plumb_hip_move(1, v, by, width);
}
template <class T> PLUMB_DEVICE T __shfl_down(T v, unsigned by, int width = 64)
{
    return plumb_hip_move(2, v, by, width);
}
template <class T> PLUMB_DEVICE T __shfl_xor(T v, int mask, int width = 64)
{
    return plumb_hip_move(3, v, (unsigned)mask, width);
}
PLUMB_DEVICE int __all(int p)
{
    return (int)plumb_hip_vote(0, p != 0);
}
PLUMB_DEVICE int __any(int p)
{
    return (int)plumb_hip_vote(1, p != 0);
}
PLUMB_DEVICE unsigned long long __ballot(int p)
{
    return plumb_hip_vote(3, p != 0);
}
#define __activemask() plumb_cuda_here()

#endif
