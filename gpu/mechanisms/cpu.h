/* cpu.h - declares the CPUs beside the GPU (mechanisms.h), those behind the L3 and the cores that
 * execute programs: their metrics, what they add to other parts, and their rows. */
#pragma once

#define CPU_METRICS(C, R)                                                                          \
    C(cpu_supplies, "cpu.supplies", "blocks", "reads that the CPUs served from their caches")      \
    C(cpu_requests, "cpu.requests", "requests", "of the CPUs to the memory while kernels ran")     \
    C(cpu_instructions, "cpu.instructions", "instructions", "that the CPU cores executed")         \
    C(cpu_cycles, "cpu.cycles", "CPU cycles", "the simulated time in cycles of their clock")       \
    R(cpu_ipc, "cpu.ipc", "instructions/cycle",                                                    \
      "of all cores together, per cycle of their "                                                 \
      "clock",                                                                                     \
      cpu_instructions, cpu_cycles, 1)                                                             \
    C(cpu_instructions_0, "cpu.core_instructions.0", "instructions", "of the first core")          \
    C(cpu_instructions_1, "cpu.core_instructions.1", "instructions", "of the second core")         \
    C(cpu_instructions_2, "cpu.core_instructions.2", "instructions", "of the third core")          \
    C(cpu_instructions_3, "cpu.core_instructions.3", "instructions", "of the fourth core")         \
    R(cpu_ipc_0, "cpu.core_ipc.0", "instructions/cycle", "of the first core", cpu_instructions_0,  \
      cpu_cycles, 1)                                                                               \
    R(cpu_ipc_1, "cpu.core_ipc.1", "instructions/cycle", "of the second core", cpu_instructions_1, \
      cpu_cycles, 1)                                                                               \
    R(cpu_ipc_2, "cpu.core_ipc.2", "instructions/cycle", "of the third core", cpu_instructions_2,  \
      cpu_cycles, 1)                                                                               \
    R(cpu_ipc_3, "cpu.core_ipc.3", "instructions/cycle", "of the fourth core", cpu_instructions_3, \
      cpu_cycles, 1)                                                                               \
    C(cpu_reads, "cpu.reads", "lines", "misses that the cores sent to the memory")                 \
    C(cpu_writes, "cpu.writes", "lines", "write-backs that they sent")                             \
    R(cpu_mpki, "cpu.mpki", "misses/1000 instructions", "misses per thousand instructions",        \
      cpu_reads, cpu_instructions, 1000)                                                           \
    C(cpu_returned, "cpu.returned", "lines", "")                                                   \
    C(cpu_latency_sum, "cpu.latency_sum", "ns", "")                                                \
    R(cpu_read_latency, "cpu.read_latency", "ns",                                                  \
      "mean time from a core's miss to its data, through both networks", cpu_latency_sum,          \
      cpu_returned, 1)

/* Of the memories. */
#define CPU_DRAM_ROWS                                                                     \
    ROW_BOOL("cpu_first", urgent_first, "false",                                          \
             "whether requests of CPU cores go before the GPU's, at their banks and into" \
             " the queue",                                                                \
             "Mao 5.5.2", UNSEEN, NO_TERM, .when = "cpu.programs!="),
/* Of the pages. */
#define CPU_PAGES_ROWS                                                                    \
    ROW_BOOL("cpu_rows", rows_apart, "false",                                             \
             "the CPUs' pages lie in the upper rows of the banks, the GPU's in the lower" \
             " ones",                                                                     \
             "Mao 5.5.2", SEEN, TERM, .when = "pages.placement!=none"),

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

#define CPU_MECHANISM                                                                    \
    .name = "CPUs behind the L3",                                                        \
    .what = "hold what the host has written, and use the memory, too", .params = "cpu.", \
    .on = "cpu.cache_kb!=0",                                                             \
    .functional.lacks = "intervals begin with none of the host's blocks there",          \
    .estimator.lacks = "who has written a block last is not in the profile",             \
    .energy.lacks = "they are no part of the GPU, whose energy and area this is",        \
    .metrics = "cpu.supplies cpu.requests", .named = "cpu_",                             \
    .home = "detailed/cpu/ detailed/memory_side/ gpu/machine/params/coherence/cpu "      \
            "gpu/machine/tables/cpu_ "                                                   \
            "gpu/mechanisms/cpu"
