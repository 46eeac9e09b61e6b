/* memory_controller.h - the controllers between L2 slices and DRAM channels.
 *
 * A slice hands over operations in order; a controller takes them from its slices round-robin. One
 * controller may serve several slices, and one slice may reach several channels, or all (each
 * operation goes to the channel of its address). A fetch returns extra_latency core cycles after
 * its last beat. A write-back is complete for the slice when the controller accepts it, or at its
 * last beat (wait_for_writes). A notice (of a clean victim) returns like an empty fetch.
 *
 * Operations of CPU cores (mem_op.of_core) have a lane of their own at each channel, one more in
 * the round. With urgent_first the controller takes from it before it looks at the others.
 *
 * Time: ticks at this interface, command clocks inside. */
#pragma once

#include "detailed/dram/dram.h"
#include "detailed/dram/mem_op.h"
#include "detailed/parts/delay_line.h"
#include "detailed/parts/shadow_memory.h"
#include "gpu/geometry/address_map_table.h"

struct memory_channel {
    struct dram_channel *dram;
    struct fifo *lane; /* [lanes] operations of each of its slices, in order; value = operation */
    uint32_t *taken;   /* [lanes] places: a fetch takes one for each sector, others one */
    uint32_t next;     /* the next lane to serve */
    uint32_t waiting;  /* operations in all lanes */
    struct mem_op_pool ops;
    uint64_t bytes_read, bytes_written; /* without those of CPU cores */
};

struct memory {
    const struct dram_params *p;
    const struct map *map;
    struct map_table places; /* bank, row and column of an address */
    /* lanes: slices that reach a channel, and the CPU cores; core_lane: theirs, UINT32_MAX: there
     * are none. */
    uint32_t channels, lanes, core_lane;
    struct memory_channel *channel;
    uint64_t dram_period, extra_ticks; /* ticks per command clock; ticks of extra_latency */
    uint32_t burst_bytes;
    uint64_t core_bytes_read, core_bytes_written; /* of CPU cores */
    struct shadow *shadow;
    /* Set by the owner after memory_init. */
    bool wait_for_writes;
    const uint64_t *tick;        /* now */
    bool is_shared;              /* others than the GPU use it all the time */
    const struct memory *second; /* of the first memory: the one beside it; NULL: there is none */
    /* Called when a fetch or notice returns at `tick`, or a write-back with an entry is complete.
     */
    void (*on_return)(void *ctx, uint32_t slice, uint32_t entry, uint32_t version, uint64_t tick);
    void (*on_written)(void *ctx, uint32_t slice, uint32_t entry, uint64_t tick);
    void *ctx;
};

/* cores: CPU cores send operations, too. */
bool memory_init(struct memory *m, const struct dram_params *p, const struct map *map, bool cores,
                 uint64_t dram_period, uint64_t core_period, struct shadow *shadow,
                 struct error *e);
void memory_fini(struct memory *m);
void memory_clear(struct memory *m); /* empty channels at cycle 0 */
/* Queues an operation; returns its channel, UINT32_MAX: no memory.  The channel is due at its next
 * edge. */
uint32_t memory_send(struct memory *m, const struct mem_op *op);
/* Where the places are counted that the slice's operations take that wait for the address's
 * controller; slices bound their number. */
const uint32_t *memory_queue(const struct memory *m, uint32_t slice, uint64_t addr);
static inline uint32_t memory_waiting(const struct memory *m, uint32_t slice, uint64_t addr)
{
    return *memory_queue(m, slice, addr);
}
/* The cores' operations that wait for the address's controller. */
uint32_t memory_cores_waiting(const struct memory *m, uint32_t slice, uint64_t addr);
/* Steps one channel at an edge of the DRAM clock; returns the next cycle at which it is due. */
uint64_t memory_step(struct memory *m, uint32_t channel, uint64_t cycle);
/* Of all channels. */
uint64_t memory_bytes_read(const struct memory *m);
uint64_t memory_bytes_written(const struct memory *m);
uint32_t memory_operations(const struct memory *m); /* between slices and the end of their access */
bool memory_check(const struct memory *m);
void memory_stuck(const struct memory *m, struct text *out);
