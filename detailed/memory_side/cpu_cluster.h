/* cpu_cluster.h - the CPUs beside the GPU, as the memory side sees them: which blocks they hold
 * modified, and the traffic of those that work while a kernel runs.
 *
 * What the host writes stays modified in their caches (LRU) until it is replaced or the GPU writes
 * it. The CPUs supply such blocks and remain their owner; they take one block per supply_cycles.
 * Host writes happen between launches and take no time.
 *
 * Units: addresses in bytes, cycles of the L2 clock. Source: QuickRelease 2.4, 3.1.1, 5.1; that a
 * supplier stays the owner is MOESI's rule. */
#pragma once

#include "base/memory/rng.h"
#include "detailed/parts/stats.h"
#include "gpu/cache/cache.h"
#include "gpu/machine/params/coherence/cpu.h"

#define CPU_STATS(C, M)                    \
    M(supplies, cpu_supplies, p->cache_kb) \
    M(requests, cpu_requests, p->agents)
struct cpu_stats {
    STATS_MEMBERS(CPU_STATS)
};

/* A CPU's request to the memory. */
struct cpu_request {
    uint64_t addr;
    bool write;
};

struct cpu_agent {
    uint64_t base, last; /* of its memory; its last block */
    uint64_t next;       /* cycle of its next request */
};

struct cpu_cluster {
    const struct cpu_params *p;
    struct memory_side *l3; /* to which the agents send */
    struct cache c;
    uint64_t port_free; /* cycle from which the next block can be supplied */
    struct cpu_agent agent[64];
    struct rng rng;
    struct cpu_stats s;
};

struct memory_side;

bool cpu_cluster_init(struct cpu_cluster *u, const struct cpu_params *p,
                      struct memory_side *l3); /* false: no memory */
void cpu_cluster_fini(struct cpu_cluster *u);
void cpu_cluster_clear(struct cpu_cluster *u);
/* The host writes the block. */
void cpu_cluster_write(struct cpu_cluster *u, uint64_t addr);
/* Whether they hold the block modified. */
static inline bool cpu_cluster_owns(const struct cpu_cluster *u, uint64_t addr)
{
    return cache_find(&u->c, cache_tag(&u->c, addr)) != LINE_NONE;
}
/* The cycle at which they have supplied a block for which the directory asks at `now`. */
uint64_t cpu_cluster_supply(struct cpu_cluster *u, uint64_t now);
/* They give the block up. Precondition: they own it. */
void cpu_cluster_give_up(struct cpu_cluster *u, uint64_t addr);
/* The next request that is due at `now`; false: none. */
bool cpu_cluster_request(struct cpu_cluster *u, uint64_t now, struct cpu_request *r);
uint64_t cpu_cluster_due(const struct cpu_cluster *u); /* of the next request */
