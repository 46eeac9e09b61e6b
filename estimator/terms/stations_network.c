/* stations_network.c - see stations_network.h. */
#include "estimator/terms/stations_network.h"

#include "estimator/constants.h"
#include "estimator/math_util.h"
#include "estimator/terms/crossbar_contention.h"
#include "estimator/terms/inclusion_model.h"
#include "estimator/terms/stations.h"
#include "estimator/terms/write_cache_model.h"

#include <math.h>

/* Adds a station at a port of the networks, which several SMs may share. */
static void put_at_port(struct launch_model *m, enum station_place at, const char *name,
                        double visits, double service)
{
    double share = math_smaller(m->wave.sms, m->e->noc->sms_per_port);
    struct network_station *s = stations_put(m, at, name, visits, service, m->wave.sms / share);
    s->rivals = stations_rivals(m->wave.warps_per_sm * share, visits);
}

/* The least cycles between two packets of an output, given its queue: a place in it is taken from
 * the grant until the consumer's next edge after the packet has arrived. farther: network cycles
 * beyond the mean latency, of the output that ends last: all slices get as much, SMs what they can
 * take. */
static double room_cycles(const struct launch_model *m, double farther, double flits,
                          double consumer_cycle)
{
    const struct noc_params *n = m->e->noc;
    double latency = noc_idle_latency(n, m->e->sm->count, m->e->l2->banks) + farther;
    if (n->topology != TOPOLOGY_CROSSBAR) return 0;
    return math_larger(1, latency + flits - 2 + 0.5 * (1 + consumer_cycle)) / n->output_queue;
}

/* Share of what its busiest link could carry that a mesh gets through, with one queue per router
 * input: heads hold up others, the more the longer they are.  Bursts to one slice, which get
 * less, are not told apart. */
static double mesh_share(double flits)
{
    double more = math_smaller(1, math_larger(0, flits - 1));
    return MESH_ONE_FLIT + more * (MESH_LONGER - MESH_ONE_FLIT);
}

static void put_links(struct launch_model *m, enum station_place at, const char *name,
                      double packets, double flits)
{
    double busiest = m->links[at == AT_NOC_LINKS_BACK].busiest;
    double cycles = flits * m->in.noc_cycle;
    bool mesh = m->e->noc->topology == TOPOLOGY_MESH && busiest > 0;
    stations_put(m, at, name, mesh ? packets : 0, cycles / mesh_share(flits),
                 mesh ? 1 / busiest : 1);
}

void stations_network_put(struct launch_model *m)
{
    const struct noc_params *n = m->e->noc;
    const struct warp_round *r = &m->r;
    double grain = est_request_bytes(m->e);
    double reads = r->l1_misses + r->stored, back = m->nacks + r->notices + inclusion_messages(m),
           told = write_cache_invalidations(m), all = reads + r->written + back,
           replies = all + told, slices = m->spread.slices,
           ports = math_larger(1, m->wave.sms / n->sms_per_port);
    double asks = math_over((reads + back) * stations_packet_flits(n, 0) +
                                r->written * stations_packet_flits(n, grain),
                            all);
    double answers = math_over(reads * stations_packet_flits(n, grain) +
                                   (r->written + back + told) * stations_packet_flits(n, 0),
                               replies);
    double out = asks * m->in.noc_cycle, in = answers * m->in.noc_cycle;
    bool mesh = n->topology == TOPOLOGY_MESH, few_slices = slices < ports;
    double asked = mesh ? 1 : crossbar_slowdown(m, ports, slices),
           answered = mesh ? 1 : crossbar_slowdown(m, slices, ports);
    /* every SM takes its own fills */
    double fill = 1.0 / (m->e->l1->fill_ports * (m->wave.sms / ports));
    put_at_port(m, AT_NOC_SM_OUT, "noc_request", all, out * (few_slices ? 1 : asked));
    put_links(m, AT_NOC_LINKS_OUT, "noc_request_links", all, asks);
    put_links(m, AT_NOC_LINKS_BACK, "noc_reply_links", replies, answers);
    double slice_room = m->in.noc_cycle * room_cycles(m, n->slice_spread / 2.0, asks,
                                                      m->in.l2_cycle / m->in.noc_cycle),
           sm_room = m->in.noc_cycle * room_cycles(m, 0, answers, 1 / m->in.noc_cycle) * ports /
                     m->wave.sms;
    stations_put(m, AT_NOC_SLICE_IN, "noc_request_slice", all,
                 math_larger(out * (few_slices ? asked : 1), slice_room), slices);
    stations_put(m, AT_NOC_SLICE_OUT, "noc_reply_slice", replies, in * (few_slices ? answered : 1),
                 slices);
    in = math_larger(in * (few_slices ? 1 : answered), sm_room);
    put_at_port(m, AT_NOC_SM_IN, "noc_reply", replies, math_larger(in, fill));
}
