/* frc.h - the entries of a fetch and replacement cache (FRC): the blocks in transit of an L2 slice,
 * or of an L1, whose victims have nothing to wait for (cache.h).
 *
 * An entry is taken at a miss and fetches its block at once; when the block is there, it changes
 * places with a victim in the L2, which then leaves from the entry (l2_miss_frc.c).  An entry
 * belongs to the set of its block: the L2's set modulo the FRC's sets.
 *
 * Ownership:  `mshr` and `line` are the owner's.
 * Memory:     frc_init allocates; the maps are reserved for all entries.
 * Invariants: frc_check: busy entries = those not free; tags of victims are distinct.
 * Source:     Candel 5.5, 6.5; mechanisms 3. */
#ifndef PLUMB_GPU_CACHE_FRC_H
#define PLUMB_GPU_CACHE_FRC_H

#include "base/memory/hash_map.h"
#include "gpu/cache/cache_block.h"
#include "gpu/machine/params/cache.h"

enum { FRC_NONE = UINT32_MAX };

enum frc_state {
    FRC_FREE,
    FRC_FETCHING, /* the block is on its way from memory */
    FRC_FETCHED,  /* it is here; its line is in transition, or no line is to be had */
    FRC_SWAPPING, /* it and the victim change places */
    FRC_LEAVING   /* the victim is here, on its way out */
};

struct frc_entry {
    struct cache_block block; /* FETCHED, SWAPPING: the one fetched; LEAVING: the victim */
    uint32_t line;            /* to swap with; LINE_NONE until then with victim_at_swap */
    uint32_t mshr;            /* FETCHING to SWAPPING: who waits for the block */
    uint32_t next;            /* free entries of its set */
    uint8_t state;            /* enum frc_state */
    uint8_t stage;            /* LEAVING: l2_miss_internal.h */
};

struct frc {
    const struct frc_params *p;
    uint32_t sets, ways;
    struct frc_entry *entry;  /* [entries], set by set */
    uint32_t *free;           /* [sets] the entry freed last, FRC_NONE: the set is full */
    struct hash_map leaving;  /* tag -> entry of a victim on its way out */
    struct hash_map fetching; /* MSHR entry -> entry that fetches for it; of an L1's alone */
    uint32_t busy, fetched;   /* entries not FREE; entries FETCHED */
};

bool frc_init(struct frc *f, const struct frc_params *p); /* p->entries > 0; false: no memory */
void frc_fini(struct frc *f);
void frc_clear(struct frc *f);
/* A free entry for a block of this L2 set, which is then FETCHING; FRC_NONE: all are busy. */
uint32_t frc_take(struct frc *f, uint32_t l2_set);
void frc_release(struct frc *f, uint32_t entry);
bool frc_has_room(const struct frc *f, uint32_t set);
/* A taken entry fetches for an MSHR entry, who can then be asked for. */
void frc_fetch_for(struct frc *f, uint32_t entry, uint32_t mshr);
/* The entry that fetches for an MSHR entry, FRC_NONE: none. */
uint32_t frc_fetching(const struct frc *f, uint32_t mshr);
/* Its block is in its line; the entry stays taken for the swap. */
void frc_filled(struct frc *f, uint32_t entry);
/* The entry from which a block leaves, FRC_NONE: none. */
uint32_t frc_leaving(const struct frc *f, uint64_t tag);
bool frc_check(const struct frc *f);

#endif
