/* api_device.c - the runtime's functions of the device, errors, streams, events and kernels
 * (cuda_runtime_api.h). The device has the sizes of an A100 of 80 GB. */
#include "trace/cuda/runtime/cta.h"
#include "trace/cuda/runtime/launch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define EXPORTED __attribute__((visibility("default")))

enum {
    SMS = 108,
    SHARED_PER_BLOCK = LAUNCH_SHARED,
    SHARED_MOST = 163 * 1024,
    SHARED_PER_SM = 164 * 1024,
    REGISTERS = 65536,
    LANES_PER_SM = 2048,
    BLOCKS_PER_SM = 32,
    CLOCK_KHZ = 1410000,
    MEMORY_KHZ = 1593000,
    BUS_BITS = 5120,
    L2_BYTES = 40 << 20
};

/* --- errors --- */

static const struct {
    cudaError_t e;
    const char *name, *text;
} errors[] = {
#define ERROR_ROW(name, number, text) {name, #name, text},
    PLUMB_CUDA_ERRORS(ERROR_ROW)};

EXPORTED const char *cudaGetErrorString(cudaError_t e)
{
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
        if (errors[i].e == e) return errors[i].text;
    return "unrecognized error code";
}

EXPORTED const char *cudaGetErrorName(cudaError_t e)
{
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
        if (errors[i].e == e) return errors[i].name;
    return "unrecognized error code";
}

/* --- the device --- */

static cudaError_t check_device(int device)
{
    return launch_result(device == 0 ? cudaSuccess : cudaErrorInvalidDevice);
}

EXPORTED cudaError_t cudaGetDeviceCount(int *count)
{
    if (!count) return launch_result(cudaErrorInvalidValue);
    *count = 1;
    return cudaSuccess;
}

EXPORTED cudaError_t cudaGetDevice(int *device)
{
    if (!device) return launch_result(cudaErrorInvalidValue);
    *device = 0;
    return cudaSuccess;
}

EXPORTED cudaError_t cudaSetDevice(int device)
{
    return check_device(device);
}

EXPORTED cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *p, int device)
{
    if (!p) return launch_result(cudaErrorInvalidValue);
    cudaError_t e = check_device(device);
    if (e != cudaSuccess) return e;
    *p = (struct cudaDeviceProp){.name = "plumb",
                                 .totalGlobalMem = (size_t)80 << 30,
                                 .sharedMemPerBlock = SHARED_PER_BLOCK,
                                 .regsPerBlock = REGISTERS,
                                 .warpSize = (int)cta.width,
                                 .memPitch = 0x7fffffff,
                                 .maxThreadsPerBlock = CTA_MAX_LANES,
                                 .maxThreadsDim = {1024, 1024, 64},
                                 .maxGridSize = {0x7fffffff, 65535, 65535},
                                 .clockRate = CLOCK_KHZ,
                                 .totalConstMem = 65536,
                                 .major = 8,
                                 .textureAlignment = 512,
                                 .deviceOverlap = 1,
                                 .multiProcessorCount = SMS,
                                 .canMapHostMemory = 1,
                                 .concurrentKernels = 1,
                                 .asyncEngineCount = 1,
                                 .unifiedAddressing = 1,
                                 .memoryClockRate = MEMORY_KHZ,
                                 .memoryBusWidth = BUS_BITS,
                                 .l2CacheSize = L2_BYTES,
                                 .maxThreadsPerMultiProcessor = LANES_PER_SM,
                                 .sharedMemPerMultiprocessor = SHARED_PER_SM,
                                 .regsPerMultiprocessor = REGISTERS,
                                 .managedMemory = 1,
                                 .cooperativeLaunch = 1,
                                 .concurrentManagedAccess = 1,
                                 .sharedMemPerBlockOptin = SHARED_MOST,
                                 .maxBlocksPerMultiProcessor = BLOCKS_PER_SM,
                                 .reservedSharedMemPerBlock = 1024};
    return cudaSuccess;
}

