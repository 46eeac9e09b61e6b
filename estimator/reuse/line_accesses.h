/* line_accesses.h - the accesses to lines that a memory instruction becomes, in the order in which
 * they meet the L1.
 *
 * An instruction is coalesced into transactions (gpu/geometry/coalesce.h); neighbouring ones to one
 * line that touch different sectors are one access.
 *
 * Memory: the caller's; nothing is allocated. */
#pragma once

#include "estimator/profile/profile.h"
#include "gpu/geometry/coalesce.h"

struct line_access {
    uint64_t line;  /* of the L1 */
    uint8_t mask;   /* sectors touched */
    uint32_t parts; /* of stores: written parts (sector_reuse.h) */
};

/* The distinct sectors of a group of lanes, in the order in which they are first touched. */
struct sector_list {
    uint32_t n;
    uint64_t seen; /* Bloom filter: a sector whose bit is clear is not in the list */
    uint64_t at[COALESCE_MAX];
};

struct line_accesses {
    uint32_t n;
    uint32_t again; /* sectors of transactions finer than a sector that the L1 brings together */
    struct line_access at[COALESCE_MAX];
    /* scratch */
    struct txn txn[COALESCE_MAX];
    struct sector_list sectors;
};

/* Fills *a but its scratch. */
void line_accesses_find(struct line_accesses *a, const struct profile_view *v,
                        const struct warp_inst *w);
