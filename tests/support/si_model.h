/* si_model.h - what the tables of SI mean, told a second time and without the simulation: two L1s,
 * an L2 and memory, one or two lines, for si_walk.h.
 *
 * Each L1's requests take one queue, in order; a request that must wait keeps its place.  What the
 * L2 answers an L1 comes at any time, and memory, too.
 *
 * Values: a line has two bytes, and the first of line 0 is followed.  At some point one store or
 * atomic to it, any, is marked; the value of the byte at a place is "since the mark", "before it",
 * or, in the L1 of who stored it, "mine" as long as the store is on its way.  No step depends on a
 * value and any store may be the marked one, so that this finds what following all values does.
 *
 * Checked in every state: who needs it is served the value since the mark: the SM that stored it,
 * one that acquired after it had been performed, and one that has been served it before; atomics
 * are served the value before them; the L2 (memory, where the L2 lacks the byte) has exactly what
 * was performed, so that no store is lost or comes back; whoever waits has a message under way; the
 * state after a row is the table's. */
#pragma once

#include "base/memory/alloc.h"
#include "gpu/coherence/protocol.h"
#include "tests/support/protocol_space.h"

enum { L1S = 2, LINES = 2, QUEUE = 2, WAITERS = L1S * QUEUE };

enum { FIRST = 1, WHOLE = 3 }; /* bytes of a line */

enum { DONE = L1S + 1 };

enum value { BEFORE, SINCE, MINE };

/* A request of an L1. */
struct msg {
    uint8_t kind; /* enum home_event + 1; 0: none */
    uint8_t l1, line;
    uint8_t mask; /* of a store */
    uint8_t fill; /* a load that waits in the L1's MSHR */
    uint8_t need, mark;
};

/* A line in an L1. */
struct cache_block {
    uint8_t valid, value;
    uint8_t fetch, killed, need; /* a fill is in flight: not to be kept, what its loads need */
    uint8_t answer;              /* 1 + value, under way */
};

/* A line in the L2 and memory. */
struct home {
    uint8_t valid, dirty; /* bytes */
    uint8_t value, memory;
    uint8_t fetch, fetched;
    struct msg wait[WAITERS];
};

/* A state. */
struct si {
    struct cache_block block[L1S][LINES];
    struct msg queue[L1S][QUEUE];
    struct home home[LINES];
    uint8_t need[L1S]; /* loads to come must be served the marked value */
    uint8_t marked;    /* 1 + by whom, until it is performed: DONE */
    uint8_t owed[L1S]; /* requests that have not been performed */
    uint8_t performed; /* the marked value is the L2's */
};

/* The tables, how much room there is, and the states seen. */
struct si_walk {
    struct transitions agent, home;
    uint32_t lines;
    uint8_t depth[L1S];  /* messages of an L1 under way to the home */
    bool one_frame;      /* an L1 has room for one line */
    bool fetch_on_write; /* of the L2 */
    bool values;         /* a store is marked */
    uint32_t most;       /* states to step from; 0: all */
    bool met[2][TABLE_STATES_MAX][TABLE_EVENTS_MAX];
    const char *wrong;
    struct space s;
};

/* Notes what is wrong; returns false.  In what follows, false means that a step cannot happen now
 * or that something is wrong. */
bool si_wrong(struct si_walk *k, const char *what);

/* Messages of an L1 that have not been performed: all, loads for a fill of one line, the marked. */
struct si_on_way {
    uint32_t all, fills[LINES], marked, stores;
};

struct si_on_way si_on_way(const struct si *s, uint32_t c);

/* An access of the L1 m.l1; m: what it sends if it sends anything. */
bool si_access(struct si_walk *k, struct si *s, enum agent_event event, struct msg m);

/* The answer to a fill arrives at the L1. */
bool si_fill_l1(struct si_walk *k, struct si *s, uint32_t c, uint32_t line);

/* The SM's acquire. */
bool si_acquire(struct si_walk *k, struct si *s, uint32_t c);

/* The L1 replaces its copy. */
bool si_replace_l1(struct si_walk *k, struct si *s, uint32_t c, uint32_t line);

/* The first request of the L1 arrives at the home. */
bool si_take_request(struct si_walk *k, struct si *s, uint32_t c);

/* Memory answers a fetch. */
bool si_fill_l2(struct si_walk *k, struct si *s, uint32_t line);

/* The L2 replaces the line. */
bool si_leave_l2(struct si_walk *k, struct si *s, uint32_t line);
