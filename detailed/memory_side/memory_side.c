#include "detailed/memory_side/memory_side.h"

#include "base/memory/alloc.h"

#include <assert.h>

/* --- building --- */

static bool init_part(const struct memory_side *m, struct memory_side_part *part)
{
    const struct map *map = m->w.map;
    part->lane = mem_new(m->lanes, sizeof *part->lane);
    for (uint32_t k = 0; part->lane && k < m->lanes; k++)
        if (!fifo_init(&part->lane[k], 16)) return false;
    if (!part->lane ||
        !cache_init(&part->c, &m->p->cache, map->slices, map->interleave_bytes, SHADOW_ON))
        return false;
    struct write_cache_params share = m->p->write_cache;
    share.kb /= m->parts;
    share.fifo /= m->parts;
    part->gate = UINT64_MAX;
    return !m->syncs || write_cache_init(&part->write, &share, m->p->cache.line_bytes, 1);
}

bool memory_side_init(struct memory_side *m, const struct l3_params *p,
                      const struct memory_side_wiring *w)
{
    *m = (struct memory_side){.p = p,
                              .w = *w,
                              .parts = w->map->channels,
                              .lanes = w->map->slices_per_channel + (w->cpu && w->cpu->p->agents),
                              .syncs = w->syncs};
    m->part = mem_new(m->parts, sizeof *m->part);
    bool ok = m->part && mem_op_pool_init(&m->ops);
    for (uint32_t i = 0; ok && i < m->parts; i++)
        ok = init_part(m, &m->part[i]);
    if (!ok) memory_side_fini(m);
    return ok;
}

void memory_side_fini(struct memory_side *m)
{
    for (uint32_t i = 0; m->part && i < m->parts; i++) {
        for (uint32_t k = 0; m->part[i].lane && k < m->lanes; k++)
            fifo_fini(&m->part[i].lane[k]);
        mem_free(m->part[i].lane);
        if (m->part[i].c.line) cache_fini(&m->part[i].c);
        write_cache_fini(&m->part[i].write);
    }
    mem_free(m->part);
    mem_op_pool_fini(&m->ops);
    *m = (struct memory_side){0};
}

void memory_side_clear(struct memory_side *m)
{
    for (uint32_t i = 0; i < m->parts; i++) {
        struct memory_side_part *part = &m->part[i];
        for (uint32_t k = 0; k < m->lanes; k++)
            fifo_clear(&part->lane[k]);
        cache_clear(&part->c);
        if (m->syncs) write_cache_clear(&part->write);
        part->next = part->waiting = 0;
        part->left = part->accepted = 0;
        part->gate = UINT64_MAX;
        part->s = (struct l3_stats){0};
    }
    mem_op_pool_clear(&m->ops);
    m->no_memory = false;
}

uint64_t memory_side_bytes(const struct l3_params *p, uint32_t channels)
{
    enum { LINE_BYTES = sizeof(struct cache_line) + 2 * sizeof(uint64_t) + 4 * sizeof(uint32_t) };
    return (uint64_t)channels * p->cache.sets * p->cache.ways * LINE_BYTES;
}

/* --- between slices and memory --- */

/* The channel of an operation. A marker goes to one of the channels of its slice. */
static uint32_t channel_of(const struct memory_side *m, const struct mem_op *op)
{
    bool named = op->kind == MEM_MARKER && !map_slice_tells_channel(m->w.map);
    return named ? (uint32_t)op->addr : map_channel_of_slice(m->w.map, op->slice, op->addr);
}

static struct memory_side_part *part_of(const struct memory_side *m, const struct mem_op *op)
{
    return &m->part[channel_of(m, op)];
}

static uint64_t ticks_later(const struct memory_side *m, uint32_t cycles)
{
    return *m->w.tick + cycles * m->w.l2_period;
}

/* Bytes of data that an operation carries: with a mask, only those written. */
static uint32_t data_bytes(const struct mem_op *op)
{
    if (op->mask) return (uint32_t)__builtin_popcountll(op->mask);
    return op->kind == MEM_WRITE ? op->bytes : 0;
}

