/* access_count.h - counts a program's accesses to the L1s of a machine from the trace, without
 * caches and without time.
 *
 * A window has too many or too few accesses, depending on where its warps stand; the exact count
 * corrects this for all windows together (extrapolate.h).  Only every k-th CTA is counted, and the
 * ratio of accesses to instructions is applied to the whole program (Cochran 1977, 6.3); the
 * variance assumes CTAs drawn at random.  A sixteenth of `read` warp instructions is read first,
 * and `read` if that leaves the total in doubt. */
#pragma once

#include "base/error.h"

#include <stdbool.h>
#include <stdint.h>

struct machine;
struct program;

struct access_counts {
    double total, variance; /* total of the selected launches, and its variance */
};
/* threads: 0 = as many as the machine has; the result is the same for any number.  beside (may be
 * NULL): a job that one of the threads runs first; if it fails, so does the count, without an error
 * of its own. */
bool access_count_run(const struct machine *m, const struct program *p, const bool *selected,
                      uint64_t read, unsigned threads, bool (*beside)(void *ctx), void *ctx,
                      struct access_counts *out, struct error *e);
