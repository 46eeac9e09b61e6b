/* l2_frc.h - declares the fetch and replacement cache (FRC) of an L2 slice (l2_mechanisms.h).
 * Its state is gpu/cache/frc.h, what it does detailed/l2/l2_miss_frc.c. Source: Candel 5.5, 6.5. */
#pragma once

#define L2_FRC_MEMBERS struct frc_params frc; /* when miss_management=conventional */

#define L2_FRC_ROWS                                                                              \
    ROW_INT("frc.entries", frc.entries, "0", 0, 65536, "entries",                                \
            "of a slice's fetch and replacement cache; 0 = there is none", "Candel 5.5, 6.5",    \
            UNSEEN, TERM, .when = "l2.miss_management=conventional"),                            \
        ROW_INT("frc.ways", frc.ways, "8", 1, 65536, "ways",                                     \
                "entries per set; with fewer entries than that they are one set",                \
                "Candel 5.6, 6.6", UNSEEN, TERM, .when = "l2.frc.entries!=0"),                   \
        ROW_INT("frc.lookup_cycles", frc.lookup_cycles, "1", 0, 64, "L2 cycles",                 \
                "look-up of its tags, behind the L2's; 0 = at the same time", "Candel 6.5, 6.6", \
                UNSEEN, TERM, .when = "l2.frc.entries!=0"),                                      \
        ROW_INT("frc.swap_cycles", frc.swap_cycles, "3", 0, 1000, "L2 cycles",                   \
                "from the fetched block's arrival until it and the victim have changed places",  \
                "Candel 6.6", UNSEEN, TERM, .when = "l2.frc.entries!=0"),                        \
        ROW_BOOL("frc.victim_at_swap", frc.victim_at_swap, "false",                              \
                 "the line to swap with is chosen at the swap; else at the miss",                \
                 "[A]; the public simulator of Candel's group (at the miss)", UNSEEN, SILENT,    \
                 .when = "l2.frc.entries!=0"),                                                   \
        ROW_BOOL("frc.hits_at_fetch", frc.hits_at_fetch, "false",                                \
                 "all that asked for a fetched block are served when it comes; else the first,"  \
                 " and the others after the swap",                                               \
                 "Candel 5.5 (true), 6.5 (false)", UNSEEN, SILENT, .when = "l2.frc.entries!=0"),

#define L2_FRC_METRICS(C, R)                                                                    \
    C(l2_frc_lookups, "l2.frc_lookups", "attempts", "requests looked up in the FRC's tags")     \
    C(l2_frc_fetches, "l2.frc_fetches", "fetches", "misses that an FRC entry took")             \
    C(l2_frc_merges, "l2.frc_merges", "requests", "requests that joined a fetch into the FRC")  \
    C(l2_frc_swaps, "l2.frc_swaps", "swaps", "blocks fetched by the FRC that came into the L2") \
    R(l2_frc_share, "l2.frc_share", "1", "share of the misses that an FRC entry took",          \
      l2_frc_fetches, l2_misses, 1)

#define L2_FRC_STATS(C, M)                         \
    M(frc_lookups, l2_frc_lookups, p->frc.entries) \
    M(frc_fetches, l2_frc_fetches, p->frc.entries) \
    M(frc_swaps, l2_frc_swaps, p->frc.entries)     \
    M(frc_merges, l2_frc_merges, p->frc.entries)

/* A block that it fetches is written into its own array; the swap has costs of its own. */
#define L2_FRC_ENERGY(E) E(fills, l2_frc_fetches, -1)
#define L2_FRC_FUNCTIONAL(F)

#define L2_FRC_MECHANISM                                                                      \
    .name = "FRC of the L2",                                                                  \
    .what = "a miss fetches beside the lines, and its victim leaves after the fetch",         \
    .params = "l2.frc.", .on = "l2.frc.entries!=0",                                           \
    .functional.lacks = "it holds only what is in flight; intervals begin with it empty",     \
    .estimator = {.where = "estimator/terms/l2_miss_model.c",                                 \
                  .lacks = "who is served at the fetch, and when the victim is chosen, move " \
                           "next to nothing"},                                                \
    .energy.where = "energy_mj.frc_ area_mm2.frc", .metrics = "l2.frc_", .named = "frc_",     \
    .home = "gpu/cache/frc detailed/l1/l1_frc detailed/l2/l2_miss_frc gpu/energy/frc_energy " \
            "gpu/mechanisms/l1_frc gpu/mechanisms/l2_frc"
