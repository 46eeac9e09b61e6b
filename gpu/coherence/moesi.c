/* moesi.c - MOESI over a directory at the L2, the CPU protocol that Candel 2019 takes as the
 * baseline (2.4.A): there is one writer at a time; a store fetches its block to own it and
 * invalidates all other copies. Each transaction, replacements included, locks the directory's
 * entry (4.6.4).
 *
 * Our choices where the thesis is silent: an owner's data go through the home; atomics are stores,
 * performed in the L1; hints, acquires and releases have no effect. */
#include "gpu/coherence/moesi_states.h"
#include "gpu/coherence/protocol.h"

#define COUNT(a) ((uint32_t)(sizeof(a) / sizeof *(a)))

const char *const owner_states[OWN_STATES] = {"I",  "S",  "E",  "O",  "M",  "N",  "IS", "II",
                                              "IM", "SM", "OM", "IN", "SN", "NI", "P",  "PI"};
const char *const owner_events[OWN_EVENTS] = {
    "load",    "load GLC", "store",   "store GLC", "atomic", "grant S",    "grant E", "grant M",
    "grant N", "gone",     "replace", "share",     "clean",  "invalidate", "acquire", "release"};
const char *const dir_states[DIR_STATES] = {"I",  "S",  "X",  "O",  "WS", "WX", "WU",
                                            "WN", "WC", "FE", "FS", "FM", "FP", "R"};
const char *const dir_events[DIR_EVENTS] = {
    "read",  "read to own", "upgrade", "read for n", "upgrade to n", "put",    "merge",  "leave",
    "stale", "data",        "bytes",   "done",       "done, held",   "served", "replace"};

enum dir_event moesi_request_of(uint32_t action)
{
    if (action & DO_FETCH_OWN) return DIR_READ_OWN;
    if (action & DO_FETCH_N) return DIR_READ_N;
    if (action & DO_UPGRADE) return DIR_UPGRADE;
    return action & DO_UPGRADE_N ? DIR_UPGRADE_N : DIR_READ;
}

static const struct row agent[] = {
    OWN(I, LOAD, DO_FETCH, IS),        OWN(I, STORE, DO_FETCH_OWN, IM),
    OWN(I, ATOMIC, DO_FETCH_OWN, IM),

    OWN(S, LOAD, DO_HIT, S),           OWN(S, STORE, DO_UPGRADE, SM),
    OWN(S, ATOMIC, DO_UPGRADE, SM),    OWN(S, REPLACE, DO_PUT, P),
    OWN(S, INVALIDATE, DO_REPLY, I),

    OWN(E, LOAD, DO_HIT, E),           OWN(E, STORE, DO_HIT, M),
    OWN(E, ATOMIC, DO_HIT, M),         OWN(E, REPLACE, DO_PUT, P),
    OWN(E, SHARE, DO_REPLY, S),        OWN(E, INVALIDATE, DO_REPLY, I),

    OWN(O, LOAD, DO_HIT, O),           OWN(O, STORE, DO_UPGRADE, OM),
    OWN(O, ATOMIC, DO_UPGRADE, OM),    OWN(O, REPLACE, DO_PUT, P),
    OWN(O, SHARE, DO_SUPPLY, O),       OWN(O, INVALIDATE, DO_SUPPLY, I),

    OWN(M, LOAD, DO_HIT, M),           OWN(M, STORE, DO_HIT, M),
    OWN(M, ATOMIC, DO_HIT, M),         OWN(M, REPLACE, DO_PUT, P),
    OWN(M, SHARE, DO_SUPPLY, O),       OWN(M, INVALIDATE, DO_SUPPLY, I),

    OWN(IS, LOAD, DO_JOIN, IS),        OWN(IS, STORE, DO_WAIT, IS),
    OWN(IS, ATOMIC, DO_WAIT, IS),      OWN(IS, GRANT_S, DO_ANSWER, S),
    OWN(IS, GRANT_E, DO_ANSWER, E),

    OWN(IM, LOAD, DO_JOIN, IM),        OWN(IM, STORE, DO_JOIN, IM),
    OWN(IM, ATOMIC, DO_JOIN, IM),      OWN(IM, GRANT_M, DO_ANSWER, M),

    OWN(SM, LOAD, DO_JOIN, SM),        OWN(SM, STORE, DO_JOIN, SM),
    OWN(SM, ATOMIC, DO_JOIN, SM),      OWN(SM, GRANT_M, DO_ANSWER, M),
    OWN(SM, INVALIDATE, DO_REPLY, IM),

    OWN(OM, LOAD, DO_JOIN, OM),        OWN(OM, STORE, DO_JOIN, OM),
    OWN(OM, ATOMIC, DO_JOIN, OM),      OWN(OM, GRANT_M, DO_ANSWER, M),
    OWN(OM, SHARE, DO_SUPPLY, OM),     OWN(OM, INVALIDATE, DO_SUPPLY, IM),

    OWN(P, LOAD, DO_WAIT, P),          OWN(P, STORE, DO_WAIT, P),
    OWN(P, ATOMIC, DO_WAIT, P),        OWN(P, GONE, DO_NOTHING, I),
    OWN(P, SHARE, DO_SUPPLY, P),       OWN(P, INVALIDATE, DO_SUPPLY, PI),

    OWN(PI, LOAD, DO_WAIT, PI),        OWN(PI, STORE, DO_WAIT, PI),
    OWN(PI, ATOMIC, DO_WAIT, PI),      OWN(PI, GONE, DO_NOTHING, I),
};

