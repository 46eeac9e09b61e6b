/* hip_fp16.h - half precision; see cuda_fp16.h. */
#pragma once

#include "hip_runtime.h"

#include "../cuda_fp16.h"
