/* block_replay.h - replays the channels of a block of consecutive accesses to memory: how fast they
 * serve it, how often rows are open.
 *
 * A channel's piece of the block is its requests, merged as a network merges those of SMs.  The
 * fullest channels are replayed, until so many bursts are that a part more would say little.  A
 * piece of fewer than PIECE_LEAST bursts is not replayed: it is all filling and draining of the
 * queue.  The sums are over bursts, so that a longer piece counts for more. */
#pragma once

#include "estimator/dram/channel_replay.h"
#include "estimator/dram/row_locality.h"

struct memory_access { /* a sampled access on its way to memory */
    uint64_t addr;
    uint32_t channel;
    uint16_t sm;
    bool next; /* its address follows that of the access before */
    bool write;
    double bursts, once; /* once: bursts to consecutive addresses that are repeated later */
};
enum { PLACED_MOST = 2 * SAMPLE_BLOCK }; /* accesses to memory of a block */

struct block_sums {
    struct replay_sum t[ROW_DEPTHS];
    double replayed; /* bursts in all pieces, each counted once */
};
extern const uint32_t block_replay_depths[ROW_DEPTHS]; /* of the queue */
/* Adds n <= PLACED_MOST accesses, each of which stands for `weight` of them.  Depths at which half
 * of the block confirms the sums so far are not replayed again. */
void block_replay(struct block_sums *to, const struct memory_access *p, uint32_t n,
                  const struct map *map, const struct dram_params *d, double weight);
