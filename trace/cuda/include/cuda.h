/* cuda.h - CUDA's driver interface is not there; programs that include its header mostly want the
 * runtime.
 */
#pragma once

#include "cuda_runtime_api.h"

typedef enum cudaError_enum { CUDA_SUCCESS = 0 } CUresult;
