/* stack_distance_sampled.h - stack distances of a long stream of addresses from a sample of its
 * lines; its memory grows neither with the stream nor with its footprint.
 *
 * A line is in the sample if its hash is among the lowest one in `one_in`; then all its accesses
 * are, so that its reuse is complete.  Distances among sampled lines are smaller by that factor,
 * and each access represents so many.  Whether hot lines are in the sample is chance: accesses that
 * the sample has too few or too many are assumed to be those at the smallest distances
 * (SHARDS-adj).
 *
 * Error: a distance d has a relative standard error of sqrt((one_in - 1) / d): good for caches of
 *        2,500 * one_in lines and more (2 %), never for small ones.  Hit rates also have that of
 *        the lines that neither always hit nor always miss: sqrt((one_in - 1) * sum of their
 * squared shares of the accesses). Memory: that of a struct reuse of lines / one_in lines. Source:
 * Waldspurger et al. 2015 (SHARDS). */
#pragma once

#include "estimator/profile/hit_curve.h"

#include <stddef.h>

struct reuse_sample {
    struct reuse reuse;
    uint32_t one_in, line_shift;
    uint64_t below;     /* hashes below it are in the sample */
    uint64_t seen;      /* accesses */
    struct hit_tally t; /* of the sample, as measured */
};

/* lines: at larger distances an access counts as a first one; one_in >= 1, lines / one_in >= 64.
 * false: no memory. */
bool reuse_sample_init(struct reuse_sample *s, uint32_t lines, uint32_t line_bytes,
                       uint32_t one_in);
void reuse_sample_fini(struct reuse_sample *s);
bool reuse_sample_feed(struct reuse_sample *s, const uint64_t *addr,
                       size_t n); /* false: no memory */
/* Computes the curve of the whole stream. */
void reuse_sample_curve(const struct reuse_sample *s, struct curve *c);
