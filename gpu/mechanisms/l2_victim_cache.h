/* l2_victim_cache.h - declares the victim cache of an L2 slice (l2_mechanisms.h); what it does is
 * in detailed/l2/l2_victim_cache.c. Source: Candel 6.4.3, 6.6. */
#pragma once

#include <stdint.h>

/* Victim cache of a slice, fully associative, LRU. */
struct vc_params {
    uint32_t entries; /* 0: no victim cache */
    uint32_t lookup_cycles, swap_cycles;
};

#define L2_VICTIM_CACHE_MEMBERS struct vc_params vc; /* when miss_management=conventional */

#define L2_VICTIM_CACHE_ROWS                                                                       \
    ROW_INT("vc.entries", vc.entries, "0", 0, 65535, "lines",                                      \
            "of a slice's fully associative victim cache; 0 = there is none", "Candel 6.4.3, 6.6", \
            UNSEEN, TERM, .when = "l2.miss_management=conventional"),                              \
        ROW_INT("vc.lookup_cycles", vc.lookup_cycles, "1", 0, 64, "L2 cycles",                     \
                "look-up of its tags, behind the L2's; 0 = at the same time", "Candel 6.6",        \
                UNSEEN, TERM, .when = "l2.vc.entries!=0"),                                         \
        ROW_INT("vc.swap_cycles", vc.swap_cycles, "3", 0, 1000, "L2 cycles",                       \
                "for a victim to get in, in exchange for a block that was hit or not",             \
                "[A] as the FRC's", UNSEEN, TERM, .when = "l2.vc.entries!=0"),

#define L2_VICTIM_CACHE_METRICS(C, R) \
    C(l2_vc_hits, "l2.vc_hits", "requests", "requests that found their block in the victim cache")
#define L2_VICTIM_CACHE_STATS(C, M) M(vc_hits, l2_vc_hits, p->vc.entries)
#define L2_VICTIM_CACHE_ENERGY(E)
#define L2_VICTIM_CACHE_FUNCTIONAL(F)

#define L2_VICTIM_CACHE_MECHANISM                                                        \
    .name = "victim cache",                                                              \
    .what = "keeps the last victims of a slice, which come back in exchange for others", \
    .params = "l2.vc.", .on = "l2.vc.entries!=0",                                        \
    .functional.lacks = "intervals begin with it empty, and fill it in their warm-up",   \
    .estimator.where = "estimator/terms/l2_miss_model.c",                                \
    .energy.lacks = "the tables have no figures of it",                                  \
    .absent = "energy_mj.l2_memory energy_mj.total power_w.peak area_mm2.total",         \
    .metrics = "l2.vc_"
