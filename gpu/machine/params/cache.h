/* cache.h - what the caches of both levels are made of: names of policies and the structs they
 * share. Operations behind these names live in geometry/ (index) and detailed/cache/ (the rest). */
#ifndef PLUMB_GPU_MACHINE_PARAMS_CACHE_H
#define PLUMB_GPU_MACHINE_PARAMS_CACHE_H

#include "gpu/machine/tables/param.h"

#include <stdbool.h>
#include <stdint.h>

enum repl_kind { REPL_LRU, REPL_FIFO, REPL_PLRU, REPL_RANDOM, REPL_SRRIP, REPL_N };
enum index_kind {
    INDEX_MODULO,
    INDEX_IPOLY,
    INDEX_XOR,
    INDEX_N
}; /* set index functions: gpu/geometry/set_index.h */

/* When a line is given to a missing block (Khairy III-C). */
enum alloc_kind {
    ALLOC_ON_MISS, /* a line is reserved while the fill is in flight; none free = stall */
    ALLOC_ON_FILL  /* the victim is chosen when the data come */
};

enum write_kind {
    WRITE_THROUGH, /* every store goes on to the level below */
    WRITE_BACK,    /* dirty sectors go down when the line leaves */
    WRITE_EVICT,   /* as through, and the sector leaves (an L1's) */
    WRITE_COMBINE  /* stores gather in a few lines of their own, and go down together (an L1's) */
};

/* What a store does to a sector that is not there (Khairy III-B; mechanisms 13). */
enum write_miss_kind {
    WRITE_MISS_NO_ALLOCATE, /* passes by */
    WRITE_MISS_VALIDATE, /* takes a line, marks the bytes valid, no fetch; such a sector hits as if
                            whole */
    WRITE_MISS_LAZY_FETCH, /* as validate; a load of a partly written sector fetches it */
    WRITE_MISS_FETCH       /* fetches the sector, then merges */
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
    uint32_t line_bytes; /* power of two */
    uint32_t tags;       /* of lines that are there or on their way; 0 = as many as are wanted */
    uint32_t sector_bytes; /* power of two, divides the line; equal to it: not sectored */
    enum repl_kind repl;
    uint32_t repl_seed; /* of the draws of REPL_RANDOM */
    enum index_kind index;
    enum alloc_kind alloc;
    enum write_kind write;
    enum write_miss_kind write_miss;
    struct mshr_params mshr;
};

/* Fetch and replacement cache of an L2 slice, or of an L1 (Candel 5.5, 6.5). */
struct frc_params {
    uint32_t entries;       /* 0: there is none */
    uint32_t ways;          /* more than the entries: one set of them all */
    uint32_t swap_cycles;   /* cycles of the cache's clock */
    uint32_t lookup_cycles; /* L2 only, as what follows; cycles behind the L2's tags; 0: at once */
    bool victim_at_swap;    /* the line to swap with is chosen then, not at the miss */
    bool hits_at_fetch;     /* others that asked for a block are served before the swap, too */
};

#endif
