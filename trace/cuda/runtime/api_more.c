/* api_more.c - functions of the runtime that programs ask for on the way: other devices, which are
 * not there, memory pools, flags, attributes (plumb/more.h). */
#include "trace/cuda/runtime/cta.h"
#include "trace/cuda/runtime/launch.h"
#include "trace/cuda/runtime/memory.h"

#include <stdio.h>
#include <string.h>

#define EXPORTED __attribute__((visibility("default")))

/* --- other devices --- */

EXPORTED cudaError_t cudaDeviceCanAccessPeer(int *can, int device, int peer)
{
    if (!can) return launch_result(cudaErrorInvalidValue);
    *can = 0;
    return launch_result(device == 0 && peer == 0 ? cudaSuccess : cudaErrorInvalidDevice);
}

EXPORTED cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned int flags)
{
    (void)peer, (void)flags;
    return launch_result(cudaErrorInvalidDevice);
}

EXPORTED cudaError_t cudaDeviceDisablePeerAccess(int peer)
{
    (void)peer;
    return launch_result(cudaErrorInvalidDevice);
}

EXPORTED cudaError_t cudaMemcpyPeer(void *to, int to_device, const void *from, int from_device,
                                    size_t n)
{
    if (to_device || from_device) return launch_result(cudaErrorInvalidDevice);
    return cudaMemcpy(to, from, n, cudaMemcpyDeviceToDevice);
}

EXPORTED cudaError_t cudaMemcpyPeerAsync(void *to, int to_device, const void *from, int from_device,
                                         size_t n, cudaStream_t s)
{
    (void)s;
    return cudaMemcpyPeer(to, to_device, from, from_device, n);
}

EXPORTED cudaError_t cudaChooseDevice(int *device, const struct cudaDeviceProp *p)
{
    return p ? cudaGetDevice(device) : launch_result(cudaErrorInvalidValue);
}

EXPORTED cudaError_t cudaDeviceGetPCIBusId(char *out, int n, int device)
{
    if (!out || device) return launch_result(cudaErrorInvalidValue);
    snprintf(out, (size_t)n, "0000:00:00.0");
    return cudaSuccess;
}

/* --- flags and attributes --- */

EXPORTED cudaError_t cudaGetDeviceFlags(unsigned int *flags)
{
    if (!flags) return launch_result(cudaErrorInvalidValue);
    *flags = cudaDeviceMapHost;
    return cudaSuccess;
}

EXPORTED cudaError_t cudaStreamGetFlags(cudaStream_t s, unsigned int *flags)
{
    (void)s;
    if (!flags) return launch_result(cudaErrorInvalidValue);
    *flags = cudaStreamDefault;
    return cudaSuccess;
}

EXPORTED cudaError_t cudaStreamGetPriority(cudaStream_t s, int *priority)
{
    (void)s;
    if (!priority) return launch_result(cudaErrorInvalidValue);
    *priority = 0;
    return cudaSuccess;
}

EXPORTED cudaError_t cudaStreamAttachMemAsync(cudaStream_t s, void *p, size_t n, unsigned int flags)
{
    (void)s, (void)n, (void)flags;
    return launch_result(memory_find((uint64_t)(uintptr_t)p) ? launch_broken()
                                                             : cudaErrorInvalidValue);
}

EXPORTED cudaError_t cudaHostGetFlags(unsigned int *flags, void *p)
{
    if (!flags || !memory_find((uint64_t)(uintptr_t)p)) return launch_result(cudaErrorInvalidValue);
    *flags = cudaHostAllocMapped;
    return cudaSuccess;
}

EXPORTED cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *a, const void *p)
{
    if (!a) return launch_result(cudaErrorInvalidValue);
    const struct memory_range *r = memory_find((uint64_t)(uintptr_t)p);
    *a =
        (struct cudaPointerAttributes){.type = !r          ? cudaMemoryTypeUnregistered
                                               : r->device ? cudaMemoryTypeDevice
                                                           : cudaMemoryTypeHost,
                                       .devicePointer = r ? (void *)(uintptr_t)p : NULL,
                                       .hostPointer = r && r->device ? NULL : (void *)(uintptr_t)p};
    return cudaSuccess;
}

EXPORTED cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int *blocks, const void *kernel, int block_size, size_t shared, unsigned int flags)
{
    (void)flags;
    return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, kernel, block_size, shared);
}

/* --- memory pools: there is one --- */

struct CUmemPoolHandle_st {
    int unused;
};

EXPORTED cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *pool, int device)
{
    static struct CUmemPoolHandle_st only;
    if (!pool || device) return launch_result(cudaErrorInvalidValue);
    *pool = &only;
    return cudaSuccess;
}

EXPORTED cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, enum cudaMemPoolAttr what,
                                             void *value)
{
    (void)what;
    return launch_result(pool && value ? cudaSuccess : cudaErrorInvalidValue);
}

EXPORTED cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t keep)
{
    (void)keep;
    return launch_result(pool ? cudaSuccess : cudaErrorInvalidValue);
}

/* --- asynchronous forms, done when they return --- */

EXPORTED cudaError_t cudaMemset2DAsync(void *p, size_t pitch, int value, size_t width,
                                       size_t height, cudaStream_t s)
{
    (void)s;
    return cudaMemset2D(p, pitch, value, width, height);
}

EXPORTED cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t to, size_t x, size_t y, const void *from,
                                              size_t pitch, size_t width, size_t height,
                                              enum cudaMemcpyKind kind, cudaStream_t s)
{
    (void)s;
    return cudaMemcpy2DToArray(to, x, y, from, pitch, width, height, kind);
}

EXPORTED cudaError_t cudaMemcpyToArrayAsync(cudaArray_t to, size_t x, size_t y, const void *from,
                                            size_t n, enum cudaMemcpyKind kind, cudaStream_t s)
{
    (void)s;
    return cudaMemcpyToArray(to, x, y, from, n, kind);
}

EXPORTED cudaError_t cudaMemcpy3DAsync(const struct cudaMemcpy3DParms *p, cudaStream_t s)
{
    (void)s;
    return cudaMemcpy3D(p);
}
