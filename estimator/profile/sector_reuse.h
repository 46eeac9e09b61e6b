/* sector_reuse.h - one cache level seen by all capacities at once: sectors, write policies,
 * write-backs, merges.
 *
 * A sector that was last touched when the line entered the cache may be hit only if the line never
 * left since: the greatest line distance between the two touches (a running maximum) must be below
 * the capacity.  The same maximum since the last write says for which capacities that write has
 * gone down before the next one.
 *
 * Reads and writes are tallied per sector.  `value` of a sector: the least capacity at which it
 * misses. Times are accesses of this level; fetch ages are taken at the nominal capacity.
 *
 * Invariants: per sector, present[] <= readable[]: what can be read is there.
 *             Stores that take no line refresh its recency only when they hit at the nominal
 * capacity. Source: reference modelling notes D1; write policies: Khairy et al. III-B. */
#ifndef PLUMB_ESTIMATOR_PROFILE_SECTOR_REUSE_H
#define PLUMB_ESTIMATOR_PROFILE_SECTOR_REUSE_H

#include "estimator/profile/hit_curve.h"
#include "gpu/machine/params/cache.h"

enum { CHAIN_SECTORS = 4 };

struct chain_params {
    uint32_t sectors; /* per line, 1..CHAIN_SECTORS */
    enum write_miss_kind write_miss;
    bool write_back; /* keep dirty chains */
    /* the nominal cache: what it has is a hit, for fetch ages and who asks; by the organisation of
     * `reuse` that has its sets, else fully associative */
    uint32_t nominal_lines, nominal_org, nominal_ways; /* nominal_ways: 0 = fully associative */
    struct reuse_params reuse;
};

struct chain_sector; /* its maxima */
struct chain {
    struct chain_params p;
    struct reuse reuse;
    struct chain_sector *sector; /* [id * sectors] */
    size_t sector_cap;
    uint64_t now;                 /* accesses so far */
    bool counting;                /* off while warming */
    struct hit_tally read, write; /* sectors */
    struct hit_tally writeback;   /* closed write chains; in_set unused */
    struct hit_tally
        age;       /* reads that hit at the nominal capacity: accesses since the sector's fetch */
    uint32_t last; /* id of the line touched last (stack_distance.h) */
    bool missed;   /* a sector of the last access was not in the nominal cache */
    uint8_t nominal_bucket;
    bool failed; /* out of memory: results are void */
};

bool chain_init(struct chain *c, const struct chain_params *p); /* false: no memory */
void chain_fini(struct chain *c);
/* `to` becomes what `from` is; it must be initialised.  false: no memory. */
bool chain_copy(struct chain *to, const struct chain *from);
void chain_flush(struct chain *c);         /* invalidates all (dirty sectors go down) */
void chain_reset_tallies(struct chain *c); /* but writeback, which goes on */

/* Whether the nominal cache has the line; *known: it is among those that are remembered. */
bool chain_has(const struct chain *c, uint64_t line, bool *known);
/* A line comes soon, and sooner: see stack_distance.h. */
void chain_soon(const struct chain *c, uint64_t line);
void chain_sooner(const struct chain *c, uint64_t line);
/* mask: sectors; value[s] is set for each s in mask (REUSE_FAR: misses everywhere). */
void chain_read(struct chain *c, uint64_t line, uint32_t mask, uint32_t value[CHAIN_SECTORS]);
/* n more reads of what the same instruction has just read: hits, or parts of its fetch, but no
 * meetings with another's. */
void chain_again(struct chain *c, uint32_t n);
/* whole: those of the mask whose bytes are all written. */
void chain_write(struct chain *c, uint64_t line, uint32_t mask, uint32_t whole,
                 uint32_t value[CHAIN_SECTORS]);
/* The sectors leave, whatever the capacity. */
void chain_forget(struct chain *c, uint64_t line, uint32_t mask);
/* Lines of which leaves(ctx, line) is true do; returns how many a cache of the nominal capacity
 * had. */
typedef bool chain_leaves_fn(void *ctx, uint64_t line);
uint32_t chain_forget_if(struct chain *c, chain_leaves_fn *leaves, void *ctx);
/* Sectors that are here from now on without a fetch: a store has written all of them. */
void chain_install(struct chain *c, uint64_t line, uint32_t mask);
/* Reads, then writes: always fetches, tallied as a read. */
void chain_atomic(struct chain *c, uint64_t line, uint32_t mask, uint32_t value[CHAIN_SECTORS]);
/* Adds to `t` the write-backs of chains still open, as far as later lines have pushed them out. */
void chain_open_writebacks(const struct chain *c, struct hit_tally *t);

#endif
