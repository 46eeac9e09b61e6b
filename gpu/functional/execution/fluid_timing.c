/* fluid_timing.c - when an access of a functional pass enters its L1, and when it is served.
 *
 * It enters behind the access before it, not before its instruction has a place in the buffer, and
 * if it misses, not before the oldest MSHR entry, the fill of the line that it replaces and a place
 * in the SM's own queues are free. It is served a level's latency after that, or after the backlog
 * in front of it (of a slice, a link, a channel) has drained. The queues are rings of times, so
 * that an access costs a few comparisons. Rules and what is left out: fluid_timing.h. */
#include "gpu/functional/execution/fluid_timing.h"

#include "base/memory/alloc.h"
#include "base/memory/min_heap.h"
#include "base/memory/serialize.h"
#include "gpu/machine/machine.h"

#include <math.h>

/* A sector occupies its channel's bus for its share of the peak bandwidth; an access that opens a
 * row occupies one bank for a row cycle. */
static struct fluid_channel channel_times(const struct machine *m, const struct dram_params *d)
{
    if (!dram_is_there(d)) return (struct fluid_channel){0};
    double per_cycle = dram_channels_gbps(d) * 1e3 / m->clock.core_mhz / d->channels;
    double cycles = per_cycle > 0 ? m->l2.cache.sector_bytes / per_cycle : 0;
    if (d->model != DRAM_BANKS) return (struct fluid_channel){cycles, cycles};
    double row_cycle = d->t.tRC * m->clock.core_mhz / d->clock_mhz;
    return (struct fluid_channel){cycles, fmax(cycles, row_cycle / dram_bank_count(d))};
}

static void set_times(struct fluid_timing *p, const struct machine *m)
{
    p->latency[FLUID_L1] = machine_derived_value(m, "l1_hit_cycles");
    p->latency[FLUID_L2] = machine_derived_value(m, "l2_hit_cycles");
    p->latency[FLUID_MEMORY] = machine_derived_value(m, "memory_cycles");
    p->latency[FLUID_L3] = p->latency[FLUID_L2] + machine_l3_cycles(m, m->l3.latency);
    double sector = m->l1.enabled ? m->l1.cache.sector_bytes : m->l2.cache.sector_bytes;
    double flits = ceil((sector + m->noc.header_bytes) / m->noc.flit_bytes);
    p->slice_cycles = fmax(flits * m->clock.core_mhz / m->clock.noc_mhz,
                           m->clock.core_mhz / m->clock.l2_mhz / m->l2.ports);
    double l2_cycle = m->clock.core_mhz / m->clock.l2_mhz;
    p->link_cycles = m->l2.link_bytes ? l2_cycle / m->l2.link_bytes : 0;
    p->header_bytes = m->noc.header_bytes;
    p->far_cycles = (2.0 * m->l2.link_latency + m->l2.latency) * l2_cycle;
    p->memory[0] = channel_times(m, &m->dram);
    p->memory[1] = channel_times(m, &m->second_dram);
    p->behind = m->dram.queue * p->memory[0].cycles;
    p->slack = p->behind + m->l2.input_queue * p->memory[0].cycles;
}

/* Lines of the L1 at its largest size (an adaptive L1 changes its size between launches). */
static uint32_t l1_lines(const struct l1_params *p)
{
    uint32_t kb = p->adaptive ? l1_kb_beside(p, 0) : p->kb;
    return p->enabled ? (uint32_t)((uint64_t)kb * 1024 / p->cache.line_bytes) : 0;
}

static size_t room_of_sm(const struct fluid_timing *p)
{
    return (size_t)p->queue + p->entries + p->lines + p->own + p->buffer;
}

bool fluid_init(struct fluid_timing *p, const struct machine *m, struct error *e)
{
    *p = (struct fluid_timing){.sms = m->sm.count,
                               .slices = m->l2.banks,
                               .partitions = m->l2.partitions > 1 ? m->l2.partitions : 0,
                               .channels = m->dram.channels + m->second_dram.channels,
                               .first_channels = m->dram.channels,
                               .ports = m->l1.ports,
                               .each = 1.0 / m->l1.ports,
                               .lines = l1_lines(&m->l1)};
    p->entries = m->l1.enabled ? m->l1.cache.mshr.entries : 0;
    uint32_t before = m->l1.access_queue ? m->l1.access_queue : m->sm.memory_latency * m->l1.ports;
    p->queue = before + l1_look_up_cycles(&m->l1) * m->l1.ports + 1;
    p->own = m->l1.miss_queue + m->noc.input_queue;
    p->buffer = m->sm.vmb_scope == VMB_PER_SM ? m->sm.vmb_entries : 0;
    p->in_order = m->sm.vmb_release == VMB_IN_ORDER;
    p->stores_wait = !m->sm.nonblocking_stores;
    size_t each = room_of_sm(p);
    p->sm = mem_new(m->sm.count, sizeof *p->sm);
    p->room = mem_new(m->sm.count * each, sizeof *p->room);
    p->slice = mem_new(m->l2.banks, sizeof *p->slice);
    p->head = mem_new(m->l2.banks, sizeof *p->head);
    p->channel = mem_new(p->channels, sizeof *p->channel);
    if (p->partitions) p->link = mem_new(p->partitions, sizeof *p->link);
    if (!p->sm || !p->room || !p->slice || !p->head || !p->channel || (p->partitions && !p->link))
        return error_no_memory(e);
    for (uint32_t i = 0; i < m->sm.count; i++) {
        p->sm[i].passed = p->room + i * each;
        p->sm[i].entry = p->sm[i].passed + p->queue;
        p->sm[i].fill = p->sm[i].entry + p->entries;
        p->sm[i].sent = p->sm[i].fill + p->lines;
        p->sm[i].buffer = p->sm[i].sent + p->own;
    }
    p->at = p->sm;
    set_times(p, m);
    return true;
}

