/* followed_lines.h - which lines of the L2 a profile follows: all, or a sample of them whose reuse
 * is complete, as all of their accesses are seen.
 *
 * One key in `one_in` is followed, at a random place among so many consecutive ones. Where the
 * profile counts distances inside sets, the key is the set of the smallest set count, so that the
 * sets of all set counts are complete, too; else it is the line. Distances between followed lines
 * are one_in times smaller than among all lines, distances inside sets are what they are.
 *
 * Source: Waldspurger et al. 2015 (SHARDS: a sample by place, not by time); Kessler et al. 1994
 * (sampled sets). */
#pragma once

#include "base/memory/rng.h"
#include "gpu/geometry/line_sets.h"

#include <stdbool.h>

struct followed_lines {
    uint32_t one_in; /* 1: all */
    uint32_t sets;   /* of a slice; 0: the key is the line */
    struct line_sets at;
};

static inline bool followed_lines_has(const struct followed_lines *f, uint64_t line)
{
    if (f->one_in == 1) return true;
    uint64_t key = line;
    if (f->sets) {
        struct line_place place = line_place(&f->at, line);
        key = line_set(&f->at, &place, f->sets);
    }
    return rng_splitmix64(key / f->one_in) % f->one_in == key % f->one_in;
}
