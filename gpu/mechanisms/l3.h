/* l3.h - declares the memory-side cache (mechanisms.h): its metrics and its row. What it does is in
 * detailed/memory_side and gpu/functional/memory/functional_l3.c. */
#pragma once

#define L3_METRICS(C, R)                                                                        \
    C(l3_reads, "l3.reads", "operations", "reads that reached the L3")                          \
    C(l3_read_hits, "l3.read_hits", "operations", "of these, those served by valid data there") \
    C(l3_writes, "l3.writes", "operations", "writes that reached the L3")                       \
    R(l3_hit_rate, "l3.hit_rate", "1", "hits per read", l3_read_hits, l3_reads, 1)              \
    C(l3_bytes_in, "l3.bytes_in", "bytes", "from the L2, with headers")                         \
    C(l3_bytes_out, "l3.bytes_out", "bytes", "to the L2, with headers")

#define L3_MECHANISM                                                                          \
    .name = "memory-side cache (L3)", .what = "keeps before the memory what the L2 has read", \
    .params = "l3.", .on = "l3.kb!=0",                                                        \
    .functional.where = "gpu/functional/memory/functional_l3.c",                              \
    .estimator = {.where = "estimator/cache/cache_levels.c",                                  \
                  .lacks = "replacement, and how many operations wait before it, "            \
                           "move next to nothing"},                                           \
    .energy.where = "energy_mj.l3 area_mm2.l3", .metrics = "l3.", .named = "l3_ memory_side", \
    .home = "detailed/memory_side/ gpu/functional/memory/functional_l3 "                      \
            "gpu/machine/params/coherence/l3 gpu/machine/tables/l3_ gpu/mechanisms/l3"
