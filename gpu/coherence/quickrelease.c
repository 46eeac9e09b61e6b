/* quickrelease.c - QuickRelease (Hechtman et al. 2014, section 3): read caches that are never
 * dirty, write-combining caches beside them, and S-FIFOs that order the writes before a release.
 *
 * A store goes to the write cache without a fetch, without permission, and is never acknowledged.
 * Dirty bytes leave to the level below when the write cache replaces their line, when their S-FIFO
 * entry is dequeued, or ahead of a read that needs other bytes of the block, too; the read cache
 * beside then drops its copy, and the L2 tells all L1s to drop theirs (3.1.1, 3.1.2). An acquire
 * does nothing: all old copies are gone when the release before it is over (3.1.3).
 *
 * Our choices where the paper is silent: a fill that a store or an invalidation meets serves those
 * who wait for it and is not kept, and later loads wait until it is over; a load with GLC asks the
 * L2; an atomic takes the dirty bytes of its block along, and invalidates copies as a write does.
 */
#include "gpu/coherence/protocol.h"

#define COUNT(a) ((uint32_t)(sizeof(a) / sizeof *(a)))
#define AGENT(state, event, action, next)                  \
    {                                                      \
        BLOCK_##state, AGENT_##event, action, BLOCK_##next \
    }
#define HOME(state, event, action, next)                  \
    {                                                     \
        BLOCK_##state, HOME_##event, action, BLOCK_##next \
    }

static const char *const states[BLOCK_STATES] = {"I", "IV", "II", "V", "D", "W", "ID"};
static const char *const agent_events[AGENT_EVENTS] = {[AGENT_LOAD] = "load",
                                                       [AGENT_LOAD_WRITTEN] = "load written",
                                                       [AGENT_LOAD_ROUND] = "load GLC/SLC",
                                                       [AGENT_STORE] = "store",
                                                       [AGENT_ATOMIC] = "atomic",
                                                       [AGENT_FILL] = "fill",
                                                       [AGENT_EVICT] = "evict",
                                                       [AGENT_REPLACE] = "replace",
                                                       [AGENT_INVALIDATE] = "invalidate",
                                                       [AGENT_ACQUIRE] = "acquire"};

