/* memory_side.h - the memory-side cache (L3): a part of it stands before each memory channel.
 *
 * A slice hands over its operations in order, and those of one slice to one channel stay in order.
 * A part takes them from its slices round-robin, `ports` per cycle, when they have come over the
 * link (link_latency) and looked up the tags (tag_latency). A read that hits returns after the
 * look-up and the link; one that misses is fetched and kept when its data come. A write goes to
 * memory and takes the part's copy with it, or changes the copy (l3.write). An operation for which
 * the channel has no room waits, with all behind it.
 *
 * Under QuickRelease, a write cache with its S-FIFO (wL3) stands beside each part's cache: writes
 * go there, and to memory when they leave it. A release's marker comes back when all writes before
 * it have been accepted by the memory. Atomics are performed here.
 *
 * Where partitions are L2s of their own, each has a link of l2.link_bytes to all parts: a message
 * leaves when the link has carried those before it.
 *
 * Time: L2 cycles; ticks where it meets slices and memory. Invariants: memory_side_check. Source:
 * QuickRelease 2.4, 3.1, 4.1. */
#pragma once

#include "detailed/dram/memory_controller.h"
#include "detailed/memory_side/cpu_cluster.h"
#include "detailed/parts/stats.h"
#include "gpu/cache/cache.h"
#include "gpu/machine/params/coherence/l3.h"

#define L3_STATS(C, M)                \
    M(reads, l3_reads, p->kb)         \
    M(read_hits, l3_read_hits, p->kb) \
    M(writes, l3_writes, p->kb)       \
    M(bytes_in, l3_bytes_in, p->kb)   \
    M(bytes_out, l3_bytes_out, p->kb)
struct l3_stats {
    STATS_MEMBERS(L3_STATS)
};

/* The part of one channel. */
struct memory_side_part {
    /* [lanes] operations of each of its slices, and of the CPUs; time = when they have arrived */
    struct fifo *lane;
    uint32_t next;    /* the next lane to serve */
    uint32_t waiting; /* operations in all lanes */
    double data_free; /* L2 cycle from which its data move again */
    struct cache c;
    struct part_sync *sync; /* write cache and S-FIFO, if the protocol has them, else NULL */
    struct l3_stats s;
};

struct wiring;

struct memory_side {
    const struct l3_params *p;
    const struct wiring *w;
    struct memory *memory;   /* whose on_return and on_written are memory_side's */
    struct cpu_cluster *cpu; /* NULL: there is none */
    uint64_t l2_period;
    struct memory_side_part *part; /* [parts] */
    uint32_t parts, lanes;
    struct mem_op_pool ops;
    uint64_t *link_in, *link_out; /* [partitions] of the L2: link_leaves, to and from the L3 */
    uint32_t link_bytes;          /* per L2 cycle and direction of an L2 of its own; 0: any */
    double data_cycles;           /* of a part for the data of an operation; 0: none */
    bool syncs;                   /* the protocol has S-FIFOs: there are write caches */
    bool probes_all; /* the directory keeps no state: it asks the CPUs about every block */
};

/* link_bytes: see above. false: no memory. */
bool memory_side_init(struct memory_side *m, const struct l3_params *p, uint32_t link_bytes,
                      const struct wiring *w);
void memory_side_fini(struct memory_side *m);
void memory_side_clear(struct memory_side *m);
/* Takes an operation of a slice. false: no memory. */
bool memory_side_send(void *side, const struct mem_op *op);
/* The slice's operations that wait for the address's part; slices bound their number. */
uint32_t memory_side_waiting(const void *side, uint32_t slice, uint64_t addr);
/* Steps a part at an edge of the L2 clock; returns the next cycle at which it is due. */
uint64_t memory_side_step(struct memory_side *m, uint32_t channel, uint64_t now);
/* Called by the memory, as struct memory says; entry: the operation's number. */
void memory_side_returned(void *side, uint32_t lane, uint32_t entry, uint32_t version,
                          uint64_t tick);
void memory_side_written(void *side, uint32_t lane, uint32_t entry, uint64_t tick);
bool memory_side_check(const struct memory_side *m);
void memory_side_stuck(const struct memory_side *m, struct text *out);
/* The host writes the block between launches: the L3's copy leaves. */
void memory_side_host_writes(struct memory_side *m, uint64_t addr);
/* Sends the CPUs' requests that are due, for whose data nobody here waits; returns when to call it
 * again. The CPUs wait while a part is l3.queue requests behind. */
uint64_t memory_side_step_cpu(struct memory_side *m, uint64_t now);
