/* cpu_metrics.h - metrics of the CPUs beside the GPU, in the form of METRICS (metrics.h). */
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