EXPORTED cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr what, int device)
{
    static const struct {
        enum cudaDeviceAttr what;
        int value;
    } all[] = {{cudaDevAttrMaxThreadsPerBlock, CTA_MAX_LANES},
               {cudaDevAttrMaxBlockDimX, CTA_MAX_LANES},
               {cudaDevAttrMaxBlockDimY, CTA_MAX_LANES},
               {cudaDevAttrMaxBlockDimZ, 64},
               {cudaDevAttrMaxGridDimX, 0x7fffffff},
               {cudaDevAttrMaxGridDimY, 65535},
               {cudaDevAttrMaxGridDimZ, 65535},
               {cudaDevAttrGpuOverlap, 1},
               {cudaDevAttrKernelExecTimeout, 0},
               {cudaDevAttrIntegrated, 0},
               {cudaDevAttrCanMapHostMemory, 1},
               {cudaDevAttrComputeMode, cudaComputeModeDefault},
               {cudaDevAttrConcurrentKernels, 1},
               {cudaDevAttrEccEnabled, 0},
               {cudaDevAttrAsyncEngineCount, 1},
               {cudaDevAttrUnifiedAddressing, 1},
               {cudaDevAttrStreamPrioritiesSupported, 0},
               {cudaDevAttrMaxRegistersPerMultiprocessor, REGISTERS},
               {cudaDevAttrPageableMemoryAccess, 0},
               {cudaDevAttrCooperativeMultiDeviceLaunch, 0},
               {cudaDevAttrMemoryPoolsSupported, 1},
               {cudaDevAttrMaxSharedMemoryPerBlock, SHARED_PER_BLOCK},
               {cudaDevAttrTotalConstantMemory, 65536},
               {cudaDevAttrMaxRegistersPerBlock, REGISTERS},
               {cudaDevAttrClockRate, CLOCK_KHZ},
               {cudaDevAttrMultiProcessorCount, SMS},
               {cudaDevAttrMemoryClockRate, MEMORY_KHZ},
               {cudaDevAttrGlobalMemoryBusWidth, BUS_BITS},
               {cudaDevAttrL2CacheSize, L2_BYTES},
               {cudaDevAttrMaxThreadsPerMultiProcessor, LANES_PER_SM},
               {cudaDevAttrComputeCapabilityMajor, 8},
               {cudaDevAttrComputeCapabilityMinor, 0},
               {cudaDevAttrMaxSharedMemoryPerMultiprocessor, SHARED_PER_SM},
               {cudaDevAttrManagedMemory, 1},
               {cudaDevAttrConcurrentManagedAccess, 1},
               {cudaDevAttrCooperativeLaunch, 1},
               {cudaDevAttrMaxSharedMemoryPerBlockOptin, SHARED_MOST}};
    if (!value) return launch_result(cudaErrorInvalidValue);
    if (what == cudaDevAttrWarpSize) *value = (int)cta.width;
    if (what == cudaDevAttrWarpSize) return check_device(device);
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        if (all[i].what != what) continue;
        *value = all[i].value;
        return check_device(device);
    }
    return launch_result(cudaErrorInvalidValue);
}

EXPORTED cudaError_t cudaDriverGetVersion(int *version)
{
    if (!version) return launch_result(cudaErrorInvalidValue);
    *version = CUDART_VERSION;
    return cudaSuccess;
}

EXPORTED cudaError_t cudaRuntimeGetVersion(int *version)
{
    return cudaDriverGetVersion(version);
}

EXPORTED cudaError_t cudaDeviceGetLimit(size_t *value, enum cudaLimit what)
{
    if (!value) return launch_result(cudaErrorInvalidValue);
    *value = what == cudaLimitStackSize ? 1024 : (size_t)8 << 20;
    return cudaSuccess;
}

/* Everything is done when it returns; these have nothing left to do but to tell a kernel's error.
 */
