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
#include "gpu/coherence/quickrelease_states.h"

#define COUNT(a) ((uint32_t)(sizeof(a) / sizeof *(a)))
#define AT(state, event, action, next)                  \
    {                                                   \
        SYNC_##state, SYNC_##event, action, SYNC_##next \
    }

static const char *const states[SYNC_STATES] = {"I", "V", "D", "W", "IV", "II", "ID"};
static const char *const agent_events[SYNC_AGENT_EVENTS] = {
    "load", "load written", "load GLC/SLC", "store",      "atomic",
    "fill", "evict",        "replace",      "invalidate", "acquire"};

static const struct row agent[] = {
    AT(I, LOAD, DO_FETCH, IV),
    AT(I, LOAD_WRITTEN, DO_NEVER, I),
    AT(I, LOAD_ROUND, DO_ROUND, I),
    AT(I, STORE, DO_INSTALL, D),
    AT(I, ATOMIC, DO_ROUND, I),
    AT(I, FILL, DO_NEVER, I),
    AT(I, EVICT, DO_NEVER, I),
    AT(I, REPLACE, DO_NEVER, I),
    AT(I, INVALIDATE, DO_NOTHING, I),
    AT(I, ACQUIRE, DO_NOTHING, I),

    AT(V, LOAD, DO_HIT, V),
    AT(V, LOAD_WRITTEN, DO_NEVER, V),
    AT(V, LOAD_ROUND, DO_DROP | DO_ROUND, I),
    AT(V, STORE, DO_INSTALL, W),
    AT(V, ATOMIC, DO_DROP | DO_ROUND, I),
    AT(V, FILL, DO_NEVER, V),
    AT(V, EVICT, DO_NEVER, V),
    AT(V, REPLACE, DO_NOTHING, I),
    AT(V, INVALIDATE, DO_DROP, I),
    AT(V, ACQUIRE, DO_NOTHING, V),

    AT(D, LOAD, DO_CLEAN | DO_FETCH, IV),
    AT(D, LOAD_WRITTEN, DO_HIT, D),
    AT(D, LOAD_ROUND, DO_CLEAN | DO_ROUND, I),
    AT(D, STORE, DO_INSTALL, D),
    AT(D, ATOMIC, DO_CLEAN | DO_ROUND, I),
    AT(D, FILL, DO_NEVER, D),
    AT(D, EVICT, DO_CLEAN, I),
    AT(D, REPLACE, DO_NEVER, D),
    AT(D, INVALIDATE, DO_NOTHING, D),
    AT(D, ACQUIRE, DO_NOTHING, D),

    AT(W, LOAD, DO_CLEAN | DO_DROP | DO_FETCH, IV),
    AT(W, LOAD_WRITTEN, DO_HIT, W),
    AT(W, LOAD_ROUND, DO_CLEAN | DO_DROP | DO_ROUND, I),
    AT(W, STORE, DO_INSTALL, W),
    AT(W, ATOMIC, DO_CLEAN | DO_DROP | DO_ROUND, I),
    AT(W, FILL, DO_NEVER, W),
    AT(W, EVICT, DO_CLEAN | DO_DROP, I),
    AT(W, REPLACE, DO_NOTHING, D),
    AT(W, INVALIDATE, DO_DROP, D),
    AT(W, ACQUIRE, DO_NOTHING, W),

    AT(IV, LOAD, DO_JOIN, IV),
    AT(IV, LOAD_WRITTEN, DO_NEVER, IV),
    AT(IV, LOAD_ROUND, DO_DISCARD | DO_ROUND, II),
    AT(IV, STORE, DO_DISCARD | DO_INSTALL, ID),
    AT(IV, ATOMIC, DO_DISCARD | DO_ROUND, II),
    AT(IV, FILL, DO_KEEP | DO_ANSWER, V),
    AT(IV, EVICT, DO_NEVER, IV),
    AT(IV, REPLACE, DO_NEVER, IV),
    AT(IV, INVALIDATE, DO_DISCARD, II),
    AT(IV, ACQUIRE, DO_NOTHING, IV),

    AT(II, LOAD, DO_WAIT, II),
    AT(II, LOAD_WRITTEN, DO_NEVER, II),
    AT(II, LOAD_ROUND, DO_ROUND, II),
    AT(II, STORE, DO_INSTALL, ID),
    AT(II, ATOMIC, DO_ROUND, II),
    AT(II, FILL, DO_ANSWER, I),
    AT(II, EVICT, DO_NEVER, II),
    AT(II, REPLACE, DO_NEVER, II),
    AT(II, INVALIDATE, DO_NOTHING, II),
    AT(II, ACQUIRE, DO_NOTHING, II),

    AT(ID, LOAD, DO_WAIT, ID),
    AT(ID, LOAD_WRITTEN, DO_HIT, ID),
    AT(ID, LOAD_ROUND, DO_CLEAN | DO_ROUND, II),
    AT(ID, STORE, DO_INSTALL, ID),
    AT(ID, ATOMIC, DO_CLEAN | DO_ROUND, II),
    AT(ID, FILL, DO_ANSWER, D),
    AT(ID, EVICT, DO_CLEAN, II),
    AT(ID, REPLACE, DO_NEVER, ID),
    AT(ID, INVALIDATE, DO_NOTHING, ID),
    AT(ID, ACQUIRE, DO_NOTHING, ID),
};

