/* memory_side_operations.c - what an operation does that has come to a part of the L3: reads
 * and writes; see memory_side.h. */
#include "detailed/memory_side/memory_side_internal.h"

#include <assert.h>

/* --- reads and writes --- */

void memory_side_note_write(struct memory_side *m, const struct cache *c, const struct mem_op *op)
{
    for (uint32_t k = 0; SHADOW_ON && k < op->sectors; k++)
        shadow_put(m->w.shadow, &m->w.shadow->taken_below, cache_key(c, op->addr) + k,
                   op->version[k]);
}

static void hit_read(struct memory_side *m, struct cache *c, uint32_t i, uint32_t line)
{
    uint64_t addr = m->ops.op[i].addr;
    uint32_t version = SHADOW_ON ? *memory_side_version(c, line, addr) : 0;
    shadow_expect(m->w.shadow, &m->w.shadow->taken_below, cache_key(c, addr), version);
    memory_side_answer(m, i, version, memory_side_later(m, m->p->latency - m->p->tag_latency));
}

/* The CPUs answer a read of a block that they own; they stay its owner. */
static void read_from_cpu(struct memory_side *m, struct memory_side_part *part, uint32_t i)
{
    const struct mem_op *op = &m->ops.op[i];
    uint64_t now = *m->w.tick / m->w.l2_period;
    uint32_t version =
        shadow_get(m->w.shadow, &m->w.shadow->taken_below, cache_key(&part->c, op->addr));
    part->s.reads++;
    memory_side_answer(m, i, version, cpu_cluster_supply(m->w.cpu, now) * m->w.l2_period);
}

/* A write takes its blocks from the CPUs; what it does not overwrite goes to memory ahead of it. */
void memory_side_take_from_cpu(struct memory_side *m, const struct mem_op *op)
{
    const uint32_t bytes = op->bytes / op->sectors;
    for (uint32_t k = 0; m->w.cpu && k < op->sectors; k++) {
        struct mem_op back = *op;
        back.addr += (uint64_t)k * bytes;
        back.bytes = bytes;
        back.sectors = 1;
        back.kind = MEM_WRITE;
        if (!cpu_cluster_owns(m->w.cpu, back.addr)) continue;
        cpu_cluster_give_up(m->w.cpu, back.addr);
        bool whole = !op->mask || (uint32_t)__builtin_popcountll(op->mask) == bytes;
        back.version[0] = shadow_get(m->w.shadow, &m->w.shadow->memory, back.addr / bytes);
        if (!whole) memory_side_forward(m, &back, MSHR_NONE);
    }
}

/* false: the channel has no room. */
bool memory_side_take_read(struct memory_side *m, struct memory_side_part *part, uint32_t i,
                           bool room)
{
    struct mem_op *op = &m->ops.op[i];
    if (m->w.cpu && cpu_cluster_owns(m->w.cpu, op->addr)) {
        read_from_cpu(m, part, i);
        return true;
    }
    if (m->w.probes_all && m->w.cpu) op->ready = memory_side_later(m, m->w.cpu->p->probe_latency);
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
void memory_side_drop_copies(struct cache *c, const struct mem_op *op)
{
    for (uint32_t k = 0; k < op->sectors; k++) {
        uint64_t addr = op->addr + ((uint64_t)k << c->sector_shift);
        uint32_t line = cache_find(c, cache_tag(c, addr));
        uint32_t entry = mshr_find(&c->mshr, cache_key(c, addr));
        if (entry != MSHR_NONE) c->mshr.entry[entry].killed = true;
        if (line != LINE_NONE) cache_forget(c, line, (uint8_t)(1u << cache_sector(c, addr)));
    }
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
    memory_side_note_write(m, &part->c, &op);
    memory_side_take_from_cpu(m, &op);
    if (stays) {
        write_copies(&part->c, &op);
        memory_side_written(m, op.slice, i, *m->w.tick);
        return true;
    }
    memory_side_drop_copies(&part->c, &op);
    memory_side_forward(m, &op, op.entry == MSHR_NONE ? MSHR_NONE : i);
    if (op.entry == MSHR_NONE) mem_op_give(&m->ops, i);
    return true;
}

bool memory_side_take(struct memory_side *m, struct memory_side_part *part, uint32_t i)
{
    const struct mem_op *op = &m->ops.op[i];
    bool room =
        op->kind == MEM_MARKER || memory_side_has_room(m, memory_side_lane(m, op), op->addr);
    if (part->sync && op->kind != MEM_NOTICE) return memory_side_sync_take(m, part, i, room);
    if (op->kind == MEM_READ) return memory_side_take_read(m, part, i, room);
    if (op->kind == MEM_WRITE) return take_write(m, part, i, room);
    if (room) memory_side_forward(m, op, i);
    return room;
}
