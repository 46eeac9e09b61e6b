/* l2_miss_model.h - conventional miss management of the L2: what a miss's victim costs, and how
 * much of that an FRC, a victim cache, or a write-back buffer saves.
 *
 * A miss that finds its set full holds its MSHR, and its line is in transition, while the victim
 * leaves and then while the block is fetched.  The victim leaves as in the cycle model: a dirty one
 * has left when the controller has accepted it, or when it is written and has waited at the memory
 * like a read; a clean one after its notice, or at once; one that goes into a victim cache, after a
 * block there has made room. A miss that gets an FRC entry holds its MSHR for fetch and swap; its
 * victim then leaves from the entry.
 *
 * Entries are servers without a queue: a miss that finds all entries of its FRC set busy is handled
 * conventionally (Erlang's loss formula; an entry is held for fetch, swap and eviction).  So are
 * the places of the write-back buffer.
 *
 * All misses evict, except those that fill lines that were empty until then.
 *
 * Lines in transition are servers, too: a set has only its ways (and the FRC entries of its set),
 * and a miss that finds them all taken waits (victim_rule lru_ext; lru is almost the same, because
 * a claimed line is the most recent one).
 *
 * Units:  core cycles unless said otherwise. Source: Candel 5.4, 5.5, 6.4, 6.5; Erlang 1917. */
#pragma once

#include "estimator/launch/launch_model.h"

/* Called once for a launch. */
void l2_miss_init(struct launch_model *m);
/* Called before the stations are built; uses the load of the previous pass. */
void l2_miss_find(struct launch_model *m);
/* How long a miss holds its MSHR apart from queues, under any management.  Misses of neighbouring
 * blocks come together; if the victim leaves first, a write that the controller has just accepted
 * still goes before the read. */
double l2_miss_entry_cycles(const struct launch_model *m);
/* The MSHRs of a slice, or, where it may have fewer reads and writes under way (l2.link_requests),
 * these; 0 = unbounded. */
double l2_miss_entries(const struct l2_params *l2);
/* The most misses that a slice can have in flight: its entries, or the lines that misses in flight
 * together can find; 0 = unbounded. */
double l2_miss_capacity(const struct launch_model *m);
/* The share of the offered load that finds all servers busy. */
double l2_miss_blocked_share(double servers, double load);
