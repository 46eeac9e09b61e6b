/* groups.h - the work-groups of a launch that leaves their size to the driver (a local size of
 * NULL).
 *
 * As AMD's driver (ROCclr, which takes in each dimension in turn the largest divisor of the global
 * size that the rest of 256 work-items allows), but, as PoCL, a multiple of a warp where the first
 * dimension has such a divisor. */
#pragma once

#include <stddef.h>

enum { GROUP_DIMENSIONS = 3, GROUP_ITEMS = 256 };

/* The largest divisor of n that is at most `most`, and a multiple of `of`; 0: none. */
static inline size_t group_divisor(size_t n, size_t most, size_t of)
{
    for (size_t d = most / of * of; d > 0; d -= of)
        if (n % d == 0) return d;
    return 0;
}

/* warp: lanes; 0: not known. */
static inline void choose_group(unsigned dimensions, const size_t *global, size_t warp,
                                size_t group[GROUP_DIMENSIONS])
{
    size_t left = GROUP_ITEMS;
    for (unsigned d = 0; d < dimensions; d++) {
        size_t n = global[d], whole = d == 0 && warp ? group_divisor(n, left, warp) : 0;
        group[d] = n == 0 ? 1 : whole ? whole : group_divisor(n, left, 1);
        left /= group[d];
    }
}
