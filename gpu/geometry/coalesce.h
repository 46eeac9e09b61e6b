/* coalesce.h - coalescing of lane addresses into memory transactions.
 *
 * Lanes are processed in groups of `lanes` consecutive ones. Accesses of a group to the same
 * `bytes`-sized block join into one transaction; accesses of different groups never join (Khairy
 * II: 8 lanes, 32-byte sectors; Candel 3.5.2: the whole instruction, 64-byte lines). Transactions
 * come in group order, blocks in order of first touch.
 *
 * With `apart`, lanes that share bytes get separate transactions, as atomics do that are not
 * combined: each joins the oldest transaction to its block that has none of its bytes, so that a
 * block takes as many transactions as its most accessed byte has lanes.
 *
 * An access that crosses a block boundary touches both blocks. A lane address of 0 means no access
 * (Accel-Sim). Limits: width <= 2 * bytes (three blocks at most per lane). */
#pragma once

#include "gpu/machine/params/sm.h"
#include "trace/stream/inst.h"

#include <stdbool.h>
#include <stdint.h>

struct coalesce_params {
    uint32_t lanes, bytes; /* powers of two; bytes <= 128 */
    bool apart;
};

struct txn {
    uint64_t addr;    /* aligned to `bytes` */
    uint64_t mask[2]; /* bytes touched inside the block, bit i = byte i */
    uint32_t lanes;   /* how many lanes it serves */
    uint32_t group;   /* of lanes, counted from lane 0 */
};

enum {
    /* Room that `out` must have: 16-byte accesses that cross blocks. */
    COALESCE_MAX = 4 * WARP_MAX_LANES
};

/* Whether an instruction of that class coalesces before it issues; if not, it issues in phases
 * (Candel 3.5.2). Atomics always coalesce, as on Fermi and GCN [A]. */
static inline bool coalesce_whole(const struct sm_params *p, uint8_t cls)
{
    return cls == OP_LOAD ? p->coalesce_loads : cls != OP_STORE || p->coalesce_stores;
}
/* The lanes of a group. */
static inline uint32_t coalesce_group(const struct sm_params *p, uint8_t cls)
{
    if (coalesce_whole(p, cls) || p->coalesce_lanes < p->phase_lanes) return p->coalesce_lanes;
    return p->phase_lanes;
}

/* Bytes of a transaction: at most a sector of the cache that it goes to. */
static inline uint32_t coalesce_block(const struct sm_params *p, uint32_t sector_bytes)
{
    return p->coalesce_bytes < sector_bytes ? p->coalesce_bytes : sector_bytes;
}

/* The parameters for an instruction of that class and a cache with sectors of that size. */
static inline struct coalesce_params coalesce_of(const struct sm_params *p, uint8_t cls,
                                                 uint32_t sector_bytes)
{
    return (struct coalesce_params){.lanes = coalesce_group(p, cls),
                                    .bytes = coalesce_block(p, sector_bytes),
                                    .apart = cls == OP_ATOMIC && !p->combine_atomics};
}

/* Returns the number of transactions written to out. */
uint32_t coalesce(const struct coalesce_params *p, const struct warp_inst *w, struct txn *out);
