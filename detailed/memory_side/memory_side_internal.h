/* memory_side_internal.h - shared by memory_side.c (lanes, time, what comes back) and
 * memory_side_operations.c (what an operation does). */
#pragma once

#include "detailed/memory_side/memory_side.h"

struct memory_side_part *memory_side_part_of(const struct memory_side *m, const struct mem_op *op);
/* The slice as which an operation waits for memory. What several L2s ask of one address stays in
 * order there, as if its home slice had asked. */
static inline uint32_t memory_side_lane(const struct memory_side *m, const struct mem_op *op)
{
    return m->w.map->several ? map_slice(m->w.map, op->addr) : op->slice;
}
/* Sends an operation to memory; entry: what comes back with its end. */
void memory_side_forward(struct memory_side *m, const struct mem_op *op, uint32_t entry);
/* Answers a read or an atomic with the data of its block, a notice or a marker. */
void memory_side_answer(struct memory_side *m, uint32_t i, uint32_t version, uint64_t tick);
/* Sends the dirty sectors of a line that has left. */
void memory_side_write_back(struct memory_side *m, const struct cache *c, const struct victim *v);
/* Carries out an operation; false: it waits for room in the channel. */
bool memory_side_take(struct memory_side *m, struct memory_side_part *part, uint32_t i);
static inline bool memory_side_has_room(const struct memory_side *m, uint32_t slice, uint64_t addr)
{
    return memory_waiting(m->w.memory, slice, addr) < m->p->queue;
}
static inline uint64_t memory_side_later(const struct memory_side *m, uint32_t cycles)
{
    return *m->w.tick + cycles * m->w.l2_period;
}
/* Carries out a read; false: the channel has no room. */
bool memory_side_take_read(struct memory_side *m, struct memory_side_part *part, uint32_t i,
                           bool room);
/* What every write does: its versions are the newest (shadow memory), the CPUs give its blocks up,
 * copies of what it writes go, and no fetch of it that is in flight is kept. */
void memory_side_note_write(struct memory_side *m, const struct cache *c, const struct mem_op *op);
void memory_side_take_from_cpu(struct memory_side *m, const struct mem_op *op);
void memory_side_drop_copies(struct cache *c, const struct mem_op *op);

/* --- memory_side_sync_fifo.c: with part->sync --- */
bool memory_side_sync_init(const struct memory_side *m,
                           struct memory_side_part *part); /* false: no memory */
void memory_side_sync_fini(struct memory_side_part *part);
void memory_side_sync_clear(struct memory_side_part *part);
/* Carries out a read, write, atomic or marker; false: it must wait. */
bool memory_side_sync_take(struct memory_side *m, struct memory_side_part *part, uint32_t i,
                           bool room);
/* Dequeues the S-FIFO; whether it is to be stepped in the next cycle. */
bool memory_side_sync_step(struct memory_side *m, struct memory_side_part *part);
void memory_side_sync_accepted(struct memory_side_part *part); /* memory has taken a block of it */
/* The version of an address's sector in a line (shadow memory). */
static inline uint32_t *memory_side_version(const struct cache *c, uint32_t line, uint64_t addr)
{
    return &c->version[(size_t)line * c->sectors + cache_sector(c, addr)];
}
