/* quickrelease_model.h - what the tables of QuickRelease mean, told a second time and without the
 * simulation: two or three L1s, an L2 slice and memory, one or two lines, for quickrelease_walk.h.
 *
 * An L1's requests, dirty bytes, markers and answers take one queue to the slice, in order;
 * invalidations, probes and acknowledgements take one queue back. Data come at any time, and so do
 * memory's. What the slice sends below is performed at once, since the L3 takes it in order. Any
 * dirty block may leave at any time, as a victim; S-FIFOs are dequeued while they are full or have
 * a marker.
 *
 * Values: a line has two bytes, and the first of line 0 is followed. At some point one store or
 * atomic to it, any, is marked; the value of the byte at a place is "since the mark" or "before
 * it". Bytes in an L1's write cache are its own latest, which it may always be served. No step
 * depends on a value and any store may be the marked one, so that this finds what following all
 * values does.
 *
 * Checked in every state: a load is served the value since the mark if its SM stored it, has been
 * served it before, or if the load began after the end of a release by an SM of which one of these
 * holds; an atomic is served what was performed last; the slice's newest value is exactly that, so
 * that no store is lost or comes back; the slice's read cache equals what is below; every dirty
 * block has an entry in its S-FIFO; whoever waits has a message under way; the state after a row is
 * the table's. */
#pragma once

#include "base/memory/alloc.h"
#include "gpu/coherence/protocol.h"
#include "gpu/coherence/quickrelease_states.h"
#include "tests/support/check.h"
#include "tests/support/protocol_space.h"

/* The numbers of L1s and of lines say how large a state is.  A test with other numbers compiles the
 * model and the walk for itself (cmake/Tests.cmake). */
#ifndef SYNC_L1S
#define SYNC_L1S 2
#endif
#ifndef SYNC_LINES
#define SYNC_LINES 1
#endif

enum { L1S = SYNC_L1S, LINES = SYNC_LINES };

/* Places in queues: accesses and a marker and answers; invalidations, probes and an
 * acknowledgement; blocks and markers. */
enum { UP = 2 + 1 + L1S, DOWN = 2 + L1S + 1, ENTRIES = 2 + L1S };

enum { FIRST = 1, SECOND = 2, WHOLE = 3 }; /* bytes of a line */

enum { ONE_BYTE = 1 << FIRST, SOME_BYTES = 1 << FIRST | 1 << WHOLE, ANY_BYTES = 14 };

enum { DONE = L1S + 1 };

/* A line in an L1. */
enum { MARKER = 16 }; /* of L1 c in an S-FIFO: MARKER + c; of a block: 1 + its line */

enum up_kind { UP_NONE, UP_READ, UP_ROUND, UP_WRITE, UP_ATOMIC, UP_MARKER, UP_APPLIED };

enum down_kind { DOWN_NONE, DOWN_INVALIDATE, DOWN_PROBE, DOWN_ACK };

/* A message from an L1 to the slice. */
struct up {
    uint8_t kind;
    uint8_t what; /* the line; of an answer: whose release */
    uint8_t mask; /* of dirty bytes */
    uint8_t need, mark;
};

/* A message from the slice to an L1. */
struct down {
    uint8_t kind;
    uint8_t what; /* the line, or whose release */
};

struct block {
    uint8_t valid, value;        /* the read cache's copy */
    uint8_t mask, mark;          /* the write cache's bytes; they include the marked store */
    uint8_t fetch, killed, need; /* a fill is in flight: not to be kept, what its loads need */
    uint8_t answer;              /* 1 + value, under way */
};

struct l1_side {
    struct block block[LINES];
    uint8_t fifo[ENTRIES];
    struct up up[UP];
    struct down down[DOWN];
    uint8_t need;             /* loads to come must be served the marked value */
    uint8_t release, covered; /* one is in progress; it orders the marked store */
    uint8_t answers;          /* L1s whose answers to its probes are to come */
};

