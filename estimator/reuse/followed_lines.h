/* followed_lines.h - which lines of the L2 a profile follows: all, or a sample of them whose reuse
 * is complete, as all of their accesses are seen.
 *
 * One key in `one_in` is followed, at a random place among so many consecutive ones. Where the
 * profile counts distances inside sets, the key is the set of the smallest set count, so that the
 * sets of all set counts are complete, too; else it is the line. Distances between followed lines
 * are one_in times smaller than among all lines, distances inside sets are what they are.
 *
 * Memory: none is allocated. Source: Waldspurger et al. 2015 (SHARDS: a sample by place, not by
 * time); Kessler et al. 1994 (sampled sets). */
#pragma once

#include "base/memory/rng.h"
#include "gpu/geometry/line_sets.h"

#include <stdbool.h>

enum { FOLLOWED_TABLE = 4096 };

struct followed_lines {
    uint32_t one_in; /* a power of two; 1: all */
    uint32_t sets;   /* of a slice; 0: the key is the line */
    struct line_sets at;
    /* where the set is the line's low digits, which of them are followed (bits) */
    uint32_t digits; /* their number; 0: there is no table */
    uint64_t table[FOLLOWED_TABLE / 64];
};

static inline bool followed_lines_has_key(const struct followed_lines *f, uint64_t key)
{
    uint64_t part = rng_splitmix64(key >> __builtin_ctz(f->one_in));
    return ((part ^ key) & (f->one_in - 1)) == 0;
}

/* sets 0: the key is the line; else sets of a slice of the smallest set count. */
static inline void followed_lines_init(struct followed_lines *f, uint32_t one_in, uint32_t sets,
                                       const struct line_sets *at)
{
    *f = (struct followed_lines){.one_in = one_in, .sets = sets, .at = *at};
    if (!sets || (sets & (sets - 1)) || sets > FOLLOWED_TABLE || at->slices > 1) return;
    f->digits = sets;
    for (uint32_t i = 0; i < sets; i++)
        if (followed_lines_has_key(f, i)) f->table[i / 64] |= UINT64_C(1) << i % 64;
}

static inline bool followed_lines_has(const struct followed_lines *f, uint64_t line)
{
    if (f->one_in == 1) return true;
    if (f->digits) {
        uint32_t digit = (uint32_t)line & (f->digits - 1);
        return f->table[digit / 64] >> digit % 64 & 1;
    }
    if (!f->sets) return followed_lines_has_key(f, line);
    struct line_place place = line_place(&f->at, line);
    return followed_lines_has_key(f, line_set(&f->at, &place, f->sets));
}
