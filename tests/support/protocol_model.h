/* protocol_model.h - what the tables of MOESI and NMOESI mean, told a second time and without the
 * simulation: a few caches, a line and the home, for protocol_walk.h and protocol_pair.h.
 *
 * The walk has its own idea of what the actions mean, and its own channels: a request, an answer,
 * a grant and a question per cache, delivered at any time (a grant ahead of a question).
 * Values: byte c of a line is stored to by cache c alone, the last byte is read and written by
 * atomics; a bit says that a place has the latest value of a byte.  No step depends on a value, and
 * no byte's value on another's: following the bytes one at a time finds what following all does.
 *
 * Checked in every state: no pair without a row is met; one writer at a time; whoever waits has a
 * message under way or the home's attention; what loads and atomics are served (all of it the
 * latest under MOESI; under NMOESI a cache's own stores, all atomics, and what was in the L2 at its
 * last acquire); no store is lost.  Then each row is taken out in turn, and something must be
 * noticed. */
#pragma once

#include "base/memory/alloc.h"
#include "gpu/coherence/moesi_states.h"
#include "gpu/coherence/protocol.h"
#include "tests/support/protocol_space.h"

enum { CACHES = 3, NOBODY = 0xff };

enum answer { A_NONE, A_PLAIN, A_DATA, A_BYTES };

/* One cache's part in a line.  Events count from 1, so that 0 is none. */
struct side {
    uint8_t state, data, pending, need;
    uint8_t put, put_data; /* enum answer; of P */
    uint8_t request;       /* dir_event + 1, as sent */
    uint8_t answer, answer_data;
    uint8_t grant, grant_data, grant_has; /* owner_event + 1 */
    uint8_t question;                     /* owner_event + 1 */
};

/* A state: the line in all caches, and its home. */
struct line {
    struct side side[CACHES];
    uint8_t lock, who, what; /* the locked state, for whom, its request */
    uint8_t owner, sharers, waits, held, held_data, l2;
};

/* The tables of a protocol, and the states that a line has been seen in. */
struct walk {
    struct transitions agent, home;
    bool writers;
    uint32_t caches;
    uint8_t follow; /* bytes whose values are followed */
    uint32_t most;  /* states to step from; 0: all */
    bool met[2][TABLE_STATES_MAX][TABLE_EVENTS_MAX];
    const char *wrong;
    struct space s;              /* of lines */
    uint32_t (*sync)[CACHES][2]; /* by state: after that cache's acquire, release */
};

/* Notes what is wrong; returns false.  In what follows, false means that a step cannot happen now
 * or that something is wrong. */
bool moesi_wrong(struct walk *k, const char *what);

/* Bytes to follow: the first cache's, the atomics', all. */
enum { BYTE_OWN = 1 };
#define BYTE_ATOMIC(caches) (1u << (caches))

/* All bytes of a line, for so many caches. */
uint8_t all_bytes(uint32_t caches);

/* Whether a cache in that state has a copy. */
bool moesi_valid(uint8_t state);

/* A load, store or atomic of the cache's SM; event: an owner_event. */
bool moesi_access(struct walk *k, struct line *l, uint32_t c, uint8_t event);

/* The cache replaces its copy. */
bool moesi_replace(struct walk *k, struct line *l, uint32_t c);

/* The SM's acquire or release. */
bool moesi_synchronise(struct walk *k, struct line *l, uint32_t c, uint8_t event);

/* A grant arrives at the cache. */
bool moesi_granted(struct walk *k, struct line *l, uint32_t c);

/* The home's question arrives at the cache. */
bool moesi_asked(struct walk *k, struct line *l, uint32_t c);

/* The home's state of the line. */
uint8_t moesi_home_state(const struct line *l);

/* The cache's request arrives at the home. */
bool moesi_take_request(struct walk *k, struct line *l, uint32_t c);

/* The cache's answer arrives at the home. */
bool moesi_take_answer(struct walk *k, struct line *l, uint32_t c);

/* The L2 replaces the line. */
bool moesi_leave_l2(struct walk *k, struct line *l);

/* The L2 serves the request for which the home is locked. */
bool moesi_served(struct walk *k, struct line *l);
