/* l2_miss_model.h - conventional miss management of the L2: what a miss's victim costs, and what an
 * FRC, a victim cache, or a write-back buffer beside the lines spares it.
 *
 * A miss that finds its set without room keeps its MSHR, and its line is in transition, while the
 * victim leaves and then while the block is fetched.  The way out is that of the cycle model: a
 * dirty victim is out when the controller has taken it, or when it is written and has waited at the
 * memory like a read; a clean one after its notice, or at once; into a victim cache after a block
 * that makes room has gone.  A miss that an FRC entry takes keeps its MSHR for fetch and swap; the
 * victim then leaves from the entry.
 *
 * Entries are servers without a queue: a miss that finds those of its FRC set busy goes the
 * conventional way (Erlang's loss formula; entries of a set are held for fetch, swap and way out).
 * Places of the write-back buffer likewise.
 *
 * How many evict: all misses but those that fill lines that nothing was in yet.
 *
 * Lines in transition are servers, too: a set has no more than its ways (and the FRC entries of its
 * set), and who finds them all taken waits (victim_rule lru_ext; lru all but the same, for a line
 * that was claimed is the recent one).
 *
 * Units:  core cycles unless said otherwise.
 * Source: Candel 5.4, 5.5, 6.4, 6.5; Erlang 1917. */
#ifndef PLUMB_ESTIMATOR_CACHE_L2_MISS_MODEL_H
#define PLUMB_ESTIMATOR_CACHE_L2_MISS_MODEL_H

#include "estimator/model/launch_model.h"

/* Once for a launch. */
void l2_miss_init(struct launch_model *m);
/* Under the last answer's load, before the stations are built. */
void l2_miss_find(struct launch_model *m);
/* How long a miss holds its MSHR but for queues, under any management.  Neighbours come together.
 * Where the victim leaves first, one whose write the controller has taken still stands before the
 * read. */
double l2_miss_entry_cycles(const struct launch_model *m);
/* Misses that a slice can have under way: its MSHRs, or the lines that those find which are under
 * way together; 0 = any. */
double l2_miss_capacity(const struct launch_model *m);
/* Share of offered work that finds all of so many servers busy. */
double l2_miss_blocked_share(double servers, double load);

#endif
