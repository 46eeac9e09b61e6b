/* stall_metrics.h - what issue slots are lost to, counted in two ways, in the form of METRICS
 * (metrics.h): each scheduler cycle without an instruction by what its warps wait for (stalls), and
 * the sampled time by the component that would have to be faster (stall_roots.h). */
#pragma once

#define STALL_METRICS(C, R)                                                                        \
    C(issue_slots, "issue_slots", "slots", "scheduler cycles with at least one resident warp")     \
    C(stall_memory_slots, "stall_slots.memory", "slots", "")                                       \
    C(stall_compute_slots, "stall_slots.compute", "slots", "")                                     \
    C(stall_barrier_slots, "stall_slots.barrier", "slots", "")                                     \
    C(stall_mshr_slots, "stall_slots.mshr", "slots", "")                                           \
    C(stall_noc_slots, "stall_slots.noc", "slots", "")                                             \
    R(stall_memory, "stalls.memory", "1",                                                          \
      "share of slots lost to memory in flight, at fences and waits before barriers, too",         \
      stall_memory_slots, issue_slots, 1)                                                          \
    R(stall_compute, "stalls.compute", "1",                                                        \
      "share lost to busy units and dependences on arithmetic", stall_compute_slots, issue_slots,  \
      1)                                                                                           \
    R(stall_barrier, "stalls.barrier", "1", "share lost at barriers", stall_barrier_slots,         \
      issue_slots, 1)                                                                              \
    R(stall_mshr, "stalls.mshr", "1", "share lost while the L1 head waited for an MSHR or a line", \
      stall_mshr_slots, issue_slots, 1)                                                            \
    R(stall_noc, "stalls.noc", "1", "share lost while the L1 head waited for the network",         \
      stall_noc_slots, issue_slots, 1)                                                             \
    C(root_looks, "root_looks.all", "looks", "")                                                   \
    C(root_compute_looks, "root_looks.compute", "looks", "")                                       \
    C(root_barrier_looks, "root_looks.barrier", "looks", "")                                       \
    C(root_vmb_looks, "root_looks.vmb", "looks", "")                                               \
    C(root_l1_looks, "root_looks.l1", "looks", "")                                                 \
    C(root_l1_mshr_looks, "root_looks.l1_mshr", "looks", "")                                       \
    C(root_l1_lines_looks, "root_looks.l1_lines", "looks", "")                                     \
    C(root_noc_looks, "root_looks.noc", "looks", "")                                               \
    C(root_l2_looks, "root_looks.l2", "looks", "")                                                 \
    C(root_l2_mshr_looks, "root_looks.l2_mshr", "looks", "")                                       \
    C(root_l2_lines_looks, "root_looks.l2_lines", "looks", "")                                     \
    C(root_dram_looks, "root_looks.dram", "looks", "")                                             \
    R(root_compute, "stall_roots.compute", "1",                                                    \
      "share of the time: issued, or waited for units and dependences", root_compute_looks,        \
      root_looks, 1)                                                                               \
    R(root_barrier, "stall_roots.barrier", "1",                                                    \
      "share of the time: at barriers, with nobody of the SM under way there", root_barrier_looks, \
      root_looks, 1)                                                                               \
    R(root_vmb, "stall_roots.vmb", "1",                                                            \
      "share of the time: for a place in the vector memory buffer", root_vmb_looks, root_looks, 1) \
    R(root_l1, "stall_roots.l1", "1", "share of the time: in the L1: ports, look-up, fills",       \
      root_l1_looks, root_looks, 1)                                                                \
    R(root_l1_mshr, "stall_roots.l1_mshr", "1", "share of the time: for an L1 MSHR",               \
      root_l1_mshr_looks, root_looks, 1)                                                           \
    R(root_l1_lines, "stall_roots.l1_lines", "1",                                                  \
      "share of the time: for a line of the L1 to be free", root_l1_lines_looks, root_looks, 1)    \
    R(root_noc, "stall_roots.noc", "1", "share of the time: in the networks", root_noc_looks,      \
      root_looks, 1)                                                                               \
    R(root_l2, "stall_roots.l2", "1", "share of the time: in the L2: ports, look-up, banks",       \
      root_l2_looks, root_looks, 1)                                                                \
    R(root_l2_mshr, "stall_roots.l2_mshr", "1", "share of the time: for an L2 MSHR",               \
      root_l2_mshr_looks, root_looks, 1)                                                           \
    R(root_l2_lines, "stall_roots.l2_lines", "1",                                                  \
      "share of the time: for a line of the L2 to be free", root_l2_lines_looks, root_looks, 1)    \
    R(root_dram, "stall_roots.dram", "1", "share of the time: in the memory", root_dram_looks,     \
      root_looks, 1)
