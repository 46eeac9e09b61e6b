/* memory_side.c - the L3's parts and their links: operations come from the slices in lanes, and
 * what memory returns fills a part and answers those that wait.
 *
 * A part takes operations from its lanes in turn, `ports` per cycle and no faster than its data
 * move. A fetch's data are kept unless its MSHR entry was marked since (a write has gone by). A
 * dirty victim goes to memory at once; nothing asks whether there is room. What becomes of an
 * operation that a part takes is decided in memory_side_operations.c. Source: Hechtman et al. 2014
 * (QuickRelease), 2.4, 3.1; docs/models/memory-side.md. */
#include "detailed/memory_side/memory_side_internal.h"

#include "base/memory/alloc.h"
#include "detailed/parts/link_time.h"

#include <assert.h>

/* --- building --- */

static bool init_part(const struct memory_side *m, struct memory_side_part *part)
{
    const struct map *map = m->w->map;
    part->lane = mem_new(m->lanes, sizeof *part->lane);
    for (uint32_t k = 0; part->lane && k < m->lanes; k++)
        if (!fifo_init(&part->lane[k], 16)) return false;
    if (!part->lane ||
        !cache_init(&part->c, &m->p->cache, map_part_blocks(map), map->interleave_bytes, SHADOW_ON))
        return false;
    return !m->syncs || memory_side_sync_init(m, part);
}

bool memory_side_init(struct memory_side *m, const struct l3_params *p, uint32_t link_bytes,
                      const struct wiring *w)
{
    const struct protocol *protocol = w->coherence ? w->coherence->protocol : NULL;
    struct cpu_cluster *cpu = w->all[KIND_cpu_cluster];
    *m = (struct memory_side){.p = p,
                              .w = w,
                              .memory = w->all[KIND_memory],
                              .cpu = cpu,
                              .l2_period = w->clocks->period[CLOCK_L2],
                              .parts = w->map->channels,
                              .lanes = w->map->lanes + (cpu && cpu->p->agents),
                              .link_bytes = link_bytes,
                              .data_cycles = l3_data_cycles(p),
                              .syncs = protocol && protocol->sync_fifos,
                              .probes_all = !protocol || !protocol->directory};
    m->part = mem_new(m->parts, sizeof *m->part);
    m->link_in = mem_new(w->map->partitions, sizeof *m->link_in);
    m->link_out = mem_new(w->map->partitions, sizeof *m->link_out);
    bool ok = m->part && m->link_in && m->link_out && mem_op_pool_init(&m->ops);
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
        memory_side_sync_fini(&m->part[i]);
    }
    mem_free(m->part);
    mem_free(m->link_in);
    mem_free(m->link_out);
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
        if (part->sync) memory_side_sync_clear(part);
        part->next = part->waiting = 0;
        part->data_free = 0;
        part->s = (struct l3_stats){0};
    }
    for (uint32_t i = 0; i < m->w->map->partitions; i++)
        m->link_in[i] = m->link_out[i] = 0;
    mem_op_pool_clear(&m->ops);
}

/* --- between slices and memory --- */

/* The channel of an operation. A marker goes to one of the channels of its slice. */
static uint32_t channel_of(const struct memory_side *m, const struct mem_op *op)
{
    bool named = op->kind == MEM_MARKER && !map_slice_tells_channel(m->w->map);
    return named ? (uint32_t)op->addr : map_channel_of_slice(m->w->map, op->slice, op->addr);
}

struct memory_side_part *memory_side_part_of(const struct memory_side *m, const struct mem_op *op)
{
    return &m->part[channel_of(m, op)];
}

/* Bytes of data that an operation carries: with a mask, only those written. */
static uint32_t data_bytes(const struct mem_op *op)
{
    if (op->mask) return (uint32_t)__builtin_popcountll(op->mask);
    return op->kind == MEM_WRITE ? op->bytes : 0;
}

/* The tick at which a message of that size to or from the operation's slice has left. */
static uint64_t leaves_at(const struct memory_side *m, uint64_t *link, const struct mem_op *op,
                          uint32_t bytes, uint64_t tick)
{
    uint64_t period = m->l2_period;
    if (!m->link_bytes) return tick;
    return period * link_leaves(&link[op->slice / m->w->map->near_slices], m->link_bytes,
                                (tick + period - 1) / period, m->p->header_bytes + bytes);
}

