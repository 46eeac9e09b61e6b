/* memory_side_operations.c - what an operation does that has come to a part of the L3: reads,
 * writes, atomics, and what the write cache before the memory adds; see memory_side.h. */
#include "detailed/memory_side/memory_side_internal.h"

#include <assert.h>

static uint64_t ticks_later(const struct memory_side *m, uint32_t cycles)
{
    return *m->w->tick + cycles * m->l2_period;
}

/* --- reads and writes --- */

static void note_write(struct memory_side *m, const struct cache *c, const struct mem_op *op)
{
    for (uint32_t k = 0; SHADOW_ON && k < op->sectors; k++)
        shadow_put(m->w->shadow, &m->w->shadow->taken_below, cache_key(c, op->addr) + k,
                   op->version[k]);
}

static void hit_read(struct memory_side *m, struct cache *c, uint32_t i, uint32_t line)
{
    uint64_t addr = m->ops.op[i].addr;
    uint32_t version = SHADOW_ON ? *memory_side_version(c, line, addr) : 0;
    shadow_expect(m->w->shadow, &m->w->shadow->taken_below, cache_key(c, addr), version);
    memory_side_answer(m, i, version, ticks_later(m, m->p->latency - m->p->tag_latency));
}

/* The CPUs answer a read of a block that they own; they stay its owner. */
static void read_from_cpu(struct memory_side *m, struct memory_side_part *part, uint32_t i)
{
    const struct mem_op *op = &m->ops.op[i];
    uint64_t now = *m->w->tick / m->l2_period;
    uint32_t version =
        shadow_get(m->w->shadow, &m->w->shadow->taken_below, cache_key(&part->c, op->addr));
    part->s.reads++;
    memory_side_answer(m, i, version, cpu_cluster_supply(m->cpu, now) * m->l2_period);
}

/* A write takes its blocks from the CPUs; what it does not overwrite goes to memory ahead of it. */
static void take_from_cpu(struct memory_side *m, const struct mem_op *op)
{
    const uint32_t bytes = op->bytes / op->sectors;
    for (uint32_t k = 0; m->cpu && k < op->sectors; k++) {
        struct mem_op back = *op;
        back.addr += (uint64_t)k * bytes;
        back.bytes = bytes;
        back.sectors = 1;
        back.kind = MEM_WRITE;
        if (!cpu_cluster_owns(m->cpu, back.addr)) continue;
        cpu_cluster_give_up(m->cpu, back.addr);
        bool whole = !op->mask || (uint32_t)__builtin_popcountll(op->mask) == bytes;
        back.version[0] = shadow_get(m->w->shadow, &m->w->shadow->memory, back.addr / bytes);
        if (!whole) memory_side_forward(m, &back, MSHR_NONE);
    }
}

/* false: the channel has no room. */
static bool take_read(struct memory_side *m, struct memory_side_part *part, uint32_t i, bool room)
{
    struct mem_op *op = &m->ops.op[i];
    if (m->cpu && cpu_cluster_owns(m->cpu, op->addr)) {
        read_from_cpu(m, part, i);
        return true;
    }
    if (m->probes_all && m->cpu) op->ready = ticks_later(m, m->cpu->p->probe_latency);
    struct access a = {.addr = op->addr, .kind = ACCESS_READ};
    struct access_plan p;
    struct victim v;
    cache_plan_into(&part->c, &a, &p);
    bool fetches = p.verdict != CACHE_HIT && p.verdict != CACHE_MERGE;
    if (fetches && !room) return false;
    part->s.reads++;
    switch (p.verdict) {
    case CACHE_HIT:
        cache_apply(&part->c, &p, &a, &v);
        part->s.read_hits++;
        hit_read(m, &part->c, i, p.line);
        return true;
    case CACHE_MERGE: break;
    case CACHE_MISS:
        p.entry = cache_apply(&part->c, &p, &a, &v);
        if (p.entry != MSHR_NONE) memory_side_forward(m, op, i);
        break;
    case CACHE_STALL_MERGE: /* a write has overtaken the fetch in flight, which is not kept */
        memory_side_forward(m, op, i);
        return true;
    case CACHE_ALLOCATE: /* these are of writes, or of bounded MSHRs and reserved lines */
    case CACHE_PASS:
    case CACHE_STALL_MSHR:
    case CACHE_STALL_LINE: assert(false && "reads of an unbounded cache that fills late");
    }
    if (p.entry != MSHR_NONE) mshr_wait(&part->c.mshr, p.entry, i);
    return true;
}

