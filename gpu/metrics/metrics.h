/* metrics.h - the record of results that all engines fill: plain numbers, present or absent.
 *
 * There are two kinds. COUNT values add over intervals, kernels and launches. RATIO values follow
 * from two counts: metrics_finish computes them, and no engine stores them. An engine leaves a
 * value that it cannot know absent, never zero.
 *
 * Units: cycles of the core clock unless the name says otherwise; rates and shares 0..1. The keys
 * are part of the contract that `plumb metrics --schema` prints. */
#pragma once

#include "base/memory/histogram.h"
#include "gpu/mechanisms/cpu.h"
#include "gpu/mechanisms/l1_mechanisms.h"
#include "gpu/mechanisms/l2_mechanisms.h"
#include "gpu/mechanisms/l3.h"
#include "gpu/mechanisms/scalar.h"
#include "gpu/metrics/register_file_metrics.h"
#include "gpu/metrics/stall_metrics.h"
#include "gpu/metrics/tlb_metrics.h"

#include <stdbool.h>
#include <stdint.h>

/* C(id, json path, unit, meaning)                      - a count
 * R(id, json path, unit, meaning, numerator, denominator, factor) - factor * numerator /
 * denominator */
#define METRICS(C, R)                                                                              \
    C(cycles, "cycles", "core cycles", "from the first launch's start to the last one's end")      \
    C(time_us, "time_us", "us", "cycles in time")                                                  \
    C(clock_held, "clock.held_cycles", "core cycles",                                              \
      "of the cycles, by which the power limit lengthens launches (clock.sustained_mhz)")          \
    R(clock_held_share, "clock.held", "1",                                                         \
      "held_cycles per cycle: the mean core clock is clock.core_mhz x (1 - held)", clock_held,     \
      cycles, 1)                                                                                   \
    C(warp_instructions, "warp_instructions", "instructions", "warp instructions issued")          \
    C(lane_operations, "lane_operations", "operations", "active lanes over all warp instructions") \
    C(masked_operations, "lane_operations_masked", "operations",                                   \
      "lanes over all warp instructions, active or not")                                           \
    R(ipc, "ipc", "instructions/cycle", "warp instructions per core cycle", warp_instructions,     \
      cycles, 1)                                                                                   \
    R(opc, "opc", "operations/cycle", "active lane operations per core cycle", lane_operations,    \
      cycles, 1)                                                                                   \
    R(opc_masked, "opc_masked", "operations/cycle",                                                \
      "lane operations per core cycle, masked lanes counted", masked_operations, cycles, 1)        \
    REGISTER_FILE_METRICS(C, R)                                                                    \
    C(lane_requests, "lane_requests", "requests", "lanes of the vector memory instructions")       \
    C(l1_accesses, "l1.accesses", "transactions", "coalesced transactions that reached an L1")     \
    C(l1_reads, "l1.reads", "transactions", "loads among the accesses to L1s")                     \
    C(l1_read_hits, "l1.read_hits", "transactions", "loads served by valid data in L1")            \
    C(l1_writes, "l1.writes", "transactions", "stores and atomics")                                \
    C(l1_hits, "l1.hits", "transactions", "accesses that found their sector")                      \
    C(l1_misses, "l1.misses", "transactions",                                                      \
      "accesses that neither found their sector, joined a fill, nor went round the L1")            \
    C(l1_merges, "l1.merges", "transactions", "loads that joined a request in flight")             \
    C(l1_bypasses, "l1.bypasses", "transactions", "accesses that went round the L1")               \
    C(l1_tag_hits, "l1.tag_hits", "transactions",                                                  \
      "accesses that found their line, be its sector there or not, as nvprof counts hits")         \
    R(l1_tag_hit_rate, "l1.tag_hit_rate", "1", "tag_hits per access", l1_tag_hits, l1_accesses, 1) \
    L1_MECHANISM_METRICS(C, R)                                                                     \
    C(l1_bank_conflicts, "l1.bank_conflict_cycles", "SM cycles",                                   \
      "cycles in which an access waited for its bank of the L1")                                   \
    C(l1_instruction_cycles, "l1.instruction_cycles", "SM cycles",                                 \
      "cycles for which instructions occupied the way into the L1, where it takes so much of one") \
    C(l1_stall_cycles, "l1.stall_cycles", "SM cycles",                                             \
      "cycles in which the L1's head access could not proceed")                                    \
    C(l1_fills, "l1.fills", "transactions", "loads' data that came and were kept")                 \
    C(l1_fails_mshr, "l1.reservation_fails.mshr", "attempts", "")                                  \
    C(l1_fails_merge, "l1.reservation_fails.merge", "attempts", "")                                \
    C(l1_fails_line, "l1.reservation_fails.line", "attempts", "")                                  \
    C(l1_fails_queue, "l1.reservation_fails.queue", "attempts", "")                                \
    R(l1_fail_rate_mshr, "l1.fails_per_kilocycle.mshr", "attempts/1000 cycles",                    \
      "the head found no free MSHR (one attempt a cycle; over all L1s)", l1_fails_mshr, cycles,    \
      1000)                                                                                        \
    R(l1_fail_rate_merge, "l1.fails_per_kilocycle.merge", "attempts/1000 cycles",                  \
      "attempts that failed because the MSHR takes no more accesses", l1_fails_merge, cycles,      \
      1000)                                                                                        \
    R(l1_fail_rate_line, "l1.fails_per_kilocycle.line", "attempts/1000 cycles",                    \
      "attempts that failed because every line of the set is reserved", l1_fails_line, cycles,     \
      1000)                                                                                        \
    R(l1_fail_rate_queue, "l1.fails_per_kilocycle.queue", "attempts/1000 cycles",                  \
      "attempts that failed because the queue to the network has no room", l1_fails_queue, cycles, \
      1000)                                                                                        \
    C(l1_mshr_waits, "l1.mshr_waits", "loads", "loads that waited aside for a free MSHR")          \
    C(l1_joined, "l1.joined", "accesses", "accesses that joined another one in the L1's queue")    \
    R(l1_per_request, "l1.accesses_per_request", "accesses/request",                               \
      "accesses that reached an L1 per lane that asked", l1_accesses, lane_requests, 1)            \
    R(l1_apki, "l1.apki", "accesses/1000 operations", "L1 accesses per thousand lane operations",  \
      l1_accesses, lane_operations, 1000)                                                          \
    R(l1_apki_warp, "l1.apki_warp", "accesses/1000 instructions",                                  \
      "L1 accesses per thousand warp instructions", l1_accesses, warp_instructions, 1000)          \
    R(l1_reserved_apki, "l1.reserved_apki", "attempts/1000 operations",                            \
      "attempts of the L1's head access that failed, per thousand lane operations",                \
      l1_stall_cycles, lane_operations, 1000)                                                      \
    C(l1_reuse_hits_warp, "l1.reuse.hits.intra_warp", "loads",                                     \
      "loads that found or joined a block which their own warp had touched last")                  \
    C(l1_reuse_hits_cta, "l1.reuse.hits.intra_cta", "loads",                                       \
      "loads that found or joined a block which another warp of their CTA had touched last")       \
    C(l1_reuse_hits_others, "l1.reuse.hits.inter_cta", "loads",                                    \
      "loads that found or joined a block which another CTA had touched last, or somebody before " \
      "this launch")                                                                               \
    C(l1_reuse_misses_warp, "l1.reuse.misses.intra_warp", "loads",                                 \
      "loads that missed a block which their own warp had touched last on this SM")                \
    C(l1_reuse_misses_cta, "l1.reuse.misses.intra_cta", "loads",                                   \
      "loads that missed a block which another warp of their CTA had touched last on this SM")     \
    C(l1_reuse_misses_others, "l1.reuse.misses.inter_cta", "loads",                                \
      "loads that missed a block which another CTA had touched last, here or, if nobody had "      \
      "here, on another SM")                                                                       \
    C(l1_reuse_misses_cold, "l1.reuse.misses.cold", "loads",                                       \
      "loads that missed a block which nobody in this launch had touched")                         \
    C(l1_distance_1, "l1.reuse.cta_distance.to_1", "loads",                                        \
      "inter-CTA hits and misses: neighbouring CTAs")                                              \
    C(l1_distance_8, "l1.reuse.cta_distance.to_8", "loads",                                        \
      "inter-CTA hits and misses: CTAs 2 to 8 apart")                                              \
    C(l1_distance_64, "l1.reuse.cta_distance.to_64", "loads",                                      \
      "inter-CTA hits and misses: CTAs 9 to 64 apart")                                             \
    C(l1_distance_more, "l1.reuse.cta_distance.more", "loads",                                     \
      "inter-CTA hits and misses: CTAs further apart")                                             \
    R(l1_hit_rate, "l1.hit_rate", "1", "hits per access", l1_hits, l1_accesses, 1)                 \
    C(l1_tags_mj, "l1.energy_mj.tags", "mJ", "look-ups, and tags of lines taken")                  \
    C(l1_data_mj, "l1.energy_mj.data", "mJ", "data read and written")                              \
    C(l1_static_mj, "l1.energy_mj.static", "mJ", "leakage")                                        \
    SCALAR_METRICS(C, R)                                                                           \
    TLB_METRICS(C, R)                                                                              \
    C(vmb_cycles, "vmb.cycles", "SM cycles", "")                                                   \
    C(vmb_blocked, "vmb.blocked_cycles", "SM cycles",                                              \
      "cycles in which the vector memory buffer was full and an instruction wanted in")            \
    R(vmb_blocked_share, "vmb.blocked", "1",                                                       \
      "share of the SMs' cycles in which the vector memory buffer was full and an instruction "    \
      "wanted in",                                                                                 \
      vmb_blocked, vmb_cycles, 1)                                                                  \
    C(l2_reads, "l2.reads", "transactions", "reads that reached the L2, at its own grain")         \
    C(l2_read_hits, "l2.read_hits", "transactions", "reads served by valid data in L2")            \
    C(l2_writes, "l2.writes", "transactions", "writes that reached the L2")                        \
    C(l2_write_hits, "l2.write_hits", "transactions", "writes to a present sector")                \
    C(l2_misses, "l2.misses", "transactions",                                                      \
      "accesses that fetched, took a line, or went by to memory")                                  \
    C(l2_merges, "l2.merges", "transactions", "reads that joined a fetch in flight")               \
    C(l2_accesses, "l2.accesses", "transactions", "reads and writes")                              \
    C(l2_hits, "l2.hits", "transactions", "read and write hits")                                   \
    C(l2_reuse_hits_same, "l2.reuse.hits.intra_core", "transactions",                              \
      "reads that found or joined a block which their own SM had read last")                       \
    C(l2_reuse_hits_others, "l2.reuse.hits.inter_core", "transactions",                            \
      "reads that found or joined a block which another SM had read last, or somebody before "     \
      "this launch")                                                                               \
    C(l2_reuse_misses_same, "l2.reuse.misses.intra_core", "transactions",                          \
      "reads that missed a block which their own SM had read last")                                \
    C(l2_reuse_misses_others, "l2.reuse.misses.inter_core", "transactions",                        \
      "reads that missed a block which another SM had read last")                                  \
    C(l2_reuse_misses_cold, "l2.reuse.misses.cold", "transactions",                                \
      "reads that missed a block which nobody in this launch had read")                            \
    R(l2_hit_rate, "l2.hit_rate", "1", "hits per access", l2_hits, l2_accesses, 1)                 \
    C(l2_hits_as_ncu, "l2.hits_as_ncu", "transactions",                                            \
      "hits as NVIDIA's counters have them: read hits, and every write that takes a line")         \
    R(l2_hit_rate_as_ncu, "l2.hit_rate_as_ncu", "1", "hits_as_ncu per access", l2_hits_as_ncu,     \
      l2_accesses, 1)                                                                              \
    C(l2_hits_as_rocprof, "l2.hits_as_rocprof", "transactions",                                    \
      "hits as AMD's counters have them: hits, and reads that joined a fetch in flight")           \
    R(l2_hit_rate_as_rocprof, "l2.hit_rate_as_rocprof", "1", "hits_as_rocprof per access",         \
      l2_hits_as_rocprof, l2_accesses, 1)                                                          \
    R(l2_mpko, "l2.mpko", "misses/1000 operations", "L2 misses per thousand lane operations",      \
      l2_misses, lane_operations, 1000)                                                            \
    C(l2_miss_invalidation_sum, "l2.miss_latency_sum.invalidation", "cycles", "")                  \
    C(l2_miss_eviction_sum, "l2.miss_latency_sum.eviction", "cycles", "")                          \
    C(l2_miss_memory_sum, "l2.miss_latency_sum.memory", "cycles", "")                              \
    C(l2_miss_total_sum, "l2.miss_latency_sum.total", "cycles", "")                                \
    C(l2_fetches, "l2.fetches", "fetches", "reads that the L2 sent to memory")                     \
    R(l2_miss_invalidation, "l2.miss_latency.invalidation", "cycles",                              \
      "mean wait for L1 copies of the victim", l2_miss_invalidation_sum, l2_fetches, 1)            \
    R(l2_miss_eviction, "l2.miss_latency.eviction", "cycles",                                      \
      "mean wait for the victim's eviction", l2_miss_eviction_sum, l2_fetches, 1)                  \
    R(l2_miss_memory, "l2.miss_latency.memory", "cycles",                                          \
      "mean fetch time beyond the uncontended access", l2_miss_memory_sum, l2_fetches, 1)          \
    R(l2_miss_total, "l2.miss_latency.total", "cycles",                                            \
      "mean miss latency without the uncontended access", l2_miss_total_sum, l2_fetches, 1)        \
    C(l2_nacks, "l2.nacks", "attempts",                                                            \
      "requests sent back: no MSHR or line free, a block on its way out, behind such")             \
    C(l2_bank_conflicts, "l2.bank_conflicts", "slice cycles",                                      \
      "cycles in which a slice's head access waited for a bank of the data array")                 \
    C(l2_line_waits, "l2.line_waits", "requests", "requests that waited for a line in transition") \
    C(l2_set_full, "l2.set_full", "misses",                                                        \
      "misses that found all lines of their set in transition")                                    \
    C(l2_set_lines, "l2.set_lines", "lines", "")                                                   \
    C(l2_set_transit, "l2.set_transit", "lines", "")                                               \
    R(l2_set_in_transition, "l2.set_in_transition", "1",                                           \
      "share of its set's lines in transition that a miss finds", l2_set_transit, l2_set_lines, 1) \
    L2_MECHANISM_METRICS(C, R)                                                                     \
    C(l2_writebacks, "l2.writebacks", "transactions", "dirty victims written to memory")           \
    C(l2_bytes_to_memory, "l2.bytes_to_memory", "bytes", "written to memory")                      \
    C(l2_bytes_from_memory, "l2.bytes_from_memory", "bytes", "fetched from memory")                \
    R(l2_to_rate, "l2.bytes_to_memory_per_cycle", "bytes/cycle",                                   \
      "bytes written to memory per core cycle", l2_bytes_to_memory, cycles, 1)                     \
    R(l2_from_rate, "l2.bytes_from_memory_per_cycle", "bytes/cycle",                               \
      "bytes fetched from memory per core cycle", l2_bytes_from_memory, cycles, 1)                 \
    C(l2_tags_mj, "l2.energy_mj.tags", "mJ", "look-ups, and tags of lines taken")                  \
    C(l2_data_mj, "l2.energy_mj.data", "mJ", "data read and written")                              \
    L3_METRICS(C, R)                                                                               \
    CPU_METRICS(C, R)                                                                              \
    C(coherence_invalidations, "coherence.invalidations", "blocks",                                \
      "copies that left L1s at acquires and launches, and where atomics and loads with GLC "       \
      "passed")                                                                                    \
    C(coherence_flushed, "coherence.flushed_lines", "blocks",                                      \
      "copies that left L1s behind a store of part of them or with GLC, the bytes written down")   \
    C(coherence_messages, "coherence.directory_messages", "messages",                              \
      "requests to directories, their questions and the answers to these")                         \
    C(coherence_nacks, "coherence.nacks", "requests",                                              \
      "requests sent back by directories whose entry was locked")                                  \
    C(coherence_recalls, "coherence.recalls", "messages",                                          \
      "L1s asked to give up their copies of a line that leaves an inclusive L2")                   \
    C(coherence_bytes, "coherence.directory_bytes", "bytes",                                       \
      "between the L2 and a directory below it, with headers")                                     \
    C(coherence_modified_hits, "coherence.modified_hits", "loads",                                 \
      "loads that hit a block which their own L1 owned modified")                                  \
    C(coherence_probes, "coherence.probes", "probes", "invalidations that reached L1s")            \
    C(noc_request_flits, "noc.request_flits", "flits",                                             \
      "SM to L2: of loads, stores and messages alike, at least one a packet")                      \
    C(noc_reply_flits, "noc.reply_flits", "flits", "L2 to SM")                                     \
    C(noc_hop_flits, "noc.hop_flits", "flits", "of a mesh: flits times links crossed, both ways")  \
    C(noc_stall_cycles, "noc.stall_cycles", "port cycles",                                         \
      "cycles in which an input's head packet could not move")                                     \
    C(noc_request_stall_cycles, "noc.request_stall_cycles", "port cycles",                         \
      "stall cycles of the network from SMs to L2")                                                \
    C(noc_reply_stall_cycles, "noc.reply_stall_cycles", "port cycles",                             \
      "stall cycles of the network from L2 to SMs")                                                \
    C(dram_reads, "dram.reads", "bursts", "read bursts; in bytes: l2.bytes_from_memory")           \
    C(dram_writes, "dram.writes", "bursts", "write bursts; in bytes: l2.bytes_to_memory")          \
    C(dram_row_hits, "dram.row_hits", "bursts", "bursts that found their row open on first look")  \
    C(dram_bursts, "dram.bursts", "bursts", "reads and writes")                                    \
    R(dram_row_hit_rate, "dram.row_hit_rate", "1", "row hits per burst", dram_row_hits,            \
      dram_bursts, 1)                                                                              \
    C(dram_placed_misses, "dram.placed_misses", "misses",                                          \
      "read misses of the L2 where pages are placed")                                              \
    C(dram_local_misses, "dram.local_misses", "misses",                                            \
      "of these, those of an SM to a bank that is its own: an equal share of the banks")           \
    R(dram_local_ratio, "dram.local_ratio", "1", "local access ratio: of an SM to its own banks",  \
      dram_local_misses, dram_placed_misses, 1)                                                    \
    C(dram_bytes, "dram.bytes", "bytes", "moved in either direction")                              \
    R(dram_bandwidth, "dram.bandwidth_gbps", "GB/s", "bytes over time", dram_bytes, time_us, 1e-3) \
    C(dram_busy, "dram.busy", "channel us",                                                        \
      "time in which a channel's data bus was busy, summed over channels")                         \
    C(dram_channel_us, "dram.channel_us", "channel us", "channels x time")                         \
    R(dram_utilization, "dram.utilization", "1", "share of the data buses' time in use",           \
      dram_busy, dram_channel_us, 1)                                                               \
    C(dram_hottest, "dram.hottest", "bursts", "of the busiest channel, times the channels")        \
    R(dram_imbalance, "dram.channel_imbalance", "times",                                           \
      "bursts of the busiest channel over the mean of all", dram_hottest, dram_bursts, 1)          \
    C(dram_bank_us, "dram.bank_us", "bank us", "banks with a request, integrated over busy time")  \
    C(dram_active_us, "dram.active_us", "channel us",                                              \
      "time in which a channel had at least one busy bank")                                        \
    R(dram_blp, "dram.blp", "banks", "busy banks per channel while any is busy", dram_bank_us,     \
      dram_active_us, 1)                                                                           \
    C(dram_latency_sum, "dram.latency_sum", "ns", "")                                              \
    R(dram_latency, "dram.latency", "ns", "mean read latency, acceptance to last beat",            \
      dram_latency_sum, dram_reads, 1)                                                             \
    C(dram_activates, "dram.activates", "commands", "row activations")                             \
    C(dram_refreshes, "dram.refreshes", "commands", "refresh commands")                            \
    C(dram_activate_mj, "dram.energy_mj.activate", "mJ", "rows opened and closed")                 \
    C(dram_read_mj, "dram.energy_mj.read", "mJ", "read bursts, without I/O")                       \
    C(dram_write_mj, "dram.energy_mj.write", "mJ", "write bursts, without I/O")                    \
    C(dram_io_mj, "dram.energy_mj.io", "mJ", "drivers and termination of the data bus")            \
    C(dram_refresh_mj, "dram.energy_mj.refresh", "mJ", "refreshes")                                \
    C(dram_background_mj, "dram.energy_mj.background", "mJ", "standby and power-down")             \
    R(dram_pj_per_bit, "dram.energy_pj_per_bit", "pJ/bit", "the memory's energy per bit moved",    \
      energy_dram, dram_bytes, 1.25e8)                                                             \
    C(energy_l1, "energy_mj.l1", "mJ", "all L1s: sum of l1.energy_mj")                             \
    C(energy_l2_dynamic, "energy_mj.l2_dynamic", "mJ", "all slices: sum of l2.energy_mj")          \
    C(energy_l2_static, "energy_mj.l2_static", "mJ", "leakage of all slices")                      \
    C(energy_frc_access, "energy_mj.frc_access", "mJ", "FRC: look-ups in its tags")                \
    C(energy_frc_fetch, "energy_mj.frc_fetch", "mJ", "FRC: blocks that came into it")              \
    C(energy_frc_swap, "energy_mj.frc_swap", "mJ",                                                 \
      "FRC: swaps, a read and a write each of the L2 and of it")                                   \
    C(energy_frc_static, "energy_mj.frc_static", "mJ", "FRC: leakage")                             \
    C(energy_mshr, "energy_mj.mshr", "mJ", "MSHR files of L1s and slices, leakage too")            \
    C(energy_noc, "energy_mj.noc", "mJ", "flits, on a mesh per link crossed")                      \
    C(energy_l3, "energy_mj.l3", "mJ", "all parts of the L3, leakage too")                         \
    C(energy_register_file, "energy_mj.register_file", "mJ",                                       \
      "all register files with what stands in front of them, leakage too")                         \
    C(energy_write_caches, "energy_mj.write_caches", "mJ",                                         \
      "write caches of L1s, slices and L3, and their S-FIFOs, leakage too")                        \
    C(energy_dram, "energy_mj.dram", "mJ", "the memory: sum of dram.energy_mj")                    \
    C(energy_dram_dynamic, "energy_mj.dram_dynamic", "mJ", "of it, activate, read, write and I/O") \
    C(energy_l2_memory, "energy_mj.l2_memory", "mJ",                                               \
      "L2, FRC and the memory's dynamic energy, as in Candel 6.6.4")                               \
    C(energy_total, "energy_mj.total", "mJ",                                                       \
      "l1 + l2_dynamic + l2_static + frc + mshr + noc + l3 + write_caches + register_file + "      \
      "dram, "                                                                                     \
      "of these mshr and noc where known")                                                         \
    R(power_average, "power_w.average", "W", "energy over time", energy_total, time_us, 1e3)       \
    C(power_peak, "power_w.peak", "W", "the largest mean over energy.window_cycles")               \
    C(area_l1, "area_mm2.l1", "mm2", "all L1s")                                                    \
    C(area_l2, "area_mm2.l2", "mm2", "all slices")                                                 \
    C(area_frc, "area_mm2.frc", "mm2", "FRCs of all slices")                                       \
    C(area_mshr, "area_mm2.mshr", "mm2", "MSHR files of L1s and slices")                           \
    C(area_l3, "area_mm2.l3", "mm2", "all parts of the L3")                                        \
    C(area_register_file, "area_mm2.register_file", "mm2", "banks of all register files")          \
    C(area_write_caches, "area_mm2.write_caches", "mm2", "write caches and S-FIFOs")               \
    C(area_total, "area_mm2.total", "mm2", "sum of the above; mshr where known")                   \
    C(warp_compute, "warp_cycles_sum.compute", "warp cycles", "")                                  \
    C(warp_memory, "warp_cycles_sum.memory", "warp cycles", "")                                    \
    C(warps, "warps", "warps", "warps retired")                                                    \
    R(warp_compute_mean, "warp_cycles.compute", "cycles",                                          \
      "mean time a warp spent not waiting for memory", warp_compute, warps, 1)                     \
    R(warp_memory_mean, "warp_cycles.memory", "cycles",                                            \
      "mean time a warp waited for memory, or for room in the load/store unit", warp_memory,       \
      warps, 1)                                                                                    \
    STALL_METRICS(C, R)

