/* map.h - where a physical address lives: L2 slice, memory channel, bank, row, column.
 *
 * Slices interleave `interleave_bytes` of the address space under the slice hash.  Slices and channels are not
 * one to one: consecutive slices share a channel when there are more slices (slice / (slices / channels)); with
 * fewer slices than channels a slice's addresses alternate over its channels, interleave_bytes apiece.
 * Inside a channel the remaining address bits (slice bits taken out) are cut into the fields of dram.mapping,
 * written from high to low; "column" may be split ("row:column_high:bank:column").
 * All functions are pure; map_init precomputes shifts. */
#ifndef PLUMB_GEOMETRY_MAP_H
#define PLUMB_GEOMETRY_MAP_H

#include "base/error.h"
#include "machine/dram.h"
#include "machine/l2.h"

struct coord {
    uint32_t slice, channel;
    uint32_t rank, bankgroup, bank; /* bank: 0..banks_per_group-1 inside its group */
    uint32_t flat_bank;             /* 0..ranks*bankgroups*banks_per_group-1 */
    uint32_t row, column;           /* column: byte offset in the row */
};

struct map {
    uint32_t slices, channels, interleave_bytes;
    enum slice_hash slice_hash;
    uint64_t local_divisor; /* how the channel-local address is formed */
    struct {
        uint8_t kind, bits;
    } field[12]; /* low to high */
    uint32_t n_fields;
    enum bank_hash bank_hash;
    uint32_t ranks, bankgroups, banks_per_group, rows, row_bytes, burst_bytes;
};

/* false: the mapping string does not fit the geometry (names the field and what is allowed). */
bool map_init(struct map *m, const struct l2_params *l2, const struct dram_params *d, struct error *e);
/* Only the slice: the hot path of the network. */
uint32_t map_slice(const struct map *m, uint64_t addr);
struct coord map_addr(const struct map *m, uint64_t addr);
/* The memory alone (plumb dram): a channel-local address straight into fields. */
struct coord map_local(const struct map *m, uint32_t channel, uint64_t local);

#endif
