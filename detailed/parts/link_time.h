/* link_time.h - a link that carries so many bytes per cycle, as the time at which it is free. */
#pragma once

#include <stdint.h>

/* When a message has left behind all before it. *left: in bytes, of which each cycle has
 * bytes_per_cycle; 0: any number leaves at once. */
static inline uint64_t link_leaves(uint64_t *left, uint32_t bytes_per_cycle, uint64_t now,
                                   uint32_t bytes)
{
    if (!bytes_per_cycle) return now;
    uint64_t from = now * bytes_per_cycle;
    *left = (*left > from ? *left : from) + bytes;
    return (*left + bytes_per_cycle - 1) / bytes_per_cycle;
}
