/* driver_types.h - part of cuda_runtime_api.h here. */
#pragma once

#include "cuda_runtime_api.h"
