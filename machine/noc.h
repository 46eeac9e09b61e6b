/* noc.h - parameters of the networks between SMs and L2 slices. */
#ifndef PLUMB_MACHINE_NOC_H
#define PLUMB_MACHINE_NOC_H

#include "machine/param.h"

enum topology { TOPOLOGY_CROSSBAR, TOPOLOGY_N };

struct noc_params {
    enum topology topology;
    uint32_t latency;      /* network cycles per direction, first flit, without contention */
    uint32_t flit_bytes;   /* one flit per port and network cycle */
    uint32_t header_bytes; /* of every packet, data not counted */
    uint32_t input_queue;  /* packets per input port */
    uint32_t output_queue; /* packets per output port */
};

#endif