/* Rows of a locked entry while L1s other than the requester have copies. */
#define LOCKED_SHARED(state) \
    DIR_LOCKED(state), DIR(state, UPGRADE, DO_NACK, state), DIR(state, LEAVE, DO_NACK, state)

static const struct row home[] = {
    DIR(I, READ, DO_LOOK_UP, FE),
    DIR(I, READ_OWN, DO_LOOK_UP, FM),
    DIR(I, STALE, DO_ANSWER, I),
    DIR(I, REPLACE, DO_NOTHING, I),

    DIR(S, READ, DO_LOOK_UP, FS),
    DIR(S, READ_OWN, DO_INVALIDATE, WX),
    DIR(S, UPGRADE, DO_INVALIDATE, WU),
    DIR(S, LEAVE, DO_REMOVE | DO_ANSWER, S),
    DIR(S, STALE, DO_ANSWER, S),
    DIR(S, REPLACE, DO_INVALIDATE, R),

    DIR(X, READ, DO_SHARE, WS),
    DIR(X, READ_OWN, DO_INVALIDATE, WX),
    DIR(X, UPGRADE, DO_INVALIDATE, WU),
    DIR(X, PUT, DO_WRITE, FP),
    DIR(X, LEAVE, DO_REMOVE | DO_ANSWER, I),
    DIR(X, STALE, DO_ANSWER, X),
    DIR(X, REPLACE, DO_INVALIDATE, R),

    DIR(O, READ, DO_SHARE, WS),
    DIR(O, READ_OWN, DO_INVALIDATE, WX),
    DIR(O, UPGRADE, DO_INVALIDATE, WU),
    DIR(O, PUT, DO_WRITE, FP),
    DIR(O, LEAVE, DO_REMOVE | DO_ANSWER, O),
    DIR(O, STALE, DO_ANSWER, O),
    DIR(O, REPLACE, DO_INVALIDATE, R),

    LOCKED_SHARED(WS),
    DIR(WS, PUT, DO_NACK, WS),
    DIR(WS, DATA, DO_HOLD, WS),
    DIR(WS, DONE, DO_DEMOTE | DO_LOOK_UP, FS),
    DIR(WS, DONE_HELD, DO_SUPPLY, O),

    DIR_LOCKED(WX),
    DIR(WX, DATA, DO_HOLD, WX),
    DIR(WX, DONE, DO_LOOK_UP, FM),
    DIR(WX, DONE_HELD, DO_SUPPLY, X),

    DIR_LOCKED(WU),
    DIR(WU, DATA, DO_NOTHING, WU), /* the upgrading L1 already has these data */
    DIR(WU, DONE, DO_GRANT, X),

    DIR_LOCKED(FE),
    DIR(FE, SERVED, DO_GRANT, X),
    LOCKED_SHARED(FS),
    DIR(FS, SERVED, DO_GRANT, S),
    DIR_LOCKED(FM),
    DIR(FM, SERVED, DO_GRANT, X),
    LOCKED_SHARED(FP),
    DIR(FP, SERVED, DO_REMOVE, S),

    DIR_LOCKED(R),
    DIR(R, DATA, DO_MERGE, R),
    DIR(R, DONE, DO_NOTHING, I),
};

const struct protocol protocol_moesi = {
    .name = "moesi",
    .agent = {owner_states, owner_events, OWN_STATES, OWN_EVENTS, agent, COUNT(agent), true,
              .access = {[ACCESS_READ] = {OWN_LOAD, OWN_LOAD, OWN_LOAD},
                         [ACCESS_WRITE] = {OWN_STORE, OWN_STORE, OWN_STORE},
                         [ACCESS_ATOMIC] = {OWN_ATOMIC, OWN_ATOMIC, OWN_ATOMIC}}},
    .home = {dir_states, dir_events, DIR_STATES, DIR_EVENTS, home, COUNT(home), true,
             .access = {{0}}},
    .directory = true,
};
