/* cache.h - parameters that the caches of both levels share, and the names of their policies. The
 * policies are implemented in gpu/geometry (index) and gpu/cache (the rest). */
#pragma once

#include "gpu/machine/rows/param.h"

#include <stdbool.h>
#include <stdint.h>

/* The most that the parameters' ranges allow; types that hold less say so where they stand. */
enum { CACHE_WAYS_MAX = 4096 };

enum repl_kind { REPL_LRU, REPL_FIFO, REPL_PLRU, REPL_RANDOM, REPL_SRRIP, REPL_DRRIP, REPL_N };
enum index_kind {
    /* Set index functions: gpu/geometry/set_index.h. */
    INDEX_MODULO,
    INDEX_IPOLY,
    INDEX_XOR,
    INDEX_N
};

/* When a line is allocated for a missing block (Khairy III-C). */
enum alloc_kind {
    ALLOC_ON_MISS, /* a line is reserved while the fill is in flight; none free = stall */
    ALLOC_ON_FILL  /* the victim is chosen when the data arrive */
};

enum write_kind {
    WRITE_THROUGH, /* every store is also sent to the level below */
    WRITE_BACK,    /* dirty sectors are written back when the line is evicted */
    WRITE_EVICT,   /* write-through, and the sector is invalidated (L1 only) */
    WRITE_COMBINE /* stores are combined in a few separate lines and sent down together (L1 only) */
};

/* What a store does to a missing sector (Khairy III-B). */
enum write_miss_kind {
    WRITE_MISS_NO_ALLOCATE, /* no line is allocated */
    WRITE_MISS_VALIDATE,    /* allocates a line and marks the bytes valid, without a fetch; such a
                               sector hits as if whole */
    WRITE_MISS_LAZY_FETCH,  /* as validate, but a load of a partly written sector fetches it */
    WRITE_MISS_FETCH        /* fetches the sector, then merges */
};

/* Names of the above, in cache_choices.c. */
extern const struct choice repl_choices[], index_choices[], alloc_choices[], l1_write_choices[],
    l2_write_choices[], l1_write_miss_choices[], l2_write_miss_choices[];

struct mshr_params {
    uint32_t entries;   /* sectors with a fill in flight; 0 = unbounded */
    uint32_t max_merge; /* accesses that may wait for one fill, the first included; 0 = unbounded */
};

struct cache_params {
    uint32_t sets, ways; /* per bank or slice; derived by the reader from capacity, ways and line */
    uint32_t short_sets; /* the last ones have one way less than the others; 0: all are alike */
    uint32_t line_bytes; /* power of two */
    uint32_t tags;       /* tags for lines that are valid or in flight; 0 = unlimited */
    uint32_t sector_bytes; /* power of two, divides the line; equal to it: not sectored */
    enum repl_kind repl;
    uint32_t repl_seed; /* seed of REPL_RANDOM */
    enum index_kind index;
    enum alloc_kind alloc;
    enum write_kind write;
    enum write_miss_kind write_miss;
    struct mshr_params mshr;
};

static inline uint32_t cache_params_lines(const struct cache_params *c)
{
    return c->sets * c->ways - c->short_sets;
}

/* Fetch and replacement cache of an L2 slice, or of an L1 (Candel 5.5, 6.5). */
struct frc_params {
    uint32_t entries;       /* 0: no FRC */
    uint32_t ways;          /* more than the entries: fully associative */
    uint32_t swap_cycles;   /* cycles of the cache's clock */
    uint32_t lookup_cycles; /* L2 only, as the following fields; cycles after the L2's tag look-up;
                               0: in parallel */
    bool victim_at_swap;    /* the victim is chosen at the swap, not at the miss */
    bool hits_at_fetch;     /* later requests for a fetched block are served before the swap, too */
};
