/* import_additions.h - what Accel-Sim's pipeline adds to the latencies in its configuration, and
 * plumb's model does not: constants of its source, or of what its own runs on known traces show
 * (tests/data/accelsim), none of them an option.  configs/gpus/qv100.cfg has the same. */
#pragma once

enum import_addition {
    /* From the issue to the unit (operand collector, two steps a cycle) and from the unit's end to
     * the scoreboard: shader.cc. */
    IMPORT_UNIT_CYCLES = 5,
    /* From the issue to the L1's door: a dependent load that hits takes -gpgpu_l1_latency + 4. */
    IMPORT_MEMORY_CYCLES = 4,
    /* Shared memory: the register in front of the write-back. */
    IMPORT_SHARED_CYCLES = 1,
    /* Each direction of the crossbar, and the look-up of an L2 slice: with -gpgpu_l2_rop_latency,
     * what a load that hits the L2 takes (193 cycles on SM7_QV100). */
    IMPORT_NETWORK_CYCLES = 4,
    /* Each direction of -network_mode 1, a single router of BookSim: a channel in and one out,
     * allocation of a virtual channel and of the switch, the switch, and its interface's buffers in
     * front and behind (iq_router.cpp, flitchannel.cpp, interconnect_interface.cpp). */
    IMPORT_ROUTER_CYCLES = 8,
    IMPORT_L2_CYCLES = 1,
    /* From the L2 to the controller, beside -dram_latency. */
    IMPORT_DRAM_CYCLES = 4,
    /* A flit carries a 32-byte sector and its header (READ_PACKET_SIZE). */
    IMPORT_HEADER_BYTES = 8,
    /* Entries of a sectored line, fixed in its source. */
    IMPORT_SECTOR_BYTES = 32
};
