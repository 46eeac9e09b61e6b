/* record.h - makes a trace of what lanes have logged, if the program is being captured.
 *
 * `plumb trace capture` sets the environment that trace/oclgrind/plugin.cpp describes. Without it
 * only the addresses are checked. */
#pragma once

#include "base/error.h"
#include "trace/cuda/runtime/cta.h"
#include "trace/program/program.h"

void record_init(void);
void record_finish(int status); /* the program ends */
/* Around a launch and each of its CTAs. false: the recording has failed, which was told. */
void record_launch_begin(const struct cta_launch *l);
void record_launch_end(bool ok);
void record_cta_begin(void);
void record_cta_end(void);
/* Checks and merges what the lanes of a warp have logged, as far as that can be known. */
void record_merge(uint32_t warp);
void record_copy(enum command_kind kind, const void *device, size_t bytes);
/* Of the program: no trace is written. false: nothing is recorded, and nobody was told. */
bool record_failure(const char *text);