enum metric {
#define METRIC_COUNT(id, path, unit, meaning) M_##id,
#define METRIC_RATIO(id, path, unit, meaning, num, den, factor) M_##id,
    METRICS(METRIC_COUNT, METRIC_RATIO)
#undef METRIC_COUNT
#undef METRIC_RATIO
        METRIC_N
};

struct metric_info {
    const char *id, *path, *unit, *meaning;
    bool ratio;
    enum metric num, den; /* of ratios */
    double factor;
};
extern const struct metric_info metric_info[METRIC_N];

struct metrics {
    double v[METRIC_N];
    bool has[METRIC_N];
    /* Per load transaction, core cycles: latency.load_mean, load_p95. */
    struct histogram load_latency;
    struct histogram max_latency; /* per vector memory instruction: its slowest transaction */
    bool has_load_latency, has_max_latency;
};

void metrics_set(struct metrics *m, enum metric id, double v); /* counts only */
/* Sets the L2 hits as the profilers of real GPUs define them, from its counts, which must be set.
 */
void metrics_set_as_vendors(struct metrics *m, bool writes_allocate);
void metrics_finish(struct metrics *m); /* fills the ratios whose parts are present */
void metrics_diff(struct metrics *out, const struct metrics *after, const struct metrics *before);
/* to += weight * from, for counts present in both (an absent count in either becomes absent unless
 * `to` is new). */
