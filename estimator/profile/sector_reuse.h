/* sector_reuse.h - simulates one cache level for all capacities at once: sectors, write policies,
 * write-backs, merges.
 *
 * A sector that was last touched when the line entered the cache can hit only if the line has not
 * been evicted since: the largest line distance between the two touches (a running maximum) must be
 * below the capacity.  The same maximum since the last write gives the capacities at which that
 * write was written back before the next one.
 *
 * Reads and writes are counted per sector.  `value` of a sector: it hits at capacities above this
 * distance.  Times are accesses of this level, unless the owner sets the clock; fetch ages are
 * taken at the nominal capacity.
 *
 * Invariants: per sector, present[] <= readable[]: a readable sector is present.
 *             Stores that do not allocate refresh a line's recency only when they hit at the
 * nominal capacity. Source: write policies: Khairy et al. III-B. */
#pragma once

#include "estimator/profile/hit_curve.h"
#include "gpu/machine/params/cache.h"

/* A sector has CHAIN_PARTS parts, each a bit, those of sector 0 lowest: stores of lanes that lie
 * apart write it in parts, and under lazy fetch it can be read once all are written. */
enum { CHAIN_SECTORS = 4, CHAIN_PARTS = 8, CHAIN_ALL_PARTS = 0xFF, CHAIN_CLASSES = 3 };

struct chain_params {
    uint32_t sectors; /* per line, 1..CHAIN_SECTORS */
    enum write_miss_kind write_miss;
    bool write_back; /* track dirty chains */
    /* the nominal cache decides hits, for fetch ages and for the stream to the next level; it uses
     * the organisation of `reuse` with its sets, else it is fully associative */
    uint32_t nominal_lines, nominal_org, nominal_ways; /* nominal_ways: 0 = fully associative */
    struct reuse_params reuse;
    /* whether the last fetch of a line (its id) is known to have come; NULL: ages alone tell */
    bool (*has_come)(const void *fetches, uint32_t line);
    const void *fetches;
};

/* Reads of one class, as the owner divides them. */
struct chain_reads {
    struct hit_tally distance; /* counts of sectors */
    struct hit_tally written;  /* ... of those that were written after their last read */
    struct hit_tally old;      /* ... of those last touched before chain_empty */
    struct hit_tally age;      /* of those that hit at the nominal capacity and whose fetch may be
                                  under way: the clock since it began */
};

struct chain_sector; /* holds a sector's maxima */
struct chain {
    struct chain_params p;
    struct reuse reuse;
    struct chain_sector *sector; /* [id * sectors] */
    size_t sector_cap;
    uint64_t now; /* accesses so far; the owner sets it back at a launch */
    /* for ages, modulo 2^32, with a gap between launches: accesses, unless the owner sets it */
    uint32_t clock;
    bool counting; /* false while warming */
    struct chain_reads read[CHAIN_CLASSES];
    uint32_t reads;             /* class of the reads to come; the owner's, 0 unless it sets it */
    struct hit_tally write;     /* counts of sectors */
    struct hit_tally write_old; /* ... of those last touched before chain_empty */
    struct hit_tally write_age; /* of writes that hit, if writes fetch */
    /* writes that soiled a sector; near, in_set: those that found what an earlier write had left
     * dirty, at the largest line distance since; far unused */
    struct hit_tally soiled;
    uint32_t last;   /* id of the last line touched (stack_distance.h) */
    uint32_t missed; /* sectors of the last access that missed in the nominal cache */
    uint8_t nominal_bucket;
    /* How often it was emptied, modulo 256: a sector left alone for 256 times counts as touched
     * since. */
    uint8_t emptied;
    bool failed; /* out of memory: the results are invalid */
};

bool chain_init(struct chain *c, const struct chain_params *p); /* false: no memory */
void chain_fini(struct chain *c);
/* The caches are emptied, but what they read may lie in a cache below, whose distances go on:
 * nothing is dirty any more. */
void chain_empty(struct chain *c);
void chain_flush(struct chain *c);         /* invalidates all lines */
void chain_reset_tallies(struct chain *c); /* called at a launch */

/* Whether the nominal cache has the line; *known: the line is tracked. */
bool chain_has(const struct chain *c, uint64_t line, bool *known);
/* Prefetch the state of a line that will be accessed, early and shortly before; see
 * stack_distance.h. */
void chain_soon(const struct chain *c, uint64_t line);
void chain_sooner(const struct chain *c, uint64_t line);
/* mask: sectors; sets value[s] for each s in mask (REUSE_FAR: misses in every cache). */
void chain_read(struct chain *c, uint64_t line, uint32_t mask, uint32_t value[CHAIN_SECTORS]);
/* n more reads of sectors that the same instruction has just read: they hit or belong to its fetch,
 * but do not count as joining another's. */
void chain_again(struct chain *c, uint32_t n);
/* How many sectors of a line are in a mask: digits of a constant. */
static inline uint32_t sector_reuse_count(uint32_t mask)
{
    return (uint32_t)(UINT64_C(0x4332322132212110) >> CHAIN_SECTORS * mask) & 15;
}
_Static_assert(CHAIN_SECTORS == 4, "a mask has one of sixteen values");
/* The sectors of which all parts are set. */
static inline uint32_t sector_reuse_whole(uint32_t parts)
{
    uint32_t whole = 0;
    for (uint32_t s = 0; s < CHAIN_SECTORS; s++)
        whole |= (uint32_t)((parts >> s * CHAIN_PARTS & CHAIN_ALL_PARTS) == CHAIN_ALL_PARTS) << s;
    return whole;
}
/* All parts of these sectors. */
static inline uint32_t sector_reuse_parts(uint32_t mask)
{
    uint32_t parts = 0;
    for (; mask; mask &= mask - 1)
        parts |= (uint32_t)CHAIN_ALL_PARTS << __builtin_ctz(mask) * CHAIN_PARTS;
    return parts;
}
/* parts: those that are written completely. */
void chain_write(struct chain *c, uint64_t line, uint32_t mask, uint32_t parts,
                 uint32_t value[CHAIN_SECTORS]);
/* Removes the sectors, whatever the capacity. */
void chain_forget(struct chain *c, uint64_t line, uint32_t mask);
/* Removes the lines for which leaves(ctx, line) is true; returns how many of them a cache of the
 * nominal capacity had. */
typedef bool chain_leaves_fn(void *ctx, uint64_t line);
uint32_t chain_forget_if(struct chain *c, chain_leaves_fn *leaves, void *ctx);
/* Marks sectors as present without a fetch, because a store has written all of them. */
void chain_install(struct chain *c, uint64_t line, uint32_t mask);
/* A line that is being fetched stays until it is there: what has been touched since counts as older
 * than it.  It is not tracked: nothing happens. */
void chain_stay(struct chain *c, uint64_t line);
/* A read, then a write: it always fetches, counted as a read. */
void chain_atomic(struct chain *c, uint64_t line, uint32_t mask, uint32_t value[CHAIN_SECTORS]);
/* Adds to `t` the dirty sectors, at the distances beyond which later lines have evicted them;
 * its total stays.  Write-backs of a cache: soiled.total, less what hits of soiled, less what more
 * is dirty in the cache than before. */
void chain_dirty(const struct chain *c, struct hit_tally *t);
/* Of the sectors of the `lines` most recent lines, the share that is dirty. */
double chain_dirty_share(const struct chain *c, double lines);
