/* placed_pages.h - a launch's address samples as each of two memories sees them, and how the
 * accesses are shared out, where pages are placed.
 *
 * The samples have physical addresses then (estimator/profile/view/page_view.h). Each memory has
 * those that lie in it, with addresses of its own map. A stream's write-backs are taken to lie one
 * L2 capacity behind its reads in physical memory, too: what an L2 evicts lies in the same sets,
 * and so mostly in another row of the same bank [A].
 *
 * Memory: one launch's samples, if there are two memories. Source: Mao 2016, 5.2, 5.5.1. */
#pragma once

#include "estimator/dram/memory_load.h"
#include "estimator/est_params.h"
#include "gpu/pages/page_table.h"

struct memory_samples {
    struct spread_sample spread;
    struct block_sample rows[SAMPLE_STREAMS];
    struct sample_content content;
};

struct placed_pages {
    const struct map *map[PAGE_MEMORIES];
    struct map second; /* of the second memory, if there is one */
    uint32_t sms;
    struct memory_samples *memory; /* [PAGE_MEMORIES] NULL: there is one memory */
    uint32_t of;                   /* the number of the samples in `memory`; UINT32_MAX: none */
};

/* NULL: *e. first: the map of the first memory, which outlives it; `second` says whether there are
 * two. */
struct placed_pages *placed_pages_new(const struct est_params *e, const struct map *first,
                                      struct error *err);
void placed_pages_free(struct placed_pages *p);
/* Sorts the launch's samples by memories. */
void placed_pages_find(struct placed_pages *p, const struct profile *f, uint32_t launch);
/* Those of a memory, valid until the next launch is sorted. s: all of the launch's. */
struct launch_samples placed_pages_samples(const struct placed_pages *p, uint32_t memory,
                                           const struct launch_samples *s);

/* Of the accesses that miss in caches of those capacities: the share that goes to the second
 * memory; of reads, the share that goes to the SM's own banks. */
struct placement_shares {
    double second, local;
};
struct placement_shares placed_pages_shares(const struct placed_pages *p,
                                            const struct spread_sample *s, double l1_lines,
                                            double l2_lines);
