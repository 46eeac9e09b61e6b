/* l1_l15.h - declares the L1.5 (l1_mechanisms.h): a cache between the L1s of some neighbouring SMs
 * and the networks, which only reads fill. AMD calls it the graphics L1 (GL1) of a shader array,
 * and what is the L1 here the L0. In the cycle model it is a component of its own (detailed/l15);
 * its tags are in functional passes, too (gpu/functional/memory/functional_l15.c).
 *
 * Source: AMD, "Introducing RDNA Architecture" (2019), pages 17 and 18; Arunkumar et al.,
 * "MCM-GPU", ISCA 2017 (the name). */
#pragma once

#include <stdint.h>

/* Lines and sectors are the L1's; `cache` is derived but for ways and MSHRs. */
#define L1_L15_MEMBERS             \
    struct l15_params {            \
        uint32_t kb; /* 0: none */ \
        uint32_t sms;              \
        uint32_t latency;          \
        uint32_t ports;            \
        struct cache_params cache; \
    } l15;

#define WITH_L15 .when = "l1.l15.kb!=0"
#define L1_L15_ROWS                                                                                \
    ROW_INT("l15.kb", l15.kb, "0", 0, 65536, "KB",                                                 \
            "of a cache behind the L1s of some SMs, which reads fill and stores pass (AMD: GL1, "  \
            "graphics L1); 0 = there is none",                                                     \
            "RDNA 2019, 17 (128 KB); MCM-GPU 2017", SEEN, NO_TERM,                                 \
            .when = "coherence.protocol=none"),                                                    \
        ROW_INT("l15.sms", l15.sms, "10", 1, 1024, "SMs",                                          \
                "that share an L1.5, at most; they are spread evenly",                             \
                "RDNA 2019, 17: a shader array", SEEN, SILENT, WITH_L15),                          \
        ROW_INT("l15.ways", l15.cache.ways, "16", 1, CACHE_WAYS_MAX, "ways",                       \
                "lines per set, of which the one used least recently leaves",                      \
                "RDNA 2019, 17; [A] LRU", SEEN, SILENT, WITH_L15),                                 \
        ROW_INT("l15.mshr.entries", l15.cache.mshr.entries, "0", 0, 65536, "entries",              \
                "sectors that may have a fill in flight, per L1.5; 0 = unbounded", "[A]", UNSEEN,  \
                SILENT, WITH_L15),                                                                 \
        ROW_INT("l15.mshr.max_merge", l15.cache.mshr.max_merge, "0", 0, 65536, "requests",         \
                "that may wait for one fill, the first included; 0 = unbounded", "[A]", UNSEEN,    \
                SILENT, WITH_L15),                                                                 \
        ROW_INT("l15.latency", l15.latency, "1", 1, 10000, "cycles",                               \
                "tag look-up to data of a hit, or to the network for what goes on", "[A]", UNSEEN, \
                TERM, WITH_L15),                                                                   \
        ROW_INT("l15.ports", l15.ports, "4", 1, 64, "requests/cycle", "per L1.5, one of an SM",    \
                "[A]", UNSEEN, SILENT, WITH_L15),

#define L1_L15_METRICS(C, R)                                                                \
    C(l15_accesses, "l1.l15.accesses", "transactions", "reads that L1s sent to their L1.5") \
    C(l15_hits, "l1.l15.hits", "transactions", "reads that found their sector in an L1.5")  \
    C(l15_misses, "l1.l15.misses", "transactions", "reads that an L1.5 sent on to the L2")  \
    C(l15_merges, "l1.l15.merges", "transactions",                                          \
      "reads that joined a fill in flight at an L1.5")                                      \
    C(l15_passed, "l1.l15.passed", "transactions",                                          \
      "stores, atomics and other requests that passed")                                     \
    R(l15_hit_rate, "l1.l15.hit_rate", "1", "hits per access", l15_hits, l15_accesses, 1)
#define L1_L15_STATS(C, M)
#define L1_L15_ENERGY(E)
#define L1_L15_FUNCTIONAL(F)
#define L1_L15_MEMORY(p) 0

#define L1_L15_MECHANISM                                                                          \
    .name = "L1.5s (AMD: graphics L1)", .what = "keep what the L1s of some SMs have read",        \
    .params = "l1.l15.", .on = "l1.enabled=true l1.l15.kb!=0",                                    \
    .functional.where = "gpu/functional/memory/functional_l15.c",                                 \
    .estimator = {.where = "estimator/terms/latencies.c",                                         \
                  .lacks = "which reads hit: reuse is counted for an L1 and for the L2, not for " \
                           "the L1s of some SMs"},                                                \
    .energy.lacks = "the tables have no figures of it",                                           \
    .absent = "energy_mj.l2_memory energy_mj.total power_w.peak area_mm2.total",                  \
    .metrics = "l1.l15.", .named = "l15_",                                                        \
    .home = "detailed/l15/ gpu/cache/l15 gpu/functional/memory/functional_l15 "                   \
            "gpu/mechanisms/l1_l15"