bool memory_side_send(void *side, const struct mem_op *op)
{
    struct memory_side *m = side;
    uint32_t channel = channel_of(m, op);
    struct memory_side_part *part = &m->part[channel];
    uint32_t i = mem_op_take(&m->ops, op);
    uint64_t arrives = leaves_at(m, m->link_in, op, data_bytes(op), *m->w->tick) / m->l2_period +
                       op->delay + m->p->link_latency + m->p->tag_latency + 1;
    uint32_t lane = op->of_cpu ? m->lanes - 1 : map_lane(m->w->map, op->slice, op->addr);
    if (i == MEM_OP_NONE || !fifo_push(&part->lane[lane], arrives, i)) return false;
    part->waiting++;
    if (!op->of_cpu) part->s.bytes_in += m->p->header_bytes + data_bytes(op);
    m->w->wake[KIND_memory_side](m->w->sim, channel, arrives);
    return true;
}

uint32_t memory_side_waiting(const void *side, uint32_t slice, uint64_t addr)
{
    const struct memory_side *m = side;
    uint32_t channel = map_channel_of_slice(m->w->map, slice, addr);
    return m->part[channel].lane[map_lane(m->w->map, slice, addr)].n;
}

void memory_side_forward(struct memory_side *m, const struct mem_op *op, uint32_t entry)
{
    struct mem_op sent = *op;
    sent.entry = entry;
    if (sent.kind == MEM_ATOMIC) sent.kind = MEM_READ;
    sent.slice = (uint16_t)memory_side_lane(m, op);
    uint32_t channel = memory_send(m->memory, &sent);
    if (channel == UINT32_MAX) return;
    m->w->memory_due(m->w->sim, channel);
}

void memory_side_answer(struct memory_side *m, uint32_t i, uint32_t version, uint64_t tick)
{
    const struct mem_op *op = &m->ops.op[i];
    struct memory_side_part *part = memory_side_part_of(m, op);
    if (tick < op->ready) tick = op->ready;
    bool returns_data = op->kind == MEM_READ || op->kind == MEM_ATOMIC;
    if (!op->of_cpu) {
        uint32_t bytes = returns_data ? op->bytes : 0;
        part->s.bytes_out += m->p->header_bytes + bytes;
        tick = leaves_at(m, m->link_out, op, bytes, tick);
        m->w->on_return(m->w->sim, op->slice, op->entry, version,
                        tick + m->p->link_latency * m->l2_period);
    }
    mem_op_give(&m->ops, i);
}

/* --- time --- */

uint64_t memory_side_step(struct memory_side *m, uint32_t channel, uint64_t now)
{
    struct memory_side_part *part = &m->part[channel];
    uint32_t taken = 0;
    if (part->data_free < (double)now) part->data_free = (double)now;
    for (uint32_t idle = 0; taken < m->p->ports && idle < m->lanes;) {
        if (part->data_free >= (double)now + 1) break;
        struct fifo *lane = &part->lane[part->next];
        bool goes = lane->due <= now && memory_side_take(m, part, fifo_front(lane)->value);
        if (goes) {
            fifo_pop(lane);
            part->waiting--;
            part->data_free += m->data_cycles;
            taken++;
        }
        idle = goes ? 0 : idle + 1;
        part->next = part->next + 1 == m->lanes ? 0 : part->next + 1;
    }
    uint64_t next = UINT64_MAX;
    if (part->sync && memory_side_sync_step(m, part)) next = now + 1;
    for (uint32_t k = 0; part->waiting && k < m->lanes; k++)
        if (part->lane[k].due < next) next = part->lane[k].due;
    return next > now ? next : now + 1;
}

/* --- what comes back from memory --- */