void metrics_accumulate(struct metrics *to, const struct metrics *from, double weight);
/* -1 if there is no metric of that JSON path ("l2.hit_rate", "latency.load_p95" included:
 * metrics_value). */
int metrics_by_path(const char *path);
/* Any value that a user can name, including those derived from histograms; false: absent or
 * unknown. */
bool metrics_value(const struct metrics *m, const char *path, double *v);
/* The i-th key of JSON, CSV and database outputs; NULL after the last. `*_sum`, slots and other raw
 * sums are omitted. */
const char *metrics_key(uint32_t i);
enum { METRICS_KEYS_MAX = METRIC_N + 8 }; /* at least their number */
/* The index of a key; METRICS_KEYS_MAX: unknown. */
uint32_t metrics_key_index(const char *key);
/* The key closest to a misspelt one: "l1.hitrate", or "hit_rate" for l1.hit_rate; NULL: none is
 * close. */
const char *metrics_closest(const char *word);
/* metrics_value of metrics_key(i). */
bool metrics_at(const struct metrics *m, uint32_t i, double *v);
/* The unit of a key; "" if unknown. */
const char *metrics_unit(const char *key);
/* Whether it is a share of a whole, 0..1: its unit is "1". */
bool metrics_is_share(const char *key);
const char *metrics_meaning(const char *key);
