/* noc_params.c - parameter table of the networks. */
#include "gpu/machine/rows/rows.h"
#include "gpu/machine/tables/parts.h"

#define PART noc

static const struct choice topology_choices[] = {
    {"crossbar", TOPOLOGY_CROSSBAR, "every SM to every slice, one network per direction"},
    {"mesh", TOPOLOGY_MESH,
     "a router per SM port and slice, columns first, virtual cut-through; one per direction"},
    {NULL, 0, NULL},
};

static const struct choice arbitration_choices[] = {
    {"oldest", ARBITRATION_OLDEST, "in the order of asking"},
    {"round_robin", ARBITRATION_ROUND_ROBIN, "the next after the one served last"},
    {"fixed", ARBITRATION_FIXED, "the lowest number; unfair"},
    {NULL, 0, NULL},
};

static const struct choice placement_choices[] = {
    {"top_bottom", PLACEMENT_TOP_BOTTOM, "half of the slices in the first rows, half in the last"},
    {"spread", PLACEMENT_SPREAD, "slices at even distances among the SMs, row by row"},
    {NULL, 0, NULL},
};

#define IN_CROSSBAR .when = "noc.topology=crossbar"
#define IN_MESH .when = "noc.topology=mesh"

static const struct param rows[] = {
    ROW_ENUM("topology", topology, "crossbar", topology_choices, "shape of both networks",
             "Candel 1.2.3, 3.4.3", UNSEEN, NO_TERM),
    ROW_INT("sms_per_port", sms_per_port, "1", 1, 64, "SMs",
            "neighbours that share a port of each network, one flit per cycle for all of them",
            "Khairy table II (80 SMs, 40 x 24 crossbar)", UNSEEN, TERM),
    ROW_ENUM("arbitration", arbitration, "oldest", arbitration_choices,
             "which of several packets gets a port", "[A]; Khairy II (fair round robin)", UNSEEN,
             NO_TERM),
    ROW_INT("latency", latency, "4", 1, 10000, "network cycles",
            "per direction, first flit, without contention", "[A] one hop", UNSEEN, TERM,
            IN_CROSSBAR),
    ROW_INT("sm_spread", sm_spread, "0", 0, 10000, "network cycles",
            "per direction that the last SM is farther away than the first; those between in even"
            " steps",
            "[A] additive, after Accel-Sim's L40 microbenchmarks (L2 hits of 222 to 339 cycles by"
            " SM)",
            UNSEEN, PARTLY, IN_CROSSBAR),
    ROW_INT("slice_spread", slice_spread, "0", 0, 10000, "network cycles", "the same of the slices",
            "[A] as noc.sm_spread", UNSEEN, PARTLY, IN_CROSSBAR),
    ROW_INT("columns", columns, "0", 0, 4096, "routers",
            "columns of the mesh; 0 = as square as can be", "[A]", UNSEEN, TERM, IN_MESH),
    ROW_ENUM("placement", placement, "top_bottom", placement_choices, "where the slices stand",
             "Bakhoda et al. 2010 (memory controllers in the outer rows, or staggered)", UNSEEN,
             TERM, IN_MESH),
    ROW_INT("router_latency", router_latency, "2", 1, 1000, "network cycles",
            "through one router without contention", "[A]; Dally and Towles 2004, ch. 16", UNSEEN,
            TERM, IN_MESH),
    ROW_INT("link_latency", link_latency, "1", 1, 1000, "network cycles",
            "from one router to the next, and of a credit on its way back", "[A]", UNSEEN, TERM,
            IN_MESH),
    ROW_INT("buffer_flits", buffer_flits, "16", 1, 65536, "flits",
            "per router input; at least the largest packet", "[A]", UNSEEN, SILENT, IN_MESH),
    ROW_INT("flit_bytes", flit_bytes, "64", 4, 1024, "bytes", "one flit per port and network cycle",
            "[A] one 64-byte block per cycle", SEEN, TERM),
    ROW_INT("header_bytes", header_bytes, "0", 0, 256, "bytes",
            "of every packet beside its data; a packet has at least one flit",
            "[A] address lines apart from data", SEEN, TERM),
    ROW_INT("input_queue", input_queue, "16", 1, 65536, "packets", "per input port", "[A]", SEEN,
            TERM),
    ROW_INT("output_queue", output_queue, "16", 1, 65536, "packets", "per output port", "[A]",
            UNSEEN, TERM),
};

const struct part noc_part = PART_OF("networks between SMs and L2 slices", rows);
