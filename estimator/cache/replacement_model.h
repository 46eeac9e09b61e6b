/* replacement_model.h - hit rates of replacement policies other than LRU, from the same curves.
 *
 * The measure is not the stack distance d but the number x of lines that were filled between two
 * uses: x = e t, where t is the number of accesses in between and e the share of them that evicts a
 * line.  Both follow from the curve:
 *
 *   t(d)  the next access is new to a window that holds y lines with the probability that LRU
 * misses with y lines, so t(d) = sum over y < d of 1 / (LRU's miss ratio with y lines). e misses /
 * accesses, a fixed point, less the fills of a cache that was not full yet.
 *
 *   plru    as LRU.
 *   random  a line survives with probability (1 - 1 / lines)^x.
 *   fifo    the fewer hits of LRU and random: with independent references it hits as random does,
 *           with cyclic ones as LRU.
 *   srrip   as LRU; its resistance to scans is not modelled.
 *
 * For a profiled set count, the same holds inside a set. Sources: random: Berg & Hagersten 2004
 * (StatCache); t(d): Xiang et al. 2013; fifo as random: Gelenbe 1973; the rest is ours.  Its error:
 * tests/unit/estimator/replacement_model.c. */
#pragma once

#include "estimator/profile/hit_curve.h"
#include "gpu/machine/params/cache.h"

/* Turns the law of an LRU cache (hit_law_init) into that of another policy.  `all`: the accesses
 * that allocate; room: lines of all the caches over which they are spread. */
void hit_law_policy(struct hit_law *h, enum repl_kind kind, const struct curve *all, double room);
