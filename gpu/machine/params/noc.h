/* noc.h - parameters of the networks between SMs and L2 slices. */
#pragma once

#include "gpu/machine/rows/param.h"

enum topology { TOPOLOGY_CROSSBAR, TOPOLOGY_MESH, TOPOLOGY_N };

/* Which packet goes first if several request one port. */
enum arbitration {
    ARBITRATION_OLDEST,      /* the packet that has waited longest */
    ARBITRATION_ROUND_ROBIN, /* the next input after the last one served */
    ARBITRATION_FIXED        /* the input with the lowest number: unfair */
};

/* The placement of the L2 slices among the SMs: gpu/machine/params/mesh_layout.h. */
enum mesh_placement { PLACEMENT_TOP_BOTTOM, PLACEMENT_SPREAD };

struct noc_params {
    enum topology topology;
    uint32_t sms_per_port; /* neighbouring SMs that share one port of each network */
    enum arbitration arbitration;
    uint32_t latency; /* crossbar: network cycles per direction, first flit, no contention */
    /* crossbar: network cycles per direction that the last SM, the last slice is farther away than
     * the first; noc_far */
    uint32_t sm_spread, slice_spread;
    /* mesh: columns (0: as square as can be), cycles of a router and of a link, flits per input */
    uint32_t columns, router_latency, link_latency, buffer_flits;
    enum mesh_placement placement;
    uint32_t flit_bytes;   /* one flit per port and network cycle */
    uint32_t header_bytes; /* of every packet, data not counted */
    uint32_t input_queue;  /* packets per input port */
    uint32_t output_queue; /* packets per output port */
    /* Ports of clients beside the SMs, and bytes that they send at a time (derived: CPU cores). */
    uint32_t other_ports, other_bytes;
};

/* Network cycles that the i-th of n SMs or slices adds to the latency: even steps from 0 to
 * `spread`, rounded to the nearest. */
static inline uint32_t noc_far(uint32_t spread, uint32_t i, uint32_t n)
{
    return n > 1 ? (2 * i * spread + (n - 1)) / (2 * (n - 1)) : 0;
}
