/* row_lines.c - see row_lines.h. */
#include "gpu/geometry/row_lines.h"

static uint64_t span_of(const struct map *m)
{
    uint64_t span = 1;
    for (uint32_t i = 0; i < m->n_parts; i++)
        if (m->part[i].field == MAP_COLUMN && span <= (uint64_t)m->part[i].mask << m->part[i].from)
            span = ((uint64_t)m->part[i].mask + 1) << m->part[i].from;
    if (m->named) return span;
    return (span > m->interleave_bytes ? span : m->interleave_bytes) * map_part_blocks(m);
}

/* Whether a line's bytes lie side by side in a row, and its channel follows from the address. */
static bool has_whole_lines(const struct map *m, uint32_t line_bytes)
{
    return m->named && m->part[0].field == MAP_COLUMN && m->part[0].mask >= line_bytes - 1;
}

/* The same line by line of the row, whose columns may be far apart. */
static bool next_column(const struct map *m, uint64_t addr, uint32_t line_bytes, uint64_t *next)
{
    const struct coord own = map_addr(m, addr);
    uint64_t covered = 0;
    for (uint32_t i = 0; i < m->n_parts; i++)
        covered |= (uint64_t)m->part[i].mask << m->part[i].from;
    struct coord at = own;
    for (uint64_t c = (uint64_t)own.column + line_bytes; c < m->row_bytes; c += line_bytes) {
        at.column = (uint32_t)c;
        uint64_t found = (addr & ~covered) | map_inverse(m, &at);
        if (map_slice(m, found) != own.slice) continue;
        *next = found;
        return true;
    }
    return false;
}

bool row_lines_next(const struct map *m, uint64_t addr, uint32_t line_bytes, uint64_t *next)
{
    if (has_whole_lines(m, line_bytes)) return next_column(m, addr, line_bytes, next);
    const struct coord own = map_addr(m, addr);
    const uint64_t end = (addr / span_of(m) + 1) * span_of(m);
    for (uint64_t at = addr + line_bytes; at < end; at += line_bytes) {
        if (map_slice(m, at) != own.slice) continue;
        struct coord c = map_addr(m, at);
        if (c.channel != own.channel || c.flat_bank != own.flat_bank || c.row != own.row) continue;
        *next = at;
        return true;
    }
    return false;
}
