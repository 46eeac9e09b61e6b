/* mesh.h - a 2-D mesh of routers with input queues; gpu/machine/params/mesh_layout.h has the
 * positions of SMs and slices.
 *
 * Virtual cut-through: a packet proceeds when its head has arrived, the link is free and the next
 * router's input has room for the whole packet (credits). Its flits then follow each other, one per
 * cycle, and may pass through the next router before the last one has arrived. Row first, then
 * column (XY). No virtual channels: a waiting head blocks the packets behind it.
 *
 * Time: a grant at cycle g brings the head to the next router's switch at g + router_latency +
 * link_latency; the room that a packet leaves is known upstream link_latency - 1 cycles after its
 * last flit has left. Invariants: mesh_check; room + credits in flight + flits held = buffer_flits.
 * Source: Dally and Towles 2004, chapters 8 (XY), 12 (cut-through), 16 (router). */
#pragma once

#include "detailed/noc/noc.h"

enum mesh_side { SIDE_NORTH, SIDE_EAST, SIDE_SOUTH, SIDE_WEST, SIDE_LOCAL, SIDES };

struct mesh_packet {
    uint32_t handle, output, flits;
    uint32_t next; /* next in the free list */
};

struct mesh_buffer {
    struct fifo queue;   /* value = packet, time = cycle from which its head may be granted */
    struct fifo credits; /* value = flits of room, time = when it is known upstream */
    uint32_t room;       /* flits, as known upstream */
};

struct mesh_node {
    struct mesh_buffer in[SIDE_LOCAL];        /* input buffers by side */
    uint64_t in_free[SIDES], out_free[SIDES]; /* busy with a packet's flits before that cycle */
    uint32_t local;                           /* the input whose head is at the port */
    uint8_t last[SIDES];                      /* for each output: the side served last */
};

struct mesh {
    uint32_t columns, nodes;
    uint32_t *in_node, *out_node; /* nodes of the inputs and outputs */
    struct mesh_node *node;
    uint32_t *waiting; /* [nodes] packets at the router's inputs or in flight to them */
    struct mesh_packet *packet;
    size_t cap;
    /* Packets from `fresh` on were never used; the other free ones are chained. */
    uint32_t fresh, free;
};
