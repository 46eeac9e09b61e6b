/* l2_prefetch.h - declares the prefetchers of an L2 slice (l2_mechanisms.h). When a read misses,
 * next_line fetches the sector one line further, too, if it lies in the same slice (Smith 1982,
 * prefetch on misses); open_row fetches those of the next lines that lie in the same slice and in
 * the row of the memory that the miss opens. What they do is in detailed/l2/l2_prefetch.c and
 * gpu/functional/memory/l2_prefetch.c.
 *
 * open_row stands for the prefetcher of OWL (Jog 2013), of which Mao says that it is opportunistic
 * and raises row hits (5.5.1). What triggers it, what it takes and where to are assumptions. */
#pragma once

enum prefetch_kind { PREFETCH_NONE, PREFETCH_NEXT_LINE, PREFETCH_OPEN_ROW };

/* when coherence.protocol=none; prefetch_degree: lines, of open_row */
#define L2_PREFETCH_MEMBERS      \
    enum prefetch_kind prefetch; \
    uint32_t prefetch_degree;

#define L2_PREFETCH_ROWS                                                                         \
    ROW_ENUM(                                                                                    \
        "prefetch", prefetch, "none",                                                            \
        ((const struct choice[]){                                                                \
            {"none", PREFETCH_NONE, "only what is asked for"},                                   \
            {"next_line", PREFETCH_NEXT_LINE,                                                    \
             "when a read misses, the line behind it, too, if an MSHR and a line are free"},     \
            {"open_row", PREFETCH_OPEN_ROW, "the same with the next lines of the memory's row"}, \
            {NULL, 0, NULL}}),                                                                   \
        "what a slice fetches before somebody asks",                                             \
        "Smith 1982 (prefetch on misses); Jog 2013 (open rows) [A] at misses, only if it is"     \
        " in the same slice",                                                                    \
        SEEN, NO_TERM, .when = "coherence.protocol=none"),                                       \
        ROW_INT("prefetch_degree", prefetch_degree, "2", 1, 64, "lines",                         \
                "of the row that a miss fetches ahead", "[A]", SEEN, NO_TERM,                    \
                .when = "l2.prefetch=open_row"),

#define L2_PREFETCH_METRICS(C, R)                                                                \
    C(l2_prefetch_lookups, "l2.prefetch_lookups", "look-ups",                                    \
      "lines that the prefetcher looked for at read misses")                                     \
    C(l2_prefetches, "l2.prefetches", "fetches", "of the fetches, those that nobody waited for") \
    C(l2_prefetches_useful, "l2.prefetches_useful", "fetches",                                   \
      "prefetched sectors that were asked for before they left")                                 \
    R(l2_prefetch_accuracy, "l2.prefetch_accuracy", "1", "share of the prefetches",              \
      l2_prefetches_useful, l2_prefetches, 1)

#define L2_PREFETCH_STATS(C, M)                           \
    M(prefetch_lookups, l2_prefetch_lookups, p->prefetch) \
    M(prefetches, l2_prefetches, p->prefetch)             \
    M(prefetches_useful, l2_prefetches_useful, p->prefetch)

/* Its fetches are among the L2's. */
#define L2_PREFETCH_ENERGY(E) E(look_ups, l2_prefetch_lookups, 1)
#define L2_PREFETCH_FUNCTIONAL(F) F(prefetch)

#define L2_PREFETCH_MECHANISM                                                                 \
    .name = "prefetcher of the L2", .what = "a read that misses fetches the next lines, too", \
    .params = "l2.prefetch l2.prefetch_degree", .on = "l2.prefetch!=none",                    \
    .functional.where = "gpu/functional/memory/l2_prefetch.c",                                \
    .estimator.lacks = "which misses follow each other in a slice is not in the profile",     \
    .energy.where = "l2.energy_mj.", .metrics = "l2.prefetch_ l2.prefetches l2.prefetches_useful"