static const char *const home_events[SYNC_HOME_EVENTS] = {
    "read", "read written", "write", "atomic", "fill", "evict", "replace"};

static const struct row home[] = {
    AT(I, READ, DO_LOOK_UP, IV),
    AT(I, READ_WRITTEN, DO_NEVER, I),
    AT(I, WRITE, DO_INSTALL, D),
    AT(I, HOME_ATOMIC, DO_INVALIDATE | DO_MEMORY, I),
    AT(I, HOME_FILL, DO_NEVER, I),
    AT(I, HOME_EVICT, DO_NEVER, I),
    AT(I, HOME_REPLACE, DO_NEVER, I),

    AT(V, READ, DO_LOOK_UP, V),
    AT(V, READ_WRITTEN, DO_NEVER, V),
    AT(V, WRITE, DO_INSTALL, W),
    AT(V, HOME_ATOMIC, DO_DROP | DO_INVALIDATE | DO_MEMORY, I),
    AT(V, HOME_FILL, DO_NEVER, V),
    AT(V, HOME_EVICT, DO_NEVER, V),
    AT(V, HOME_REPLACE, DO_NOTHING, I),

    AT(D, READ, DO_CLEAN | DO_INVALIDATE | DO_LOOK_UP, IV),
    AT(D, READ_WRITTEN, DO_HIT, D),
    AT(D, WRITE, DO_INSTALL, D),
    AT(D, HOME_ATOMIC, DO_CLEAN | DO_INVALIDATE | DO_MEMORY, I),
    AT(D, HOME_FILL, DO_NEVER, D),
    AT(D, HOME_EVICT, DO_CLEAN | DO_INVALIDATE, I),
    AT(D, HOME_REPLACE, DO_NEVER, D),

    AT(W, READ, DO_CLEAN | DO_DROP | DO_INVALIDATE | DO_LOOK_UP, IV),
    AT(W, READ_WRITTEN, DO_HIT, W),
    AT(W, WRITE, DO_INSTALL, W),
    AT(W, HOME_ATOMIC, DO_CLEAN | DO_DROP | DO_INVALIDATE | DO_MEMORY, I),
    AT(W, HOME_FILL, DO_NEVER, W),
    AT(W, HOME_EVICT, DO_CLEAN | DO_DROP | DO_INVALIDATE, I),
    AT(W, HOME_REPLACE, DO_NOTHING, D),

    AT(IV, READ, DO_LOOK_UP, IV),
    AT(IV, READ_WRITTEN, DO_NEVER, IV),
    AT(IV, WRITE, DO_DISCARD | DO_INSTALL, ID),
    AT(IV, HOME_ATOMIC, DO_DISCARD | DO_INVALIDATE | DO_MEMORY, II),
    AT(IV, HOME_FILL, DO_KEEP | DO_ANSWER, V),
    AT(IV, HOME_EVICT, DO_NEVER, IV),
    AT(IV, HOME_REPLACE, DO_NEVER, IV),

    AT(II, READ, DO_WAIT, II),
    AT(II, READ_WRITTEN, DO_NEVER, II),
    AT(II, WRITE, DO_INSTALL, ID),
    AT(II, HOME_ATOMIC, DO_INVALIDATE | DO_MEMORY, II),
    AT(II, HOME_FILL, DO_ANSWER, I),
    AT(II, HOME_EVICT, DO_NEVER, II),
    AT(II, HOME_REPLACE, DO_NEVER, II),

    AT(ID, READ, DO_WAIT, ID),
    AT(ID, READ_WRITTEN, DO_HIT, ID),
    AT(ID, WRITE, DO_INSTALL, ID),
    AT(ID, HOME_ATOMIC, DO_CLEAN | DO_INVALIDATE | DO_MEMORY, II),
    AT(ID, HOME_FILL, DO_ANSWER, D),
    AT(ID, HOME_EVICT, DO_CLEAN | DO_INVALIDATE, II),
    AT(ID, HOME_REPLACE, DO_NEVER, ID),
};

const struct protocol protocol_quickrelease = {
    .name = "quickrelease",
    .agent = {states, agent_events, SYNC_STATES, SYNC_AGENT_EVENTS, agent, COUNT(agent), false},
    .home = {states, home_events, SYNC_STATES, SYNC_HOME_EVENTS, home, COUNT(home), false},
    .sync_fifos = true,
};