#define NOTHING_TO_DO(name, parameters, used)  \
    EXPORTED cudaError_t name parameters       \
    {                                          \
        used;                                  \
        return launch_result(launch_broken()); \
    }
NOTHING_TO_DO(cudaDeviceSynchronize, (void), )
NOTHING_TO_DO(cudaThreadSynchronize, (void), )
NOTHING_TO_DO(cudaDeviceReset, (void), )
NOTHING_TO_DO(cudaThreadExit, (void), )
NOTHING_TO_DO(cudaProfilerStart, (void), )
NOTHING_TO_DO(cudaProfilerStop, (void), )
NOTHING_TO_DO(cudaSetDeviceFlags, (unsigned int f), (void)f)
NOTHING_TO_DO(cudaDeviceSetCacheConfig, (enum cudaFuncCache c), (void)c)
NOTHING_TO_DO(cudaDeviceSetSharedMemConfig, (enum cudaSharedMemConfig c), (void)c)
NOTHING_TO_DO(cudaDeviceSetLimit, (enum cudaLimit what, size_t value), (void)what; (void)value)
NOTHING_TO_DO(cudaStreamSynchronize, (cudaStream_t s), (void)s)
NOTHING_TO_DO(cudaStreamQuery, (cudaStream_t s), (void)s)
NOTHING_TO_DO(cudaStreamWaitEvent, (cudaStream_t s, cudaEvent_t e, unsigned int f), (void)s;
              (void)e; (void)f)
NOTHING_TO_DO(cudaFuncSetCacheConfig, (const void *k, enum cudaFuncCache c), (void)k; (void)c)
NOTHING_TO_DO(cudaFuncSetSharedMemConfig, (const void *k, enum cudaSharedMemConfig c), (void)k;
              (void)c)

/* --- streams and events --- */

struct CUstream_st {
    int unused;
};
struct CUevent_st {
    struct timespec at;
    bool recorded;
};

static cudaError_t new_stream(cudaStream_t *s)
{
    if (!s) return launch_result(cudaErrorInvalidValue);
    *s = calloc(1, sizeof **s);
    return launch_result(*s ? launch_broken() : cudaErrorMemoryAllocation);
}

EXPORTED cudaError_t cudaStreamCreate(cudaStream_t *s)
{
    return new_stream(s);
}

EXPORTED cudaError_t cudaStreamCreateWithFlags(cudaStream_t *s, unsigned int flags)
{
    return flags > 1 ? launch_result(cudaErrorInvalidValue) : new_stream(s);
}

EXPORTED cudaError_t cudaStreamCreateWithPriority(cudaStream_t *s, unsigned int flags, int priority)
{
    (void)flags, (void)priority;
    return new_stream(s);
}

EXPORTED cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest)
{
    if (least) *least = 0;
    if (greatest) *greatest = 0;
    return cudaSuccess;
}

EXPORTED cudaError_t cudaStreamDestroy(cudaStream_t s)
{
    if (!s) return launch_result(cudaErrorInvalidResourceHandle);
    free(s);
    return cudaSuccess;
}

EXPORTED cudaError_t cudaStreamAddCallback(cudaStream_t s, cudaStreamCallback_t f, void *data,
                                           unsigned int flags)
{
    if (!f || flags) return launch_result(cudaErrorInvalidValue);
    cudaError_t e = launch_broken();
    f(s, e, data);
    return cudaSuccess;
}

EXPORTED cudaError_t cudaLaunchHostFunc(cudaStream_t s, cudaHostFn_t f, void *data)
{
    (void)s;
    if (!f) return launch_result(cudaErrorInvalidValue);
    f(data);
    return cudaSuccess;
}

EXPORTED cudaError_t cudaEventCreateWithFlags(cudaEvent_t *e, unsigned int flags)
{
    if (!e || flags > 7) return launch_result(cudaErrorInvalidValue);
    *e = calloc(1, sizeof **e);
    return launch_result(*e ? launch_broken() : cudaErrorMemoryAllocation);
}

