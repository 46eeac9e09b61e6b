/* channel_order.h - how long channels take for a stream whose accesses enter in order.
 *
 * A channel serves one burst a clock and has room for so many; an access enters when there is room
 * for it in its channel and all before it have entered.  A channel that is full holds up the others
 * as soon as these have served what they hold.  Source: docs/models/estimator.md (uneven load). */
#pragma once

#include "estimator/dram/block_replay.h"

extern const uint32_t channel_rooms[CHANNEL_ROOMS]; /* bursts, eight times apart */

/* Of several streams, for each room: clocks until the last access has entered, and those that the
 * bursts served by then would take if all channels always had some. */
struct channel_order {
    double clocks[CHANNEL_ROOMS], even[CHANNEL_ROOMS];
};

void channel_order_add(struct channel_order *o, const struct memory_access *p, uint32_t n,
                       uint32_t channels, double weight);
/* Clocks over those of an even load. */
void channel_order_late(const struct channel_order *o, double late[CHANNEL_ROOMS]);
/* Accesses that an entry of a block stands for: warps that begin together are in step as they never
 * are later, so that the first block stands for itself alone. */
double channel_order_each(const struct block_sample *s, uint32_t b);
