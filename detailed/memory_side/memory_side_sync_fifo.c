/* memory_side_sync_fifo.c - what QuickRelease adds to a part of the L3: a write cache with its
 * S-FIFO (wL3), before the memory; see memory_side.h. */
#include "base/memory/alloc.h"
#include "detailed/coherence/write_cache.h"
#include "detailed/memory_side/memory_side_internal.h"

struct part_sync {
    struct write_cache write;
    uint64_t left,
        accepted; /* blocks that have left it, and that the memory has accepted of them */
    uint64_t
        gate; /* what `accepted` must be for the marker at the head; UINT64_MAX: there is none */
};

bool memory_side_sync_init(const struct memory_side *m, struct memory_side_part *part)
{
    struct write_cache_params share = m->p->write_cache;
    share.kb /= m->parts;
    share.fifo /= m->parts;
    part->sync = mem_new(1, sizeof *part->sync);
    if (!part->sync) return false;
    part->sync->gate = UINT64_MAX;
    return write_cache_init(&part->sync->write, &share, m->p->cache.line_bytes, 1);
}

void memory_side_sync_fini(struct memory_side_part *part)
{
    if (part->sync) write_cache_fini(&part->sync->write);
    mem_free(part->sync);
}

void memory_side_sync_clear(struct memory_side_part *part)
{
    write_cache_clear(&part->sync->write);
    part->sync->left = part->sync->accepted = 0;
    part->sync->gate = UINT64_MAX;
}

static uint32_t find_written(const struct memory_side_part *part, uint64_t addr)
{
    uint64_t tag = cache_tag(&part->c, addr);
    return write_cache_find(&part->sync->write, tag, cache_set(&part->c, tag));
}

/* Sends a block's dirty bytes to memory. Precondition: room in the channel. */
static void evict_written(struct memory_side *m, struct memory_side_part *part, uint32_t written)
{
    const struct write_line *w = &part->sync->write.line[written];
    uint64_t addr = w->tag << part->c.line_shift;
    struct mem_op op = {.addr = addr,
                        .bytes = part->c.p.sector_bytes,
                        .slice = (uint16_t)map_slice(m->w.map, addr),
                        .kind = MEM_WRITE,
                        .entry = MSHR_NONE,
                        .sectors = 1,
                        .version = {w->version}};
    uint32_t i = mem_op_take(&m->ops, &op);
    write_cache_remove(&part->sync->write, written);
    part->sync->left++;
    if (i != MEM_OP_NONE) memory_side_forward(m, &op, i);
}

/* Takes dirty bytes; the cache's copy is older from now on. */
static bool take_bytes(struct memory_side *m, struct memory_side_part *part, uint32_t i, bool room)
{
    const struct mem_op *op = &m->ops.op[i];
    struct write_cache *w = &part->sync->write;
    uint64_t tag = cache_tag(&part->c, op->addr);
    uint32_t set = cache_set(&part->c, tag);
    if (!write_cache_has_entry(w, tag, set, 0)) return false;
    uint32_t victim = write_cache_victim(w, tag, set);
    if (victim != WRITE_LINE_NONE && !room) return false;
    if (victim != WRITE_LINE_NONE) evict_written(m, part, victim);
    part->s.writes++;
    memory_side_note_write(m, &part->c, op);
    memory_side_take_from_cpu(m, op);
    memory_side_drop_copies(&part->c, op);
    write_cache_store(w, tag, set, op->mask, op->version[0], 0);
    mem_op_give(&m->ops, i);
    return true;
}

/* Serves a read of a block whose bytes are all in the write cache; else sends what is there ahead
 * of it. false: the channel has no room. */
static bool pass_written(struct memory_side *m, struct memory_side_part *part, uint32_t i,
                         bool room, bool *served)
{
    const struct mem_op *op = &m->ops.op[i];
    uint32_t written = find_written(part, op->addr);
    *served = false;
    if (written == WRITE_LINE_NONE) return true;
    const struct write_line *w = &part->sync->write.line[written];
    *served = op->kind == MEM_READ && w->mask == part->c.sector_mask[0][0];
    if (!*served && !room) return false;
    if (*served) {
        part->s.reads++;
        part->s.read_hits++;
        memory_side_answer(m, i, w->version,
                           memory_side_later(m, m->p->latency - m->p->tag_latency +
                                                    m->p->write_cache.tag_latency));
    } else {
        evict_written(m, part, written);
    }
    return true;
}

/* An atomic reads its block and writes it behind the read. */
static bool take_atomic(struct memory_side *m, struct memory_side_part *part, uint32_t i, bool room)
{
    struct mem_op write = m->ops.op[i];
    if (!memory_side_take_read(m, part, i, room)) return false;
    write.kind = MEM_WRITE;
    part->s.writes++;
    memory_side_take_from_cpu(m, &write);
    memory_side_note_write(m, &part->c, &write);
    memory_side_drop_copies(&part->c, &write);
    memory_side_forward(m, &write, MSHR_NONE);
    return true;
}

static bool take_written_read(struct memory_side *m, struct memory_side_part *part, uint32_t i,
                              bool room)
{
    bool served, atomic = m->ops.op[i].kind == MEM_ATOMIC;
    if (!pass_written(m, part, i, room, &served)) return false;
    if (served) return true;
    return atomic ? take_atomic(m, part, i, room) : memory_side_take_read(m, part, i, room);
}

bool memory_side_sync_take(struct memory_side *m, struct memory_side_part *part, uint32_t i,
                           bool room)
{
    uint8_t kind = m->ops.op[i].kind;
    if (kind == MEM_WRITE) return take_bytes(m, part, i, room);
    if (kind != MEM_MARKER) return take_written_read(m, part, i, room);
    write_cache_release(&part->sync->write, i, 0);
    return true;
}

/* Dequeues one entry of the S-FIFO. A marker is answered when all that left before it has been
 * accepted by the memory. */
static void dequeue_entry(struct memory_side *m, struct memory_side_part *part)
{
    struct part_sync *sync = part->sync;
    struct write_cache *w = &sync->write;
    const struct sync_entry head = *write_cache_head(w, 0);
    uint64_t addr = head.tag << part->c.line_shift;
    if (head.marker != SYNC_NONE) {
        if (sync->gate == UINT64_MAX) sync->gate = sync->left;
        if (sync->accepted < sync->gate) return;
        sync->gate = UINT64_MAX;
        write_cache_pop(w, 0);
        memory_side_answer(m, head.marker, 0, *m->w.tick);
        return;
    }
    uint32_t written = find_written(part, addr);
    if (written != WRITE_LINE_NONE) {
        if (!memory_side_has_room(m, map_slice(m->w.map, addr), addr)) return;
        evict_written(m, part, written);
    }
    write_cache_pop(w, 0);
}

bool memory_side_sync_step(struct memory_side *m, struct memory_side_part *part)
{
    bool dequeues = write_cache_dequeues(&part->sync->write) != SYNC_NONE;
    if (dequeues) dequeue_entry(m, part);
    return dequeues;
}

void memory_side_sync_accepted(struct memory_side_part *part)
{
    part->sync->accepted++;
}
