/* cuda.h - the version; the driver's interface (cuInit and others) is not there. */
#pragma once

#include "cuda_runtime_api.h"
