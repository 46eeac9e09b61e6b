/* characterize.h - what a program does with memory, kernel by kernel, for people and for choosing
 * inputs: how well lanes coalesce, who uses a line again and when, how loads overlap.
 *
 * No machine: warps take turns as warp_interleave.h says, and all of them see one memory.
 * Transactions: a warp instruction joins its lanes' bytes into blocks of 32, 64 or 128 bytes over
 * the whole warp (gpu/geometry/coalesce.h with all lanes in one group).  An *access* is one line of
 * 128 bytes that one warp instruction touches.
 *
 *   reuse      LRU stack distance of each access in one fully associative cache that the whole
 *              program shares, kept from launch to launch; stores and atomics allocate as loads do.
 *              Exact up to CHARACTER_BOUND lines; beyond that an access counts as a first one.
 *   sharing    per launch, each line it touches: by one warp, by several of one CTA, by several
 *              CTAs; and each access to a line that was touched before: by whom, last.
 *   rows       accesses with distance >= CHARACTER_CACHE lines (they would miss a cache of 1 MB),
 *              first ones included, one after the other to CHARACTER_BANKS banks with one open row
 *              of CHARACTER_ROW consecutive bytes each: a hit goes to the open row.  Rows are dealt
 *              to banks by the XOR of the row number's 7-bit digits.
 *   flight     loads that a warp has issued when it first needs one of them, with all of them back
 *              after that wait (memory_wait = all_at_use); returning atomics are loads.
 *
 * Source: Mattson 1970 (stack distances); reference modelling notes D1. */
#ifndef PLUMB_ESTIMATOR_CHARACTERIZE_CHARACTERIZE_H
#define PLUMB_ESTIMATOR_CHARACTERIZE_CHARACTERIZE_H

#include "base/memory/histogram.h"
#include "trace/program/summary.h"

enum {
    CHARACTER_GRAINS = 3, /* blocks of 32, 64, 128 bytes */
    CHARACTER_LINE = SUMMARY_LINE,
    CHARACTER_BOUND = 1 << 22,
    CHARACTER_CACHE = (1 << 20) / CHARACTER_LINE,
    CHARACTER_ROW = 2048,
    CHARACTER_BANKS = 128,
    CHARACTER_OCTAVES = 32,
    CHARACTER_FLIGHT = 33, /* the last one: that many and more */
    CHARACTER_WARPS = 1024
};
extern const uint32_t character_grain[CHARACTER_GRAINS];

enum access_type { ACCESS_LOAD, ACCESS_STORE, ACCESS_ATOMIC, ACCESS_KINDS };
extern const char *const access_kind_name[ACCESS_KINDS];

struct coalescing {
    uint64_t requests;     /* warp instructions with an active lane that accesses */
    uint64_t lanes, bytes; /* bytes: distinct ones */
    uint64_t transactions[CHARACTER_GRAINS];
    uint64_t ideal[CHARACTER_GRAINS]; /* were the distinct bytes side by side and aligned */
};

enum sharing_scope { SHARING_WARP, SHARING_CTA, SHARING_CTAS, SHARINGS };
enum reuser { REUSER_WARP, REUSER_CTA, REUSER_OTHER_CTA, REUSER_LAUNCH, REUSERS };
extern const char *const sharing_name[SHARINGS], *const reuser_name[REUSERS];

struct character_kernel {
    struct coalescing access[ACCESS_KINDS];
    uint64_t accesses, first;  /* first: of their line, or beyond the bound */
    struct histogram distance; /* of the others, in lines */
    uint64_t lines[SHARINGS];  /* lines of a launch, added over launches */
    uint64_t reuse[REUSERS];
    uint64_t cta_distance[CHARACTER_OCTAVES]; /* |CTA - last CTA| by floor(log2), other CTA only */
    uint64_t row_accesses, row_hits;
    uint64_t waits, flown, overlap; /* flown: loads before waits; overlap: instructions between the
                                       last of them and the wait, summed over waits */
    uint64_t flight[CHARACTER_FLIGHT]; /* waits by the number of loads */
};

struct character {
    struct character_kernel *kernel; /* [summary's n], in its order */
    struct character_kernel all;
    uint32_t n;
    bool bounded; /* lines were forgotten: the footprint is beyond the bound */
};

/* warps: resident at a time (warp_interleave.h); CHARACTER_WARPS if nobody says otherwise. */
bool character_collect(struct character *c, const struct program *p,
                       const struct program_summary *s, uint32_t warps, struct progress *progress,
                       struct error *e);
void character_fini(struct character *c);

/* Share of the accesses that miss in a cache of so many lines: exact where lines is below 16 or
 * k/16 of a power of two, else linear between such.  0 without accesses. */
double character_miss_ratio(const struct character_kernel *k, double lines);
double character_cta_distance(const struct character_kernel *k, double quantile); /* CTAs */

#endif
