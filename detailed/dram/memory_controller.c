/* memory_controller.c - hands the operations of L2 slices to the DRAM channels, burst by burst, and
 * what comes back to the slices.
 *
 * Each slice that reaches a channel has a lane there, CPU cores have one more; lanes take turns,
 * and one whose operation finds no room in the channel is passed over, unless some of its bursts
 * have been accepted. A read returns extra_latency core cycles after its last beat; a write is
 * complete when all of it is accepted or (wait_for_writes) written. A notice carries no data and
 * returns after extra_latency. The channel itself is dram.h. */
#include "detailed/dram/memory_controller.h"

#include "base/memory/alloc.h"

#include <string.h>

enum { NONE = UINT32_MAX };

static bool lanes_init(struct memory_channel *c, uint32_t n)
{
    c->lane = mem_new(n, sizeof *c->lane);
    c->taken = mem_new(n, sizeof *c->taken);
    for (uint32_t k = 0; c->lane && k < n; k++)
        if (!fifo_init(&c->lane[k], 16)) return false;
    return c->lane && c->taken;
}

bool memory_init(struct memory *m, const struct dram_params *p, const struct map *map, bool cores,
                 uint64_t dram_period, uint64_t core_period, struct shadow *shadow, struct error *e)
{
    *m = (struct memory){.p = p,
                         .map = map,
                         .channels = p->channels,
                         .lanes = map->lanes + cores,
                         .core_lane = cores ? map->lanes : NONE,
                         .dram_period = dram_period,
                         .extra_ticks = p->extra_latency * core_period,
                         .burst_bytes = p->burst_length * p->bus_bytes,
                         .shadow = shadow};
    map_table_init(&m->places, map);
    m->channel = mem_new(m->channels, sizeof *m->channel);
    bool ok = m->channel != NULL;
    for (uint32_t i = 0; ok && i < m->channels; i++)
        ok = lanes_init(&m->channel[i], m->lanes) && mem_op_pool_init(&m->channel[i].ops);
    if (!ok) {
        memory_fini(m);
        return error_no_memory(e);
    }
    for (uint32_t i = 0; i < m->channels; i++) {
        if ((m->channel[i].dram = dram_new(p, e))) continue;
        memory_fini(m);
        return false;
    }
    return true;
}

void memory_fini(struct memory *m)
{
    for (uint32_t i = 0; m->channel && i < m->channels; i++) {
        dram_free(m->channel[i].dram);
        for (uint32_t k = 0; m->channel[i].lane && k < m->lanes; k++)
            fifo_fini(&m->channel[i].lane[k]);
        mem_free(m->channel[i].lane);
        mem_free(m->channel[i].taken);
        mem_op_pool_fini(&m->channel[i].ops);
    }
    mem_free(m->channel);
    *m = (struct memory){0};
}

void memory_clear(struct memory *m)
{
    m->core_bytes_read = m->core_bytes_written = 0;
    for (uint32_t i = 0; i < m->channels; i++) {
        struct dram_channel *fresh = dram_new(m->p, NULL);
        if (!fresh) return; /* no memory: the run ends */
        dram_free(m->channel[i].dram);
        m->channel[i].dram = fresh;
        for (uint32_t k = 0; k < m->lanes; k++)
            fifo_clear(&m->channel[i].lane[k]);
        memset(m->channel[i].taken, 0, m->lanes * sizeof *m->channel[i].taken);
        m->channel[i].next = m->channel[i].waiting = 0;
        m->channel[i].bytes_read = m->channel[i].bytes_written = 0;
        mem_op_pool_clear(&m->channel[i].ops);
    }
}

static uint32_t places_of(const struct mem_op *op)
{
    return op->kind == MEM_READ ? op->sectors : 1;
}

