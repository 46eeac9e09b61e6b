/* cuda_fp16.h - half precision: types, conversions, operations. Source: CUDA Math API,
 * "Half Precision Intrinsics". */
#pragma once

#include "cuda_runtime.h"

#define PLUMB_T __half
#define PLUMB_T2 __half2
#define PLUMB_FORMAT half
#define PLUMB_PAIR_OF __half2half2
#define PLUMB_T_OF_FLOAT plumb_float_to_half
#define PLUMB_T_TO_FLOAT plumb_half_to_float
#define PLUMB_T_INFINITY 0x7c00
#include "plumb/half_type.hpp"

typedef __half half;
typedef __half2 half2;
