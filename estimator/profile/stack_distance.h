/* stack_distance.h - exact LRU stack distances of a stream of lines, for every capacity at once.
 *
 * The distance of an access is the number of other distinct lines touched since the last access to
 * its line: a fully associative LRU cache of C lines holds the line exactly when distance < C.  For
 * a few set counts it also gives the distance inside the line's own set (all-associativity), in
 * buckets (base/memory/histogram.h: exact below 32, then within a sixteenth).
 *
 * Method: lines are in a bitmap by the time of their last access; a Fenwick tree over its 64-bit
 * words counts the younger ones in full words.  Times are renumbered when they run out.  Lines
 * older than `lines` others are forgotten: they are misses for every capacity of interest.  Sets
 * are short lists with move-to-front.  Under modulo indexing, a set of a large set count sees no
 * more lines between two touches than a set of a small one, so that each search begins where the
 * previous one ended.
 *
 * Units:      line numbers; distances in lines. Memory:     grows with the footprint; reuse_touch
 * fails when there is none. Invariants: live lines have distinct positions; bits set == live == sum
 * over the tree + bits of
 *             the word being filled.
 * Source:     Bennett & Kruskal 1975, Almasi 2002 (tree over times); Hill & Smith 1989
 *             (all-associativity). */
#pragma once

#include "base/memory/hash_map.h"
#include "base/memory/histogram.h"
#include "gpu/geometry/line_sets.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    REUSE_ORGS = 5,
    REUSE_WAYS = 256,
    REUSE_SET_BUCKETS = 16 + 4 * 16
};                           /* buckets of distances below REUSE_WAYS */
#define REUSE_FAR UINT32_MAX /* first access, or beyond the bound */
enum { REUSE_SET_FAR = UINT8_MAX };

struct reuse_org {
    /* sets: in a slice, twice those of the previous organisation, and valid for their index
     * function; ways: a multiple of four, at most REUSE_WAYS; larger distances are REUSE_SET_FAR */
    uint32_t sets, ways;
};
struct reuse_params {
    uint32_t lines; /* bound; at least 64 */
    struct line_sets at;
    uint32_t n_orgs;
    struct reuse_org org[REUSE_ORGS]; /* in ascending order of sets */
    /* one set in so many of org[0], of as many consecutive ones, is touched, and what it becomes of
     * more sets; 0 or 1: all. A power of two, as are org[0].sets, or the sets take their room. */
    uint32_t one_in;
};

typedef void reuse_dropped_fn(void *ctx, uint32_t id);

struct reuse {
    struct reuse_params p;
    struct hash_map index; /* line -> id */
    uint64_t *line;        /* [id] */
    uint32_t *pos;         /* [id] */
    uint32_t *id_at;       /* [position] */
    uint64_t *bit;
    uint32_t *tree, words;
    uint32_t window, next, live;
    uint64_t fresh;                /* touches of untracked lines, over calls of reuse_clear */
    uint32_t *spare, n_spare, ids; /* free ids; number of ids in use so far */
    size_t line_cap, pos_cap, spare_cap, at_cap;
    /* [sets * ways] ids + 1 of a set's lines, youngest first; 0 = none */
    uint32_t *set[REUSE_ORGS];
    uint32_t first, skipped; /* log2 of org[0].sets and of one_in, where sets are skipped; else 0 */
    reuse_dropped_fn *dropped;
    void *ctx;
};

struct reuse_distance {
    uint32_t id;     /* 0 .. 2 * lines - 1; the line's id as long as it is tracked */
    bool fresh;      /* the line was not tracked: data that the caller keeps by id are stale */
    uint32_t global; /* REUSE_FAR when fresh */
    uint8_t in_set[REUSE_ORGS]; /* buckets */
};

/* dropped(ctx, id) is called before an id is forgotten; may be NULL.  false: no memory. */
bool reuse_init(struct reuse *r, const struct reuse_params *p, reuse_dropped_fn *dropped,
                void *ctx);
void reuse_fini(struct reuse *r);
void reuse_clear(struct reuse *r); /* forgets all lines without calling dropped */
bool reuse_touch(struct reuse *r, uint64_t line, struct reuse_distance *d); /* false: no memory */
/* As reuse_touch, but without changing anything; false: the line is not tracked. */
bool reuse_peek(const struct reuse *r, uint64_t line, struct reuse_distance *d);
/* Whether the line is tracked (*known) and fewer than `ways` other lines of its set were touched
 * since. */
bool reuse_in_set(const struct reuse *r, uint64_t line, uint32_t org, uint32_t ways, bool *known);
/* Only the stack distance: REUSE_FAR if the line is not tracked. */
uint32_t reuse_depth(const struct reuse *r, uint64_t line);
/* Prefetch, into the host's caches, what a touch of the line will need: first reuse_soon, a little
 * later reuse_soon_id, which also gives the line's id if it is tracked. */
void reuse_soon(const struct reuse *r, uint64_t line);
bool reuse_soon_id(const struct reuse *r, uint64_t line, uint32_t *id);
/* Calls fn(ctx, id, depth) for all lines, the youngest (depth 0) first. */
void reuse_each(const struct reuse *r, void (*fn)(void *ctx, uint32_t id, uint32_t depth),
                void *ctx);
/* The same for the lines in the sets of an organisation, each with its depth inside its set, as a
 * bucket. */
void reuse_each_in_sets(const struct reuse *r, uint32_t org,
                        void (*fn)(void *ctx, uint32_t id, uint32_t bucket), void *ctx);
