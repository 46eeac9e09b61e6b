/* coalesce.h - from lane addresses to memory transactions.
 *
 * Lanes are taken in groups of `lanes` consecutive ones; within a group accesses to the same
 * `bytes`-sized block join into one transaction, between groups nothing joins (Khairy II: 8 lanes,
 * 32-byte sectors; Candel 3.5.2: the whole instruction, 64-byte lines).  Transactions come in group
 * order, blocks in order of first touch.  With `apart`, lanes that share bytes go in transactions
 * of their own, as atomics do that nobody adds up before: each joins the oldest to its block that
 * has none of its bytes, so that a block takes as many as its most wanted byte has lanes.  An
 * access that crosses a block boundary touches both.  A lane address of 0 means no access
 * (Accel-Sim).
 *
 * Limits: width <= 2 * bytes (three blocks at most per lane); shared memory: width <= 16, banks
 * <= 64. */
#ifndef PLUMB_GPU_GEOMETRY_COALESCE_H
#define PLUMB_GPU_GEOMETRY_COALESCE_H

#include "gpu/machine/params/sm.h"
#include "trace/program/inst.h"

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
    COALESCE_MAX = 4 * WARP_MAX_LANES
}; /* room that `out` must have: 16-byte accesses that cross blocks */

/* Whether the lanes of such an instruction join before it issues; if not, it issues in phases
 * (Candel 3.5.2).  Atomics join like the lanes of Fermi and GCN do: always [A]. */
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

/* Bytes of a transaction: no more than a sector of the cache that it goes to. */
static inline uint32_t coalesce_block(const struct sm_params *p, uint32_t sector_bytes)
{
    return p->coalesce_bytes < sector_bytes ? p->coalesce_bytes : sector_bytes;
}

/* Of an instruction of that class, to a cache with such sectors. */
static inline struct coalesce_params coalesce_of(const struct sm_params *p, uint8_t cls,
                                                 uint32_t sector_bytes)
{
    return (struct coalesce_params){.lanes = coalesce_group(p, cls),
                                    .bytes = coalesce_block(p, sector_bytes),
                                    .apart = cls == OP_ATOMIC && !p->combine_atomics};
}

/* The number of transactions written to out. */
uint32_t coalesce(const struct coalesce_params *p, const struct warp_inst *w, struct txn *out);

/* Shared memory: cycles that an access occupies the banks (1 = no conflict).  Lanes of one 4-byte
 * word are served together; each group of `banks` lanes goes in its own cycle at least; wide
 * accesses take a cycle per word that they ask of one bank (8 bytes per lane without conflicts: 2).
 * Address 0 is an address here. */
uint32_t coalesce_shared_conflict_cycles(const struct warp_inst *w, uint32_t banks);

#endif
