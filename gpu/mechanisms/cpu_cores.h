/* cpu_cores.h - the row of the mechanism "CPU cores" (mechanisms.h). */
#pragma once

#define CPU_CORES_MECHANISM                                                                       \
    .name = "CPU cores",                                                                          \
    .what = "execute programs beside the GPU, on its networks and in its memory",                 \
    .params = "cpu.programs cpu.clock_mhz cpu.rob dram.cpu_first", .on = "cpu.programs!=",        \
    .functional.lacks = "they touch no memory of the kernels; intervals start them afresh",       \
    .estimator = {.where = "estimator/network/cpu_load.c",                                        \
                  .lacks = "rows that cores take from the GPU, their flits, and who goes first"}, \
    .energy.lacks = "of the cores; what they move is in the energy of networks and memory",       \
    .metrics = "cpu.instructions cpu.cycles cpu.ipc cpu.core_ cpu.reads cpu.writes cpu.mpki "     \
               "cpu.read_latency"
