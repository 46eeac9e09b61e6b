/* cache_bytes.c - see cache_bytes.h.  Counts follow the init functions of gpu/cache. */
#include "detailed/parts/cache_bytes.h"

#include "base/memory/hash_map.h"

static uint64_t power_of_two(uint64_t least, uint64_t n)
{
    while (least < n)
        least *= 2;
    return least;
}

uint64_t mshr_bytes(const struct mshr_params *p)
{
    uint64_t entries = p->entries ? p->entries : 64;
    return entries * (sizeof(struct mshr_entry) + sizeof(uint64_t) + 2 * sizeof(struct mshr_node)) +
           power_of_two(16, entries) * sizeof(uint32_t);
}

/* Bytes per line: its state and byte mask, its place in the replacement order and in the index. */
uint64_t cache_bytes(const struct cache_params *p, bool shadow)
{
    enum { LINKS = 2, REPL_SET_BYTES = 4, INDEX_BYTES = sizeof(uint32_t) };
    uint64_t lines = (uint64_t)p->sets * p->ways, sectors = p->line_bytes / p->sector_bytes;
    uint64_t line = sizeof(struct cache_line) + 2 * sizeof(uint64_t);
    line += LINKS * (p->ways <= UINT16_MAX ? sizeof(uint16_t) : sizeof(uint32_t));
    if (shadow) line += sectors * sizeof(uint32_t);
    return lines * line + p->sets * (uint64_t)REPL_SET_BYTES +
           power_of_two(16, 2 * lines) * INDEX_BYTES + mshr_bytes(&p->mshr) +
           (uint64_t)p->tags * 2 * sizeof(struct hash_map_slot);
}