bool memory_side_send(struct memory_side *m, const struct mem_op *op)
{
    uint32_t channel = channel_of(m, op);
    struct memory_side_part *part = &m->part[channel];
    uint32_t i = mem_op_take(&m->ops, op);
    uint64_t arrives =
        *m->w.tick / m->w.l2_period + op->delay + m->p->link_latency + m->p->tag_latency + 1;
    uint32_t lane = op->of_cpu ? m->lanes - 1 : map_share(m->w.map, op->slice);
    if (i == MEM_OP_NONE || !fifo_push(&part->lane[lane], arrives, i)) return false;
    part->waiting++;
    if (!op->of_cpu) part->s.bytes_in += m->p->header_bytes + data_bytes(op);
    m->w.due(m->w.ctx, channel, arrives);
    return true;
}

uint32_t memory_side_waiting(const struct memory_side *m, uint32_t slice, uint64_t addr)
{
    uint32_t channel = map_channel_of_slice(m->w.map, slice, addr);
    return m->part[channel].lane[map_share(m->w.map, slice)].n;
}

/* Sends an operation to memory; entry: what comes back with its end. */
static void send_to_memory(struct memory_side *m, const struct mem_op *op, uint32_t entry)
{
    struct mem_op sent = *op;
    sent.entry = entry;
    if (sent.kind == MEM_ATOMIC) sent.kind = MEM_READ;
    uint32_t channel = memory_send(m->w.memory, &sent);
    if (channel == UINT32_MAX) {
        m->no_memory = true;
        return;
    }
    m->w.memory_due(m->w.ctx, channel);
}

/* Answers a read or an atomic with the data of its block, a notice or a marker. */
static void answer_read(struct memory_side *m, uint32_t i, uint32_t version, uint64_t tick)
{
    const struct mem_op *op = &m->ops.op[i];
    struct memory_side_part *part = part_of(m, op);
    if (tick < op->ready) tick = op->ready;
    bool returns_data = op->kind == MEM_READ || op->kind == MEM_ATOMIC;
    if (!op->of_cpu) {
        part->s.bytes_out += m->p->header_bytes + (returns_data ? op->bytes : 0);
        m->w.on_return(m->w.ctx, op->slice, op->entry, version,
                       tick + m->p->link_latency * m->w.l2_period);
    }
    mem_op_give(&m->ops, i);
}

/* --- operations --- */

static void note_write(struct memory_side *m, const struct cache *c, const struct mem_op *op)
{
    for (uint32_t k = 0; SHADOW_ON && k < op->sectors; k++)
        shadow_put(m->w.shadow, &m->w.shadow->memory_side, cache_key(c, op->addr) + k,
                   op->version[k]);
}

static uint32_t *version_at(const struct cache *c, uint32_t line, uint64_t addr)
{
    return &c->version[(size_t)line * c->sectors + cache_sector(c, addr)];
}

static void hit_read(struct memory_side *m, struct cache *c, uint32_t i, uint32_t line)
{
    uint64_t addr = m->ops.op[i].addr;
    uint32_t version = SHADOW_ON ? *version_at(c, line, addr) : 0;
    shadow_expect(m->w.shadow, &m->w.shadow->memory_side, cache_key(c, addr), version);
    answer_read(m, i, version, ticks_later(m, m->p->latency - m->p->tag_latency));
}

/* The CPUs answer a read of a block that they own; they stay its owner. */
static void read_from_cpu(struct memory_side *m, struct memory_side_part *part, uint32_t i)
{
    const struct mem_op *op = &m->ops.op[i];
    uint64_t now = *m->w.tick / m->w.l2_period;
    uint32_t version =
        shadow_get(m->w.shadow, &m->w.shadow->memory_side, cache_key(&part->c, op->addr));
    part->s.reads++;
    answer_read(m, i, version, cpu_cluster_supply(m->w.cpu, now) * m->w.l2_period);
}

