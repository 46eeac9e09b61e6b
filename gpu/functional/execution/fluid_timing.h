/* fluid_timing.h - the timing model of the functional pass: latencies, and queues as fluids.
 *
 * Every warp has its own clock (functional.h) and waits for the latency of the level that serves
 * its access. Accesses enter the L1 in order through its ports. A miss waits at the head of that
 * queue for a free MSHR entry and for the outstanding fill of the line that it replaces; every
 * access behind it waits, too. Whoever enters first therefore gets ahead, which matters with
 * schedulers that prefer the oldest warp. A hit on a sector whose fill is outstanding waits for the
 * fill. L2 slices with their reply ports and memory channels are fluid queues: each has a backlog
 * in cycles, to which every request adds its service time. SMs advance one after another in quanta
 * (functional_setup.quantum).
 *
 * Back pressure: a miss that does not fit into the queue of its channel blocks the head of its L2
 * slice, and hits behind it wait; without this, SMs that trail would catch up with the SMs that
 * miss for them. What the shared queues cannot hold fills the queues of each SM and then blocks the
 * entry to its L1, so that all SMs advance alike when memory is the bottleneck. A vector memory
 * instruction takes an entry of its SM's buffer (detailed/sm/vmb.h). Buffers with entries per warp
 * are not modelled, and a release in the order of each warp counts as a release in any order.
 *
 * The model only has to find the warps where a real run would have them when an interval begins;
 * its cycles are no answer of their own.
 *
 * Units: core cycles. Memory: only fluid_init allocates. */
#pragma once

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

struct machine;

enum fluid_level { FLUID_L1, FLUID_L2, FLUID_MEMORY, FLUID_L3, FLUID_LEVELS };

struct fluid_sm {
    double door; /* when the next access may enter the L1 */
    /* [queue] when the last `queue` accesses enter the L1; ring, oldest at `first` */
    double *passed;
    uint32_t first;
    double *sent; /* [own] when the last requests leave the SM's own queues; ring, oldest at
                     `oldest_sent` */
    uint32_t oldest_sent;
    double *buffer; /* [buffer] when each entry is free again: a min-heap */
    double last;    /* release in order: when the youngest entry is free */
    double *entry;  /* [entries] when each MSHR entry is free again; ring, oldest at `oldest` */
    uint32_t oldest;
    double *fill; /* [lines] when the last fill of each line arrives */
};

struct fluid_timing {
    uint32_t sms, slices, channels, ports; /* ports of an L1 */
    double now;                            /* when the current quantum begins */
    double latency[FLUID_LEVELS];
    double slice_cycles; /* cycles for which a reply occupies its slice */
    /* Cycles for which a sector occupies a channel of the first, the second memory if its row is
     * open, closed. */
    struct fluid_channel {
        double cycles, miss;
    } memory[2];
    uint32_t first_channels;        /* the first memory's; the second's follow */
    double slack;                   /* backlog that fits into all queues before a channel */
    double behind;                  /* the part of it that fits into the channel's own queue */
    uint32_t queue, entries, lines; /* of an L1; entries 0: unbounded, lines 0: there is no L1 */
    uint32_t own;                   /* packets in the queues between an L1 and the network */
    uint32_t buffer;                /* vector memory instructions in flight per SM; 0 = unbounded */
    /* They leave the buffer in order; stores leave when served, not when sent. */
    bool in_order, stores_wait;
    double *room;            /* the arrays that the pointers of all SMs point into */
    struct fluid_sm *sm;     /* [sms] */
    double *slice, *channel; /* when the backlog of each has drained */
    double *link; /* [partitions] of the L2, when what leaves each has left; NULL: it has one */
    uint32_t partitions;
    double link_cycles, header_bytes, far_cycles; /* per byte; of a message; of a far access */
    double *head; /* [slices] when a full channel queue stops blocking each slice's head */
    /* state of the instruction that executes now */
    struct fluid_sm *at;
    double *line;        /* fill time of the L1 line that the access touches; NULL: no line */
    bool taken;          /* the access has allocated the line, which holds no other sector */
    double translation;  /* cycles that its access waits for a page, without stopping others */
    double each;         /* cycles from one of its accesses' entry into the L1 to the next one's */
    double far;          /* cycles that the next access takes more: it goes to another partition */
    double issued, done; /* done: when its last access has been served */
};