void memory_side_write_back(struct memory_side *m, const struct cache *c, const struct victim *v)
{
    for (uint32_t k = 0; k < c->sectors; k++) {
        if (!(v->dirty >> k & 1)) continue;
        uint64_t addr = (v->tag << c->line_shift) + ((uint64_t)k << c->sector_shift);
        struct mem_op op = {.addr = addr,
                            .bytes = c->p.sector_bytes,
                            .slice = (uint16_t)map_slice(m->w->map, addr),
                            .kind = MEM_WRITE,
                            .sectors = 1};
        if (SHADOW_ON)
            op.version[0] =
                shadow_get(m->w->shadow, &m->w->shadow->taken_below, cache_key(c, addr));
        memory_side_forward(m, &op, MSHR_NONE);
    }
}

static void fill_block(struct memory_side *m, struct memory_side_part *part, uint32_t entry,
                       uint32_t version, uint64_t tick)
{
    struct cache *c = &part->c;
    uint64_t addr = c->mshr.entry[entry].key << c->sector_shift;
    struct victim v;
    uint32_t line = cache_fill(c, entry, &v), i;
    if (v.dirty) memory_side_write_back(m, c, &v);
    if (SHADOW_ON && line != LINE_NONE) {
        *memory_side_version(c, line, addr) = version;
        shadow_expect(m->w->shadow, &m->w->shadow->taken_below, cache_key(c, addr), version);
    }
    while (mshr_next_waiter(&c->mshr, entry, &i))
        memory_side_answer(m, i, version, tick);
    mshr_release(&c->mshr, entry);
}

void memory_side_returned(void *side, uint32_t lane, uint32_t i, uint32_t version, uint64_t tick)
{
    (void)lane;
    struct memory_side *m = side;
    const struct mem_op *op = &m->ops.op[i];
    struct memory_side_part *part = memory_side_part_of(m, op);
    uint32_t entry = mshr_find(&part->c.mshr, cache_key(&part->c, op->addr));
    bool fills = op->kind != MEM_NOTICE && entry != MSHR_NONE &&
                 mshr_first_waiter(&part->c.mshr, entry) == i;
    if (fills)
        fill_block(m, part, entry, version, tick);
    else
        memory_side_answer(m, i, version, tick);
}

void memory_side_written(void *side, uint32_t lane, uint32_t i, uint64_t tick)
{
    (void)lane;
    struct memory_side *m = side;
    const struct mem_op *op = &m->ops.op[i];
    if (m->syncs) memory_side_sync_accepted(memory_side_part_of(m, op));
    if (op->entry != MSHR_NONE) {
        memory_side_part_of(m, op)->s.bytes_out += m->p->header_bytes;
        tick = leaves_at(m, m->link_out, op, 0, tick + m->p->write_latency * m->l2_period);
        m->w->on_written(m->w->sim, op->slice, op->entry, tick + m->p->link_latency * m->l2_period);
    }
    mem_op_give(&m->ops, i);
}

/* --- the CPUs --- */

void memory_side_host_writes(struct memory_side *m, uint64_t addr)
{
    uint32_t slice = map_slice(m->w->map, addr);
    struct cache *c = &m->part[map_channel_of_slice(m->w->map, slice, addr)].c;
    uint32_t line = cache_find(c, cache_tag(c, addr));
    uint8_t bit = (uint8_t)(1u << cache_sector(c, addr));
    if (line != LINE_NONE) {
        struct victim v = {.tag = c->line[line].tag, .dirty = c->line[line].dirty & bit};
        memory_side_write_back(m, c, &v);
        cache_forget(c, line, bit);
    }
    cpu_cluster_write(m->cpu, addr);
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
    while (!cpus_wait(m, now) && cpu_cluster_request(m->cpu, now, &r)) {
        struct mem_op op = {.addr = r.addr,
                            .mask = r.write ? m->part[0].c.sector_mask[0][0] : 0,
                            .entry = MSHR_NONE,
                            .bytes = m->p->cache.sector_bytes,
                            .slice = (uint16_t)map_slice(m->w->map, r.addr),
                            .kind = r.write ? MEM_WRITE : MEM_READ,
                            .of_cpu = true,
                            .sectors = 1};
        memory_side_send(m, &op);
    }
    uint64_t due = cpu_cluster_due(m->cpu);
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
