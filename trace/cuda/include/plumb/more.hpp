/* more.hpp - typed forms of the functions of more.h. */
#pragma once

template <class T>
static inline cudaError_t cudaLaunchCooperativeKernel(T *kernel, dim3 grid, dim3 block, void **args,
                                                      size_t shared = 0, cudaStream_t s = 0)
{
    return cudaLaunchCooperativeKernel((const void *)kernel, grid, block, args, shared, s);
}
template <class T>
static inline cudaError_t
cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, T *kernel, int block_size,
                                                       size_t shared, unsigned int flags)
{
    (void)flags;
    return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, (const void *)kernel, block_size,
                                                         shared);
}
/* The largest CTA whose shared memory a function of its size gives. */
template <class Size, class T>
static inline cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(int *grid, int *block,
                                                                         T *kernel, Size bytes,
                                                                         int limit = 0)
{
    return cudaOccupancyMaxPotentialBlockSize(grid, block, kernel, bytes(limit ? limit : 1024),
                                              limit);
}
static inline cudaError_t cudaStreamAttachMemAsync(cudaStream_t s, void *p, size_t n = 0)
{
    return cudaStreamAttachMemAsync(s, p, n, cudaMemAttachSingle);
}
static inline cudaError_t cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from,
                                            size_t from_pitch, size_t width, size_t height,
                                            enum cudaMemcpyKind kind)
{
    return cudaMemcpy2DAsync(to, to_pitch, from, from_pitch, width, height, kind, 0);
}
static inline cudaError_t cudaStreamAddCallback(cudaStream_t s, cudaStreamCallback_t f, void *data)
{
    return cudaStreamAddCallback(s, f, data, 0);
}
