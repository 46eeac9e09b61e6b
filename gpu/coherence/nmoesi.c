/* nmoesi.c - NMOESI, Multi2Sim's protocol for GPUs as Candel 2019 describes it (2.4.A, 4.5.4,
 * 4.6.4): MOESI with a state N for blocks that were stored to without informing other L1s.
 *
 * A store (n-store) brings its block to the L1 in N and invalidates no other copy; several N copies
 * may exist. When one is replaced, the bytes stored there are merged into the L2's copy. The first
 * store to a block and each replacement lock the directory's entry. Loads behave as in MOESI.
 *
 * From the public simulator of the thesis's group: an E copy informs the home
 * before it is stored to, and M and O are put first. There, coherent stores are the CPUs'; here
 * atomics are coherent stores, performed in the L1, and the only ones that lead to M and O.
 *
 * Our choices where both are silent: an S copy may be stale, so that a store to own fetches the
 * data again; an owner's dirty block is written to the L2 before another L1 may n-store; a release
 * puts the N copies; an acquire puts them, too, and drops S copies silently; accesses with GLC and
 * SLC put the copy and fetch it again. */
#include "gpu/coherence/moesi_states.h"
#include "gpu/coherence/protocol.h"

#define COUNT(a) ((uint32_t)(sizeof(a) / sizeof *(a)))

/* Rows for both kinds of store, or of load. */
#define STORES(state, action, next) \
    OWN(state, STORE, action, next), OWN(state, STORE_GLC, action, next)
#define LOADS(state, action, next) \
    OWN(state, LOAD, action, next), OWN(state, LOAD_GLC, action, next)

