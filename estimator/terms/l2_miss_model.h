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
/* The lines of a slice that may wait for their data at once: under conventional management all of
 * them, and the FRC's entries, because a miss that finds its set full lets others go on; elsewhere,
 * where a miss takes its line at once, as many as misses find by chance before one of them meets a
 * full set and holds up all behind it. */
void l2_miss_lines(struct launch_model *m);
/* The misses, each to a set by chance, before one finds its set full, in the median. */
double l2_miss_until_full(double sets, double ways);
/* The most misses that a slice can have in flight: its entries, or its lines that may wait; 0 =
 * unbounded. */
double l2_miss_capacity(const struct launch_model *m);
/* The share of the offered load that finds all servers busy. */
double l2_miss_blocked_share(double servers, double load);