/* Whether the part has all sectors that the operation writes. */
static bool has_copies(const struct cache *c, const struct mem_op *op)
{
    uint32_t line = cache_find(c, cache_tag(c, op->addr));
    uint32_t all = ((1u << op->sectors) - 1) << cache_sector(c, op->addr);
    return line != LINE_NONE && (c->line[line].valid & all) == all;
}

/* Whether a write without copies takes a line: it has whole sectors, of which none is on its way.
 */
static bool takes_line(const struct memory_side *m, const struct cache *c, const struct mem_op *op)
{
    bool takes = m->p->write == L3_WRITE_BACK && m->p->write_miss == L3_WRITE_MISS_ALLOCATE;
    bool whole = !op->mask || (uint32_t)__builtin_popcountll(op->mask) == op->bytes;
    for (uint32_t k = 0; takes && whole && k < op->sectors; k++)
        whole = mshr_find(&c->mshr, cache_key(c, op->addr) + k) == MSHR_NONE;
    return takes && whole;
}

/* Gives the block of a write a line. */
static void take_line(struct memory_side *m, struct cache *c, const struct mem_op *op)
{
    uint64_t tag = cache_tag(c, op->addr);
    struct victim v;
    if (cache_find(c, tag) != LINE_NONE) return;
    cache_take(c, cache_victim(c, tag, false), tag, &v);
    if (v.dirty) memory_side_write_back(m, c, &v);
}

static void write_copies(struct cache *c, const struct mem_op *op)
{
    uint32_t line = cache_find(c, cache_tag(c, op->addr));
    struct victim v;
    for (uint32_t k = 0; k < op->sectors; k++) {
        struct access a = {.addr = op->addr + ((uint64_t)k << c->sector_shift),
                           .kind = ACCESS_WRITE,
                           .allocate = true};
        bytemask_first(c->p.sector_bytes, a.mask);
        struct access_plan p = cache_plan(c, &a);
        cache_apply(c, &p, &a, &v);
        if (SHADOW_ON) *memory_side_version(c, line, a.addr) = op->version[k];
    }
}

/* Removes copies of what is written, and keeps no fetch of it that is in flight. */
static void drop_copies(struct cache *c, const struct mem_op *op)
{
    for (uint32_t k = 0; k < op->sectors; k++) {
        uint64_t addr = op->addr + ((uint64_t)k << c->sector_shift);
        uint32_t line = cache_find(c, cache_tag(c, addr));
        uint32_t entry = mshr_find(&c->mshr, cache_key(c, addr));
        if (entry != MSHR_NONE) c->mshr.entry[entry].killed = true;
        if (line != LINE_NONE) cache_forget(c, line, (uint8_t)(1u << cache_sector(c, addr)));
    }
}

/* --- the write cache --- */

static uint32_t find_written(const struct memory_side_part *part, uint64_t addr)
{
    uint64_t tag = cache_tag(&part->c, addr);
    return write_cache_find(&part->write, tag, cache_set(&part->c, tag));
}

/* Sends a block's dirty bytes to memory. Precondition: room in the channel. */
static void evict_written(struct memory_side *m, struct memory_side_part *part, uint32_t written)
{
    const struct write_line *w = &part->write.line[written];
    uint64_t addr = w->tag << part->c.line_shift;
    struct mem_op op = {.addr = addr,
                        .bytes = part->c.p.sector_bytes,
                        .slice = (uint16_t)map_slice(m->w->map, addr),
                        .kind = MEM_WRITE,
                        .entry = MSHR_NONE,
                        .sectors = 1,
                        .version = {w->version}};
    uint32_t i = mem_op_take(&m->ops, &op);
    write_cache_remove(&part->write, written);
    part->left++;
    if (i != MEM_OP_NONE) memory_side_forward(m, &op, i);
}

