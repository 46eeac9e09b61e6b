/* channel_set.h - the channels of a memory without a GPU: addresses are distributed to them
 * round-robin in blocks, and each burst in flight carries a number of the caller's.
 *
 * The caller steps the channels when they are due and takes completions when it wants: as soon as
 * they are known, or at their cycle.  Times are as in dram.h. */
#pragma once

#include "base/error.h"
#include "detailed/dram/dram.h"

struct channel_set {
    uint32_t n;
    struct map map;
    struct dram_channel **channel; /* [n] */
    uint64_t *wake;                /* [n] when the channel must be stepped again */
    uint64_t in_flight;            /* bursts accepted and not taken as done */
    uint64_t *note;                /* [cap] the caller's number, by tag */
    uint32_t *free_tag;            /* [cap] */
    size_t cap, n_free;
};

/* p: checked; interleave_bytes: of a block, a power of two of at least a burst.  false: the
 * parameters do not fit, or no memory.  The caller calls channel_set_close in either case. */
bool channel_set_open(struct channel_set *s, const struct dram_params *p, uint32_t interleave_bytes,
                      struct error *e);
void channel_set_close(struct channel_set *s);

/* Accepts a burst, whose channel then is due now.  Precondition: dram_can_accept of its channel.
 * false: no memory; nothing has changed. */
bool channel_set_accept(struct channel_set *s, const struct coord *at, bool write, uint64_t note,
                        uint64_t now);
/* Steps the channel if it is due. */
bool channel_set_step(struct channel_set *s, uint32_t channel, uint64_t now);
/* Takes the channel's next completion that lies at or before that cycle.  false: none. */
bool channel_set_done(struct channel_set *s, uint32_t channel, uint64_t until, uint64_t *note,
                      bool *write);
