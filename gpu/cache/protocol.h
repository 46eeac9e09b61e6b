/* protocol.h - coherence protocols as data: what an L1 (the agent) and the L2 (the home) do with a
 * block in each of its states.
 *
 * A protocol is two tables of rows "in this state, at this event: these actions, then that state".
 * The engines (l1_two_state.h, l2_two_state.h) find the state in the cache, look the row up and
 * carry its actions out; they decide nothing else. A table has one row for each pair of state and
 * event, impossible pairs included, so that a reader can check it against its source, and
 * transitions_compile refuses a table in which one is missing or comes twice; sparse tables leave
 * impossible pairs out.
 *
 * The block of a table is a sector of the cache (the line where it is not sectored). */
#ifndef PLUMB_GPU_CACHE_PROTOCOL_H
#define PLUMB_GPU_CACHE_PROTOCOL_H

#include "base/text/text.h"
#include "gpu/cache/cache.h"
#include "gpu/machine/params/coherence.h"

#include <stdbool.h>
#include <stdint.h>

enum agent_state {
    AGENT_I,  /* not here */
    AGENT_IV, /* a fill is in flight, to be kept */
    AGENT_II, /* a fill is in flight that serves who waits for it and is not kept */
    AGENT_V,  /* valid */
    AGENT_STATES
};

enum agent_event {
    AGENT_LOAD,
    AGENT_LOAD_ROUND,  /* with the hint GLC or SLC */
    AGENT_STORE_WHOLE, /* all bytes of the block, no hint, and a line for it is to be had */
    AGENT_STORE_PART,  /* any other store */
    AGENT_ATOMIC,
    AGENT_FILL,
    AGENT_REPLACE,
    AGENT_ACQUIRE, /* acquire, or a kernel begins */
    AGENT_EVENTS
};

enum home_state {
    HOME_I,
    HOME_F, /* on its way in or out: miss management has it */
    HOME_V, /* valid, as in memory */
    HOME_D, /* newer than memory, whole or by its byte mask */
    HOME_R, /* a read that goes round the L2 is in flight */
    HOME_STATES
};

enum home_event {
    HOME_READ,
    HOME_WRITE,
    HOME_ATOMIC,
    HOME_READ_ROUND, /* with the hint SLC */
    HOME_WRITE_ROUND,
    HOME_FILL, /* data come from memory */
    HOME_REPLACE,
    HOME_EVENTS
};

/* Actions of both tables: bits, so that a row may have several; they are carried out in this order.
 */
enum action {
    DO_NOTHING = 0,
    DO_NEVER = 1 << 0,   /* the pair cannot be met */
    DO_WAIT = 1 << 1,    /* the access stays where it is and comes again */
    DO_DISCARD = 1 << 2, /* agent: the fill in flight is not to be kept */
    DO_CLEAN = 1 << 3,   /* home: dirty bytes are written to memory */
    DO_DROP = 1 << 4,    /* the block leaves the cache */
    DO_LOOK_UP = 1 << 5, /* home: tags, byte masks and miss management as in any cache */
    DO_HIT = 1 << 6,     /* agent */
    DO_JOIN = 1 << 7,    /* it waits for the read in flight */
    DO_FETCH = 1 << 8,   /* agent: read from the home */
    DO_INSTALL = 1 << 9, /* agent: the bytes stay here, too */
    DO_WRITE = 1 << 10,  /* agent: the bytes go to the home, by their mask */
    DO_ROUND = 1 << 11,  /* agent: the access itself goes to the home, its answer to the warp */
    DO_MEMORY = 1 << 12, /* home: the access goes on to memory */
    DO_KEEP = 1 << 13,   /* agent: the fill becomes a copy */
    DO_ANSWER = 1 << 14, /* the data go to all who wait; home: the request is acknowledged */
    /* with a directory: the agent */
    DO_FETCH_OWN = 1 << 15, /* read, to be the only copy */
    DO_FETCH_N = 1 << 16,   /* read, for stores that leave other copies alone */
    DO_UPGRADE = 1 << 17,   /* the copy here is to be the only one */
    DO_UPGRADE_N = 1 << 18, /* the copy here is to be stored to beside others */
    DO_PUT = 1 << 19,       /* the block leaves, and the home is told; dirty bytes go with it */
    DO_REPLY = 1 << 20,     /* the home's question is answered */
    DO_SUPPLY = 1 << 21,    /* the same, with the dirty bytes */
    /* the home; DO_SUPPLY: an owner's data go to who asked */
    DO_NACK = 1 << 22,       /* sent back, to come again */
    DO_SHARE = 1 << 23,      /* the owner is asked for its data */
    DO_HAVE_CLEAN = 1 << 24, /* the owner is asked for its data and owns no more */
    DO_INVALIDATE = 1 << 25, /* all copies but that of who asks are to leave */
    DO_HOLD = 1 << 26,       /* the owner's data are kept for who asked */
    DO_MERGE = 1 << 27,      /* dirty bytes go into the L2's copy */
    DO_DEMOTE = 1 << 28,     /* the owner has an ordinary copy from now on */
    DO_GRANT = 1 << 29,      /* who asked may go ahead with the copy it has */
    DO_REMOVE = 1 << 30      /* who asked has no copy any more */
};
enum { ACTIONS = 31 };

struct row {
    uint8_t state, event;
    uint32_t action;
    uint8_t next; /* when the actions are done */
};

struct table {
    const char *const *state, *const *event; /* names, [states], [events] */
    uint32_t states, events;
    const struct row *row;
    uint32_t n;
    bool sparse; /* a pair without a row cannot be met */
};

struct protocol {
    const char *name;
    struct table agent, home;
    bool directory; /* works by moesi_states.h: states and events are those of enum owner_* and
                       dir_* */
    bool writers; /* stores leave other copies alone; hints, acquires and releases mean something */
};

/* protocol_table[PROTOCOL_NONE] is NULL. */
extern const struct protocol protocol_si, protocol_moesi, protocol_nmoesi;
extern const struct protocol *const protocol_table[PROTOCOL_N];

enum { TABLE_STATES_MAX = 16, TABLE_EVENTS_MAX = 16 };

/* A table by state and event. */
struct transitions {
    struct row at[TABLE_STATES_MAX][TABLE_EVENTS_MAX];
};

/* false: `why` names the first pair that has no row or two, or a state that no row leads to. */
bool transitions_compile(struct transitions *t, const struct table *from, struct text *why);

/* What the L1s and the L2 of one simulation work by. */
struct coherence {
    const struct protocol *protocol; /* NULL: none, and the rest is empty */
    struct transitions agent, home;
};
bool coherence_init(struct coherence *c, enum protocol_kind kind);

/* The actions' names, joined by ", ". */
void protocol_action_text(uint32_t action, struct text *out);

/* An access as the agent sees it: with a hint that it goes round, of all bytes of its block. */
enum agent_event agent_event_of(enum access_kind kind, bool round, bool whole);

#endif
