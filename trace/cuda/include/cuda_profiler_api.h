/* cuda_profiler_api.h - see cuda_runtime_api.h. */
#pragma once

#include "cuda_runtime_api.h"
