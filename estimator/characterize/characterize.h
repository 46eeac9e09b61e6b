/* characterize.h - characterises a program's use of memory, kernel by kernel, for people and for
 * choosing inputs: how well lanes coalesce, who reuses a line and when, how loads overlap.
 *
 * It needs no machine: warps are interleaved as warp_interleave.h says, and all of them see one
 * memory. Transactions: a warp instruction joins its lanes' bytes into blocks of 32, 64 or 128
 * bytes over the whole warp (gpu/geometry/coalesce.h with all lanes in one group).  An *access* is
 * one line of 128 bytes that one warp instruction touches.
 *
 *   reuse      LRU stack distance of each access in one fully associative cache that the whole
 *              program shares and that launches do not empty; stores and atomics allocate as loads
 *              do.  Exact up to CHARACTER_BOUND lines; beyond that an access counts as a first one.
 *   sharing    per launch, the lines touched by one warp, by several warps of one CTA, by several
 *              CTAs; and each access to a line touched before, by who touched it last.
 *   rows       accesses with distance >= CHARACTER_CACHE lines (they would miss a cache of 1 MB),
 *              first ones included, go one after another to CHARACTER_BANKS banks with one open row
 *              of CHARACTER_ROW consecutive bytes each; a hit goes to the open row.  The XOR of the
 *              row number's 7-bit digits gives the bank.
 *   flight     loads that a warp has issued when it first needs one of them; after that wait all
 *              have returned (memory_wait = all_at_use); returning atomics are loads.
 *   registers  warp registers that instructions read and write (operand_counts.h).
 *
 * Source: Mattson 1970 (stack distances). */
#pragma once

#include "base/memory/histogram.h"
#include "estimator/characterize/operand_counts.h"
#include "trace/program/summary.h"

enum {
    CHARACTER_GRAINS = 3, /* blocks of 32, 64, 128 bytes */
    CHARACTER_LINE = SUMMARY_LINE,
    CHARACTER_BOUND = 1 << 22,
    CHARACTER_CACHE = (1 << 20) / CHARACTER_LINE,
    CHARACTER_ROW = 2048,
    CHARACTER_BANKS = 128,
    CHARACTER_OCTAVES = 32,
    CHARACTER_FLIGHT = 33, /* the last bucket: that many or more */
    CHARACTER_WARPS = 1024
};
extern const uint32_t character_grain[CHARACTER_GRAINS];

enum access_type { ACCESS_LOAD, ACCESS_STORE, ACCESS_ATOMIC, ACCESS_KINDS };
extern const char *const access_kind_name[ACCESS_KINDS];

struct coalescing {
    uint64_t requests; /* warp instructions with at least one active lane that accesses memory */
    uint64_t lanes, bytes; /* bytes: distinct ones */
    uint64_t transactions[CHARACTER_GRAINS];
    uint64_t ideal[CHARACTER_GRAINS]; /* if the distinct bytes were contiguous and aligned */
};

enum sharing_scope { SHARING_WARP, SHARING_CTA, SHARING_CTAS, SHARINGS };
enum reuser { REUSER_WARP, REUSER_CTA, REUSER_OTHER_CTA, REUSER_LAUNCH, REUSERS };
extern const char *const sharing_name[SHARINGS], *const reuser_name[REUSERS];

struct character_kernel {
    struct coalescing access[ACCESS_KINDS];
    uint64_t accesses, first;  /* first: the first to their line, or beyond the bound */
    struct histogram distance; /* of the other accesses, in lines */
    uint64_t lines[SHARINGS];  /* lines of each launch, summed over launches */
    uint64_t reuse[REUSERS];
    /* CTA - last CTA| by floor(log2), when they differ */
    uint64_t cta_distance[CHARACTER_OCTAVES];
    uint64_t row_accesses, row_hits;
    /* flown: loads before waits; overlap: instructions between the last of these loads and the
     * wait, summed over waits */
    uint64_t waits, flown, overlap;
    uint64_t flight[CHARACTER_FLIGHT]; /* waits by the number of loads */
    struct operand_counts registers;
};

struct character {
    struct character_kernel *kernel; /* [summary's n], in the summary's order */
    struct character_kernel all;
    uint32_t n;
    bool bounded; /* the footprint exceeds the bound, so that lines were forgotten */
};

/* warps: resident at a time (warp_interleave.h); the default is CHARACTER_WARPS. */
bool character_collect(struct character *c, const struct program *p,
                       const struct program_summary *s, uint32_t warps, struct progress *progress,
                       struct error *e);
void character_fini(struct character *c);

/* The miss ratio in a cache of so many lines: exact where lines is below 16 or k/16 of a power of
 * two, else linear between these.  0 without accesses. */
double character_miss_ratio(const struct character_kernel *k, double lines);
double character_cta_distance(const struct character_kernel *k, double quantile); /* in CTAs */
