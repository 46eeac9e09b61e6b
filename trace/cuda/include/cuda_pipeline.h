/* cuda_pipeline.h - asynchronous copies to shared memory, as primitives. Source: CUDA C++
 * Programming Guide, "Pipeline Primitives Interface". */
#pragma once

#include "plumb/async.hpp"

static __inline__ __device__ __attribute__((always_inline)) void
__pipeline_memcpy_async(void *to, const void *from, size_t bytes, size_t zeros = 0)
{
    plumb_async_part(to, from, bytes, zeros);
}
static __inline__ __device__ __attribute__((always_inline)) void __pipeline_commit()
{
    plumb_cuda_copy_commit();
}
static __inline__ __device__ __attribute__((always_inline)) void __pipeline_wait_prior(size_t open)
{
    plumb_cuda_copy_wait((int)open);
}
