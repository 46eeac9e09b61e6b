/* mesh.h - a 2-D mesh of routers with queues at their inputs; gpu/machine/params/mesh_layout.h says
 * who stands where.
 *
 * Virtual cut-through: a packet goes on when its head has come, the link is free and the next
 * router's input has room for all of it (credits); its flits then follow each other, one per cycle,
 * and may pass through the next router before the last one has come.  Row first, then column (XY).
 * No virtual channels: a head that waits holds up what is behind it.
 *
 * Time: a grant at cycle g brings the head to the next router's switch at g + router_latency +
 * link_latency; the room that a packet leaves is known upstream link_latency - 1 cycles after its
 * last flit has left.
 * Invariants: mesh_check; room + credits on their way + flits held = buffer_flits.
 * Source: Dally and Towles 2004, chapters 8 (XY), 12 (cut-through), 16 (router). */
#ifndef PLUMB_DETAILED_NOC_MESH_H
#define PLUMB_DETAILED_NOC_MESH_H

#include "detailed/noc/noc.h"

enum mesh_side { SIDE_NORTH, SIDE_EAST, SIDE_SOUTH, SIDE_WEST, SIDE_LOCAL, SIDES };

struct mesh_packet {
    uint32_t handle, output, flits;
    uint32_t next; /* of the free ones */
};

struct mesh_buffer {
    struct fifo queue;   /* value = packet, time = cycle from which its head may be granted */
    struct fifo credits; /* value = flits of room, time = when it is known upstream */
    uint32_t room;       /* flits, as known upstream */
};

struct mesh_node {
    struct mesh_buffer in[SIDE_LOCAL];        /* from that side */
    uint64_t in_free[SIDES], out_free[SIDES]; /* busy with a packet's flits before that cycle */
    uint32_t local;                           /* the input whose head is at the port */
    uint8_t last[SIDES];                      /* of each output: the side served before */
};

struct mesh {
    uint32_t columns, nodes;
    uint32_t *in_node, *out_node; /* where inputs and outputs stand */
    struct mesh_node *node;
    uint32_t *waiting; /* [nodes] packets at their inputs or on the way there */
    struct mesh_packet *packet;
    size_t cap;
    uint32_t fresh, free; /* from `fresh` on never used; the others that are free are chained */
};

#endif