static const struct row agent[] = {
    LOADS(I, DO_FETCH, IS),
    OWN(I, STORE, DO_FETCH_N, IN),
    OWN(I, STORE_GLC, DO_FETCH_N, NI),
    OWN(I, ATOMIC, DO_FETCH_OWN, IM),
    OWN(I, INVALIDATE, DO_REPLY, I),

    OWN(S, LOAD, DO_HIT, S),
    OWN(S, LOAD_GLC, DO_DROP | DO_FETCH, IS),
    OWN(S, STORE, DO_UPGRADE_N, SN),
    OWN(S, STORE_GLC, DO_UPGRADE_N, NI),
    OWN(S, ATOMIC, DO_DROP | DO_FETCH_OWN, IM),
    OWN(S, REPLACE, DO_PUT, P),
    OWN(S, INVALIDATE, DO_REPLY, I),
    OWN(S, ACQUIRE, DO_DROP, I),

    LOADS(E, DO_HIT, E),
    OWN(E, STORE, DO_UPGRADE_N, SN),
    OWN(E, STORE_GLC, DO_UPGRADE_N, NI),
    OWN(E, ATOMIC, DO_HIT, M),
    OWN(E, REPLACE, DO_PUT, P),
    OWN(E, SHARE, DO_REPLY, S),
    OWN(E, CLEAN, DO_REPLY, S),
    OWN(E, INVALIDATE, DO_REPLY, I),

    LOADS(O, DO_HIT, O),
    STORES(O, DO_WAIT | DO_PUT, P),
    OWN(O, ATOMIC, DO_UPGRADE, OM),
    OWN(O, REPLACE, DO_PUT, P),
    OWN(O, SHARE, DO_SUPPLY, O),
    OWN(O, CLEAN, DO_SUPPLY, S),
    OWN(O, INVALIDATE, DO_SUPPLY, I),

    LOADS(M, DO_HIT, M),
    STORES(M, DO_WAIT | DO_PUT, P),
    OWN(M, ATOMIC, DO_HIT, M),
    OWN(M, REPLACE, DO_PUT, P),
    OWN(M, SHARE, DO_SUPPLY, O),
    OWN(M, CLEAN, DO_SUPPLY, S),
    OWN(M, INVALIDATE, DO_SUPPLY, I),

    OWN(N, LOAD, DO_HIT, N),
    OWN(N, LOAD_GLC, DO_WAIT | DO_PUT, P),
    OWN(N, STORE, DO_HIT, N),
    OWN(N, STORE_GLC, DO_HIT | DO_PUT, P),
    OWN(N, ATOMIC, DO_WAIT | DO_PUT, P),
    OWN(N, REPLACE, DO_PUT, P),
    OWN(N, INVALIDATE, DO_SUPPLY, I),
    OWN(N, ACQUIRE, DO_PUT, P),
    OWN(N, RELEASE, DO_PUT, P),

    OWN(IS, LOAD, DO_JOIN, IS),
    OWN(IS, LOAD_GLC, DO_WAIT, IS),
    STORES(IS, DO_WAIT, IS),
    OWN(IS, ATOMIC, DO_WAIT, IS),
    OWN(IS, GRANT_S, DO_ANSWER, S),
    OWN(IS, GRANT_E, DO_ANSWER, E),
    OWN(IS, INVALIDATE, DO_REPLY, IS),
    OWN(IS, ACQUIRE, DO_NOTHING, II),

    LOADS(II, DO_WAIT, II),
    STORES(II, DO_WAIT, II),
    OWN(II, ATOMIC, DO_WAIT, II),
    OWN(II, GRANT_S, DO_DROP | DO_ANSWER, I),
    OWN(II, GRANT_E, DO_ANSWER, E),
    OWN(II, INVALIDATE, DO_REPLY, II),

    LOADS(IM, DO_JOIN, IM),
    STORES(IM, DO_WAIT, IM),
    OWN(IM, ATOMIC, DO_JOIN, IM),
    OWN(IM, GRANT_M, DO_ANSWER, M),
    OWN(IM, INVALIDATE, DO_REPLY, IM),

    LOADS(OM, DO_JOIN, OM),
    STORES(OM, DO_WAIT, OM),
    OWN(OM, ATOMIC, DO_JOIN, OM),
    OWN(OM, GRANT_M, DO_ANSWER, M),
    OWN(OM, SHARE, DO_SUPPLY, OM),
    OWN(OM, CLEAN, DO_SUPPLY, IM),
    OWN(OM, INVALIDATE, DO_SUPPLY, IM),

    OWN(IN, LOAD, DO_JOIN, IN),
    OWN(IN, LOAD_GLC, DO_WAIT, IN),
    OWN(IN, STORE, DO_JOIN, IN),
    OWN(IN, STORE_GLC, DO_JOIN, NI),
    OWN(IN, ATOMIC, DO_WAIT, IN),
    OWN(IN, GRANT_N, DO_ANSWER, N),
    OWN(IN, INVALIDATE, DO_REPLY, IN),
    OWN(IN, ACQUIRE, DO_NOTHING, NI),

    OWN(SN, LOAD, DO_JOIN, SN),
    OWN(SN, LOAD_GLC, DO_WAIT, SN),
    OWN(SN, STORE, DO_JOIN, SN),
    OWN(SN, STORE_GLC, DO_JOIN, NI),
    OWN(SN, ATOMIC, DO_WAIT, SN),
    OWN(SN, GRANT_N, DO_ANSWER, N),
    OWN(SN, SHARE, DO_REPLY, SN),
    OWN(SN, CLEAN, DO_REPLY, SN),
    OWN(SN, INVALIDATE, DO_REPLY, IN),
    OWN(SN, ACQUIRE, DO_NOTHING, NI),

    LOADS(NI, DO_WAIT, NI),
    OWN(NI, STORE, DO_WAIT, NI),
    OWN(NI, STORE_GLC, DO_JOIN, NI),
    OWN(NI, ATOMIC, DO_WAIT, NI),
    OWN(NI, GRANT_N, DO_ANSWER | DO_PUT, P),
    OWN(NI, SHARE, DO_REPLY, NI),
    OWN(NI, CLEAN, DO_REPLY, NI),
    OWN(NI, INVALIDATE, DO_REPLY, NI),

    LOADS(P, DO_WAIT, P),
    STORES(P, DO_WAIT, P),
    OWN(P, ATOMIC, DO_WAIT, P),
    OWN(P, GONE, DO_NOTHING, I),
    OWN(P, SHARE, DO_SUPPLY, P),
    OWN(P, CLEAN, DO_SUPPLY, PI),
    OWN(P, INVALIDATE, DO_SUPPLY, PI),

    LOADS(PI, DO_WAIT, PI),
    STORES(PI, DO_WAIT, PI),
    OWN(PI, ATOMIC, DO_WAIT, PI),
    OWN(PI, GONE, DO_NOTHING, I),
    OWN(PI, INVALIDATE, DO_REPLY, PI),
};

#define LOCKED(state) DIR_LOCKED(state), DIR(state, READ_N, DO_NACK, state)
/* Rows of a locked entry while L1s other than the requester have copies, */
#define LOCKED_SHARED(state) \
    LOCKED(state), DIR(state, UPGRADE_N, DO_NACK, state), DIR(state, LEAVE, DO_NACK, state)
/* and one of them is the owner, */
#define LOCKED_OWNED(state) \
    LOCKED_SHARED(state), DIR(state, UPGRADE, DO_NACK, state), DIR(state, PUT, DO_NACK, state)
