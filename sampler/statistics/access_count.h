/* access_count.h - how many accesses come to the L1s of a machine in a program: counted in the
 * trace, without caches and without time.
 *
 * What a window does too few of or too many, by where its warps stand, is thereby known for all
 * windows together (extrapolate.h).  Of programs longer than `read` warp instructions every
 * k-th CTA is counted, and the ratio of accesses to instructions is taken for all of it (Cochran
 * 1977, 6.3); its variance is of CTAs drawn at random. */
#ifndef PLUMB_SAMPLER_STATISTICS_ACCESS_COUNT_H
#define PLUMB_SAMPLER_STATISTICS_ACCESS_COUNT_H

#include "base/error.h"

#include <stdbool.h>
#include <stdint.h>

struct machine;
struct program;

enum { ACCESS_COUNT_READ = 1 << 24 };

struct access_counts {
    double total, variance; /* of the launches selected; variance of the total */
};
/* threads: 0 = as many as the machine has.  The same for any number.  beside (may be NULL): runs
 * once on one of them, from the beginning; where it fails the count does, without an error of its
 * own. */
bool access_count_run(const struct machine *m, const struct program *p, const bool *selected,
                      uint64_t read, unsigned threads, bool (*beside)(void *ctx), void *ctx,
                      struct access_counts *out, struct error *e);

#endif
