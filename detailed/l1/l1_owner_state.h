/* l1_owner_state.h - the state of an L1 under a directory protocol besides its lines: protocol
 * states, blocks being put, and accesses that wait in MSHRs.
 *
 * Memory: puts and waiters grow on demand; the rest is sized by the cache. */
#pragma once

#include "base/memory/hash_map.h"
#include "base/memory/pool.h"

#include <stdbool.h>
#include <stdint.h>

/* An access that waits in an MSHR; free ones are chained by vinst. */
struct waiter {
    uint64_t mask[2];
    uint32_t vinst;
    uint8_t kind;
};

/* A block being put. */
struct put {
    uint64_t mask[2]; /* dirty bytes; none: it was clean, or the home already has them */
    uint32_t version;
    bool owned; /* put by an owner: the whole block */
    bool used;
    bool released; /* a release waits for it */
    bool lost;     /* a probe has already given the bytes to the home */
    bool fetches;  /* the miss that took the line fetches when the put is over: */
    uint16_t message;
    uint64_t fetched; /* the block */
    uint32_t next;    /* among free ones */
};

struct owner {
    uint8_t *state;         /* [lines] enum owner_state */
    uint64_t (*written)[2]; /* [lines] bytes stored to a line in state N */
    struct hash_map put_at; /* block -> put */
    struct put *put;
    struct waiter *waiter;
    struct pool puts, waiters;
    uint32_t lines, releasing;
    bool storing; /* stores in order: one is in flight */
};