/* A write takes its blocks from the CPUs; what it does not overwrite goes to memory ahead of it. */
static void take_from_cpu(struct memory_side *m, const struct mem_op *op)
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
        if (!whole) send_to_memory(m, &back, MSHR_NONE);
    }
}

/* false: the channel has no room. */
static bool take_read(struct memory_side *m, struct memory_side_part *part, uint32_t i, bool room)
{
    struct mem_op *op = &m->ops.op[i];
    if (m->w.cpu && cpu_cluster_owns(m->w.cpu, op->addr)) {
        read_from_cpu(m, part, i);
        return true;
    }
    if (m->w.probes_all && m->w.cpu) op->ready = ticks_later(m, m->w.cpu->p->probe_latency);
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
        if (p.entry != MSHR_NONE) send_to_memory(m, op, i);
        break;
    case CACHE_STALL_MERGE: /* a write has overtaken the fetch in flight, which is not kept */
        send_to_memory(m, op, i);
        return true;
    case CACHE_ALLOCATE: /* these are of writes, or of bounded MSHRs and reserved lines */
    case CACHE_PASS:
    case CACHE_STALL_MSHR:
    case CACHE_STALL_LINE: assert(false && "reads of an unbounded cache that fills late");
    }
    if (p.entry == MSHR_NONE || !mshr_wait(&part->c.mshr, p.entry, i)) m->no_memory = true;
    return true;
}

/* Whether the part has all sectors that the operation writes. */
static bool has_copies(const struct cache *c, const struct mem_op *op)
{
    uint32_t line = cache_find(c, cache_tag(c, op->addr));
    uint32_t all = ((1u << op->sectors) - 1) << cache_sector(c, op->addr);
    return line != LINE_NONE && (c->line[line].valid & all) == all;
}

