/* protocol.h - coherence protocols as data: what an L1 (the agent) and the L2 (the home) do with a
 * block in each of its states.
 *
 * A protocol is two tables of rows "in this state, at this event: these actions, then that state".
 * One agent (l1_agent.h) and one home (l2_home.h) find the state of a block, look up the row and
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

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

/* States of a block in a cache without a directory. The agents of si have the first four;
 * QuickRelease's agents and homes, which have a write cache beside the read cache, have all. */
enum block_state {
    BLOCK_I,  /* invalid: neither cache has the block */
    BLOCK_IV, /* a fill is in flight and will be kept */
    BLOCK_II, /* a fill is in flight that serves its waiters and will not be kept */
    BLOCK_V,  /* valid: the read cache has it, and it is clean */
    BLOCK_D,  /* the write cache has bytes of it */
    BLOCK_W,  /* both have it: the read cache's tag has its written bit set */
    BLOCK_ID, /* as II, and the write cache has bytes of the block */
    BLOCK_STATES
};

enum agent_event {
    AGENT_LOAD,
    AGENT_LOAD_WRITTEN, /* all bytes that are asked for are in the write cache */
    AGENT_LOAD_ROUND,   /* with the hint GLC or SLC */
    AGENT_STORE_WHOLE,  /* all bytes of the block, without a hint, and a line is available */
    AGENT_STORE,        /* any other store */
    AGENT_ATOMIC,
    AGENT_FILL,
    AGENT_EVICT,   /* the block leaves the write cache: replaced, or its S-FIFO entry is dequeued */
    AGENT_REPLACE, /* the read cache takes its line */
    AGENT_INVALIDATE, /* the L2 says that the block has been written */
    AGENT_ACQUIRE,    /* an acquire, or the beginning of a kernel */
    AGENT_EVENTS
};

/* The homes of si. */
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
    HOME_READ_WRITTEN, /* all bytes of the block are in the write cache */
    HOME_WRITE,        /* with a write cache: dirty bytes come from an L1 */
    HOME_ATOMIC,
    HOME_READ_ROUND, /* with the hint SLC */
    HOME_WRITE_ROUND,
    HOME_FILL,  /* data arrive from memory */
    HOME_EVICT, /* the block leaves the write cache */
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

/* How an access asks for its block. */
enum access_form {
    FORM_PLAIN,
    FORM_ROUND, /* with a hint to bypass the cache */
    FORM_FULL, /* without a hint: a read of bytes that are all in the write cache, or a store of all
                  bytes of its block */
    FORM_N
};

struct table {
    const char *const *state, *const *event; /* names, [states], [events]; an event without a name
                                                does not exist */
    uint32_t states, events;
    const struct row *row;
    uint32_t n;
    bool sparse;               /* a pair without a row cannot occur */
    uint8_t access[3][FORM_N]; /* the event of an access, by enum access_kind and access_form */
};

struct protocol {
    const char *name;
    struct table agent, home;
    bool directory;  /* a directory protocol: states and events are enum owner_* and dir_* of
                        moesi_states.h */
    bool sync_fifos; /* write caches with S-FIFOs beside the read caches */
    bool writers; /* stores invalidate no other copy; hints, acquires and releases have effects */
};

/* protocol_table[PROTOCOL_NONE] is NULL. */
extern const struct protocol protocol_si, protocol_moesi, protocol_nmoesi, protocol_quickrelease;
extern const struct protocol *const protocol_table[PROTOCOL_N];

enum { TABLE_STATES_MAX = 16, TABLE_EVENTS_MAX = 16 };

/* A compiled table, indexed by state and event. */
struct transitions {
    struct row at[TABLE_STATES_MAX][TABLE_EVENTS_MAX];
    uint8_t access[3][FORM_N];
};

/* Precondition: the pair can occur. */
static inline const struct row *transitions_row(const struct transitions *t, uint32_t state,
                                                uint32_t event)
{
    const struct row *row = &t->at[state][event];
    assert(!(row->action & DO_NEVER) && "the table has a row for it");
    return row;
}

/* The event of an access. full: see FORM_FULL; it counts only without the hint. */
static inline uint32_t transitions_event(const struct transitions *t, enum access_kind kind,
                                         bool round, bool full)
{
    return t->access[kind][round ? FORM_ROUND : full ? FORM_FULL : FORM_PLAIN];
}

/* false: `why` names the first pair without a row or with two, or an unreachable state. */
bool transitions_compile(struct transitions *t, const struct table *from, struct text *why);

/* The compiled protocol of one simulation. */
struct coherence {
    const struct protocol *protocol; /* NULL: no protocol; the other fields are then empty */
    struct transitions agent, home;
};
bool coherence_init(struct coherence *c, enum protocol_kind kind);