/* A line in the slice and below. */
struct home_line {
    uint8_t valid, value;
    uint8_t mask, written;          /* the write cache's bytes, and the followed one's value */
    uint8_t fetch, killed, fetched; /* a read of memory is in flight */
    uint8_t fills, rounds, needs;   /* L1s that wait for it */
    uint8_t memory;
};

/* A state. */
struct sync {
    struct l1_side l1[L1S];
    struct home_line home[LINES];
    uint8_t fifo[ENTRIES];
    uint8_t marked;    /* 1 + by whom, until it is performed: DONE */
    uint8_t performed; /* at the slice */
};

/* What an L1's warps do, as bits. */
enum { MAY_LOAD = 1, MAY_ROUND = 2, MAY_STORE = 4, MAY_ATOMIC = 8, MAY_RELEASE = 16, MAY_ALL = 31 };

/* How much room there is, and what may happen. */
struct sync_shape {
    uint32_t up, down; /* an L1's accesses on their way, invalidations on their way to it */
    uint32_t entries1, entries2; /* of S-FIFOs, for blocks */
    bool victims;                /* dirty blocks leave ahead of their entries, too */
    uint8_t masks;               /* of stores: bit m, to the bytes m */
    uint8_t may[L1S];
};

/* The tables, and the states seen. */
struct sync_walk {
    struct transitions agent, home;
    struct sync_shape p;
    uint32_t most; /* states to step from; 0: all */
    bool unprobed; /* markers are acknowledged without probes */
    bool met[2][TABLE_STATES_MAX][TABLE_EVENTS_MAX];
    const char *wrong;
    struct space s;
};

/* Notes what is wrong; returns false.  In what follows, false means that a step cannot happen now
 * or that something is wrong. */
bool sync_wrong(struct sync_walk *k, const char *what);

/* The L1 sends the line's dirty bytes below. */
bool sync_evict_l1(struct sync_walk *k, struct l1_side *a, uint32_t line);

/* The head of the L1's S-FIFO leaves, where it may. */
bool sync_dequeue_l1(struct sync_walk *k, struct sync *s, uint32_t c);

/* The L1 replaces its copy. */
bool sync_replace_l1(struct sync_walk *k, struct l1_side *a, uint32_t line);

/* A load of those bytes. */
bool sync_load(struct sync_walk *k, struct sync *s, uint32_t c, uint32_t line, uint8_t asked);

/* A load with a hint, or an atomic: performed below. */
bool sync_go_round(struct sync_walk *k, struct sync *s, uint32_t c, uint32_t line, bool atomic,
                   uint8_t mark);

/* A store to those bytes; mark: it is the marked one. */
bool sync_store(struct sync_walk *k, struct sync *s, uint32_t c, uint32_t line, uint8_t mask,
                uint8_t mark);

/* The SM begins a release. */
bool sync_begin_release(struct sync_walk *k, struct sync *s, uint32_t c);

/* An acquire does nothing; its rows are looked up. */
bool sync_acquire(struct sync_walk *k, struct sync *s, uint32_t c, uint32_t line);

/* The answer to a fill arrives at the L1. */
bool sync_fill_l1(struct sync_walk *k, struct sync *s, uint32_t c, uint32_t line);

/* The L1 takes the first message from the slice. */
bool sync_take_down(struct sync_walk *k, struct sync *s, uint32_t c);

/* The slice sends the line's dirty bytes below. */
bool sync_evict_l2(struct sync_walk *k, struct sync *s, uint32_t line);

/* The slice replaces its copy. */
bool sync_replace_l2(struct sync_walk *k, struct sync *s, uint32_t line);

/* The head of the slice's S-FIFO leaves, where it may. */
bool sync_dequeue_l2(struct sync_walk *k, struct sync *s);

/* The slice takes the first message from the L1. */
bool sync_take_up(struct sync_walk *k, struct sync *s, uint32_t c);

/* Memory answers the slice's fetch. */
bool sync_fill_l2(struct sync_walk *k, struct sync *s, uint32_t line);
