/* moesi_states.h - states and events of the directory protocols (MOESI, NMOESI). A block is a line
 * of the L1s, which is also a line of the L2.
 *
 * An agent has at most one request per block at the home. The home locks the block's directory
 * entry from the request until it has sent its reply, and rejects (NACK) requests that find the
 * entry locked. Messages between an agent and a home stay in order in each direction. */
#pragma once

#include <stdint.h>

enum owner_state {
    OWN_I, /* invalid */
    OWN_S, /* shared: other L1s may have copies */
    OWN_E, /* exclusive: the only copy, equal to the L2's */
    OWN_O, /* owned: newer than the L2; other L1s may have copies */
    OWN_M, /* modified: the only copy, newer than the L2 */
    OWN_N, /* stored to while other L1s may have copies: the stored bytes are newer than the L2's */
    OWN_IS, /* a read is in flight */
    OWN_II, /* a read is in flight, and an acquire has occurred: the block is kept only if it is the
               only copy */
    OWN_IM, /* a read to own is in flight */
    OWN_SM, /* an upgrade from S is in flight; the data are present */
    OWN_OM, /* an upgrade from O is in flight; the data are present */
    OWN_IN, /* a read for n-stores is in flight */
    OWN_SN, /* an upgrade to N is in flight; the data are present */
    OWN_NI, /* IN or SN, to be put as soon as the request completes */
    OWN_P,  /* put: the L1 holds the dirty bytes until the home's reply */
    OWN_PI, /* put, and a probe has already given the dirty bytes to the home */
    OWN_STATES
};

enum owner_event {
    OWN_LOAD,
    OWN_LOAD_GLC, /* with the hint GLC or SLC */
    OWN_STORE,
    OWN_STORE_GLC,
    OWN_ATOMIC,
    OWN_GRANT_S, /* replies of the home */
    OWN_GRANT_E,
    OWN_GRANT_M,
    OWN_GRANT_N,
    OWN_GONE, /* reply to a put */
    OWN_REPLACE,
    OWN_SHARE, /* probes of the home */
    OWN_CLEAN,
    OWN_INVALIDATE,
    OWN_ACQUIRE, /* acquire, or a kernel begins */
    OWN_RELEASE,
    OWN_EVENTS
};

/* What the directory knows of a block, or what its current transaction waits for. */
enum dir_state {
    DIR_I,  /* no copies */
    DIR_S,  /* copies without an owner */
    DIR_X,  /* one copy, its owner's: E or M */
    DIR_O,  /* an owner and other copies */
    DIR_WS, /* a read waits for the owner's answer */
    DIR_WX, /* a read to own waits until all copies are invalidated */
    DIR_WU, /* an upgrade waits until all copies are invalidated */
    DIR_WN, /* a read for n-stores waits for the owner's answer */
    DIR_WC, /* an upgrade to N waits for the owner's answer */
    DIR_FE, /* the L2 is accessed for a read that gets the only copy */
    DIR_FS, /* the L2 is accessed for a read that gets one of several copies */
    DIR_FM, /* the L2 is accessed for a read to own */
    DIR_FP, /* the data of a put are written to the L2 */
    DIR_R,  /* the L2 evicts the line when all copies are invalidated */
    DIR_STATES
};

enum dir_event {
    DIR_READ,
    DIR_READ_OWN,
    DIR_UPGRADE, /* with NMOESI only from the owner; other L1s send a read to own */
    DIR_READ_N,
    DIR_UPGRADE_N, /* from an L1 with a copy; other L1s send a read for n-stores */
    DIR_PUT,       /* the owner puts a dirty block */
    DIR_MERGE,     /* an L1 with a copy puts the bytes that it has stored */
    DIR_LEAVE,     /* an L1 puts a clean copy */
    DIR_STALE,     /* an L1 puts a copy that it has lost in the meantime */
    DIR_DATA,      /* answer to a probe: the owner's dirty block */
    DIR_BYTES,     /* answer to a probe: an n-writer's bytes */
    DIR_DONE,      /* all answers have arrived, without an owner's data */
    DIR_DONE_HELD, /* all answers have arrived, with the owner's data */
    DIR_SERVED,    /* the L2's access is complete */
    DIR_REPLACE,   /* an inclusive L2 wants to evict the line */
    DIR_EVENTS
};

extern const char *const owner_states[OWN_STATES], *const owner_events[OWN_EVENTS];
extern const char *const dir_states[DIR_STATES], *const dir_events[DIR_EVENTS];

/* The request that an agent sends for a row with these actions. */
enum dir_event moesi_request_of(uint32_t action);

/* Rows of tables: state, event, actions, next state. */
#define OWN(state, event, action, next)              \
    {                                                \
        OWN_##state, OWN_##event, action, OWN_##next \
    }
#define DIR(state, event, action, next)              \
    {                                                \
        DIR_##state, DIR_##event, action, DIR_##next \
    }
/* Rows of a locked entry: requests are rejected, and the line cannot be evicted. */
#define DIR_LOCKED(state)                                                   \
    DIR(state, READ, DO_NACK, state), DIR(state, READ_OWN, DO_NACK, state), \
        DIR(state, STALE, DO_NACK, state), DIR(state, REPLACE, DO_WAIT, state)
