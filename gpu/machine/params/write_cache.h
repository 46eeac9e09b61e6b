/* write_cache.h - parameters of a write-combining cache and its synchronisation FIFO (QuickRelease
 * 3, table 1), one beside each L1, each L2 slice and each part of the L3. */
#pragma once

#include <stdint.h>

enum { WRITE_CACHE_TAG_LATENCY_MAX = 1000 };

struct write_cache_params {
    uint32_t kb;
    uint32_t ways;
    uint32_t fifo;        /* entries for blocks in the synchronisation FIFO */
    uint32_t tag_latency; /* cycles of its tags, which are looked up behind the read cache's */
};

/* The rows of a write cache beside a read cache; FOR says of what the sizes are. */
#define WRITE_CACHE_ROWS(FOR, kb_, ways_, fifo_, tag_)                                           \
    ROW_INT("write_cache.kb", write_cache.kb, kb_, 1, 65536, "KB", "capacity " FOR,              \
            "QuickRelease table 1", UNSEEN, SILENT, .when = "coherence.protocol=quickrelease"),  \
        ROW_INT("write_cache.ways", write_cache.ways, ways_, 1, CACHE_WAYS_MAX, "ways",          \
                "lines per set of the write cache", "[A]", UNSEEN, SILENT,                       \
                .when = "coherence.protocol=quickrelease"),                                      \
        ROW_INT("write_cache.fifo", write_cache.fifo, fifo_, 1, 1048576, "entries",              \
                "blocks in the synchronisation FIFO " FOR, "QuickRelease table 1", UNSEEN, TERM, \
                .when = "coherence.protocol=quickrelease"),                                      \
        ROW_INT("write_cache.tag_latency", write_cache.tag_latency, tag_, 0,                     \
                WRITE_CACHE_TAG_LATENCY_MAX, "cycles",                                           \
                "look-up of the write cache's tags, behind the read cache's",                    \
                "QuickRelease 3.2, table 1", UNSEEN, SILENT,                                     \
                .when = "coherence.protocol=quickrelease")

/* The row of the protocol's choice of FIFOs, among those of the part `coherence`. */
#define FIFO_SCOPE_ROW                                                                           \
    ROW_ENUM(                                                                                    \
        "fifo_scope", fifo_scope, "sm", fifo_scope_choices,                                      \
        "whose stores share an S-FIFO in an L1; their entries are those of l1.write_cache.fifo", \
        "QuickRelease 3 (one per SM; split ones bring little, and lose transitivity)", UNSEEN,   \
        SILENT, .when = "coherence.protocol=quickrelease")