static void write_copies(struct cache *c, const struct mem_op *op)
{
    uint32_t line = cache_find(c, cache_tag(c, op->addr));
    struct victim v;
    for (uint32_t k = 0; k < op->sectors; k++) {
        struct access a = {.addr = op->addr + ((uint64_t)k << c->sector_shift),
                           .kind = ACCESS_WRITE};
        bytemask_first(c->p.sector_bytes, a.mask);
        struct access_plan p = cache_plan(c, &a);
        cache_apply(c, &p, &a, &v);
        if (SHADOW_ON) *version_at(c, line, a.addr) = op->version[k];
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
                        .slice = (uint16_t)map_slice(m->w.map, addr),
                        .kind = MEM_WRITE,
                        .entry = MSHR_NONE,
                        .sectors = 1,
                        .version = {w->version}};
    uint32_t i = mem_op_take(&m->ops, &op);
    write_cache_remove(&part->write, written);
    part->left++;
    if (i == MEM_OP_NONE)
        m->no_memory = true;
    else
        send_to_memory(m, &op, i);
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
    if (!write_cache_store(w, tag, set, op->mask, op->version[0], 0)) m->no_memory = true;
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
        answer_read(
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
    send_to_memory(m, &write, MSHR_NONE);
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
    part->s.writes++;
    note_write(m, &part->c, &op);
    take_from_cpu(m, &op);
    if (stays) {
        write_copies(&part->c, &op);
        memory_side_written(m, i, *m->w.tick);
        return true;
    }
    drop_copies(&part->c, &op);
    send_to_memory(m, &op, op.entry == MSHR_NONE ? MSHR_NONE : i);
    if (op.entry == MSHR_NONE) mem_op_give(&m->ops, i);
    return true;
}

static bool has_room(const struct memory_side *m, uint32_t slice, uint64_t addr)
{
    return memory_waiting(m->w.memory, slice, addr) < m->p->queue;
}

/* Carries out an operation; false: it waits for room in the channel. */
static bool take_operation(struct memory_side *m, struct memory_side_part *part, uint32_t i)
{
    const struct mem_op *op = &m->ops.op[i];
    bool room = op->kind == MEM_MARKER || has_room(m, op->slice, op->addr);
    switch ((enum mem_kind)op->kind) {
    case MEM_READ:
        return m->syncs ? take_written_read(m, part, i, room) : take_read(m, part, i, room);
    case MEM_WRITE: return m->syncs ? take_bytes(m, part, i, room) : take_write(m, part, i, room);
    case MEM_ATOMIC: return take_written_read(m, part, i, room);
    case MEM_MARKER:
        if (!write_cache_release(&part->write, i, 0)) m->no_memory = true;
        return true;
    case MEM_NOTICE: break;
    }
    if (room) send_to_memory(m, op, i);
    return room;
}

/* Dequeues one entry of the S-FIFO. A marker is answered when all that left before it has been
 * accepted by the memory. */
static void dequeue_entry(struct memory_side *m, struct memory_side_part *part)
{
    struct write_cache *w = &part->write;
    const struct sync_entry head = *write_cache_head(w, 0);
    uint64_t addr = head.tag << part->c.line_shift;
    if (head.marker != SYNC_NONE) {
        if (part->gate == UINT64_MAX) part->gate = part->left;
        if (part->accepted < part->gate) return;
        part->gate = UINT64_MAX;
        write_cache_pop(w, 0);
        answer_read(m, head.marker, 0, *m->w.tick);
        return;
    }
    uint32_t written = find_written(part, addr);
    if (written != WRITE_LINE_NONE) {
        if (!has_room(m, map_slice(m->w.map, addr), addr)) return;
        evict_written(m, part, written);
    }
    write_cache_pop(w, 0);
}

uint64_t memory_side_step(struct memory_side *m, uint32_t channel, uint64_t now)
{
    struct memory_side_part *part = &m->part[channel];
    uint32_t taken = 0;
    for (uint32_t idle = 0; taken < m->p->ports && idle < m->lanes;) {
        struct fifo *lane = &part->lane[part->next];
        bool goes = lane->due <= now && take_operation(m, part, fifo_front(lane)->value);
        if (goes) {
            fifo_pop(lane);
            part->waiting--;
            taken++;
        }
        idle = goes ? 0 : idle + 1;
        part->next = part->next + 1 == m->lanes ? 0 : part->next + 1;
    }
    uint64_t next = UINT64_MAX;
    if (m->syncs && write_cache_dequeues(&part->write) != SYNC_NONE) {
        dequeue_entry(m, part);
        next = now + 1;
    }
    for (uint32_t k = 0; part->waiting && k < m->lanes; k++)
        if (part->lane[k].due < next) next = part->lane[k].due;
    return next > now ? next : now + 1;
}

/* --- what comes back from memory --- */

/* Sends the dirty sectors of a line that has left. */
static void write_back(struct memory_side *m, const struct cache *c, const struct victim *v)
{
    for (uint32_t k = 0; k < c->sectors; k++) {
        if (!(v->dirty >> k & 1)) continue;
        uint64_t addr = (v->tag << c->line_shift) + ((uint64_t)k << c->sector_shift);
        struct mem_op op = {.addr = addr,
                            .bytes = c->p.sector_bytes,
                            .slice = (uint16_t)map_slice(m->w.map, addr),
                            .kind = MEM_WRITE,
                            .sectors = 1};
        if (SHADOW_ON)
            op.version[0] = shadow_get(m->w.shadow, &m->w.shadow->memory_side, cache_key(c, addr));
        send_to_memory(m, &op, MSHR_NONE);
    }
}

static void fill_block(struct memory_side *m, struct memory_side_part *part, uint32_t entry,
                       uint32_t version, uint64_t tick)
{
    struct cache *c = &part->c;
    uint64_t addr = c->mshr.entry[entry].key << c->sector_shift;
    struct victim v;
    uint32_t line = cache_fill(c, entry, &v), i;
    if (v.dirty) write_back(m, c, &v);
    if (SHADOW_ON && line != LINE_NONE) {
        *version_at(c, line, addr) = version;
        shadow_expect(m->w.shadow, &m->w.shadow->memory_side, cache_key(c, addr), version);
    }
    while (mshr_next_waiter(&c->mshr, entry, &i))
        answer_read(m, i, version, tick);
    mshr_release(&c->mshr, entry);
}

void memory_side_returned(struct memory_side *m, uint32_t i, uint32_t version, uint64_t tick)
{
    const struct mem_op *op = &m->ops.op[i];
    struct memory_side_part *part = part_of(m, op);
    uint32_t entry = mshr_find(&part->c.mshr, cache_key(&part->c, op->addr));
    bool fills = op->kind != MEM_NOTICE && entry != MSHR_NONE &&
                 mshr_first_waiter(&part->c.mshr, entry) == i;
    if (fills)
        fill_block(m, part, entry, version, tick);
    else
        answer_read(m, i, version, tick);
}

void memory_side_written(struct memory_side *m, uint32_t i, uint64_t tick)
{
    const struct mem_op *op = &m->ops.op[i];
    if (m->syncs) part_of(m, op)->accepted++;
    if (op->entry != MSHR_NONE) {
        part_of(m, op)->s.bytes_out += m->p->header_bytes;
        m->w.on_written(m->w.ctx, op->slice, op->entry, tick + m->p->link_latency * m->w.l2_period);
    }
    mem_op_give(&m->ops, i);
}

/* --- the CPUs --- */

void memory_side_host_writes(struct memory_side *m, uint64_t addr)
{
    uint32_t slice = map_slice(m->w.map, addr);
    struct cache *c = &m->part[map_channel_of_slice(m->w.map, slice, addr)].c;
    uint32_t line = cache_find(c, cache_tag(c, addr));
    uint8_t bit = (uint8_t)(1u << cache_sector(c, addr));
    if (line != LINE_NONE) {
        struct victim v = {.tag = c->line[line].tag, .dirty = c->line[line].dirty & bit};
        write_back(m, c, &v);
        cache_forget(c, line, bit);
    }
    cpu_cluster_write(m->w.cpu, addr);
}

/* Whether a part is behind with the CPUs' requests. */
static bool cpus_wait(const struct memory_side *m, uint64_t now)
{
    for (uint32_t i = 0; i < m->parts; i++) {
        const struct fifo *lane = &m->part[i].lane[m->lanes - 1];
        if (lane->n >= m->p->queue && lane->due <= now) return true;
    }
    return false;
}

uint64_t memory_side_step_cpu(struct memory_side *m, uint64_t now)
{
    struct cpu_request r;
    while (!cpus_wait(m, now) && cpu_cluster_request(m->w.cpu, now, &r)) {
        struct mem_op op = {.addr = r.addr,
                            .mask = r.write ? m->part[0].c.sector_mask[0][0] : 0,
                            .entry = MSHR_NONE,
                            .bytes = m->p->cache.sector_bytes,
                            .slice = (uint16_t)map_slice(m->w.map, r.addr),
                            .kind = r.write ? MEM_WRITE : MEM_READ,
                            .of_cpu = true,
                            .sectors = 1};
        if (!memory_side_send(m, &op)) m->no_memory = true;
    }
    uint64_t due = cpu_cluster_due(m->w.cpu);
    return due > now ? due : now + 1;
}

bool memory_side_check(const struct memory_side *m)
{
    for (uint32_t i = 0; i < m->parts; i++)
        if (!cache_check(&m->part[i].c)) return false;
    return true;
}

void memory_side_stuck(const struct memory_side *m, struct text *out)
{
    for (uint32_t i = 0; i < m->parts; i++)
        if (m->part[i].waiting || m->part[i].c.mshr.used)
            text_add(out, "L3 before channel %u: %u operations wait, %u fetches\n", i,
                     m->part[i].waiting, m->part[i].c.mshr.used);
}