EXPORTED cudaError_t cudaEventCreate(cudaEvent_t *e)
{
    return cudaEventCreateWithFlags(e, 0);
}

EXPORTED cudaError_t cudaEventDestroy(cudaEvent_t e)
{
    if (!e) return launch_result(cudaErrorInvalidResourceHandle);
    free(e);
    return cudaSuccess;
}

EXPORTED cudaError_t cudaEventRecord(cudaEvent_t e, cudaStream_t s)
{
    (void)s;
    if (!e) return launch_result(cudaErrorInvalidResourceHandle);
    clock_gettime(CLOCK_MONOTONIC, &e->at);
    e->recorded = true;
    return launch_result(launch_broken());
}

EXPORTED cudaError_t cudaEventSynchronize(cudaEvent_t e)
{
    return launch_result(e ? launch_broken() : cudaErrorInvalidResourceHandle);
}

EXPORTED cudaError_t cudaEventQuery(cudaEvent_t e)
{
    return cudaEventSynchronize(e);
}

EXPORTED cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t from, cudaEvent_t to)
{
    if (!ms) return launch_result(cudaErrorInvalidValue);
    if (!from || !to || !from->recorded || !to->recorded)
        return launch_result(cudaErrorInvalidResourceHandle);
    *ms = (float)((double)(to->at.tv_sec - from->at.tv_sec) * 1e3 +
                  (double)(to->at.tv_nsec - from->at.tv_nsec) * 1e-6);
    return cudaSuccess;
}

/* --- kernels --- */

EXPORTED cudaError_t cudaFuncSetAttribute(const void *kernel, enum cudaFuncAttribute what,
                                          int value)
{
    struct cta_launch l;
    if (!launch_kernel(kernel, &l)) return launch_result(cudaErrorInvalidDeviceFunction);
    bool shared = what == cudaFuncAttributeMaxDynamicSharedMemorySize;
    bool fits = value >= 0 && value <= SHARED_MOST;
    if (shared && fits) launch_allow_shared(kernel, (size_t)value + l.code->shared_bytes);
    return launch_result(!shared || fits ? cudaSuccess : cudaErrorInvalidValue);
}

EXPORTED cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *a, const void *kernel)
{
    struct cta_launch l;
    if (!a) return launch_result(cudaErrorInvalidValue);
    if (!launch_kernel(kernel, &l)) return launch_result(cudaErrorInvalidDeviceFunction);
    *a = (struct cudaFuncAttributes){.sharedSizeBytes = l.code->shared_bytes,
                                     .maxThreadsPerBlock = CTA_MAX_LANES,
                                     .numRegs = (int)l.code->registers,
                                     .ptxVersion = 80,
                                     .binaryVersion = 80,
                                     .maxDynamicSharedSizeBytes = SHARED_PER_BLOCK};
    return cudaSuccess;
}

EXPORTED cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *kernel,
                                                                   int block_size, size_t shared)
{
    struct cta_launch l;
    if (!blocks || block_size <= 0) return launch_result(cudaErrorInvalidValue);
    if (!launch_kernel(kernel, &l)) return launch_result(cudaErrorInvalidDeviceFunction);
    int warps = (block_size + (int)cta.width - 1) / (int)cta.width;
    int registers = (int)((l.code->registers + 7) / 8 * 8) * warps * (int)cta.width;
    int bytes = (int)(l.code->shared_bytes + shared) + 1024;
    int most = LANES_PER_SM / (warps * (int)cta.width);
    if (most > BLOCKS_PER_SM) most = BLOCKS_PER_SM;
    if (registers && REGISTERS / registers < most) most = REGISTERS / registers;
    if (SHARED_PER_SM / bytes < most) most = SHARED_PER_SM / bytes;
    *blocks = block_size > CTA_MAX_LANES ? 0 : most;
    return cudaSuccess;
}
