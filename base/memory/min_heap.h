/* min_heap.h - a min-heap of n doubles, of which heap[0] is the least.
 *
 * Equal values make a valid heap. Complexity: logarithmic. */
#pragma once

#include <stdint.h>

/* Replaces the minimum. */
static inline void min_heap_replace(double *heap, uint32_t n, double value)
{
    uint32_t at = 0;
    for (uint32_t below = 1; below < n; below = 2 * at + 1) {
        if (below + 1 < n && heap[below + 1] < heap[below]) below++;
        if (heap[below] >= value) break;
        heap[at] = heap[below];
        at = below;
    }
    heap[at] = value;
}
