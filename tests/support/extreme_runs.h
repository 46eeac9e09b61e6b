/* extreme_runs.h - machines at the documented ends of their parameters x small programs: nothing
 * may be stopped that is legal, nothing may overflow, nothing may crash.
 *
 * A machine whose time or memory cannot be represented is refused in one line, which is right; what
 * takes the host more than its seconds is counted, not judged. */
#pragma once

#include "tests/support/ask.h"
#include "tests/support/random_runs.h"

/* A test: draws a case for each seed; fails where one failed, or where half of them did not run. */
void extreme_machines_run_small_programs(uint64_t from, uint64_t runs);
