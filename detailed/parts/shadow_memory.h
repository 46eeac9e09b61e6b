/* shadow_memory.h - shadow memory: checks data values although traces contain none.
 *
 * Every store gets a version when it leaves its SM. Versions travel with requests, are stored with
 * the sectors in the caches, and go to memory with write-backs. Independent maps say what each
 * place must contain; a load that is served another version is a model error (a lost dirty line, a
 * read that overtook a write-back, a fill that undid a store). Only in builds with PLUMB_CHECKS; in
 * others every function is empty.
 *
 * Invariants checked: a read at the L2 gets the version of the last store performed there (where
 * partitions are L2s of their own: of what its L2 was last given, by a fill or by its own store,
 * since another L2's stores of the same launch may be seen or not); a read
 * at an L1 gets what this L1 was last given for that sector, by a fill or by its own store. */
#pragma once

#include "base/memory/hash_map.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#ifdef PLUMB_CHECKS
enum { SHADOW_ON = 1 };
#else
enum { SHADOW_ON = 0 };
#endif

struct shadow {
    struct hash_map memory;      /* sector -> version in DRAM */
    struct hash_map taken_below; /* sector -> version of the last write that the L3 has taken */
    /* Sector -> version of the last store performed at the L2 or passed to memory. */
    struct hash_map l2;
    struct hash_map *several; /* [partitions] the same where each is an L2 of its own; else NULL */
    struct hash_map *l1;      /* [sms] sector -> version that this L1 was last given */
    uint32_t sms, partitions, counter;
    pthread_mutex_t *lock; /* NULL: one thread uses it */
    bool failed;           /* no memory for the maps: checks are off from then on */
    /* Set by tests, may be NULL: a load of this SM was served this version of the sector at addr.
     */
    void (*served)(void *ctx, uint32_t sm, uint64_t addr, uint32_t version);
    void *ctx;
};

/* partitions: L2s of their own, 1: one L2. */
bool shadow_init(struct shadow *s, uint32_t sms, uint32_t partitions);
void shadow_fini(struct shadow *s);
bool shadow_share(struct shadow *s); /* several threads will use it; false: no memory */
void shadow_clear(struct shadow *s);
uint32_t shadow_store(struct shadow *s); /* the next version */
/* The map of a slice of so many. */
struct hash_map *shadow_of_l2(struct shadow *s, uint32_t slice, uint32_t slices);
void shadow_put(struct shadow *s, struct hash_map *m, uint64_t sector, uint32_t version);
/* 0 = never stored. */
uint32_t shadow_get(const struct shadow *s, const struct hash_map *m, uint64_t sector);
static inline void shadow_served(const struct shadow *s, uint32_t sm, uint64_t addr,
                                 uint32_t version)
{
    if (SHADOW_ON && s->served) s->served(s->ctx, sm, addr, version);
}
/* Asserts that `version` is what `m` says, unless the sector was never seen there. */
void shadow_expect(const struct shadow *s, const struct hash_map *m, uint64_t sector,
                   uint32_t version);
