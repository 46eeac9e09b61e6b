/* tlb_metrics.h - metrics of address translation, in the form of METRICS (metrics.h). */
#pragma once

#define TLB_METRICS(C, R)                                                                          \
    C(tlb_l1_lookups, "tlb.l1_lookups", "transactions",                                            \
      "transactions that asked the TLB of their SM")                                               \
    C(tlb_l1_hits, "tlb.l1_hits", "transactions",                                                  \
      "transactions whose page the TLB of their SM had")                                           \
    C(tlb_l1_misses, "tlb.l1_misses", "transactions",                                              \
      "transactions whose page the TLB of their SM lacked, so that it asked the shared TLB")       \
    C(tlb_l1_joins, "tlb.l1_joins", "transactions",                                                \
      "transactions whose page the SM had asked the shared TLB for already")                       \
    R(tlb_l1_hit_rate, "tlb.l1_hit_rate", "1", "hits per look-up", tlb_l1_hits, tlb_l1_lookups, 1) \
    C(tlb_l2_lookups, "tlb.l2_lookups", "pages", "pages that SMs asked the shared TLB for")        \
    C(tlb_l2_hits, "tlb.l2_hits", "pages", "pages that the shared TLB had")                        \
    C(tlb_l2_joins, "tlb.l2_joins", "pages", "pages that were being walked for already")           \
    R(tlb_l2_hit_rate, "tlb.l2_hit_rate", "1", "hits per look-up", tlb_l2_hits, tlb_l2_lookups, 1) \
    C(tlb_walks, "tlb.walks", "walks", "page walks")                                               \
    C(tlb_walk_steps, "tlb.walk_steps", "entries",                                                 \
      "entries of the page table that walks looked up")                                            \
    C(tlb_walk_reads, "tlb.walk_reads", "transactions",                                            \
      "reads of entries that the L2 was asked for")                                                \
    C(tlb_walk_cycles, "tlb.walk_cycles", "core cycles",                                           \
      "cycles of walks, from the time that they get a walker to the end")                          \
    R(tlb_walk_latency, "tlb.walk_latency", "core cycles", "walk_cycles per walk",                 \
      tlb_walk_cycles, tlb_walks, 1)                                                               \
    C(tlb_walker_wait, "tlb.walker_wait", "core cycles", "cycles that walks waited for a walker")  \
    C(tlb_free_of_walks, "tlb.free_of_walks", "transactions",                                      \
      "transactions that waited for no page walk")                                                 \
    R(tlb_walk_free, "tlb.walk_free", "1",                                                         \
      "share of the transactions that waited for no page walk", tlb_free_of_walks, tlb_l1_lookups, \
      1)                                                                                           \
    C(tlb_wait, "tlb.wait_cycles", "core cycles",                                                  \
      "cycles for which transactions waited for their page")                                       \
    C(tlb_stall_cycles, "tlb.stall_cycles", "SM cycles",                                           \
      "cycles in which so many pages waited that the next access waited, too")
