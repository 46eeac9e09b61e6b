/* l1_moesi_state.h - what an L1 under a protocol with a directory keeps beside its lines: their
 * states, blocks on their way out, and the accesses that wait in MSHRs.
 *
 * Memory: puts and waiters grow as more are taken; the rest is as large as the cache. */
#ifndef PLUMB_DETAILED_COHERENCE_L1_MOESI_STATE_H
#define PLUMB_DETAILED_COHERENCE_L1_MOESI_STATE_H

#include "base/memory/hash_map.h"

#include <stdbool.h>
#include <stdint.h>

enum { OWNER_NONE = UINT32_MAX };

/* An access that waits in an MSHR; free ones are chained by vinst. */
struct waiter {
    uint64_t mask[2];
    uint32_t vinst;
    uint8_t kind;
};

/* A block on its way out. */
struct put {
    uint64_t mask[2]; /* dirty bytes; none: it was clean, or the home has had them */
    uint32_t version;
    bool owned; /* of an owner: the whole block */
    bool used;
    bool released; /* a release waits for it */
    bool lost;     /* the home has had its bytes by another way */
    uint32_t next; /* free ones are chained */
};

struct owner {
    uint8_t *state;         /* [lines] enum owner_state */
    uint64_t (*written)[2]; /* [lines] of N: bytes stored */
    struct hash_map put_at; /* block -> put */
    struct put *put;
    struct waiter *waiter;
    size_t puts, waiters; /* that there is room for */
    uint32_t put_free, waiter_free;
    uint32_t lines, releasing;
    bool storing; /* stores in order: one is in flight */
};

/* An unused place, OWNER_NONE: no memory. */
uint32_t owner_take_put(struct owner *o);
uint32_t owner_take_waiter(struct owner *o);
void owner_give_put(struct owner *o, uint32_t put);
void owner_give_waiter(struct owner *o, uint32_t waiter);

#endif
