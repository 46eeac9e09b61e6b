/* stall_roots.h - the root causes of stalls: which component would have to be faster for a lost
 * issue slot to be used.
 *
 * Every ROOTS_PERIOD core cycles all sub-cores with warps are sampled; the time since the last
 * sample is divided evenly among them. A sub-core that issues, or waits for units and dependences,
 * is charged to compute. One whose warps wait for memory is charged to what delays the accesses in
 * flight, each where it is:
 * - behind a full queue: to what the queue's consumer waits for, and so on, down to one that moves;
 * - in a pipeline, on a link, in a bank: to the place itself;
 * - for an entry (an MSHR, a line, a place in the vector memory buffer): entries are held by
 *   accesses further down. The share of those that queue there is charged to what they queue for,
 *   since more entries would only lengthen that queue; the rest to the entries.
 * A sub-core at a barrier is charged like the sub-cores of its SM that have not arrived there. The
 * places of accesses are counted over the whole machine, stores included. Of the accesses in a DRAM
 * channel, the unloaded latency's share of the mean latency so far moves, the rest queues.
 *
 * Units: samples; the parts' sum is `looked`, the samples at which any sub-core had warps.
 * Invariants: stall_roots_check. The result does not depend on which cycles were skipped; the
 * simulation is not changed. Error: that of a systematic sample; docs/models/cycle-model.md has it.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum root {
    ROOT_COMPUTE,
    ROOT_BARRIER,
    ROOT_VMB,
    ROOT_L1,
    ROOT_L1_MSHR,
    ROOT_L1_LINES,
    ROOT_NOC,
    ROOT_L2,
    ROOT_L2_MSHR,
    ROOT_L2_LINES,
    ROOT_DRAM,
    ROOT_N
};

struct stall_roots {
    uint64_t period, next;          /* ticks */
    double idle_hit, idle_conflict; /* unloaded reads of a channel, its clocks */
    double part[ROOT_N];
    uint64_t looked;
};

struct sim;
struct metrics;

void stall_roots_init(struct sim *s);
void stall_roots_clear(struct sim *s);
/* Samples the machine in its state since the last step, once for every sample that is due before
 * `tick`. */
void stall_roots_record(struct sim *s, uint64_t tick);
bool stall_roots_check(const struct stall_roots *r);
void stall_roots_metrics(const struct sim *s, struct metrics *m);
