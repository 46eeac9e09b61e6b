/* fluid_timing.h - how fast the warps of a functional pass advance: latencies, and queues as
 * fluids.
 *
 * Every warp has a clock of its own (checkpoints.c).  What it waits for is the latency of the level
 * that serves it.  Accesses pass their L1's door in order, one after another; a miss waits there
 * for an MSHR entry and for the fill that the line it takes may still expect, and all behind it
 * wait: whoever is let in first gets ahead (a scheduler that prefers the oldest puts warps far out
 * of step).  A sector whose fill is on the way is not there before it.  L2 slices with their reply
 * ports, memory channels and a sub-core's units are fluid: a backlog grows with what is asked of
 * them.  SMs are taken one after another in quanta of FLUID_QUANTUM cycles.  A miss that its
 * channel's queue cannot hold keeps the slice's head: hits behind it wait in their places, or SMs
 * that trail would catch up with those who miss for them.  What the shared queues on the way cannot
 * hold of it stays in those that each SM has of its own, and then at its door: so SMs advance alike
 * where memory is what they wait for.  A vector memory instruction takes an entry of its SM's
 * buffer (sm/vmb.h); entries that each warp has of its own are not looked at, and what leaves in
 * the order of each warp leaves in any.
 *
 * That is enough to find warps where a real run would have them when an interval begins; it is no
 * model of time that could answer anything.
 *
 * Units: core cycles.  Memory: fluid_init allocates. */
#ifndef PLUMB_GPU_FUNCTIONAL_EXECUTION_FLUID_TIMING_H
#define PLUMB_GPU_FUNCTIONAL_EXECUTION_FLUID_TIMING_H

#include "base/error.h"
#include "gpu/functional/constants.h"
#include "gpu/machine/params/sm.h"
#include "gpu/policies/exec_unit.h"

struct machine;

enum fluid_level { FLUID_L1, FLUID_L2, FLUID_MEMORY, FLUID_LEVELS };

struct fluid_sm {
    double busy[SM_MAX_SUBCORES]; /* until when each sub-core's issue slots are taken, */
    double unit[SM_MAX_SUBCORES][UNIT_OWN_N]; /* and its units */
    double door;                              /* when the next access may pass the L1's door */
    double *passed; /* [queue] when the last accesses pass it, by age from `first` on */
    uint32_t first;
    double *sent; /* [own] when the last that went down leave the SM's own queues, likewise */
    uint32_t oldest_sent;
    double *buffer; /* [buffer] when each entry is free again: a heap, the soonest first */
    double last;    /* in order: when the youngest is */
    double *entry;  /* [mshr entries] when each is free again, by age from `oldest` on */
    uint32_t oldest;
    double *fill; /* [lines] when the last fill of each line comes */
};

struct fluid_timing {
    uint32_t sms, subcores, slices, channels, ports; /* ports: of an L1 */
    double now;                                      /* where the quantum begins */
    double latency[FLUID_LEVELS];
    double slice_cycles;                 /* that a reply keeps its slice */
    double channel_cycles, channel_miss; /* that a sector keeps its channel: open row, closed row */
    double slack;                        /* backlog that the queues before a channel hold */
    double behind;                       /* of it what the channel's own queue holds */
    uint32_t queue, entries, lines; /* of an L1; entries, lines: 0 = unbounded, or there is none */
    uint32_t own;                   /* packets before the network that are an SM's own */
    uint32_t buffer;                /* vector memory instructions of an SM; 0 = unbounded */
    bool in_order, stores_wait;     /* they leave it in order; stores when they are served */
    double *room;                   /* of all SMs: what their pointers point to */
    struct fluid_sm *sm;            /* [sms] */
    double *slice, *channel;        /* until when each has work */
    double *head; /* [slices] when each's next request goes on: behind a crowded channel all wait */
    /* of the instruction under way */
    struct fluid_sm *at;
    double *line;        /* fill time of the L1 line that the access touches, NULL: none */
    bool taken;          /* the access has taken it, and nothing else of it is there */
    double issued, done; /* done: when its last access is served */
};

struct serializer;

bool fluid_init(struct fluid_timing *p, const struct machine *m,
                struct error *e); /* fini in either case */
