/* l1_prefetch.h - declares the stride prefetcher of an L1 (l1_mechanisms.h). A table remembers, for
 * a load and a warp, which line it wanted last and how far that was from the one before; when such
 * a load misses and has twice gone equally far, the sectors so far ahead are fetched, too. Its
 * table is gpu/cache/stride_table.h, what it does detailed/l1/l1_prefetch.c and
 * gpu/functional/memory/l1_prefetch.c. Source: Fu, Patel and Janssens 1992; Lee et al. 2010 (by
 * warp).
 */
#pragma once

#include <stdint.h>

enum l1_prefetch_kind { L1_PREFETCH_NONE, L1_PREFETCH_STRIDE };

#define L1_PREFETCH_MEMBERS         \
    enum l1_prefetch_kind prefetch; \
    uint32_t prefetch_entries, prefetch_degree;

#define L1_PREFETCH_ROWS                                                                       \
    ROW_ENUM("prefetch", prefetch, "none",                                                     \
             ((const struct choice[]){                                                         \
                 {"none", L1_PREFETCH_NONE, "only what is asked for"},                         \
                 {"stride", L1_PREFETCH_STRIDE,                                                \
                  "when a load misses, what its warp's last strides lead to, if an MSHR and a" \
                  " line are free"},                                                           \
                 {NULL, 0, NULL}}),                                                            \
             "what an L1 fetches before somebody asks",                                        \
             "Fu 1992; Lee 2010 (by warp) [A] at misses, strides of lines", SEEN, NO_TERM,     \
             .when = "coherence.protocol=none"),                                               \
        ROW_INT("prefetch_entries", prefetch_entries, "64", 1, 65536, "entries",               \
                "of the table, one for a load of a warp", "[A]", SEEN, NO_TERM,                \
                .when = "l1.prefetch=stride"),                                                 \
        ROW_INT("prefetch_degree", prefetch_degree, "1", 1, 64, "strides",                     \
                "that a miss fetches ahead", "[A]", SEEN, NO_TERM, .when = "l1.prefetch=stride"),

#define L1_PREFETCH_METRICS(C, R)                                                   \
    C(l1_prefetch_lookups, "l1.prefetch_lookups", "look-ups",                       \
      "sectors that the prefetchers of the L1s looked for at misses")               \
    C(l1_prefetches, "l1.prefetches", "fetches", "requests that nobody waited for") \
    C(l1_prefetches_useful, "l1.prefetches_useful", "fetches",                      \
      "prefetched sectors that were asked for before they left")                    \
    R(l1_prefetch_accuracy, "l1.prefetch_accuracy", "1", "share of the prefetches", \
      l1_prefetches_useful, l1_prefetches, 1)

#define L1_PREFETCH_STATS(C, M)                                         \
    M(prefetch_lookups, l1_prefetch_lookups, p->enabled && p->prefetch) \
    M(prefetches, l1_prefetches, p->enabled && p->prefetch)             \
    M(prefetches_useful, l1_prefetches_useful, p->enabled && p->prefetch)

/* Its fetches are among the fills, and are no misses. */
#define L1_PREFETCH_ENERGY(E) E(look_ups, l1_prefetch_lookups, 1) E(ahead, l1_prefetches, 1)
#define L1_PREFETCH_FUNCTIONAL(F) F(prefetch)
#define L1_PREFETCH_MEMORY(p) \
    ((p)->prefetch ? (p)->prefetch_entries * sizeof(struct stride_entry) : 0)

#define L1_PREFETCH_MECHANISM                                                                   \
    .name = "prefetchers of the L1s", .what = "a load that misses fetches ahead by its stride", \
    .params = "l1.prefetch l1.prefetch_", .on = "l1.enabled=true l1.prefetch!=none",            \
    .functional.where = "gpu/functional/memory/l1_prefetch.c",                                  \
    .estimator.lacks = "which strides a warp's loads have is not in the profile",               \
    .energy.where = "l1.energy_mj.", .metrics = "l1.prefetch_ l1.prefetches l1.prefetches_useful"
