/* texture_types.h - see plumb/textures.h. */
#pragma once

#include "cuda_runtime_api.h"
