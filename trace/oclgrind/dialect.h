/* dialect.h - what OpenCL C, as Oclgrind compiles it, says of LLVM's instructions (shape.h). */
#pragma once

#include "trace/lower/shape.h"

extern const struct lower_dialect opencl_dialect;
