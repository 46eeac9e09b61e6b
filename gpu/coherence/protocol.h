/* protocol.h - coherence protocols as data: what an L1 (the agent) and the L2 (the home) do with a
 * block in each of its states.
 *
 * A protocol is two tables of rows "in this state, at this event: these actions, then that state".
 * The engines (l1_two_state.h, l2_two_state.h) find the state in the cache, look up the row and
 * carry out its actions; they decide nothing else. A table has one row for each pair of state and
 * event, impossible pairs included, so that a reader can check it against its source;
 * transitions_compile refuses a table in which a pair is missing or occurs twice. Sparse tables
 * omit impossible pairs.
 *
 * The block of a table is a sector of the cache (the line where it is not sectored). */
#pragma once

#include "base/text/text.h"
#include "gpu/cache/cache.h"
#include "gpu/machine/params/coherence/coherence.h"

#include <stdbool.h>
#include <stdint.h>

enum agent_state {
    AGENT_I,  /* invalid */
    AGENT_IV, /* a fill is in flight and will be kept */
    AGENT_II, /* a fill is in flight that serves its waiters and will not be kept */
    AGENT_V,  /* valid */
    AGENT_STATES
};

enum agent_event {
    AGENT_LOAD,
    AGENT_LOAD_ROUND,  /* with the hint GLC or SLC */
    AGENT_STORE_WHOLE, /* all bytes of the block, without a hint, and a line is available */
    AGENT_STORE_PART,  /* any other store */
    AGENT_ATOMIC,
    AGENT_FILL,
    AGENT_REPLACE,
    AGENT_ACQUIRE, /* an acquire, or the beginning of a kernel */
    AGENT_EVENTS
};

enum home_state {
    HOME_I,
    HOME_F, /* in transit: miss management handles it */
    HOME_V, /* valid and equal to memory */
    HOME_D, /* newer than memory, in whole or in the bytes of its mask */
    HOME_R, /* a read that bypasses the L2 is in flight */
    HOME_STATES
};

enum home_event {
    HOME_READ,
    HOME_WRITE,
    HOME_ATOMIC,
    HOME_READ_ROUND, /* with the hint SLC */
    HOME_WRITE_ROUND,
    HOME_FILL, /* data arrive from memory */
    HOME_REPLACE,
    HOME_EVENTS
};

/* The actions of both tables, as bits since a row may have several; they are carried out in this
 * order. */
enum action {
    DO_NOTHING = 0,
    DO_NEVER = 1 << 0,   /* the pair cannot occur */
    DO_WAIT = 1 << 1,    /* the access stays where it is and is retried */
    DO_DISCARD = 1 << 2, /* agent: the fill in flight will not be kept */
    DO_CLEAN = 1 << 3,   /* dirty bytes are written to memory; with S-FIFOs: to the level below */
    DO_DROP = 1 << 4,    /* the block is removed from the cache */
    DO_LOOK_UP = 1 << 5, /* home: tags, byte masks and miss management as in any cache */
    DO_HIT = 1 << 6,     /* the access hits */
    DO_JOIN = 1 << 7,    /* the access waits for the request in flight */
    DO_FETCH = 1 << 8,   /* agent: read from the home */
    DO_INSTALL = 1 << 9, /* the bytes are also kept in the L1; with S-FIFOs: in the write cache */
    DO_WRITE = 1 << 10,  /* agent: the bytes are sent to the home with their mask */
    DO_ROUND =
        1 << 11, /* agent: the access is performed at the home, whose reply goes to the warp */
    DO_MEMORY = 1 << 12, /* home: the access goes on to memory */
    DO_KEEP = 1 << 13,   /* agent: the fill is kept */
    DO_ANSWER = 1 << 14, /* the data go to all waiters; home: the request is acknowledged */
    /* directory protocols, agent */
    DO_FETCH_OWN = 1 << 15, /* read to own: no other copy remains */
    DO_FETCH_N = 1 << 16,   /* read for n-stores, which invalidate no other copy */
    DO_UPGRADE = 1 << 17,   /* the L1's copy becomes the only one */
    DO_UPGRADE_N = 1 << 18, /* the L1's copy becomes an N copy */
    DO_PUT = 1 << 19,       /* the block is evicted and the home informed, with the dirty bytes */
    DO_REPLY = 1 << 20,     /* the agent answers the home's probe */
    DO_SUPPLY = 1 << 21,    /* the agent answers the home's probe with the dirty bytes */
    /* directory protocols, home; DO_SUPPLY: the owner's data go to the requester */
    DO_NACK = 1 << 22,       /* the request is rejected and will be retried */
    DO_SHARE = 1 << 23,      /* probe: the owner supplies its data */
    DO_HAVE_CLEAN = 1 << 24, /* probe: the owner supplies its data and gives up ownership */
    DO_INVALIDATE = 1 << 25, /* probe: all copies but the requester's are invalidated; with
                                S-FIFOs: those of all L1s */
    DO_HOLD = 1 << 26,       /* the owner's data are held for the requester */
    DO_MERGE = 1 << 27,      /* dirty bytes are merged into the L2's copy */
    DO_DEMOTE = 1 << 28,     /* the directory records the owner as a sharer */
    DO_GRANT = 1 << 29,      /* the requester may proceed with the copy it has */
    DO_REMOVE = 1 << 30      /* the directory removes the requester's copy */
};
enum { ACTIONS = 31 };

struct row {
    uint8_t state, event;
    uint32_t action;
    uint8_t next; /* the state after the actions */
};

struct table {
    const char *const *state, *const *event; /* names, [states], [events] */
    uint32_t states, events;
    const struct row *row;
    uint32_t n;
    bool sparse; /* a pair without a row cannot occur */
};

struct protocol {
    const char *name;
    struct table agent, home;
    bool directory;  /* a directory protocol: states and events are enum owner_* and dir_* of
                        moesi_states.h */
    bool sync_fifos; /* write caches with S-FIFOs beside the read caches; states and events are enum
                        sync_* of quickrelease_states.h */
    bool writers; /* stores invalidate no other copy; hints, acquires and releases have effects */
};

/* protocol_table[PROTOCOL_NONE] is NULL. */
extern const struct protocol protocol_si, protocol_moesi, protocol_nmoesi, protocol_quickrelease;
extern const struct protocol *const protocol_table[PROTOCOL_N];

enum { TABLE_STATES_MAX = 16, TABLE_EVENTS_MAX = 16 };

/* A compiled table, indexed by state and event. */
struct transitions {
    struct row at[TABLE_STATES_MAX][TABLE_EVENTS_MAX];
};

/* false: `why` names the first pair without a row or with two, or an unreachable state. */
bool transitions_compile(struct transitions *t, const struct table *from, struct text *why);

/* The compiled protocol of one simulation. */
struct coherence {
    const struct protocol *protocol; /* NULL: no protocol; the other fields are then empty */
    struct transitions agent, home;
};
bool coherence_init(struct coherence *c, enum protocol_kind kind);

/* The agent's event for an access. round: it has a hint to bypass; whole: it covers all bytes of
 * its block. */
enum agent_event agent_event_of(enum access_kind kind, bool round, bool whole);