void fluid_fini(struct fluid_timing *p);
void fluid_serialize(struct fluid_timing *p,
                     struct serializer *t); /* all that changes, between two instructions */
/* On to the quantum that begins at `now`. */
static inline void fluid_advance(struct fluid_timing *p, double now)
{
    p->now = now;
}
void fluid_drain(
    struct fluid_timing *p); /* nothing is queued any more: launches and copies do not overlap */

/* An instruction's accesses begin: it issued at that time. */
static inline void fluid_begin(struct fluid_timing *p, uint32_t sm, double issued)
{
    p->at = &p->sm[sm];
    p->issued = p->done = issued;
}
/* A vector memory instruction waits for an entry of the buffer before its accesses, and keeps it
 * until they are over. */
static inline void fluid_enter_buffer(struct fluid_timing *p)
{
    double free = p->buffer ? p->at->buffer[0] : p->issued;
    if (free > p->issued) p->issued = p->done = free;
}
void fluid_leave_buffer(struct fluid_timing *p, bool load);
/* So much work more; returns the backlog before it. */
static inline double fluid_add_work(const struct fluid_timing *p, double *until, double cycles)
{
    double from = *until > p->now ? *until : p->now;
    *until = from + cycles;
    return from - p->now;
}
static inline void fluid_issue(struct fluid_timing *p, uint32_t sm, uint32_t subcore,
                               enum unit unit, double interval)
{
    fluid_add_work(p, &p->sm[sm].busy[subcore], 1);
    if (unit < UNIT_OWN_N) fluid_add_work(p, &p->sm[sm].unit[subcore][unit], interval);
}
static inline bool fluid_unit_is_free(const struct fluid_timing *p, uint32_t sm, uint32_t subcore,
                                      enum unit unit)
{
    return unit >= UNIT_OWN_N || p->sm[sm].unit[subcore][unit] < p->now + FLUID_QUANTUM;
}
static inline bool fluid_can_issue(const struct fluid_timing *p, uint32_t sm, uint32_t subcore)
{
    return p->sm[sm].busy[subcore] < p->now + FLUID_QUANTUM;
}
/* The backlog before a piece of work that goes to slice or channel. */
static inline double fluid_slice_backlog(struct fluid_timing *p, uint32_t slice)
{
    double before = fluid_add_work(p, &p->slice[slice], p->slice_cycles);
    double wait = p->head[slice] - p->now;
    return before > wait ? before : wait;
}
/* A miss that found so much before its channel: what the channel's queue does not hold of it keeps
 * the slice's head, and all behind it, hits as well, in their places. */
static inline void fluid_block_slice(struct fluid_timing *p, uint32_t slice, double queued)
{
    double goes_on = p->now + queued - p->behind;
    if (goes_on > p->head[slice]) p->head[slice] = goes_on;
}
static inline double fluid_channel_backlog(struct fluid_timing *p, uint32_t channel, bool row_hit)
{
    return fluid_add_work(p, &p->channel[channel], row_hit ? p->channel_cycles : p->channel_miss);
}
/* The L1 line of the next access; LINE_NONE: it has none.  Taken: it was another's, or empty. */
static inline void fluid_take_line(struct fluid_timing *p, uint32_t line, bool taken)
{
    p->line = line < p->lines ? &p->at->fill[line] : NULL;
    p->taken = taken;
}
/* An access is served at that level after `queued` cycles in queues behind the L1. */
void fluid_serve(struct fluid_timing *p, enum fluid_level level, double queued);
/* The same of a store or write-back, which needs no line and no MSHR entry. */
void fluid_store(struct fluid_timing *p, enum fluid_level level, double queued);
/* When there is room before the L1's door and in the buffer if nobody comes; whether one who issues
 * before `end` finds it. */
static inline double fluid_room_at(const struct fluid_timing *p, uint32_t sm)
{
    const struct fluid_sm *s = &p->sm[sm];
    double door = s->passed[s->first];
    return p->buffer && s->buffer[0] > door ? s->buffer[0] : door;
}
static inline bool fluid_has_room(const struct fluid_timing *p, uint32_t sm, double end)
{
    return fluid_room_at(p, sm) < end;
}

#endif
