/* memory_load.h - what the address samples say of a machine: row locality, and how many slices and
 * channels the load acts like.
 *
 * The dearest part of an estimate, and the same for all machines with the same address map that
 * keep the same of the samples: answers are kept, a few per thread, by the digest of all that they
 * depend on.  A machine that differs in on-chip latencies, MSHRs, clocks or in capacities between
 * which no sampled access begins to hit finds what the one before it asked for. */
#ifndef PLUMB_ESTIMATOR_DRAM_MEMORY_LOAD_H
#define PLUMB_ESTIMATOR_DRAM_MEMORY_LOAD_H

#include "base/text/digest.h"
#include "estimator/dram/row_locality.h"

struct launch_samples {
    const struct spread_sample *spread;
    double each;                     /* accesses that one of `spread` stands for */
    const struct block_sample *rows; /* [SAMPLE_STREAMS] */
    const struct line_sample *lines;
    const struct sample_content *content;
};
void sample_content_find(struct sample_content *c, const struct spread_sample *spread,
                         const struct block_sample rows[SAMPLE_STREAMS],
                         const struct line_sample *lines);

/* bits: of a content.  The bucket of the largest capacity that keeps the same of the samples: the
 * first one from here on that occurs. */
uint32_t memory_load_equal_bucket(const uint64_t bits[SAMPLE_BUCKETS / 64], double lines);

/* All of a map that says to which slice an address goes: part of the key of what is kept of it. */
struct digest memory_load_map_digest(const struct map *map);

struct sampled_load {
    struct row_locality rows;
    double slices, channels; /* that the load acts like, over the whole launch */
};
/* cls: of the blocks of SAMPLE_CLASSES. */
void sampled_load_find(struct sampled_load *l, const struct launch_samples *s, uint32_t cls,
                       const struct map *map, const struct dram_params *d,
                       const struct row_stream *f);

#endif