uint32_t memory_send(struct memory *m, const struct mem_op *op)
{
    uint32_t channel = map_channel_of_slice(m->map, op->slice, op->addr);
    struct memory_channel *c = &m->channel[channel];
    uint32_t lane = op->of_core ? m->core_lane : map_lane(m->map, op->slice, op->addr);
    uint32_t i = mem_op_take(&c->ops, op);
    if (i == MEM_OP_NONE || !fifo_push(&c->lane[lane], 0, i)) return NONE;
    c->waiting++;
    c->taken[lane] += places_of(op);
    struct mem_op *kept = &c->ops.op[i];
    kept->bursts = kept->to_accept = kept->to_finish =
        (uint8_t)((op->bytes + m->burst_bytes - 1) / m->burst_bytes);
    return channel;
}

const uint32_t *memory_queue(const struct memory *m, uint32_t slice, uint64_t addr)
{
    return &m->channel[map_channel_of_slice(m->map, slice, addr)]
                .taken[map_lane(m->map, slice, addr)];
}

uint32_t memory_cores_waiting(const struct memory *m, uint32_t slice, uint64_t addr)
{
    return m->channel[map_channel_of_slice(m->map, slice, addr)].taken[m->core_lane];
}

/* DRAM order: a read sees every write accepted before it (controllers forward from their write
 * queues). */
static void shadow_access(struct memory *m, struct mem_op *op)
{
    if (!SHADOW_ON || op->of_core) return; /* no kernel sees what the cores read and write */
    uint64_t sector = op->addr / (op->bytes / op->sectors);
    for (uint32_t k = 0; k < op->sectors; k++)
        if (op->kind == MEM_WRITE)
            shadow_put(m->shadow, &m->shadow->memory, sector + k, op->version[k]);
        else if (op->kind == MEM_READ)
            op->version[k] = shadow_get(m->shadow, &m->shadow->memory, sector + k);
}

static void accept_bursts(struct memory *m, struct memory_channel *c, uint32_t i, uint64_t cycle)
{
    struct dram_channel *dram = c->dram;
    struct mem_op *op = &c->ops.op[i];
    bool write = op->kind == MEM_WRITE;
    enum dram_client client = op->of_core ? DRAM_OF_CPU : DRAM_OF_GPU;
    while (op->to_accept && dram_can_accept(dram, write)) {
        uint32_t burst = (uint32_t)op->bursts - op->to_accept;
        struct coord at = map_table_coord(&m->places, op->addr + (uint64_t)burst * m->burst_bytes);
        dram_accept_of(dram, client, &at, write, i, cycle);
        op->to_accept--;
    }
}

static bool is_write(const struct memory_channel *c, const struct fifo *lane)
{
    return c->ops.op[fifo_front(lane)->value].kind == MEM_WRITE;
}

/* Takes the lane's first operation; false: the controller has no room for it, or for all of it. */
static inline __attribute__((always_inline)) bool
take_first(struct memory *m, struct memory_channel *c, struct fifo *lane, uint64_t cycle)
{
    uint32_t i = fifo_front(lane)->value;
    struct mem_op *op = &c->ops.op[i];
    uint64_t tick = cycle * m->dram_period;
    if (op->kind != MEM_NOTICE) {
        accept_bursts(m, c, i, cycle);
        if (op->to_accept) return false;
        shadow_access(m, op);
    }
    fifo_pop(lane);
    c->waiting--;
    c->taken[lane - c->lane] -= places_of(op);
    if (op->kind == MEM_NOTICE) {
        m->on_return(m->ctx, op->slice, op->entry, 0, tick + m->extra_ticks);
        mem_op_give(&c->ops, i);
    } else if (op->kind == MEM_WRITE && op->entry != NONE && !m->wait_for_writes) {
        m->on_written(m->ctx, op->slice, op->entry, tick);
    }
    return true;
}

/* urgent_first: takes the CPU cores' operations before all others. Out of line: machines without
 * cores pay nothing for it. */
static __attribute__((noinline)) void take_cores(struct memory *m, struct memory_channel *c,
                                                 uint64_t cycle)
{
    struct fifo *lane = &c->lane[m->core_lane];
    while (lane->n && take_first(m, c, lane, cycle)) {
    }
}

