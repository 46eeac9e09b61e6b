/* l1_line_reservation.h - the fetches that an L1 that reserves lines at the miss has in flight
 * before a set is full of reserved lines, and its head, with all accesses behind it, waits.
 *
 * Misses reserve lines in the order of the sample until one finds all ways of its set reserved;
 * when the fetches before it are back, the next ones go.  So the mean number of fetches in such
 * rounds is the size of a pool that bounds the fetches in flight, like an MSHR file of so many
 * entries.  Stores that allocate need a line that is not reserved.  Entries of an FRC, organised by
 * sets, are taken first.
 *
 * Units:  sectors, as MSHR files count. Source: Khairy et al. III-C (why a streaming L1 allocates
 * on fill). */
#pragma once

#include "estimator/dram/memory_load.h"
#include "estimator/profile/profile_data.h"

/* Reads that hit in a cache of `lines` reserve nothing.  INFINITY: no set fills in the sample. */
double l1_reserved_sectors(const struct line_sample *s, const struct cache_params *c,
                           const struct frc_params *frc, double lines);
/* As l1_reserved_sectors, with a few results cached per thread; content: the sample's digest. */
double l1_reserved_sectors_cached(const struct line_sample *s, struct digest content,
                                  const struct cache_params *c, const struct frc_params *frc,
                                  double lines);
