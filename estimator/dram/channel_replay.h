/* channel_replay.h - the time that one memory channel needs for a piece of an address stream while
 * its queue never runs dry.
 *
 * This is not the cycle model: it has no other clock domains, no data and no refresh.  It is a list
 * schedule: of the requests that the scheduler sees, each bank works on one; the earliest command
 * of any bank goes next (columns before rows, then the oldest), and then the next request enters
 * the queue.  So row hits, banks, bank groups, ranks, activates (tRRD, tFAW), bus turn-arounds,
 * drains of the write queue, the command bus, both schedulers and page policies interact as they do
 * in the device, at any depth of the queue.
 *
 * A bank's row is unknown at the beginning: the bank's first request finds it open and is not
 * counted.
 *
 * Units:  DRAM clocks. Source: docs/models/estimator.md (measure row hits and banks under the
 * real map). */
#pragma once

#include "gpu/machine/params/dram/dram.h"

enum { REPLAY_MOST = 768 };

struct replay_request {
    uint32_t row, bank, column; /* bank: index in the channel */
    bool write;
};

struct replay_sum { /* sums over pieces */
    double bursts, clocks;
    /* looked: bursts whose row's state was known; hits: those that found it open */
    double looked, hits;
    double banks; /* banks with a waiting request, summed over the bursts in `looked` */
};

/* r: n <= REPLAY_MOST requests in order of arrival.  depth: the most requests that wait (with a
 * write queue, reads); the parameters' own queues only count as far as depth allows.  Adds weight x
 * the counts to *to. */
void channel_replay(struct replay_sum *to, const struct dram_params *d,
                    const struct replay_request *r, uint32_t n, uint32_t depth, double weight);
static inline void replay_sum_add(struct replay_sum *to, const struct replay_sum *s, double weight)
{
    to->bursts += weight * s->bursts;
    to->clocks += weight * s->clocks;
    to->looked += weight * s->looked;
    to->hits += weight * s->hits;
    to->banks += weight * s->banks;
}
