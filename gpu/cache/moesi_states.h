/* moesi_states.h - states and events of the protocols with a directory (MOESI, NMOESI).
 *
 * A block is a line of the L1s, which is a line of the L2, too.  An agent has at most one request
 * of a block at the home; the home locks the block's directory entry from the request until its
 * answer has left, and sends back (NACK) what finds it locked.  Between an agent and a home
 * messages keep their order, each way. */
#ifndef PLUMB_GPU_CACHE_MOESI_STATES_H
#define PLUMB_GPU_CACHE_MOESI_STATES_H

enum owner_state {
    OWN_I,  /* not here */
    OWN_S,  /* others may have it, too */
    OWN_E,  /* the only copy, as in the L2 */
    OWN_O,  /* newer than the L2; others may have it, too */
    OWN_M,  /* the only copy, newer than the L2 */
    OWN_N,  /* stored to beside others: the bytes stored are newer than the L2 */
    OWN_IS, /* a read is in flight */
    OWN_II, /* the same, and an acquire has come: not kept unless it is the only copy */
    OWN_IM, /* a read to own is in flight */
    OWN_SM, /* an upgrade from S is in flight: the data are here */
    OWN_OM, /* an upgrade from O is in flight: the data are here */
    OWN_IN, /* a read for n-stores is in flight */
    OWN_SN, /* an upgrade to N is in flight: the data are here */
    OWN_NI, /* IN or SN, to be put as soon as it is there */
    OWN_P,  /* put: its dirty bytes wait for the home's word */
    OWN_PI, /* put, and the home has had its dirty bytes by another way */
    OWN_STATES
};

enum owner_event {
    OWN_LOAD,
    OWN_LOAD_GLC, /* with the hint GLC or SLC */
    OWN_STORE,
    OWN_STORE_GLC,
    OWN_ATOMIC,
    OWN_GRANT_S, /* the home's answers */
    OWN_GRANT_E,
    OWN_GRANT_M,
    OWN_GRANT_N,
    OWN_GONE, /* to a put */
    OWN_REPLACE,
    OWN_SHARE, /* the home's questions */
    OWN_CLEAN,
    OWN_INVALIDATE,
    OWN_ACQUIRE, /* acquire, or a kernel begins */
    OWN_RELEASE,
    OWN_EVENTS
};

/* What the directory knows of a block, or what its transaction waits for. */
enum dir_state {
    DIR_I,  /* no copies */
    DIR_S,  /* copies without an owner */
    DIR_X,  /* an owner alone: E or M */
    DIR_O,  /* an owner and others */
    DIR_WS, /* a read waits for the owner's word */
    DIR_WX, /* a read to own waits until all copies have left */
    DIR_WU, /* an upgrade does */
    DIR_WN, /* a read for n-stores waits for the owner's word */
    DIR_WC, /* an upgrade to N does */
    DIR_FE, /* the L2's data are looked up for a read: the only copy */
    DIR_FS, /* the same: one of several copies */
    DIR_FM, /* for a read to own */
    DIR_FP, /* what was put is written to the L2 */
    DIR_R,  /* the line leaves the L2 when all copies have left */
    DIR_STATES
};

enum dir_event {
    DIR_READ,
    DIR_READ_OWN,
    DIR_UPGRADE, /* with NMOESI only the owner's; others' are reads to own */
    DIR_READ_N,
    DIR_UPGRADE_N, /* of one that has a copy; others' are reads for n-stores */
    DIR_PUT,       /* the owner puts a dirty block */
    DIR_MERGE,     /* one with a copy puts the bytes that it has stored */
    DIR_LEAVE,     /* one with a copy puts it, clean */
    DIR_STALE,     /* one without puts what it has lost in the meantime */
    DIR_DATA,      /* an answer: the owner's dirty block */
    DIR_BYTES,     /* an answer: an n-writer's bytes */
    DIR_DONE,      /* all answers are there; none held */
    DIR_DONE_HELD, /* all answers are there, and the owner's data */
    DIR_SERVED,    /* the L2 has answered */
    DIR_REPLACE,   /* the line is to leave an inclusive L2 */
    DIR_EVENTS
};

extern const char *const owner_states[OWN_STATES], *const owner_events[OWN_EVENTS];
extern const char *const dir_states[DIR_STATES], *const dir_events[DIR_EVENTS];

/* Rows of tables: state, event, actions, next state. */
#define OWN(state, event, action, next)              \
    {                                                \
        OWN_##state, OWN_##event, action, OWN_##next \
    }
#define DIR(state, event, action, next)              \
    {                                                \
        DIR_##state, DIR_##event, action, DIR_##next \
    }
/* Who finds the entry locked is sent back; its line does not go. */
#define DIR_LOCKED(state)                                                   \
    DIR(state, READ, DO_NACK, state), DIR(state, READ_OWN, DO_NACK, state), \
        DIR(state, STALE, DO_NACK, state), DIR(state, REPLACE, DO_WAIT, state)

#endif
