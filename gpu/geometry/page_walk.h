/* page_walk.h - where the entries of the page table lie.
 *
 * The table is a radix tree as on x86-64: tables of 512 entries of 8 bytes, `levels` of them from
 * the root (level 0) to the one that holds the frames. The tables of a level lie one after the
 * other, in the order of the addresses that they translate, in a region of physical memory above
 * all frames of the first memory, a part of it for each level [A]; every table that is needed
 * exists (no page faults). */
#pragma once

#include <stdint.h>

enum { PAGE_WALK_INDEX_BITS = 9, PAGE_WALK_ENTRY_SHIFT = 3 };
enum { PAGE_WALK_TABLES_SHIFT = 39, PAGE_WALK_LEVEL_SHIFT = 36 };

/* The physical address of the entry that a walk for the page reads at a level, below `levels`. */
static inline uint64_t page_walk_entry(uint64_t page, uint32_t level, uint32_t levels)
{
    uint64_t nth = page >> PAGE_WALK_INDEX_BITS * (levels - 1 - level);
    uint64_t within = nth << PAGE_WALK_ENTRY_SHIFT & ((UINT64_C(1) << PAGE_WALK_LEVEL_SHIFT) - 1);
    return (UINT64_C(1) << PAGE_WALK_TABLES_SHIFT) + ((uint64_t)level << PAGE_WALK_LEVEL_SHIFT) +
           within;
}
