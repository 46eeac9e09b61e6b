/* replacement_model.h - how often other replacement policies than LRU hit, from the same curves.
 *
 * Not a stack distance d, but the number x of lines that were put into the cache between two uses
 * decides: x = e t, t the accesses in between and e the share of them that puts out a line.  Both
 * are found from the curve itself:
 *
 *   t(d)  the next access is new to a window that holds y lines with the chance that LRU misses
 * with y lines, so t(d) = sum over y < d of 1 / (LRU's miss ratio with y lines). e     misses /
 * accesses, a fixed point, less what went into a cache that was not full yet.
 *
 *   plru    as LRU.
 *   random  a line survives with (1 - 1 / lines)^x.
 *   fifo    the fewer hits of LRU and random: where lines are used independently of each other it
 *           hits as random does, in a cycle as LRU.
 *   srrip   as LRU; what it keeps from scans is not modelled.
 *
 * Where a set count was profiled, the same holds inside a set.
 * Sources: random: Berg & Hagersten 2004 (StatCache); t(d): Xiang et al. 2013; fifo as random:
 * Gelenbe 1973; the rest is ours.  How far off: tests/unit/estimator/replacement_model.c. */
#ifndef PLUMB_ESTIMATOR_CACHE_REPLACEMENT_MODEL_H
#define PLUMB_ESTIMATOR_CACHE_REPLACEMENT_MODEL_H

#include "estimator/profile/hit_curve.h"
#include "gpu/machine/params/cache.h"

/* Turns the law of an LRU cache (hit_law_init) into that of another policy.  `all`: the accesses
 * that take lines; room: lines of all the caches that they are spread over. */
void hit_law_policy(struct hit_law *h, enum repl_kind kind, const struct curve *all, double room);

#endif