/* or none is. */
#define LOCKED_WRITERS(state) LOCKED_SHARED(state), DIR(state, MERGE, DO_NACK, state)

static const struct row home[] = {
    DIR(I, READ, DO_LOOK_UP, FE),
    DIR(I, READ_OWN, DO_LOOK_UP, FM),
    DIR(I, READ_N, DO_LOOK_UP, FS),
    DIR(I, STALE, DO_ANSWER, I),
    DIR(I, REPLACE, DO_NOTHING, I),

    DIR(S, READ, DO_LOOK_UP, FS),
    DIR(S, READ_OWN, DO_INVALIDATE, WX),
    DIR(S, READ_N, DO_LOOK_UP, FS),
    DIR(S, UPGRADE_N, DO_GRANT, S),
    DIR(S, MERGE, DO_WRITE, FP),
    DIR(S, LEAVE, DO_REMOVE | DO_ANSWER, S),
    DIR(S, STALE, DO_ANSWER, S),
    DIR(S, REPLACE, DO_INVALIDATE, R),

    DIR(X, READ, DO_SHARE, WS),
    DIR(X, READ_OWN, DO_INVALIDATE, WX),
    DIR(X, UPGRADE, DO_INVALIDATE, WU),
    DIR(X, READ_N, DO_HAVE_CLEAN, WN),
    DIR(X, UPGRADE_N, DO_DEMOTE | DO_GRANT, S),
    DIR(X, PUT, DO_WRITE, FP),
    DIR(X, LEAVE, DO_REMOVE | DO_ANSWER, I),
    DIR(X, STALE, DO_ANSWER, X),
    DIR(X, REPLACE, DO_INVALIDATE, R),

    DIR(O, READ, DO_SHARE, WS),
    DIR(O, READ_OWN, DO_INVALIDATE, WX),
    DIR(O, UPGRADE, DO_INVALIDATE, WU),
    DIR(O, READ_N, DO_HAVE_CLEAN, WN),
    DIR(O, UPGRADE_N, DO_HAVE_CLEAN, WC),
    DIR(O, PUT, DO_WRITE, FP),
    DIR(O, LEAVE, DO_REMOVE | DO_ANSWER, O),
    DIR(O, STALE, DO_ANSWER, O),
    DIR(O, REPLACE, DO_INVALIDATE, R),

    LOCKED_OWNED(WS),
    DIR(WS, DATA, DO_HOLD, WS),
    DIR(WS, DONE, DO_DEMOTE | DO_LOOK_UP, FS),
    DIR(WS, DONE_HELD, DO_SUPPLY, O),

    LOCKED(WX),
    DIR(WX, DATA, DO_HOLD, WX),
    DIR(WX, BYTES, DO_MERGE, WX),
    DIR(WX, DONE, DO_LOOK_UP, FM),
    DIR(WX, DONE_HELD, DO_SUPPLY, X),

    LOCKED(WU),
    DIR(WU, DONE, DO_GRANT, X),

    LOCKED_OWNED(WN),
    DIR(WN, DATA, DO_MERGE, WN),
    DIR(WN, DONE, DO_DEMOTE | DO_LOOK_UP, FS),

    LOCKED_OWNED(WC),
    DIR(WC, DATA, DO_MERGE, WC),
    DIR(WC, DONE, DO_DEMOTE | DO_GRANT, S),

    LOCKED(FE),
    DIR(FE, SERVED, DO_GRANT, X),
    LOCKED_WRITERS(FS),
    DIR(FS, SERVED, DO_GRANT, S),
    LOCKED(FM),
    DIR(FM, SERVED, DO_GRANT, X),
    LOCKED_WRITERS(FP),
    DIR(FP, SERVED, DO_REMOVE, S),

    LOCKED(R),
    DIR(R, DATA, DO_MERGE, R),
    DIR(R, BYTES, DO_MERGE, R),
    DIR(R, DONE, DO_NOTHING, I),
};

const struct protocol protocol_nmoesi = {
    .name = "nmoesi",
    .agent = {owner_states, owner_events, OWN_STATES, OWN_EVENTS, agent, COUNT(agent), true,
              .access = {[ACCESS_READ] = {OWN_LOAD, OWN_LOAD_GLC, OWN_LOAD},
                         [ACCESS_WRITE] = {OWN_STORE, OWN_STORE_GLC, OWN_STORE},
                         [ACCESS_ATOMIC] = {OWN_ATOMIC, OWN_ATOMIC, OWN_ATOMIC}}},
    .home = {dir_states, dir_events, DIR_STATES, DIR_EVENTS, home, COUNT(home), true,
             .access = {{0}}},
    .directory = true,
    .writers = true,
};
