/* latencies.c - see latencies.h. */
#include "estimator/terms/latencies.h"

#include "estimator/math_util.h"
#include "estimator/terms/memory_channels.h"
#include "estimator/terms/stations.h"
#include "gpu/cache/l15.h"

/* The way of a request to another partition of the L2 and back. */
static double partition_way(const struct launch_model *m)
{
    const struct l2_params *l2 = m->e->l2;
    return (2.0 * l2->link_latency + l2->latency) * m->in.l2_cycle;
}

void latencies_of_hits(struct launch_model *m)
{
    const struct est_params *e = m->e;
    double reply = stations_packet_flits(e->noc, est_request_bytes(e)),
           request = stations_packet_flits(e->noc, 0);
    double one_way = noc_idle_latency(e->noc, e->sm->count, e->l2->banks);
    struct mesh_shape mesh = mesh_shape(e->noc, e->sm->count, e->l2->banks);
    for (uint32_t back = 0; e->noc->topology == TOPOLOGY_MESH && back < 2; back++)
        m->links[back] = mesh_load(&mesh, back);
    double network = (2.0 * one_way + reply + request - 2) * m->in.noc_cycle;
    double lookup = (e->l2->latency + e->l2->extra_latency) * m->in.l2_cycle;
    m->latency.hit = e->sm->memory_latency + (e->l1->enabled ? e->l1->latency : 0);
    m->latency.l2 = m->latency.hit + l15_cycles(e->l1) + (network + lookup);
    /* from the home to a copy and back */
    m->latency.lock = network + e->l1->latency + lookup;
    if (l3_is_there(e->l3)) {
        m->latency.l3_way = (2.0 * e->l3->link_latency + e->l3->tag_latency) * m->in.l2_cycle;
        m->latency.l3_write = m->latency.l3_way + e->l3->write_latency * m->in.l2_cycle;
    }
    m->latency.l2 += math_over(m->levels.directory.asked, m->levels.l2.reads) * m->latency.lock;
    m->latency.l2 += math_over(m->levels.copies.fetches, m->levels.l2.reads) * partition_way(m);
}

/* The latency of a fetch that goes to the L3: its tags, then its data or the memory's. */
static double l3_fetch_cycles(const struct launch_model *m, double dram)
{
    const struct l3_params *l3 = m->e->l3;
    double hit = m->levels.l3.fetched;
    return m->latency.l3_way + hit * (l3->latency - l3->tag_latency) * m->in.l2_cycle +
           (1 - hit) * dram;
}

void latencies_of_memory(struct launch_model *m)
{
    struct memory_channels of[PAGE_MEMORIES];
    m->latency.dram = 0;
    for (uint32_t i = memory_channels_find(m, of); i--;)
        m->latency.dram += of[i].share * memory_channels_latency(&of[i]);
    if (l3_is_there(m->e->l3)) m->latency.dram = l3_fetch_cycles(m, m->latency.dram);
}

void latencies_of_misses(struct launch_model *m)
{
    struct launch_latency *l = &m->latency;
    l->memory = l->l2 + m->l2_miss.lookup + m->l2_miss.exit.cycles + l->dram;
    l->miss = l->l2 + m->r.far * (l->memory - l->l2);
}
