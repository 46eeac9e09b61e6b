/* mem_op.h - operations between L2 slices and memory, and their pool. */
#pragma once

#include "base/memory/pool.h"
#include "gpu/machine/params/l2.h"

#include <stdbool.h>
#include <stdint.h>

/* The last two are the L3's: an atomic that it performs, and a release's marker. */
enum mem_kind { MEM_READ, MEM_WRITE, MEM_NOTICE, MEM_ATOMIC, MEM_MARKER };
enum { MEM_SECTORS_MAX = 4 }; /* sectors of a line */
enum { MEM_OP_NONE = UINT32_MAX };

struct mem_op {
    uint64_t addr;  /* of a marker: the number of its channel, among those of its slice */
    uint64_t ready; /* tick before which the L3 does not answer it */
    uint64_t mask;  /* for write caches: bytes written */
    uint32_t entry; /* the sender's handle, which comes back; MSHR_NONE: nothing does */
    uint32_t version[MEM_SECTORS_MAX]; /* of each sector */
    uint32_t bytes;                    /* of all its sectors, which are consecutive in one line */
    uint32_t next;                     /* pool */
    uint16_t slice;
    uint8_t kind; /* enum mem_kind */
    uint8_t sectors;
    bool of_cpu;  /* an agent's behind the L3: nobody waits for its end */
    bool of_core; /* a CPU core's; entry: its request, for which a slice waits */
    uint8_t bursts, to_accept, to_finish; /* the memory controller's */
    uint16_t delay;                       /* cycles until it leaves its slice */
};
_Static_assert(L2_BANKS_MAX <= UINT16_MAX && WRITE_CACHE_TAG_LATENCY_MAX <= UINT16_MAX,
               "slice and delay hold what the parameters allow");

struct mem_op_pool {
    struct mem_op *op;
    struct pool pool;
};

bool mem_op_pool_init(struct mem_op_pool *p); /* false: no memory */
void mem_op_pool_fini(struct mem_op_pool *p);
void mem_op_pool_clear(struct mem_op_pool *p);
/* A copy of *op in the pool; MEM_OP_NONE: no memory. Pointers into the pool are invalid afterwards.
 */
uint32_t mem_op_take(struct mem_op_pool *p, const struct mem_op *op);
void mem_op_give(struct mem_op_pool *p, uint32_t i);
