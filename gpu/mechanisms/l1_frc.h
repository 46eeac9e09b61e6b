/* l1_frc.h - declares the fetch and replacement cache (FRC) of an L1 (l1_mechanisms.h). Its state
 * is gpu/cache/frc.h, what it does detailed/l1/l1_frc.c. Source: Candel 5.5, 6.5 (of an L2). */
#pragma once

#define L1_FRC_MEMBERS struct frc_params frc; /* used with alloc = on_miss */

#define L1_FRC_ROWS                                                                                \
    ROW_INT("frc.entries", frc.entries, "0", 0, 65536, "entries",                                  \
            "of the L1's fetch and replacement cache: a miss that would take a line with data, or" \
            " finds none, takes one, and its line when the block is here; 0 = there is none",      \
            "Candel 5.5, 6.5 (of an L2)", SEEN, PARTLY, .when = "l1.alloc=on_miss"),               \
        ROW_INT("frc.ways", frc.ways, "8", 1, 65536, "ways",                                       \
                "entries per set; with fewer entries than that they are one set",                  \
                "Candel 5.6, 6.6", SEEN, TERM, .when = "l1.frc.entries!=0"),                       \
        ROW_INT("frc.swap_cycles", frc.swap_cycles, "3", 0, 1000, "cycles",                        \
                "for which a fetched block keeps its entry", "Candel 6.6", SEEN, SILENT,           \
                .when = "l1.frc.entries!=0"),

#define L1_FRC_METRICS(C, R) \
    C(l1_frc_fetches, "l1.frc_fetches", "transactions", "misses that an entry of the L1's FRC took")

#define L1_FRC_STATS(C, M) M(frc_fetches, l1_frc_fetches, p->frc.entries)
#define L1_FRC_ENERGY(E)
#define L1_FRC_FUNCTIONAL(F)
#define L1_FRC_MEMORY(p) 0

#define L1_FRC_MECHANISM                                                                       \
    .name = "FRCs of the L1s",                                                                 \
    .what = "a miss fetches beside the lines, and takes its line when the block comes",        \
    .params = "l1.frc.", .on = "l1.enabled=true l1.frc.entries!=0",                            \
    .functional.lacks = "it holds only what is in flight; intervals begin with it empty",      \
    .estimator = {.where = "estimator/cache/l1_line_reservation.c",                            \
                  .lacks =                                                                     \
                      "its entries count as fetches in flight; the victims that stay do not"}, \
    .energy.lacks = "the tables have no figures of it",                                        \
    .absent = "energy_mj.l2_memory energy_mj.total power_w.peak area_mm2.total",               \
    .metrics = "l1.frc_"
