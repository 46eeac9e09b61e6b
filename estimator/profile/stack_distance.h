/* stack_distance.h - exact LRU stack distances of a stream of lines, for every capacity at once.
 *
 * The distance of an access is the number of other distinct lines touched since the last access to
 * its line: a fully associative LRU cache of C lines holds the line exactly when distance < C.
 * Beside that, for a few set counts, the distance inside the line's own set (all-associativity), in
 * buckets (base/memory/histogram.h: exact below 32, then within a sixteenth).
 *
 * How: lines sit in a bitmap by the time of their last access; a Fenwick tree over its 64-bit words
 * counts the younger ones of its full words.  Times are renumbered when they run out.  Lines older
 * than `lines` others are forgotten: they are misses for every capacity that the caller asks about.
 * Sets are short lists, moved to front.  Under modulo indexing a set of many holds no more between
 * two touches of a line than one of few, so that each search begins where the last one ended.
 *
 * Units:      line numbers; distances in lines.
 * Memory:     grows with the footprint; reuse_touch says when there is none.
 * Invariants: live lines have distinct positions; bits set == live == sum over the tree + bits of
 *             the word being filled.
 * Source:     Bennett & Kruskal 1975, Almasi 2002 (tree over times); Hill & Smith 1989
 * (all-associativity). */
#ifndef PLUMB_ESTIMATOR_PROFILE_STACK_DISTANCE_H
#define PLUMB_ESTIMATOR_PROFILE_STACK_DISTANCE_H

#include "base/memory/hash_map.h"
#include "base/memory/histogram.h"
#include "gpu/geometry/line_sets.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    REUSE_ORGS = 5,
    REUSE_WAYS = 256,
    REUSE_SET_BUCKETS = 16 + 4 * 16
};                           /* of distances below REUSE_WAYS */
#define REUSE_FAR UINT32_MAX /* never seen, or beyond the bound */
enum { REUSE_SET_FAR = UINT8_MAX };

struct reuse_org {
    uint32_t sets, ways; /* sets: of a slice, twice those of the organisation before, and what their
                            index serves; ways: a multiple of four, at most REUSE_WAYS; distances
                            from here on are REUSE_SET_FAR */
};
struct reuse_params {
    uint32_t lines; /* bound; at least 64 */
    struct line_sets at;
    uint32_t n_orgs;
    struct reuse_org org[REUSE_ORGS]; /* fewest sets first */
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
    uint64_t fresh;                /* touches of lines that were not known, reuse_clear or not */
    uint32_t *spare, n_spare, ids; /* ids given back; ids handed out so far */
    size_t line_cap, pos_cap, spare_cap, at_cap;
    uint32_t *set[REUSE_ORGS]; /* [sets * ways] ids + 1 of a set, youngest first; 0 = none */
    reuse_dropped_fn *dropped;
    void *ctx;
};

struct reuse_distance {
    uint32_t id;     /* 0 .. 2 * lines - 1, the line's for as long as it is known */
    bool fresh;      /* the line was not known: whatever the caller keeps by id is stale */
    uint32_t global; /* REUSE_FAR when fresh */
    uint8_t in_set[REUSE_ORGS]; /* buckets */
};

/* dropped(ctx, id) is called before an id is forgotten; may be NULL.  false: no memory. */
bool reuse_init(struct reuse *r, const struct reuse_params *p, reuse_dropped_fn *dropped,
                void *ctx);
void reuse_fini(struct reuse *r);
/* `to` becomes what `from` is, but for ctx; whatever it held before is freed.  false: no memory. */
bool reuse_copy(struct reuse *to, const struct reuse *from, void *ctx);
void reuse_clear(struct reuse *r); /* forgets all lines without calling dropped */
bool reuse_touch(struct reuse *r, uint64_t line, struct reuse_distance *d); /* false: no memory */
/* As reuse_touch, but nothing moves; false: the line is not known. */
bool reuse_peek(const struct reuse *r, uint64_t line, struct reuse_distance *d);
/* Whether the line is *known and fewer than `ways` others of its set were touched since. */
bool reuse_in_set(const struct reuse *r, uint64_t line, uint32_t org, uint32_t ways, bool *known);
/* Only how far back: REUSE_FAR where the line is not known. */
uint32_t reuse_depth(const struct reuse *r, uint64_t line);
/* A line will be touched soon: fetches what that needs into the caches; again, a little later, as
 * reuse_soon_id, which says the line's id if it is known. */
void reuse_soon(const struct reuse *r, uint64_t line);
bool reuse_soon_id(const struct reuse *r, uint64_t line, uint32_t *id);
/* Calls fn(ctx, id, depth) for all lines, youngest (depth 0) first. */
void reuse_each(const struct reuse *r, void (*fn)(void *ctx, uint32_t id, uint32_t depth),
                void *ctx);

#endif
