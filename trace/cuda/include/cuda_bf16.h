/* cuda_bf16.h - the 16-bit format with single precision's range: types, conversions, operations.
 * Source: CUDA Math API, "Bfloat16 Precision Intrinsics". */
#pragma once

#include "cuda_runtime.h"

#define PLUMB_T __nv_bfloat16
#define PLUMB_T2 __nv_bfloat162
#define PLUMB_FORMAT bfloat16
#define PLUMB_PAIR_OF __bfloat162bfloat162
#define PLUMB_T_OF_FLOAT plumb_float_to_bfloat
#define PLUMB_T_TO_FLOAT plumb_bfloat_to_float
#define PLUMB_T_INFINITY 0x7f80
#include "plumb/half_type.hpp"

typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;
