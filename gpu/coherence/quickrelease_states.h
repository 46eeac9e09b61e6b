/* quickrelease_states.h - states and events of QuickRelease's split caches (quickrelease.c). A
 * block is a line; the write cache beside a read cache has its dirty bytes. */
#pragma once

/* Both levels have the same states. */
enum sync_state {
    SYNC_I,  /* neither cache has the block */
    SYNC_V,  /* the read cache has it, and it is clean */
    SYNC_D,  /* the write cache has bytes of it */
    SYNC_W,  /* both: the read cache's tag has its written bit set */
    SYNC_IV, /* a fill is in flight and will be kept */
    SYNC_II, /* a fill is in flight that serves its waiters and will not be kept */
    SYNC_ID, /* likewise, and the write cache has bytes of the block */
    SYNC_STATES
};

enum sync_agent_event {
    SYNC_LOAD,
    SYNC_LOAD_WRITTEN, /* all bytes that are asked for are in the write cache */
    SYNC_LOAD_ROUND,   /* with the hint GLC or SLC */
    SYNC_STORE,
    SYNC_ATOMIC,
    SYNC_FILL,
    SYNC_EVICT,   /* the block leaves the write cache: replaced, or its S-FIFO entry is dequeued */
    SYNC_REPLACE, /* the read cache takes its line */
    SYNC_INVALIDATE, /* the L2 says that the block has been written */
    SYNC_ACQUIRE,
    SYNC_AGENT_EVENTS
};

enum sync_home_event {
    SYNC_READ,
    SYNC_READ_WRITTEN, /* all bytes of the block are in the write cache */
    SYNC_WRITE,        /* dirty bytes come from an L1 */
    SYNC_HOME_ATOMIC,
    SYNC_HOME_FILL,
    SYNC_HOME_EVICT,
    SYNC_HOME_REPLACE,
    SYNC_HOME_EVENTS
};
