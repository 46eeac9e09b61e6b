/* placed_pages.h - where a program's pages lie in the memories of a machine, and the address
 * samples of its launches as the memories see them.
 *
 * Profiles have the addresses of the program: what stays in a cache hardly depends on the frames of
 * pages. Slices, channels, banks and rows do. A page table of the machine (gpu/placement) is
 * touched by the pages of the profile, in their order and by the SMs that touched them first, and
 * gives every sampled access its physical address. With two memories, each has the samples that lie
 * in it, with addresses of its own map.
 *
 * A write-back is taken to lie one L2 capacity behind what a stream reads in physical memory, too:
 * under FRAMES_SM_BANKS in another row of the same bank.
 *
 * Memory: that of the page table, and of one launch's samples. Source: Mao 2016, 5.1, 5.2, 5.5.1;
 * docs/models/estimator.md. */
#pragma once

#include "estimator/dram/memory_load.h"
#include "estimator/model/estimate.h"
#include "gpu/placement/page_table.h"

/* A launch's samples by other addresses than the profile's. */
struct placed_samples {
    struct spread_sample spread;
    struct block_sample rows[SAMPLE_STREAMS];
    struct sample_content content;
};
enum { PLACED_ALL, PLACED_FIRST, PLACED_SECOND, PLACED_N }; /* physical; of each memory */

struct placed_pages {
    struct page_table table;
    struct map second;             /* of the second memory, if there is one */
    struct digest digest;          /* of all that frames depend on */
    struct placed_samples *placed; /* [PLACED_N], or one without a second memory */
    uint32_t of;                   /* the number of the samples in `placed`; UINT32_MAX: none */
};

/* NULL: *e. first: the map of the first memory, which outlives it. Precondition: e->pages says that
 * pages are placed, and the profile is of a view with them. */
struct placed_pages *placed_pages_new(const struct profile *f, const struct est_params *e,
                                      const struct map *first, struct error *err);
void placed_pages_free(struct placed_pages *p);
/* The launch's samples at their physical addresses, all of them and those of a memory; valid until
 * the next launch is asked for. */
void placed_pages_find(struct placed_pages *p, const struct profile *f, uint32_t launch);
/* part: of PLACED_N. s: the launch's samples in the profile. */
struct launch_samples placed_pages_samples(const struct placed_pages *p, uint32_t part,
                                           const struct launch_samples *s);

/* Of the accesses that miss in caches of those capacities: the share that goes to the second
 * memory; of reads, the share that goes to the SM's own banks. */
struct placement_shares {
    double second, local;
};
struct placement_shares placed_pages_shares(const struct placed_pages *p, double l1_lines,
                                            double l2_lines);
