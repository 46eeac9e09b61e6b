/* cuda_runtime.h - CUDA's runtime and built-ins for programs that plumb compiles
 * (docs/guide/cuda.md).
 *
 * `plumb cc` includes it before every CUDA source. What is not here is not there: a program that
 * uses it does not compile. Device code is compiled by clang 14, whose own headers give the
 * built-in variables, the math functions and the warp's functions; they stand here in the order
 * that they need. libstdc++'s headers come first, since CUDA's word __noinline__ is a macro here.
 */
#pragma once

/* By these names programs ask whether the headers are there. */
#define __CUDA_RUNTIME_H__
#define __CUDA_RUNTIME_API_H__
#define __DRIVER_TYPES_H__

#ifdef __CUDA__
#include <__clang_cuda_math_forward_declares.h>
#endif
#ifdef __cplusplus
#ifdef __CUDA__
#include <cstddef>
#pragma clang force_cuda_host_device begin /* tuples serve thrust on both sides */
#include <tuple>
#pragma clang force_cuda_host_device end
#endif
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#endif
#include <limits.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "plumb/qualifiers.h"

#include "vector_types.h"

#ifdef __CUDA__
// clang-format off
#define __nvvm_memcpy(s, d, n, a) __builtin_memcpy(s, d, n)
#define __nvvm_memset(d, c, n, a) __builtin_memset(d, c, n)
#ifdef PLUMB_HIP
#define warpSize plumb_cuda_warp_size /* 32; HIP's own is 64 */
#endif
#include <__clang_cuda_builtin_vars.h>
#include <__clang_cuda_libdevice_declares.h>
#include <__clang_cuda_device_functions.h>
#include <__clang_cuda_math.h>

__device__ inline __cuda_builtin_threadIdx_t::operator dim3() const { return dim3(x, y, z); }
__device__ inline __cuda_builtin_threadIdx_t::operator uint3() const { return {x, y, z}; }
__device__ inline __cuda_builtin_blockIdx_t::operator dim3() const { return dim3(x, y, z); }
__device__ inline __cuda_builtin_blockIdx_t::operator uint3() const { return {x, y, z}; }
__device__ inline __cuda_builtin_blockDim_t::operator dim3() const { return dim3(x, y, z); }
__device__ inline __cuda_builtin_blockDim_t::operator uint3() const { return {x, y, z}; }
__device__ inline __cuda_builtin_gridDim_t::operator dim3() const { return dim3(x, y, z); }
__device__ inline __cuda_builtin_gridDim_t::operator uint3() const { return {x, y, z}; }

#include <__clang_cuda_cmath.h>
#include <__clang_cuda_intrinsics.h>
#undef warpSize

// clang-format on

#include "plumb/atomics.h"
#include "plumb/device.h"
#endif

#include "cuda_runtime_api.h"

#ifdef __CUDA__
#include "plumb/texture_fetch.hpp"
#endif