/* Takes dirty bytes; the cache's copy is older from now on. */
static bool take_bytes(struct memory_side *m, struct memory_side_part *part, uint32_t i, bool room)
{
    const struct mem_op *op = &m->ops.op[i];
    struct write_cache *w = &part->write;
    uint64_t tag = cache_tag(&part->c, op->addr);
    uint32_t set = cache_set(&part->c, tag);
    if (!write_cache_has_entry(w, tag, set, 0)) return false;
    uint32_t victim = write_cache_victim(w, tag, set);
    if (victim != WRITE_LINE_NONE && !room) return false;
    if (victim != WRITE_LINE_NONE) evict_written(m, part, victim);
    part->s.writes++;
    note_write(m, &part->c, op);
    take_from_cpu(m, op);
    drop_copies(&part->c, op);
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
    const struct write_line *w = &part->write.line[written];
    *served = op->kind == MEM_READ && w->mask == part->c.sector_mask[0][0];
    if (!*served && !room) return false;
    if (*served) {
        part->s.reads++;
        part->s.read_hits++;
        memory_side_answer(
            m, i, w->version,
            ticks_later(m, m->p->latency - m->p->tag_latency + m->p->write_cache.tag_latency));
    } else {
        evict_written(m, part, written);
    }
    return true;
}

/* An atomic reads its block and writes it behind the read. */
static bool take_atomic(struct memory_side *m, struct memory_side_part *part, uint32_t i, bool room)
{
    struct mem_op write = m->ops.op[i];
    if (!take_read(m, part, i, room)) return false;
    write.kind = MEM_WRITE;
    part->s.writes++;
    take_from_cpu(m, &write);
    note_write(m, &part->c, &write);
    drop_copies(&part->c, &write);
    memory_side_forward(m, &write, MSHR_NONE);
    return true;
}

static bool take_written_read(struct memory_side *m, struct memory_side_part *part, uint32_t i,
                              bool room)
{
    bool served, atomic = m->ops.op[i].kind == MEM_ATOMIC;
    if (!pass_written(m, part, i, room, &served)) return false;
    if (served) return true;
    return atomic ? take_atomic(m, part, i, room) : take_read(m, part, i, room);
}

static bool take_write(struct memory_side *m, struct memory_side_part *part, uint32_t i, bool room)
{
    struct mem_op op = m->ops.op[i];
    bool stays = m->p->write == L3_WRITE_BACK && has_copies(&part->c, &op);
    if (!stays && !room) return false;
    if (!stays && takes_line(m, &part->c, &op)) {
        take_line(m, &part->c, &op);
        stays = true;
    }
    part->s.writes++;
    note_write(m, &part->c, &op);
    take_from_cpu(m, &op);
    if (stays) {
        write_copies(&part->c, &op);
        memory_side_written(m, op.slice, i, *m->w->tick);
        return true;
    }
    drop_copies(&part->c, &op);
    memory_side_forward(m, &op, op.entry == MSHR_NONE ? MSHR_NONE : i);
    if (op.entry == MSHR_NONE) mem_op_give(&m->ops, i);
    return true;
}

static bool has_room(const struct memory_side *m, uint32_t slice, uint64_t addr)
{
    return memory_waiting(m->memory, slice, addr) < m->p->queue;
}

bool memory_side_take(struct memory_side *m, struct memory_side_part *part, uint32_t i)
{
    const struct mem_op *op = &m->ops.op[i];
    bool room = op->kind == MEM_MARKER || has_room(m, memory_side_lane(m, op), op->addr);
    switch ((enum mem_kind)op->kind) {
    case MEM_READ:
        return m->syncs ? take_written_read(m, part, i, room) : take_read(m, part, i, room);
    case MEM_WRITE: return m->syncs ? take_bytes(m, part, i, room) : take_write(m, part, i, room);
    case MEM_ATOMIC: return take_written_read(m, part, i, room);
    case MEM_MARKER: write_cache_release(&part->write, i, 0); return true;
    case MEM_NOTICE: break;
    }
    if (room) memory_side_forward(m, op, i);
    return room;
}

void memory_side_dequeue(struct memory_side *m, struct memory_side_part *part)
{
    struct write_cache *w = &part->write;
    const struct sync_entry head = *write_cache_head(w, 0);
    uint64_t addr = head.tag << part->c.line_shift;
    if (head.marker != SYNC_NONE) {
        if (part->gate == UINT64_MAX) part->gate = part->left;
        if (part->accepted < part->gate) return;
        part->gate = UINT64_MAX;
        write_cache_pop(w, 0);
        memory_side_answer(m, head.marker, 0, *m->w->tick);
        return;
    }
    uint32_t written = find_written(part, addr);
    if (written != WRITE_LINE_NONE) {
        if (!has_room(m, map_slice(m->w->map, addr), addr)) return;
        evict_written(m, part, written);
    }
    write_cache_pop(w, 0);
}
