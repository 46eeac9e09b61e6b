/* runtime.hpp - the C++ face of the runtime: templates over its C functions, and default values. */
#pragma once

template <class T> static inline cudaError_t cudaMalloc(T **p, size_t bytes)
{
    return cudaMalloc((void **)p, bytes);
}
template <class T>
static inline cudaError_t cudaMallocManaged(T **p, size_t bytes, unsigned int flags = 1)
{
    return cudaMallocManaged((void **)p, bytes, flags);
}
template <class T> static inline cudaError_t cudaMallocHost(T **p, size_t bytes)
{
    return cudaMallocHost((void **)p, bytes);
}
template <class T> static inline cudaError_t cudaHostAlloc(T **p, size_t bytes, unsigned int flags)
{
    return cudaHostAlloc((void **)p, bytes, flags);
}
template <class T>
static inline cudaError_t cudaHostGetDevicePointer(T **p, void *host, unsigned int flags)
{
    return cudaHostGetDevicePointer((void **)p, host, flags);
}
template <class T>
static inline cudaError_t cudaMallocPitch(T **p, size_t *pitch, size_t width, size_t height)
{
    return cudaMallocPitch((void **)p, pitch, width, height);
}
template <class T> static inline cudaError_t cudaMallocAsync(T **p, size_t bytes, cudaStream_t s)
{
    return cudaMallocAsync((void **)p, bytes, s);
}
static inline cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t n,
                                          enum cudaMemcpyKind kind)
{
    return cudaMemcpyAsync(to, from, n, kind, 0);
}
static inline cudaError_t cudaMemsetAsync(void *p, int value, size_t n)
{
    return cudaMemsetAsync(p, value, n, 0);
}
static inline cudaError_t cudaMemPrefetchAsync(const void *p, size_t n, int device)
{
    return cudaMemPrefetchAsync(p, n, device, 0);
}
template <class T>
static inline cudaError_t cudaMemcpyToSymbol(const T &symbol, const void *from, size_t n,
                                             size_t offset = 0,
                                             enum cudaMemcpyKind kind = cudaMemcpyHostToDevice)
{
    return cudaMemcpyToSymbol((const void *)&symbol, from, n, offset, kind);
}
template <class T>
static inline cudaError_t cudaMemcpyFromSymbol(void *to, const T &symbol, size_t n,
                                               size_t offset = 0,
                                               enum cudaMemcpyKind kind = cudaMemcpyDeviceToHost)
{
    return cudaMemcpyFromSymbol(to, (const void *)&symbol, n, offset, kind);
}
template <class T>
static inline cudaError_t
cudaMemcpyToSymbolAsync(const T &symbol, const void *from, size_t n, size_t offset = 0,
                        enum cudaMemcpyKind kind = cudaMemcpyHostToDevice, cudaStream_t s = 0)
{
    return cudaMemcpyToSymbolAsync((const void *)&symbol, from, n, offset, kind, s);
}
template <class T> static inline cudaError_t cudaGetSymbolAddress(void **p, const T &symbol)
{
    return cudaGetSymbolAddress(p, (const void *)&symbol);
}
template <class T> static inline cudaError_t cudaGetSymbolSize(size_t *n, const T &symbol)
{
    return cudaGetSymbolSize(n, (const void *)&symbol);
}
static inline cudaError_t cudaEventCreate(cudaEvent_t *e, unsigned int flags)
{
    return cudaEventCreateWithFlags(e, flags);
}
static inline cudaError_t cudaEventRecord(cudaEvent_t e)
{
    return cudaEventRecord(e, 0);
}
static inline cudaError_t cudaStreamWaitEvent(cudaStream_t s, cudaEvent_t e)
{
    return cudaStreamWaitEvent(s, e, 0);
}
template <class T>
static inline cudaError_t cudaLaunchKernel(T *kernel, dim3 grid, dim3 block, void **args,
                                           size_t shared = 0, cudaStream_t s = 0)
{
    return cudaLaunchKernel((const void *)kernel, grid, block, args, shared, s);
}
template <class T> static inline cudaError_t cudaFuncSetCacheConfig(T *kernel, enum cudaFuncCache c)
{
    return cudaFuncSetCacheConfig((const void *)kernel, c);
}
template <class T>
static inline cudaError_t cudaFuncSetAttribute(T *kernel, enum cudaFuncAttribute what, int value)
{
    return cudaFuncSetAttribute((const void *)kernel, what, value);
}
template <class T>
static inline cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *a, T *kernel)
{
    return cudaFuncGetAttributes(a, (const void *)kernel);
}
template <class T>
static inline cudaError_t
cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, T *kernel, int block_size, size_t shared)
{
    return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, (const void *)kernel, block_size,
                                                         shared);
}
template <class T>
static inline cudaError_t cudaOccupancyMaxPotentialBlockSize(int *grid, int *block, T *kernel,
                                                             size_t shared = 0, int limit = 0)
{
    int best = 0;
    for (int size = limit ? limit : 1024; size >= 32; size -= 32) {
        int blocks = 0;
        cudaError_t e =
            cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, size, shared);
        if (e != cudaSuccess) return e;
        if (blocks * size <= best) continue;
        best = blocks * size;
        *block = size;
        *grid = blocks;
    }
    int sms = 0;
    cudaError_t e = cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0);
    *grid *= sms;
    return e;
}
