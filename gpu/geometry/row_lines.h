/* row_lines.h - the lines that an open row of the memory holds of an L2 slice.
 *
 * If dram.mapping names the channel and keeps lines whole, the row's columns are tried in order.
 * Else lines of a row differ only in the column's bits of the channel-local address, so that they
 * lie between two multiples of a span: the highest of those bits, over all slices or channels
 * (map_part_blocks). Inside it the address map is asked line by line. */
#pragma once

#include "gpu/geometry/address_map.h"

/* The next address that is a multiple of line_bytes behind `addr`, and lies in its row and slice,
 * is *next; false: there is none. */
bool row_lines_next(const struct map *m, uint64_t addr, uint32_t line_bytes, uint64_t *next);
