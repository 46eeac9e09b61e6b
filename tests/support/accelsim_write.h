/* accelsim_write.h - small directories of Accel-Sim traces, written by tests. */
#pragma once

#include "tests/support/accelsim_dirs.h"

/* Makes the directory where it is missing, and a file in it. */
void write_in(const char *dir, const char *name, const char *content);

/* Writes a kernel's file: each warp of its CTAs executes those lines, then EXIT.  `stream` is its
 * CUDA stream. */
void write_kernel(const char *dir, const char *name, uint32_t ctas, uint32_t warps, uint32_t stream,
                  const char *lines);
