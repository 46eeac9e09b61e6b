/* dialect.h - what CUDA, as clang compiles it for NVPTX, says of LLVM's instructions (shape.h). */
#pragma once

#include "trace/lower/schedule.h"

extern const struct lower_dialect cuda_dialect;
extern const struct schedule_rules cuda_order; /* of loads */

/* NVPTX's address spaces. PARAMETER: kernels' parameters, which instructions read as operands. */
enum {
    SPACE_NVPTX_GENERIC = 0,
    SPACE_NVPTX_GLOBAL = 1,
    SPACE_NVPTX_SHARED = 3,
    SPACE_NVPTX_CONSTANT = 4,
    SPACE_NVPTX_LOCAL = 5,
    SPACE_NVPTX_PARAMETER = 101
};

/* Whether device code may call the function, which the host's libm or the runtime defines. */
bool dialect_knows(const char *name);
