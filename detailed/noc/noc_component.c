/* noc_component.c - the two networks among a simulation's components. */
#include "detailed/noc/noc.h"
#include "detailed/parts/component.h"
#include "gpu/machine/machine.h"

STATS_ADDER(noc, NOC_STATS)

static uint32_t count(const struct machine *m)
{
    (void)m;
    return NOC_N;
}

static uint64_t bytes_of(uint64_t inputs, uint64_t outputs)
{
    enum { QUEUE = 16 * sizeof(struct fifo_entry) };
    uint64_t requests = 16;
    while (requests < inputs)
        requests *= 2;
    return inputs * (sizeof(struct noc_input) + QUEUE) +
           outputs * (sizeof(struct noc_output) + QUEUE + requests * sizeof(uint32_t));
}

static uint64_t host_bytes(const struct machine *m)
{
    uint64_t clients = m->sm.count + m->cpu.cores, slices = m->l2.banks;
    return bytes_of(clients, slices) + bytes_of(slices, clients);
}

COMPONENT_OF_OBJECTS(noc, noc)

static void add_metrics(const struct objects *o, struct metrics *m)
{
    const struct noc *noc = o->all;
    struct noc_stats both = {0};
    for (uint32_t i = 0; i < o->n; i++)
        add_noc(&both, &noc[i].s);
    metrics_set(m, M_noc_request_flits, (double)noc[NOC_REQUEST].s.flits);
    metrics_set(m, M_noc_reply_flits, (double)noc[NOC_REPLY].s.flits);
    if (noc->p->topology == TOPOLOGY_MESH) metrics_set(m, M_noc_hop_flits, (double)both.hop_flits);
    metrics_set(m, M_noc_stall_cycles, (double)both.stall_cycles);
    metrics_set(m, M_noc_request_stall_cycles, (double)noc[NOC_REQUEST].s.stall_cycles);
    metrics_set(m, M_noc_reply_stall_cycles, (double)noc[NOC_REPLY].s.stall_cycles);
}

const struct component_ops noc_component = {.name = "noc",
                                            .size = sizeof(struct noc),
                                            .count = count,
                                            .host_bytes = host_bytes,
                                            .add_metrics = add_metrics,
                                            COMPONENT_PASSED};
