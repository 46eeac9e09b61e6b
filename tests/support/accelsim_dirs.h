/* accelsim_dirs.h - directories of Accel-Sim traces in tests: a cache of the test's own, two
 * programs instruction by instruction. */
#pragma once

#include "tests/support/trace_support.h"
#include "trace/accelsim/accelsim.h"

/* A test's setup: opening a directory fills a cache of the test's own, not the user's. */
int accelsim_own_cache(void **state);

/* A test's teardown: removes that cache. */
int accelsim_drop_cache(void **state);

/* Removes a directory and all in it. */
void accelsim_remove_dir(const char *dir);

/* Reads both programs by cursors and fails at the first instruction in which they differ. */
void assert_same_streams(const struct program *a, const struct program *b);
