/* cpu.h - declares the CPUs beside the GPU (mechanisms.h), those behind the L3 and the cores that
 * execute programs: their metrics, what they add to other parts, and their rows. */
#pragma once

#define CPU_INSTRUCTIONS(C, i, nth) \
    C(cpu_instructions_##i, "cpu.core_instructions." #i, "instructions", "of the " nth " core")
#define CPU_IPC(R, i, nth)                                                          \
    R(cpu_ipc_##i, "cpu.core_ipc." #i, "instructions/cycle", "of the " nth " core", \
      cpu_instructions_##i, cpu_cycles, 1)
#define CPU_METRICS(C, R)                                                                      \
    C(cpu_supplies, "cpu.supplies", "blocks", "reads that the CPUs served from their caches")  \
    C(cpu_requests, "cpu.requests", "requests", "of the CPUs to the memory while kernels ran") \
    C(cpu_instructions, "cpu.instructions", "instructions", "that the CPU cores executed")     \
    C(cpu_cycles, "cpu.cycles", "CPU cycles", "the simulated time in cycles of their clock")   \
    R(cpu_ipc, "cpu.ipc", "instructions/cycle",                                                \
      "of all cores together, per cycle of their "                                             \
      "clock",                                                                                 \
      cpu_instructions, cpu_cycles, 1)                                                         \
    CPU_INSTRUCTIONS(C, 0, "first")                                                            \
    CPU_INSTRUCTIONS(C, 1, "second")                                                           \
    CPU_INSTRUCTIONS(C, 2, "third")                                                            \
    CPU_INSTRUCTIONS(C, 3, "fourth")                                                           \
    CPU_IPC(R, 0, "first")                                                                     \
    CPU_IPC(R, 1, "second")                                                                    \
    CPU_IPC(R, 2, "third")                                                                     \
    CPU_IPC(R, 3, "fourth")                                                                    \
    C(cpu_reads, "cpu.reads", "lines", "misses that the cores sent to the memory")             \
    C(cpu_writes, "cpu.writes", "lines", "write-backs that they sent")                         \
    R(cpu_mpki, "cpu.mpki", "misses/1000 instructions", "misses per thousand instructions",    \
      cpu_reads, cpu_instructions, 1000)                                                       \
    C(cpu_returned, "cpu.returned", "lines", "")                                               \
    C(cpu_latency_sum, "cpu.latency_sum", "ns", "")                                            \
    R(cpu_read_latency, "cpu.read_latency", "ns",                                              \
      "mean time from a core's miss to its data, through both networks", cpu_latency_sum,      \
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
    .estimator = {.where = "estimator/terms/cpu_load.c",                                          \
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
