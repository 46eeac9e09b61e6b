/* noc_params.c - parameter table of the networks. */
#include "machine/parts.h"
#include "machine/rows.h"

#define PART struct noc_params

static const struct choice topology_choices[] = {
    {"crossbar", TOPOLOGY_CROSSBAR, "every SM to every slice, one network per direction"},
    {NULL, 0, NULL},
};

static const struct param rows[] = {
    ROW_ENUM("topology", topology, "crossbar", topology_choices, "shape of both networks",
             "Candel 1.2.3, 3.4.3"),
    ROW_INT("latency", latency, "4", 1, 10000, "network cycles",
            "per direction, first flit, without contention", "[A] one hop"),
    ROW_INT("flit_bytes", flit_bytes, "64", 4, 1024, "bytes", "one flit per port and network cycle",
            "[A] one 64-byte block per cycle"),
    ROW_INT("header_bytes", header_bytes, "0", 0, 256, "bytes",
            "of every packet beside its data; a packet has at least one flit",
            "[A] address lines apart from data"),
    ROW_INT("input_queue", input_queue, "16", 1, 65536, "packets", "per input port", "[A]"),
    ROW_INT("output_queue", output_queue, "16", 1, 65536, "packets", "per output port", "[A]"),
};

const struct part noc_part = PART_OF(noc, "networks between SMs and L2 slices", rows);
