/* channel_replay.h - the time that one memory channel takes for a piece of an address stream that
 * never lets it run dry.
 *
 * Not the cycle model: no clocks of others, no data, no refresh.  A list schedule: of the requests
 * that the scheduler sees, each bank works on one; the earliest command of any bank goes next
 * (columns before rows, then the oldest), and what comes behind it enters the queue.  So row hits,
 * banks, bank groups, ranks, activates (tRRD, tFAW), turns of the bus, drains of the write queue,
 * the command bus, both schedulers and page policies meet as they do in the device, at any depth of
 * the queue.
 *
 * A bank's row at the beginning is not known: its first request finds it open and is not counted.
 *
 * Units:  DRAM clocks.
 * Source: reference modelling notes D2 (measure row hits and banks under the real map). */
#ifndef PLUMB_ESTIMATOR_DRAM_CHANNEL_REPLAY_H
#define PLUMB_ESTIMATOR_DRAM_CHANNEL_REPLAY_H

#include "gpu/machine/params/dram.h"

enum { REPLAY_MOST = 512 };

struct replay_request {
    uint32_t row, bank; /* bank: flat */
    uint16_t column;
    bool write;
};

struct replay_sum { /* adds over pieces */
    double bursts, clocks;
    double looked, hits; /* bursts whose row's state was known; of them open */
    double banks;        /* with a request waiting, summed over those looked at */
};

/* n <= REPLAY_MOST requests in order of arrival.  depth: requests (with a write queue: reads) that
 * wait at most; the parameters' own queues count only as far as depth lets them.  Adds weight x
 * what happened. */
void channel_replay(struct replay_sum *to, const struct dram_params *d,
                    const struct replay_request *r, uint32_t n, uint32_t depth, double weight);
void replay_sum_add(struct replay_sum *to, const struct replay_sum *s, double weight);

#endif