static const struct row agent[] = {
    AGENT(I, LOAD, DO_FETCH, IV),
    AGENT(I, LOAD_WRITTEN, DO_NEVER, I),
    AGENT(I, LOAD_ROUND, DO_ROUND, I),
    AGENT(I, STORE, DO_INSTALL, D),
    AGENT(I, ATOMIC, DO_ROUND, I),
    AGENT(I, FILL, DO_NEVER, I),
    AGENT(I, EVICT, DO_NEVER, I),
    AGENT(I, REPLACE, DO_NEVER, I),
    AGENT(I, INVALIDATE, DO_NOTHING, I),
    AGENT(I, ACQUIRE, DO_NOTHING, I),

    AGENT(V, LOAD, DO_HIT, V),
    AGENT(V, LOAD_WRITTEN, DO_NEVER, V),
    AGENT(V, LOAD_ROUND, DO_DROP | DO_ROUND, I),
    AGENT(V, STORE, DO_INSTALL, W),
    AGENT(V, ATOMIC, DO_DROP | DO_ROUND, I),
    AGENT(V, FILL, DO_NEVER, V),
    AGENT(V, EVICT, DO_NEVER, V),
    AGENT(V, REPLACE, DO_NOTHING, I),
    AGENT(V, INVALIDATE, DO_DROP, I),
    AGENT(V, ACQUIRE, DO_NOTHING, V),

    AGENT(D, LOAD, DO_CLEAN | DO_FETCH, IV),
    AGENT(D, LOAD_WRITTEN, DO_HIT, D),
    AGENT(D, LOAD_ROUND, DO_CLEAN | DO_ROUND, I),
    AGENT(D, STORE, DO_INSTALL, D),
    AGENT(D, ATOMIC, DO_CLEAN | DO_ROUND, I),
    AGENT(D, FILL, DO_NEVER, D),
    AGENT(D, EVICT, DO_CLEAN, I),
    AGENT(D, REPLACE, DO_NEVER, D),
    AGENT(D, INVALIDATE, DO_NOTHING, D),
    AGENT(D, ACQUIRE, DO_NOTHING, D),

    AGENT(W, LOAD, DO_CLEAN | DO_DROP | DO_FETCH, IV),
    AGENT(W, LOAD_WRITTEN, DO_HIT, W),
    AGENT(W, LOAD_ROUND, DO_CLEAN | DO_DROP | DO_ROUND, I),
    AGENT(W, STORE, DO_INSTALL, W),
    AGENT(W, ATOMIC, DO_CLEAN | DO_DROP | DO_ROUND, I),
    AGENT(W, FILL, DO_NEVER, W),
    AGENT(W, EVICT, DO_CLEAN | DO_DROP, I),
    AGENT(W, REPLACE, DO_NOTHING, D),
    AGENT(W, INVALIDATE, DO_DROP, D),
    AGENT(W, ACQUIRE, DO_NOTHING, W),

    AGENT(IV, LOAD, DO_JOIN, IV),
    AGENT(IV, LOAD_WRITTEN, DO_NEVER, IV),
    AGENT(IV, LOAD_ROUND, DO_DISCARD | DO_ROUND, II),
    AGENT(IV, STORE, DO_DISCARD | DO_INSTALL, ID),
    AGENT(IV, ATOMIC, DO_DISCARD | DO_ROUND, II),
    AGENT(IV, FILL, DO_KEEP | DO_ANSWER, V),
    AGENT(IV, EVICT, DO_NEVER, IV),
    AGENT(IV, REPLACE, DO_NEVER, IV),
    AGENT(IV, INVALIDATE, DO_DISCARD, II),
    AGENT(IV, ACQUIRE, DO_NOTHING, IV),

    AGENT(II, LOAD, DO_WAIT, II),
    AGENT(II, LOAD_WRITTEN, DO_NEVER, II),
    AGENT(II, LOAD_ROUND, DO_ROUND, II),
    AGENT(II, STORE, DO_INSTALL, ID),
    AGENT(II, ATOMIC, DO_ROUND, II),
    AGENT(II, FILL, DO_ANSWER, I),
    AGENT(II, EVICT, DO_NEVER, II),
    AGENT(II, REPLACE, DO_NEVER, II),
    AGENT(II, INVALIDATE, DO_NOTHING, II),
    AGENT(II, ACQUIRE, DO_NOTHING, II),

    AGENT(ID, LOAD, DO_WAIT, ID),
    AGENT(ID, LOAD_WRITTEN, DO_HIT, ID),
    AGENT(ID, LOAD_ROUND, DO_CLEAN | DO_ROUND, II),
    AGENT(ID, STORE, DO_INSTALL, ID),
    AGENT(ID, ATOMIC, DO_CLEAN | DO_ROUND, II),
    AGENT(ID, FILL, DO_ANSWER, D),
    AGENT(ID, EVICT, DO_CLEAN, II),
    AGENT(ID, REPLACE, DO_NEVER, ID),
    AGENT(ID, INVALIDATE, DO_NOTHING, ID),
    AGENT(ID, ACQUIRE, DO_NOTHING, ID),
};

static const char *const home_events[HOME_EVENTS] = {
    [HOME_READ] = "read",      [HOME_READ_WRITTEN] = "read written",
    [HOME_WRITE] = "write",    [HOME_ATOMIC] = "atomic",
    [HOME_FILL] = "fill",      [HOME_EVICT] = "evict",
    [HOME_REPLACE] = "replace"};