void fluid_fini(struct fluid_timing *p)
{
    mem_free(p->sm);
    mem_free(p->room);
    mem_free(p->slice);
    mem_free(p->head);
    mem_free(p->link);
    mem_free(p->channel);
    *p = (struct fluid_timing){0};
}

void fluid_serialize(struct fluid_timing *p, struct serializer *t)
{
    for (uint32_t i = 0; i < p->sms; i++) {
        struct fluid_sm *s = &p->sm[i];
        SERIALIZE_VALUE(t, s->door);
        SERIALIZE_VALUE(t, s->first);
        SERIALIZE_VALUE(t, s->oldest);
        SERIALIZE_VALUE(t, s->oldest_sent);
        SERIALIZE_VALUE(t, s->last);
    }
    serialize_data(t, p->room, p->sms * room_of_sm(p) * sizeof *p->room);
    serialize_data(t, p->slice, p->slices * sizeof *p->slice);
    serialize_data(t, p->head, p->slices * sizeof *p->head);
    serialize_data(t, p->link, p->partitions * sizeof *p->link);
    serialize_data(t, p->channel, p->channels * sizeof *p->channel);
    SERIALIZE_VALUE(t, p->now);
}

void fluid_drain(struct fluid_timing *p)
{
    p->at = p->sm;
    p->issued = p->done = p->now;
    p->line = NULL;
    for (uint32_t i = 0; i < p->sms; i++)
        p->sm[i].door = p->sm[i].last = p->now;
    for (uint32_t i = 0; i < p->slices; i++)
        p->slice[i] = p->head[i] = p->now;
    for (uint32_t i = 0; i < p->partitions; i++)
        p->link[i] = p->now;
    for (uint32_t i = 0; i < p->channels; i++)
        p->channel[i] = p->now;
    for (size_t i = 0; i < p->sms * room_of_sm(p); i++)
        p->room[i] = p->now;
}

static inline double later(double a, double b)
{
    return a > b ? a : b;
}

static void pass_door(struct fluid_timing *p, double start)
{
    struct fluid_sm *s = p->at;
    s->door = start + p->each;
    s->passed[s->first] = start;
    s->first = s->first + 1 == p->queue ? 0 : s->first + 1;
}

/* Returns when an access that is ready at `start` finds room in the SM's own queues to the network.
 */
static double send_down(struct fluid_timing *p, double start, double queued)
{
    struct fluid_sm *s = p->at;
    double *oldest = &s->sent[s->oldest_sent];
    start = later(start, *oldest);
    *oldest = later(start, p->now + queued - p->slack);
    s->oldest_sent = s->oldest_sent + 1 == p->own ? 0 : s->oldest_sent + 1;
    return start;
}

void fluid_store(struct fluid_timing *p, enum fluid_level level, double queued)
{
    double start = later(p->issued, p->at->door);
    if (level != FLUID_L1) start = send_down(p, start, queued);
    pass_door(p, start);
    p->done =
        later(p->done, later(start, p->now + queued) + p->latency[level] + p->translation + p->far);
    p->far = 0;
}

void fluid_serve(struct fluid_timing *p, enum fluid_level level, double queued)
{
    struct fluid_sm *s = p->at;
    double *entry = p->entries && level != FLUID_L1 ? &s->entry[s->oldest] : NULL;
    double start = later(p->issued, s->door);
    if (entry) start = later(start, *entry);
    if (p->line && p->taken && level != FLUID_L1) start = later(start, *p->line);
    if (level != FLUID_L1) start = send_down(p, start, queued);
    pass_door(p, start);
    double done = later(start, p->now + queued) + p->latency[level] + p->translation + p->far;
    if (level == FLUID_L1 && p->line) done = later(done, *p->line);
    if (entry) {
        *entry = done;
        s->oldest = s->oldest + 1 == p->entries ? 0 : s->oldest + 1;
    }
    if (p->line) *p->line = done;
    if (done > p->done) p->done = done;
    p->far = 0;
}

void fluid_leave_buffer(struct fluid_timing *p, bool load)
{
    struct fluid_sm *s = p->at;
    if (!p->buffer) return;
    double free = load || p->stores_wait ? p->done : s->door;
    s->last = p->in_order ? later(s->last, free) : free;
    min_heap_replace(s->buffer, p->buffer, s->last);
}
