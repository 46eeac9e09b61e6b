/* stride_table.h - the table of a stride prefetcher: for a load and a warp the line that it wanted
 * last and its last stride, in lines. An entry is steady when the stride was the same twice.
 * Entries are chosen by a hash and replaced at once.
 *
 * The caller owns the table, which begins as zeros. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct stride_entry {
    uint64_t line;
    int64_t stride;
    uint32_t load;   /* of which warp, + 1; 0: free */
    uint32_t steady; /* a number, so that the entry has no padding */
};

static inline struct stride_entry *stride_entry_of(struct stride_entry *table, uint32_t entries,
                                                   uint16_t pc, uint32_t warp, uint32_t *load)
{
    *load = (warp << 16 | pc) + 1;
    return &table[(uint32_t)(*load * UINT64_C(0x9E3779B97F4A7C15) >> 32) % entries];
}

/* Learns the line of a load instruction's first access. */
static inline void stride_table_learn(struct stride_entry *table, uint32_t entries, uint16_t pc,
                                      uint32_t warp, uint64_t line)
{
    uint32_t load;
    struct stride_entry *e = stride_entry_of(table, entries, pc, warp, &load);
    if (e->load != load) {
        *e = (struct stride_entry){.line = line, .load = load};
        return;
    }
    int64_t stride = (int64_t)(line - e->line);
    if (!stride) return;
    e->steady = stride == e->stride;
    e->stride = stride;
    e->line = line;
}

/* The load's stride; 0: none is steady. */
static inline int64_t stride_table_find(struct stride_entry *table, uint32_t entries, uint16_t pc,
                                        uint32_t warp)
{
    uint32_t load;
    const struct stride_entry *e = stride_entry_of(table, entries, pc, warp, &load);
    return e->load == load && e->steady ? e->stride : 0;
}
