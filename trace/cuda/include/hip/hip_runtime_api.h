/* hip_runtime_api.h - HIP's runtime alone; see hip_runtime.h. */
#pragma once

#include "../cuda_runtime_api.h"
#include "../plumb/hip_names.h"
