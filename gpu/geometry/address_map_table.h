/* address_map_table.h - an address map by table look-up: bank, row and column of an address as the
 * XOR of one table entry per byte of the address.
 *
 * Shifts, masks and XORs are linear over GF(2), and so is the map if slices and channels are powers
 * of two. The result equals map_addr's (tests/unit/gpu/geometry_map_named.c compares them). */
#pragma once

#include "gpu/geometry/address_map.h"

enum { MAP_TABLE_ROW = 24, MAP_TABLE_COLUMN = 20, MAP_TABLE_BANK = 20 }; /* bits of an entry */

struct map_table {
    const struct map *map;              /* outlives the table */
    bool linear;                        /* else `of` is not set */
    uint64_t of[sizeof(uint64_t)][256]; /* row, column, bank from the lowest bit on */
};

void map_table_init(struct map_table *t, const struct map *m);

/* Sets flat_bank, row and column; if the map is linear, the other fields are 0. */
static inline struct coord map_table_coord(const struct map_table *t, uint64_t addr)
{
    if (!t->linear) return map_addr(t->map, addr);
    uint64_t v = 0;
    for (uint32_t byte = 0; addr; byte++, addr >>= 8)
        v ^= t->of[byte][addr & 255];
    return (struct coord){.row = (uint32_t)v & ((1u << MAP_TABLE_ROW) - 1),
                          .column = (uint32_t)(v >> MAP_TABLE_ROW) & ((1u << MAP_TABLE_COLUMN) - 1),
                          .flat_bank = (uint32_t)(v >> (MAP_TABLE_ROW + MAP_TABLE_COLUMN))};
}
