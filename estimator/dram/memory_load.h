/* memory_load.h - evaluates the address samples for a machine: row locality, and the effective
 * number of slices and channels.
 *
 * This is the most expensive part of an estimate.  Its result is the same for all machines with the
 * same address map whose caches keep the same part of the samples.  So each thread caches a few
 * results by the digest of all that they depend on.  A machine that differs only in on-chip
 * latencies, MSHRs, clocks, or in capacities between which no sampled access begins to hit, reuses
 * its predecessor's result. */
#pragma once

#include "base/text/digest.h"
#include "estimator/dram/hot_atomics.h"
#include "estimator/dram/row_locality.h"

struct launch_samples {
    const struct spread_sample *spread;
    double each; /* accesses of the stream from one entry of `spread` to the next */
    const struct block_sample *rows; /* [SAMPLE_STREAMS] */
    const struct line_sample *lines;
    const struct sample_content *content;
};

/* bits: of a struct sample_content.  The bucket of the largest capacity that keeps the same part of
 * the samples: the first bucket from `lines` on that occurs in them. */
uint32_t memory_load_equal_bucket(const uint64_t bits[SAMPLE_BUCKETS / 64], double lines);

/* The digest of everything in a map that determines an address's slice: part of the cache keys. */
struct digest memory_load_map_digest(const struct map *map);

struct sampled_load {
    struct row_locality rows;
    double slices, channels; /* effective numbers over the whole launch */
    double fetches, homes;   /* ... of slices by what they fetch; by what comes to homes */
    struct hot_atomics hot;
};
/* cls: index in SAMPLE_CLASSES of the blocks to use, or SAMPLE_ASKED. */
void sampled_load_find(struct sampled_load *l, const struct launch_samples *s, uint32_t cls,
                       const struct map *map, const struct dram_params *d,
                       const struct row_stream *f);
