/* parallel.h - parallel map over independent jobs (OpenMP).
 *
 * Jobs 0..n-1 run in any order on up to `threads` threads; each writes only its own result slot, so
 * results never depend on the number of threads.  A job that returns false stops the hand-out of
 * further jobs. Jobs run in the caller's locale. `worker` is 0..threads-1 and lets a job use
 * per-thread workspaces. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

typedef bool job_fn(size_t i, unsigned worker, void *ctx);
bool parallel_map(unsigned threads, size_t n, job_fn *job,
                  void *ctx);              /* true: every job ran and returned true */
unsigned parallel_threads(unsigned asked); /* 0 = as many as the machine has */
