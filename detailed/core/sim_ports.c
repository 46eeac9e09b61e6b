/* sim_ports.c - what components call when something has arrived at another, or has room: wakes it
 * at the edge of its clock at which it sees it. */
#include "detailed/core/sim_internal.h"

/* The first edge at or after a tick. */
static uint64_t edge_from(struct sim *s, enum clock_domain d, uint64_t tick)
{
    uint64_t edge = sim_edge_before(&s->domain[d], tick);
    return edge + (edge * s->domain[d].period < tick);
}
/* The first edge of a clock at or after an edge of another clock. */
static uint64_t edge_of(const struct sim *s, enum clock_domain d, enum clock_domain from,
                        uint64_t cycle)
{
    return clock_ceil(cycle, s->domain[from].period, s->domain[d].period);
}

void sim_access_done(void *ctx, uint32_t sm, uint32_t vinst, uint64_t now)
{
    struct sim *s = ctx;
    sm_vinst_done(&s->sm[sm], vinst, now);
    sm_l1_touched(&s->sm[sm]);
    sim_wake(s, KIND_sm, sm, now);
}

bool sim_port_has_room(void *ctx, uint32_t sm)
{
    return l1_port_has_room(&((struct sim *)ctx)->sm[sm].l1);
}

void sim_port_send(void *ctx, uint32_t sm, uint32_t req, uint64_t now)
{
    struct sim *s = ctx;
    l1_send_for(&s->sm[sm].l1, req, now);
    sm_l1_touched(&s->sm[sm]);
    sim_wake(s, KIND_sm, sm, now);
}

void sim_noc_due(void *ctx)
{
    struct sim *s = ctx;
    uint64_t cycle = sim_edge_after(s, CLOCK_NOC);
    sim_wake(s, KIND_noc, NOC_REQUEST, cycle);
    sim_wake(s, KIND_noc, NOC_REPLY, cycle);
}

void sim_memory_due(void *ctx, uint32_t channel)
{
    struct sim *s = ctx;
    uint32_t first = s->m.dram.channels;
    if (channel < first)
        sim_wake(s, KIND_memory, channel, sim_edge_after(s, CLOCK_DRAM));
    else
        sim_wake(s, KIND_second_memory, channel - first, sim_edge_after(s, CLOCK_SECOND_DRAM));
}

void sim_request_crossed(void *ctx, uint32_t req, uint64_t span)
{
    struct sim *s = ctx;
    s->reqs.item[req].span = span < UINT8_MAX ? (uint8_t)span : UINT8_MAX;
}

void sim_request_arrives(void *ctx, uint32_t slice, uint64_t noc_cycle)
{
    struct sim *s = ctx;
    sim_wake(s, KIND_l2, slice, edge_of(s, CLOCK_L2, CLOCK_NOC, noc_cycle));
}

void sim_request_room(void *ctx, uint32_t client)
{
    struct sim *s = ctx;
    if (client < s->m.sm.count)
        sim_wake(s, KIND_sm, client, edge_from(s, CLOCK_CORE, s->tick));
    else
        sim_wake(s, KIND_cpu_core, client - s->m.sm.count, edge_from(s, CLOCK_NOC, s->tick));
}

void sim_reply_arrives(void *ctx, uint32_t client, uint64_t noc_cycle)
{
    struct sim *s = ctx;
    if (client < s->m.sm.count)
        sim_wake(s, KIND_sm, client, edge_of(s, CLOCK_CORE, CLOCK_NOC, noc_cycle));
    else
        sim_wake(s, KIND_cpu_core, client - s->m.sm.count, noc_cycle);
}

void sim_reply_room(void *ctx, uint32_t slice)
{
    struct sim *s = ctx;
    sim_wake(s, KIND_l2, slice, edge_from(s, CLOCK_L2, s->tick));
}

/* --- what comes back to the slices --- */

void sim_memory_returns(void *ctx, uint32_t slice, uint32_t entry, uint32_t version, uint64_t tick)
{
    struct sim *s = ctx;
    uint64_t cycle = sim_edge_at(&s->domain[CLOCK_L2], tick);
    l2_return(&s->slice[slice], entry, version, cycle);
    sim_wake(s, KIND_l2, slice, cycle);
}

void sim_memory_writes(void *ctx, uint32_t slice, uint32_t entry, uint64_t tick)
{
    struct sim *s = ctx;
    uint64_t cycle = sim_edge_at(&s->domain[CLOCK_L2], tick);
    l2_written(&s->slice[slice], entry, cycle);
    sim_wake(s, KIND_l2, slice, cycle);
}
