/* block_replay.h - replays the channels of a block of consecutive accesses to memory: how fast they
 * serve it, how often rows are open.
 *
 * A channel's piece of the block is its requests, merged as a network merges those of SMs.
 * Channels are taken by chance, until BLOCK_ENOUGH bursts are replayed.  A piece of fewer than
 * PIECE_LEAST bursts is not: it is all filling and draining of the queue, and one bank or two.  The
 * sums are over bursts, so that a longer piece counts for more, and a block that has less than
 * enough counts for less by as much once more, because little is known of it.
 */
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
enum { BLOCK_ENOUGH = 1536 };            /* bursts of a block that are replayed */
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
/* The parameters with those that a replay does not read set to 0. */
struct dram_params block_replay_params(const struct dram_params *d);
