/* dialect.h - what OpenCL C, as Oclgrind compiles it, says of LLVM's instructions (shape.h). */
#pragma once

#include "trace/lower/schedule.h"

extern const struct lower_dialect opencl_dialect;
extern const struct schedule_rules opencl_order; /* of loads */