static const struct row home[] = {
    HOME(I, READ, DO_LOOK_UP, IV),
    HOME(I, READ_WRITTEN, DO_NEVER, I),
    HOME(I, WRITE, DO_INSTALL, D),
    HOME(I, ATOMIC, DO_INVALIDATE | DO_MEMORY, I),
    HOME(I, FILL, DO_NEVER, I),
    HOME(I, EVICT, DO_NEVER, I),
    HOME(I, REPLACE, DO_NEVER, I),

    HOME(V, READ, DO_LOOK_UP, V),
    HOME(V, READ_WRITTEN, DO_NEVER, V),
    HOME(V, WRITE, DO_INSTALL, W),
    HOME(V, ATOMIC, DO_DROP | DO_INVALIDATE | DO_MEMORY, I),
    HOME(V, FILL, DO_NEVER, V),
    HOME(V, EVICT, DO_NEVER, V),
    HOME(V, REPLACE, DO_NOTHING, I),

    HOME(D, READ, DO_CLEAN | DO_INVALIDATE | DO_LOOK_UP, IV),
    HOME(D, READ_WRITTEN, DO_HIT, D),
    HOME(D, WRITE, DO_INSTALL, D),
    HOME(D, ATOMIC, DO_CLEAN | DO_INVALIDATE | DO_MEMORY, I),
    HOME(D, FILL, DO_NEVER, D),
    HOME(D, EVICT, DO_CLEAN | DO_INVALIDATE, I),
    HOME(D, REPLACE, DO_NEVER, D),

    HOME(W, READ, DO_CLEAN | DO_DROP | DO_INVALIDATE | DO_LOOK_UP, IV),
    HOME(W, READ_WRITTEN, DO_HIT, W),
    HOME(W, WRITE, DO_INSTALL, W),
    HOME(W, ATOMIC, DO_CLEAN | DO_DROP | DO_INVALIDATE | DO_MEMORY, I),
    HOME(W, FILL, DO_NEVER, W),
    HOME(W, EVICT, DO_CLEAN | DO_DROP | DO_INVALIDATE, I),
    HOME(W, REPLACE, DO_NOTHING, D),

    HOME(IV, READ, DO_LOOK_UP, IV),
    HOME(IV, READ_WRITTEN, DO_NEVER, IV),
    HOME(IV, WRITE, DO_DISCARD | DO_INSTALL, ID),
    HOME(IV, ATOMIC, DO_DISCARD | DO_INVALIDATE | DO_MEMORY, II),
    HOME(IV, FILL, DO_KEEP | DO_ANSWER, V),
    HOME(IV, EVICT, DO_NEVER, IV),
    HOME(IV, REPLACE, DO_NEVER, IV),

    HOME(II, READ, DO_WAIT, II),
    HOME(II, READ_WRITTEN, DO_NEVER, II),
    HOME(II, WRITE, DO_INSTALL, ID),
    HOME(II, ATOMIC, DO_INVALIDATE | DO_MEMORY, II),
    HOME(II, FILL, DO_ANSWER, I),
    HOME(II, EVICT, DO_NEVER, II),
    HOME(II, REPLACE, DO_NEVER, II),

    HOME(ID, READ, DO_WAIT, ID),
    HOME(ID, READ_WRITTEN, DO_HIT, ID),
    HOME(ID, WRITE, DO_INSTALL, ID),
    HOME(ID, ATOMIC, DO_CLEAN | DO_INVALIDATE | DO_MEMORY, II),
    HOME(ID, FILL, DO_ANSWER, D),
    HOME(ID, EVICT, DO_CLEAN | DO_INVALIDATE, II),
    HOME(ID, REPLACE, DO_NEVER, ID),
};

const struct protocol protocol_quickrelease = {
    .name = "quickrelease",
    .agent = {states, agent_events, BLOCK_STATES, AGENT_EVENTS, agent, COUNT(agent),
              .access = {[ACCESS_READ] = {AGENT_LOAD, AGENT_LOAD_ROUND, AGENT_LOAD_WRITTEN},
                         [ACCESS_WRITE] = {AGENT_STORE, AGENT_STORE, AGENT_STORE},
                         [ACCESS_ATOMIC] = {AGENT_ATOMIC, AGENT_ATOMIC, AGENT_ATOMIC}}},
    .home = {states, home_events, BLOCK_STATES, HOME_EVENTS, home, COUNT(home),
             .access = {[ACCESS_READ] = {HOME_READ, HOME_READ, HOME_READ_WRITTEN},
                        [ACCESS_WRITE] = {HOME_WRITE, HOME_WRITE, HOME_WRITE},
                        [ACCESS_ATOMIC] = {HOME_ATOMIC, HOME_ATOMIC, HOME_ATOMIC}}},
    .sync_fifos = true,
};
