/* line_sets.h - the set to which a line maps, in one cache or over all slices of a sliced one.
 *
 * Blocks of lines are distributed to the slices round-robin (slice_hash = modulo,
 * gpu/geometry/address_map.h); inside a slice its lines are numbered without gaps and indexed. Set
 * numbers continue from slice to slice. */
#pragma once

#include "gpu/geometry/set_index.h"

struct line_sets {
    enum index_kind index;
    uint32_t slices;      /* 0 or 1: one cache */
    uint32_t block_lines; /* consecutive lines on one slice */
};

struct line_place {
    uint32_t slice;
    uint64_t line; /* the line's number in its slice */
};

static inline struct line_place line_place(const struct line_sets *s, uint64_t line)
{
    if (s->slices <= 1) return (struct line_place){0, line};
    uint64_t block = line / s->block_lines, stripe = block / s->slices;
    return (struct line_place){(uint32_t)(block - stripe * s->slices),
                               stripe * s->block_lines + line % s->block_lines};
}

/* sets: sets of one slice. */
static inline uint32_t line_set(const struct line_sets *s, const struct line_place *at,
                                uint32_t sets)
{
    if (s->index == INDEX_MODULO && (sets & (sets - 1)) == 0)
        return at->slice * sets + ((uint32_t)at->line & (sets - 1));
    return at->slice * sets + index_table[s->index](at->line, sets);
}
