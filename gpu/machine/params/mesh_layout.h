/* mesh_layout.h - the positions of SMs and L2 slices in a 2-D mesh, and the load of its links
 * without queueing.
 *
 * Nodes are numbered row by row; each has a router. Every SM port (noc.sms_per_port SMs), every CPU
 * core (numbered behind the SM ports, as ports of their own) and every slice has its own node; the
 * remaining routers of the last row have none. Slices and SM ports keep their order. Packets first
 * travel along their row, then along the column of their destination (XY), which cannot deadlock;
 * requests and replies have separate meshes. Both engines and the derived figures need this module,
 * so it is part of the parameters.
 *
 * Source: Dally and Towles 2004, chapters 3, 5 and 8; placements: Bakhoda et al. 2010. */
#pragma once

#include "gpu/machine/params/noc.h"

#include <stdbool.h>

struct mesh_shape {
    uint32_t columns, rows;
    /* ports: of SMs and, the last ones, of CPU cores; ports + slices <= columns * rows */
    uint32_t ports, cores, slices;
    enum mesh_placement placement;
};

struct mesh_shape mesh_shape(const struct noc_params *p, uint32_t sms, uint32_t slices);
/* The slice or port at a node.  false: that node has neither. */
bool mesh_at(const struct mesh_shape *s, uint32_t node, bool *is_slice, uint32_t *index);

/* Link load for uniform traffic from all sources to all destinations of the other kind, cores
 * apart. */
struct mesh_load {
    double hops;    /* mean number of links that a packet crosses */
    double busiest; /* share of all packets that cross the busiest link */
};
struct mesh_load mesh_load(const struct mesh_shape *s, bool replies);
/* Network cycles of a one-flit packet over that many links, without waiting. */
static inline double mesh_latency(const struct noc_params *p, double hops)
{
    return (hops + 1) * p->router_latency + hops * p->link_latency;
}
/* Idle latency for either topology, averaged over all pairs. */
double noc_idle_latency(const struct noc_params *p, uint32_t sms, uint32_t slices);
