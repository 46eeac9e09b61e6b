/* tlb.h - parameters of address translation: TLBs, page-walk cache and page walkers. */
#pragma once

#include "gpu/machine/params/cache.h"

enum { TLB_LEVELS_MAX = 5 };

struct tlb_params {
    uint32_t l1_entries; /* of an SM's TLB; 0: translation costs nothing */
    uint32_t l1_ways;    /* 0: fully associative; so is l2_ways */
    uint32_t l1_misses;  /* pages of an SM that wait for their translation */
    uint32_t l2_entries, l2_ways;
    uint32_t l2_latency; /* core cycles from an SM to the shared TLB and back */
    uint32_t l2_ports;   /* look-ups per core cycle */
    uint32_t walkers;    /* page walks at a time */
    uint32_t levels;     /* of the page table */
    uint32_t walk_cache_kb, walk_cache_ways;
    uint32_t walk_cache_latency; /* core cycles */
    /* Derived. A line of `l1` and of `l2` stands for a page: see gpu/cache/tlb_tags.h. */
    uint32_t page_shift; /* log2 of the bytes of a page */
    struct cache_params l1, l2, walk_cache;
};

static inline bool tlb_is_on(const struct tlb_params *p)
{
    return p->l1_entries != 0;
}
