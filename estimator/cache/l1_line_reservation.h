/* l1_line_reservation.h - how many fetches an L1 that reserves lines at the miss has under way
 * before a set is full of reserved lines and its head, with all behind it, waits.
 *
 * Misses take their lines in the order of the sample until one finds all ways of its set reserved:
 * by then those before it are under way, and when they are back the next ones go.  So the mean over
 * such rounds of what went together is the size of the pool that bounds fetches in flight, like an
 * MSHR file of so many entries.  Stores that take lines need one that is not reserved.  An FRC's
 * entries, by sets, are taken first.
 *
 * Units:  sectors, as MSHR files count.
 * Source: Khairy et al. III-C (why a streaming L1 allocates on fill). */
#ifndef PLUMB_ESTIMATOR_CACHE_L1_LINE_RESERVATION_H
#define PLUMB_ESTIMATOR_CACHE_L1_LINE_RESERVATION_H

#include "estimator/dram/memory_load.h"
#include "estimator/profile/profile_data.h"

/* Reads that hit in a cache of `lines` reserve nothing.  INFINITY: no set of the sample fills. */
double l1_reserved_sectors(const struct line_sample *s, const struct cache_params *c,
                           const struct frc_params *frc, double lines);
/* The same, from a few answers that a thread keeps; content: of the sample. */
double l1_reserved_sectors_cached(const struct line_sample *s, struct digest content,
                                  const struct cache_params *c, const struct frc_params *frc,
                                  double lines);
/* The same of one slice of an L2 that reserves lines at the miss, whose head waits likewise:
 * sectors that reads of the sample `cls` fetch there.  What hits in l1_lines and l2_lines reserves
 * nothing.
 */
double launch_reserved_in_slice_cached(const struct launch_samples *s, uint32_t cls,
                                       const struct map *map, const struct l2_params *l2,
                                       double l1_lines, double l2_lines);

#endif
