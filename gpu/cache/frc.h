/* frc.h - the entries of a fetch and replacement cache (FRC) of an L2 slice or an L1: they hold
 * blocks in transit, so that a fetch need not wait for its victim (cache.h).
 *
 * A miss takes an entry and fetches its block at once. When the block has arrived, it is swapped
 * with a victim in the cache; the victim is then written back from the entry (l2_miss_frc.c). An
 * entry belongs to the set of its block: the L2's set modulo the FRC's sets.
 *
 * Ownership: `mshr` and `line` are the owner's. Memory: frc_init allocates; the maps have room for
 * all entries. Invariants: frc_check: busy entries = those not free; tags of victims are distinct.
 * Source: Candel 5.5, 6.5. */
#pragma once

#include "base/memory/hash_map.h"
#include "gpu/cache/cache_block.h"
#include "gpu/machine/params/cache.h"

enum { FRC_NONE = UINT32_MAX };

enum frc_state {
    FRC_FREE,
    FRC_FETCHING, /* the block is being fetched */
    FRC_REFUSED,  /* the memory has no room for the fetch; its answer is on its way */
    FRC_FETCHED, /* the block is in the entry; its line is in transition, or no line is available */
    FRC_SWAPPING, /* the block and the victim are swapped */
    FRC_LEAVING   /* the entry holds the victim, which is being evicted */
};

struct frc_entry {
    struct cache_block block; /* FETCHED, SWAPPING: the fetched block; LEAVING: the victim */
    uint32_t line;            /* to swap with; with victim_at_swap, LINE_NONE until the swap */
    uint32_t mshr;            /* FETCHING to SWAPPING: the MSHR entry of the miss */
    uint32_t next;            /* next free entry of its set */
    uint8_t state;            /* enum frc_state */
    uint8_t stage;            /* LEAVING: l2_miss_internal.h */
};

struct frc {
    const struct frc_params *p;
    uint32_t sets, ways;
    struct frc_entry *entry;  /* [entries], set by set */
    uint32_t *free;           /* [sets] the entry freed last, FRC_NONE: the set is full */
    struct hash_map leaving;  /* tag of a victim -> its entry, in state LEAVING */
    struct hash_map fetching; /* MSHR entry -> entry that fetches for it; used in L1s only */
    uint32_t busy, fetched;   /* entries not FREE; entries FETCHED */
};

bool frc_init(struct frc *f, const struct frc_params *p); /* p->entries > 0; false: no memory */
void frc_fini(struct frc *f);
void frc_clear(struct frc *f);
/* Takes a free entry for a block of this L2 set; it is then FETCHING. FRC_NONE: all are busy. */
uint32_t frc_take(struct frc *f, uint32_t l2_set);
void frc_release(struct frc *f, uint32_t entry);
bool frc_has_room(const struct frc *f, uint32_t set);
/* Records that a taken entry fetches for an MSHR entry, so that frc_fetching finds it. */
void frc_fetch_for(struct frc *f, uint32_t entry, uint32_t mshr);
/* The entry that fetches for an MSHR entry, FRC_NONE: none. */
uint32_t frc_fetching(const struct frc *f, uint32_t mshr);
/* Called when the block is in its line; the entry stays taken for the swap. */
void frc_filled(struct frc *f, uint32_t entry);
/* The entry that holds the victim with that tag; FRC_NONE: none. */
uint32_t frc_leaving(const struct frc *f, uint64_t tag);
bool frc_check(const struct frc *f);
uint64_t frc_bytes(uint32_t entries); /* of host memory */
