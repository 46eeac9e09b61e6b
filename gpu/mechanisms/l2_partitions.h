/* l2_partitions.h - declares the partitions of the L2 (l2_mechanisms.h): slices and SMs fall into
 * equal groups, and an SM asks only slices of its own group, which serve all addresses. With
 * partition_home = partition, each line has a home slice in one partition, and the other partitions
 * keep copies of it, which they fetch over a link (A100, H100: two halves); with memory, no slice
 * is a home, and each partition is an L2 of its own over the memory side (MI300: eight L2s). What
 * they do is in detailed/l2/l2_link.h and gpu/functional/memory/functional_partitions.h. */
#pragma once

#include <stdint.h>

enum partition_home { HOME_PARTITION, HOME_MEMORY };
enum partition_sms { PARTITION_SMS_IN_A_ROW, PARTITION_SMS_IN_TURN };

#define L2_PARTITIONS_MEMBERS                                                       \
    uint32_t partitions;                /* 1: none */                               \
    enum partition_home partition_home; /* when partitions != 1, as all below */    \
    enum partition_sms partition_sms;                                               \
    uint32_t link_latency;  /* L2 cycles per direction, of HOME_PARTITION */        \
    uint32_t link_bytes;    /* per L2 cycle and direction of a partition; 0: any */ \
    uint32_t link_requests; /* of a slice under way, of HOME_MEMORY; 0: any */

#define L2_PARTITIONS_ROWS                                                                       \
    ROW_INT("partitions", partitions, "1", 1, 64, "partitions",                                  \
            "equal groups into which the slices and the SMs fall; an SM asks slices of its own", \
            "mt4g (A100, H100: 2 parts of the L2); AMD MI300 (8 L2s); [A] consecutive SMs and"   \
            " slices",                                                                           \
            SEEN, TERM),                                                                         \
        ROW_ENUM("partition_home", partition_home, "partition",                                  \
                 ((const struct choice[]){                                                       \
                     {"partition", HOME_PARTITION,                                               \
                      "a line has a home slice in one partition; the others fetch copies of it"  \
                      " over a link"},                                                           \
                     {"memory", HOME_MEMORY,                                                     \
                      "each partition is an L2 of its own over the L3 or the memory; what is"    \
                      " dirty is written back, and all dropped, between launches"},              \
                     {NULL, 0, NULL}}),                                                          \
                 "where a partition gets what it misses",                                        \
                 "NVIDIA GTC 2021 S33322 (A100); AMD MI300: rocprofiler-compute (L2 per XCD)",   \
                 SEEN, PARTLY, .when = "l2.partitions!=1"),                                      \
        ROW_ENUM("partition_sms", partition_sms, "in_a_row",                                     \
                 ((const struct choice[]){                                                       \
                     {"in_a_row", PARTITION_SMS_IN_A_ROW,                                        \
                      "SMs with consecutive numbers belong together"},                           \
                     {"in_turn", PARTITION_SMS_IN_TURN,                                          \
                      "an SM and the next belong to one partition and the next, so that CTAs"    \
                      " are dealt to the partitions in turn"},                                   \
                     {NULL, 0, NULL}}),                                                          \
                 "which SMs belong to a partition",                                              \
                 "[A] consecutive SMs; AMD MI300: workgroups go to the XCDs in turn"             \
                 " (ROCm/composable_kernel, pull request 3652)",                                 \
                 SEEN, TERM, .when = "l2.partitions!=1"),                                        \
        ROW_INT("link_latency", link_latency, "50", 1, 10000, "L2 cycles",                       \
                "between partitions, per direction",                                             \
                "[A] a fourth of what a far hit of an A100 takes longer", UNSEEN, TERM,          \
                .when = "l2.partition_home=partition"),                                          \
        ROW_INT("link_bytes", link_bytes, "0", 0, 65536, "bytes/cycle",                          \
                "that leave a partition per L2 cycle, and with an L3 that enter it; 0 = any"     \
                " number",                                                                       \
                "[A]", UNSEEN, TERM, .when = "l2.partitions!=1"),                                \
        ROW_INT("link_requests", link_requests, "0", 0, 65536, "requests",                       \
                "reads and writes of a slice that are under way to the memory side and back;"    \
                " 0 = any number",                                                               \
                "[A] any; AMD MI300: bandwidth times latency of its streams", UNSEEN, TERM,      \
                .when = "l2.partition_home=memory"),

#define L2_PARTITIONS_METRICS(C, R)                                                             \
    C(l2_copy_hits, "l2.copy_hits", "transactions",                                             \
      "reads served by a partition's copy of a line that has its home in another")              \
    C(l2_copy_fetches, "l2.copy_fetches", "transactions",                                       \
      "copies that partitions fetched from their home slices")                                  \
    C(l2_copy_drops, "l2.copy_drops", "transactions", "copies that stores and atomics removed") \
    C(l2_link_writes, "l2.link_writes", "transactions",                                         \
      "stores and atomics that partitions sent to their home slices")                           \
    C(l2_link_bytes, "l2.link_bytes", "bytes",                                                  \
      "over the links between partitions, both ways, with the network's headers")

#define L2_PARTITIONS_STATS(C, M)                     \
    M(copy_hits, l2_copy_hits, l2_has_homes(p))       \
    M(copy_fetches, l2_copy_fetches, l2_has_homes(p)) \
    M(copy_drops, l2_copy_drops, l2_has_homes(p))     \
    M(link_writes, l2_link_writes, l2_has_homes(p))   \
    M(link_bytes, l2_link_bytes, l2_has_homes(p))

/* A request for a line of another partition looks up two slices. */
#define L2_PARTITIONS_ENERGY(E)     \
    E(look_ups, l2_copy_fetches, 1) \
    E(look_ups, l2_link_writes, 1)  \
    E(fills, l2_copy_fetches, 1)
#define L2_PARTITIONS_FUNCTIONAL(F)

#define L2_PARTITIONS_MECHANISM                                                                    \
    .name = "partitions of the L2", .what = "an SM asks slices near it, which keep copies",        \
    .params = "l2.partitions l2.partition_home l2.partition_sms l2.link_",                         \
    .on = "l2.partitions!=1", .functional.where = "gpu/functional/memory/functional_partitions.c", \
    .estimator = {.where = "estimator/cache/partition_model.c",                                    \
                  .lacks = "scattered reads hit several L2s more often than estimated"},           \
    .energy.where = "l2.energy_mj.", .metrics = "l2.copy_ l2.link_",                               \
    .named = "l2_link l2_partition l2_several partition_of",                                       \
    .home = "detailed/l2/l2_link detailed/l2/l2_several gpu/mechanisms/l2_partitions "             \
            "gpu/functional/memory/functional_partitions gpu/machine/check/check_partitions"