struct serializer;

/* Call fluid_fini even if it fails. */
bool fluid_init(struct fluid_timing *p, const struct machine *m, struct error *e);
void fluid_fini(struct fluid_timing *p);
/* All mutable state; only between two instructions. */
void fluid_serialize(struct fluid_timing *p, struct serializer *t);
/* Advances to the quantum that begins at `now`. */
static inline void fluid_advance(struct fluid_timing *p, double now)
{
    p->now = now;
}
/* Empties all queues: launches and copies do not overlap. */
void fluid_drain(struct fluid_timing *p);

/* Begins the accesses of an instruction that issued at that time. */
static inline void fluid_begin(struct fluid_timing *p, uint32_t sm, double issued)
{
    p->at = &p->sm[sm];
    p->issued = p->done = issued;
    p->each = 1.0 / p->ports;
}
/* Its n accesses take so many cycles to enter the L1, if the ports let them. */
static inline void fluid_take_turns(struct fluid_timing *p, uint32_t cycles, uint32_t n)
{
    if (p->each * n < cycles) p->each = (double)cycles / n;
}
/* Makes a vector memory instruction wait for a free buffer entry before its accesses. It holds the
 * entry until fluid_leave_buffer. */
static inline void fluid_enter_buffer(struct fluid_timing *p)
{
    double free = p->buffer ? p->at->buffer[0] : p->issued;
    if (free > p->issued) p->issued = p->done = free;
}
void fluid_leave_buffer(struct fluid_timing *p, bool load);
/* Adds that many cycles of work to a fluid queue and returns the backlog in front of it. */
static inline double fluid_add_work(const struct fluid_timing *p, double *until, double cycles)
{
    double from = *until > p->now ? *until : p->now;
    *until = from + cycles;
    return from - p->now;
}
/* Queues one reply at a slice (or, below, one sector at a channel) and returns the backlog in front
 * of it. */
static inline double fluid_slice_backlog(struct fluid_timing *p, uint32_t slice)
{
    double before = fluid_add_work(p, &p->slice[slice], p->slice_cycles);
    double wait = p->head[slice] - p->now;
    return before > wait ? before : wait;
}
/* Sends a message over the link of a partition of the L2; returns the backlog in front of it. */
static inline double fluid_link_backlog(struct fluid_timing *p, uint32_t partition, double bytes)
{
    return fluid_add_work(p, &p->link[partition], (p->header_bytes + bytes) * p->link_cycles);
}
/* Called for a miss that found `queued` cycles of backlog at its channel: the part that does not
 * fit into the channel's queue blocks the head of the slice, for hits as well as misses. */
static inline void fluid_block_slice(struct fluid_timing *p, uint32_t slice, double queued)
{
    double goes_on = p->now + queued - p->behind;
    if (goes_on > p->head[slice]) p->head[slice] = goes_on;
}
static inline double fluid_channel_backlog(struct fluid_timing *p, uint32_t channel, bool row_hit)
{
    const struct fluid_channel *c = &p->memory[channel >= p->first_channels];
    return fluid_add_work(p, &p->channel[channel], row_hit ? c->cycles : c->miss);
}
/* Names the L1 line of the next access; LINE_NONE: it has none. taken: the access has just
 * allocated the line. */
static inline void fluid_take_line(struct fluid_timing *p, uint32_t line, bool taken)
{
    p->line = line < p->lines ? &p->at->fill[line] : NULL;
    p->taken = taken;
}
/* Times a load or atomic that is served at that level after `queued` cycles of queueing below the
 * L1. */
void fluid_serve(struct fluid_timing *p, enum fluid_level level, double queued);
/* Times a store or write-back, which needs neither a line nor an MSHR entry. */
void fluid_store(struct fluid_timing *p, enum fluid_level level, double queued);
/* When the L1's input queue and the buffer next have room if no other access enters. */
static inline double fluid_room_at(const struct fluid_timing *p, uint32_t sm)
{
    const struct fluid_sm *s = &p->sm[sm];
    double door = s->passed[s->first];
    return p->buffer && s->buffer[0] > door ? s->buffer[0] : door;
}
