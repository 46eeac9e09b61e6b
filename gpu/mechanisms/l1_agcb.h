/* l1_agcb.h - declares adaptive GPU cache bypassing (l1_mechanisms.h): a predictor of loads that
 * had better go round the L1. Its counters are gpu/cache/agcb.h, what it does is in
 * detailed/l1/l1_agcb.c and gpu/functional/memory/l1_agcb.c. Source: AGCB 4. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* A table of saturating counters indexed by the low bits of the PC. */
struct agcb_params {
    uint32_t entries;      /* power of two */
    uint32_t counter_bits, /* of a counter */
        threshold,         /* counter value from which on loads bypass the L1 */
        initial;
    uint32_t pc_shift; /* low bits of the PC left out */
    bool lookup_first; /* the table is consulted before the tags */
};

#define L1_AGCB_MEMBERS struct agcb_params agcb;

#define WITH_AGCB .when = "l1.bypass=agcb"
#define L1_AGCB_ROWS                                                                              \
    ROW_INT("agcb.entries", agcb.entries, "256", 1, 65536, "counters",                            \
            "of the prediction table, by the low bits of the PC; a power of two", "AGCB 4", SEEN, \
            TERM, WITH_AGCB),                                                                     \
        ROW_INT("agcb.counter_bits", agcb.counter_bits, "4", 1, 8, "bits",                        \
                "of a saturating counter", "AGCB 4", SEEN, TERM, WITH_AGCB),                      \
        ROW_INT("agcb.threshold", agcb.threshold, "8", 0, 256, "",                                \
                "loads go round from this count on", "AGCB 4, figure 2", SEEN, TERM, WITH_AGCB),  \
        ROW_INT("agcb.initial", agcb.initial, "15", 0, 255, "", "count at the beginning",         \
                "AGCB 6, figure 9", SEEN, TERM, WITH_AGCB),                                       \
        ROW_INT("agcb.pc_shift", agcb.pc_shift, "0", 0, 16, "bits",                               \
                "low bits of the PC that are left out (4 where instructions are 16 bytes apart)", \
                "[A]; AGCB 4: 0", SEEN, TERM, WITH_AGCB),                                         \
        ROW_BOOL("agcb.lookup_first", agcb.lookup_first, "false",                                 \
                 "the table is asked before the tags, as in the report's code", "AGCB figure 11", \
                 SEEN, TERM, WITH_AGCB),

#define L1_AGCB_METRICS(C, R)                                 \
    C(l1_mispredictions, "l1.mispredictions", "transactions", \
      "loads that were predicted to go round the L1 and filled it after all")

#define L1_AGCB_STATS(C, M) \
    M(mispredictions, l1_mispredictions, p->enabled && p->bypass == BYPASS_AGCB)
#define L1_AGCB_ENERGY(E)
#define L1_AGCB_FUNCTIONAL(F)
#define L1_AGCB_MEMORY(p) ((p)->bypass == BYPASS_AGCB ? (p)->agcb.entries : 0)

#define L1_AGCB_MECHANISM                                                                         \
    .name = "adaptive bypass of the L1s (AGCB)",                                                  \
    .what = "a table by PC learns which loads bring blocks that are not used again",              \
    .params = "l1.agcb.", .on = "l1.enabled=true l1.bypass=agcb",                                 \
    .functional.where = "gpu/functional/memory/l1_agcb.c",                                        \
    .estimator.where = "estimator/reuse/bypass_predictor.c",                                      \
    .energy.lacks = "the predictor has no figures in the tables", .metrics = "l1.mispredictions", \
    .named = "agcb_ l1_agcb",                                                                     \
    .home =                                                                                       \
        "gpu/cache/agcb detailed/l1/l1_agcb gpu/functional/memory/l1_agcb gpu/mechanisms/l1_agcb"
