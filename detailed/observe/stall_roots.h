/* stall_roots.h - at the root of a stall: who would have to move for a lost issue slot to be used.
 *
 * Every ROOTS_PERIOD core cycles all sub-cores with warps are looked at; the time since the last
 * look is shared out evenly among them.  One that issues, or waits for units and dependences, is
 * charged to compute.  One whose warps wait for memory is charged to
 * what holds up the accesses under way, each where it stands:
 *  - behind a full queue: to what the queue's consumer waits for, and so on, up to who moves;
 *  - in a pipeline, on a link, in a bank: to the place itself;
 *  - for an entry (an MSHR, a line, a place in the vector memory buffer): entries are kept by
 *    accesses further down.  The share of those that queue there is charged to what they queue for,
 *    since more entries would only lengthen that queue; the rest to the entries.
 * One at a barrier is charged as the sub-cores of its SM that have not come there.
 *
 * Where accesses stand is counted over the whole machine, stores among them.  Of those in a DRAM
 * channel the unloaded latency's share of the mean so far moves, the rest queues.
 *
 * Units:      looks; the parts' sum is `looked`, those at which any sub-core had warps.
 * Invariants: stall_roots_check.  What is seen does not depend on which cycles were skipped;
 * nothing of the simulation changes. Error:      that of a systematic sample;
 * docs/models/cycle-model.md has it. */
#ifndef PLUMB_DETAILED_OBSERVE_STALL_ROOTS_H
#define PLUMB_DETAILED_OBSERVE_STALL_ROOTS_H

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
/* Looks at the machine as it has stood since its last step, for all cycles to look at before
 * `tick`. */
void stall_roots_record(struct sim *s, uint64_t tick);
bool stall_roots_check(const struct stall_roots *r);
void stall_roots_metrics(const struct sim *s, struct metrics *m);

#endif