/* Takes operations from the lanes round-robin while the controller has room. An operation of
 * several bursts that was begun is completed first. */
static void take_operations(struct memory *m, uint32_t channel, uint64_t cycle)
{
    struct memory_channel *c = &m->channel[channel];
    if (m->p->urgent_first) take_cores(m, c, cycle);
    for (uint32_t idle = 0; c->waiting && idle < m->lanes;) {
        struct fifo *lane = &c->lane[c->next];
        if (lane->n && !take_first(m, c, lane, cycle)) {
            if (c->ops.op[fifo_front(lane)->value].to_accept <
                c->ops.op[fifo_front(lane)->value].to_finish)
                return;
            idle++;
        } else {
            idle = lane->n ? 0 : idle + 1;
        }
        c->next = c->next + 1 == m->lanes ? 0 : c->next + 1;
    }
}

static void count_burst(struct memory *m, struct memory_channel *c, const struct mem_op *op,
                        bool write)
{
    if (!op->of_core)
        *(write ? &c->bytes_written : &c->bytes_read) += m->burst_bytes;
    else
        *(write ? &m->core_bytes_written : &m->core_bytes_read) += m->burst_bytes;
}

static void collect_done(struct memory *m, uint32_t channel, uint64_t cycle)
{
    struct memory_channel *c = &m->channel[channel];
    uint32_t i;
    bool write;
    while (dram_done(c->dram, cycle, &i, &write)) {
        struct mem_op *op = &c->ops.op[i];
        count_burst(m, c, op, write);
        if (--op->to_finish) continue;
        if (!write)
            m->on_return(m->ctx, op->slice, op->entry, op->version[0],
                         cycle * m->dram_period + m->extra_ticks);
        else if (op->entry != NONE && m->wait_for_writes)
            m->on_written(m->ctx, op->slice, op->entry, cycle * m->dram_period);
        mem_op_give(&c->ops, i);
    }
}

/* Whether the controller has room for the first operation of some lane. */
static bool has_room(const struct memory *m, const struct memory_channel *c)
{
    for (uint32_t k = 0; k < m->lanes; k++)
        if (c->lane[k].n && dram_can_accept(c->dram, is_write(c, &c->lane[k]))) return true;
    return false;
}

uint64_t memory_step(struct memory *m, uint32_t channel, uint64_t cycle)
{
    struct memory_channel *c = &m->channel[channel];
    if (c->waiting) take_operations(m, channel, cycle);
    uint64_t next = dram_step(c->dram, cycle);
    collect_done(m, channel, cycle);
    if (c->waiting && has_room(m, c)) return cycle + 1;
    uint64_t done = dram_next_done(c->dram);
    return done < next ? done : next;
}

uint64_t memory_bytes_read(const struct memory *m)
{
    uint64_t all = 0;
    for (uint32_t i = 0; i < m->channels; i++)
        all += m->channel[i].bytes_read;
    return all;
}

uint64_t memory_bytes_written(const struct memory *m)
{
    uint64_t all = 0;
    for (uint32_t i = 0; i < m->channels; i++)
        all += m->channel[i].bytes_written;
    return all;
}

uint32_t memory_operations(const struct memory *m)
{
    uint32_t all = 0;
    for (uint32_t i = 0; i < m->channels; i++)
        all += m->channel[i].ops.pool.used;
    return all;
}

bool memory_check(const struct memory *m)
{
    for (uint32_t i = 0; i < m->channels; i++)
        if (!dram_check(m->channel[i].dram)) return false;
    return true;
}

void memory_stuck(const struct memory *m, struct text *out)
{
    for (uint32_t i = 0; i < m->channels; i++) {
        const struct memory_channel *c = &m->channel[i];
        if (!c->waiting && !dram_queued(c->dram)) continue;
        text_add(out, "memory channel %u: %u operations wait\n", i, c->waiting);
        dram_stuck(c->dram, *m->tick / m->dram_period, out);
    }
}
