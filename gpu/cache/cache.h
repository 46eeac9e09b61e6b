/* cache.h - tags, sectors and byte masks of one cache (an L1, or one L2 slice): plan, then apply.
 *
 * cache_plan is const and decides; cache_apply is the only writer on an access, cache_fill the only
 * one on a fill. The owner sends and answers requests, counts, and keeps the clock: this module has
 * none.
 *
 * Sector states: valid (every byte may be read), partial (only the bytes in the byte mask were
 * written), pending (a fill is in flight), dirty (to be written back).  A line is resident while
 * its tag is in the index. Lines are found by hash and ordered by the replacement policy, so that 4
 * ways and 256 ways cost the same.
 *
 * Units:      addresses in bytes; masks relative to the sector; `line` is an index into the line
 * array. Memory:     cache_init allocates; later calls only when an unbounded MSHR file grows.
 * Invariants: cache_check.
 * Source:     Khairy II, III-B, III-C; Candel 4.5; mechanisms 10, 11, 13. */
#ifndef PLUMB_GPU_CACHE_CACHE_H
#define PLUMB_GPU_CACHE_CACHE_H

#include "base/memory/hash_map.h"
#include "base/memory/prefetch.h"
#include "gpu/cache/mshr.h"
#include "gpu/cache/replacement.h"
#include "gpu/geometry/bytemask.h"
#include "gpu/geometry/set_index.h"
#include "gpu/machine/params/cache.h"

enum { LINE_NONE = UINT32_MAX };

struct cache_line {
    uint64_t tag;                           /* line number; meaningful while resident */
    uint8_t valid, partial, dirty, pending; /* by sector */
    bool resident;
    bool transient; /* conventional miss management: being replaced */
    uint16_t fills; /* chained fills: the oldest one's MSHR entry + 1, 0 = none */
};
_Static_assert(sizeof(struct cache_line) == 16, "four to a cache line of the host");

enum access_kind { ACCESS_READ, ACCESS_WRITE, ACCESS_ATOMIC };

struct access {
    uint64_t addr; /* inside one sector */
    enum access_kind kind;
    bool through;     /* a write that leaves a write-back cache's sector as clean as it was */
    bool allocate;    /* a write that takes a line even where misses pass by */
    bool joins;       /* a write that does not pass a fill in flight: it waits for it */
    uint64_t mask[2]; /* bytes written, bit i = byte i of the sector */
};

enum verdict {
    CACHE_HIT,         /* served here */
    CACHE_MERGE,       /* waits for a fill in flight */
    CACHE_MISS,        /* needs a fill: entry and, with on_miss, line are to be had */
    CACHE_ALLOCATE,    /* a write that takes a line, or bytes of one, without a fill */
    CACHE_PASS,        /* goes below without changing anything here but a fill that it overtakes */
    CACHE_STALL_MSHR,  /* no free entry */
    CACHE_STALL_MERGE, /* the entry is full */
    CACHE_STALL_LINE   /* every line of the set is reserved */
};

/* Written where it is wanted, field by field (cache_plan_into): where the host copies it, it has to
 * read back together what it has just written apart, and waits. */
struct access_plan {
    enum verdict verdict;
    uint32_t line; /* the resident line, else the victim to take (with a table of tags: whose tag is
                      wanted), else LINE_NONE */
    uint32_t entry;   /* CACHE_MERGE, and CACHE_PASS or writes that overtake a fill: the MSHR entry,
                         else MSHR_NONE */
    uint32_t present; /* `line` is the accessed line itself */
    uint32_t written; /* a write to a sector that earlier writes had begun: hardware profilers count
                         a hit */
};

struct victim {
    uint64_t tag;
    uint8_t dirty;     /* sectors to write back; 0 = clean or nothing there */
    uint8_t partial;   /* of these, those of which only `bytes` were written */
    uint64_t bytes[2]; /* by byte of the line */
};

/* Where a tag is: open addressing over line indices (0 = empty, else line + 1 in the low bits and
 * the upper bits of the tag's hash above), so that an L1's index fits into a few KB and a look-up
 * touches the tag of hardly any line but the right one. */
struct tag_index {
    uint32_t *slot;
    uint32_t mask, n;
    uint8_t line_bits;  /* of a slot */
    uint8_t home_shift; /* what of a hash says where it belongs: its bits from here on */
    bool tells_home;    /* and a slot has them all */
};

struct frc;

/* What a look-up needs comes first. */
struct cache {
    struct cache_line *line;
    struct tag_index index;
    uint32_t recent; /* the line of the last access: the sectors of a line come in a row */
    uint32_t line_shift, sector_shift, sectors;
    /* A fill takes its line at the miss.  So every fill in flight has one: where no bit is pending,
     * there is no MSHR entry, but for those that an FRC entry has taken. */
    bool reserves;
    bool chained; /* and is found by that line: cache_chain_fills */
    /* Takes misses that find no line, or one with data, and keeps them until they have one; the
     * owner's; NULL: there is none. */
    struct frc *frc;
    struct cache_params p;
    uint32_t n_lines;
    uint64_t way_share; /* 2^64 / ways, rounded up: divides by the ways; 0 if there is one */
    struct repl repl;
    index_fn *index_of;
    /* what is taken out of the line number before indexing (L2 slices): its bits of a chunk stay */
    uint32_t slices, chunk_shift, slice_shift; /* slice_shift: log2(slices), 0 if there is none */
    uint32_t room;                             /* lines there is memory for: cache_resize */
    struct mshr mshr;
    uint16_t *note;             /* [n_lines] the owner's, 0 in a new line; NULL: nobody wants any */
    uint64_t (*sector_mask)[2]; /* [sectors] its bytes, relative to the line */
    uint64_t *bytes;   /* [n_lines * 2]: written bytes of partial sectors, by byte of the line (<=
                          128);   set while the line has such a sector */
    uint32_t *version; /* [n_lines * sectors], shadow memory; NULL when it is off */
    void (*left)(void *ctx, uint64_t tag); /* a line was pushed out by another; NULL: never mind */
    void *left_ctx;
    bool (*keeps)(const void *ctx,
                  uint64_t tag); /* a line that may not leave now; NULL: never mind */
    const void *keeps_ctx;
    struct hash_map flying; /* with p.tags: tags without a line -> their sectors on the way */
};

/* slices = 1 and chunk_bytes = 0 for a cache that serves every address.  false: no memory. */
bool cache_init(struct cache *c, const struct cache_params *p, uint32_t slices,
                uint32_t chunk_bytes, bool shadow);
bool cache_keep_notes(struct cache *c); /* false: no memory */
/* MSHR entries are chained at the lines that they fill, where that can be, instead of hashed: for
 * an owner who opens and ends fills by cache_apply and cache_fill alone.  Precondition: empty. */
void cache_chain_fills(struct cache *c);
void cache_fini(struct cache *c);
void cache_clear(struct cache *c); /* everything invalid, MSHRs empty */
/* An empty cache (index.n = 0) becomes a fresh one of so many ways, in the memory it has.
 * Precondition: sets * ways <= room.  false: no memory. */
bool cache_resize(struct cache *c, uint32_t ways);
void cache_invalidate(
    struct cache *c); /* drops every line but those with a fill in flight, without write-back */

static inline uint64_t cache_tag(const struct cache *c, uint64_t addr)
{
    return addr >> c->line_shift;
}
static inline uint32_t cache_sector(const struct cache *c, uint64_t addr)
{
    return (uint32_t)(addr >> c->sector_shift) & (c->sectors - 1);
}
static inline uint64_t cache_key(const struct cache *c, uint64_t addr)
{
    return addr >> c->sector_shift;
}
uint32_t cache_set(const struct cache *c, uint64_t tag);
/* Number of a sector among those that this cache serves. */
uint64_t cache_local_sector(const struct cache *c, uint64_t addr);
static inline uint32_t cache_set_of_line(const struct cache *c, uint32_t line)
{
    return c->way_share ? (uint32_t)((unsigned __int128)c->way_share * line >> 64) : line;
}
static inline uint32_t cache_hash(uint64_t tag)
{
    return (uint32_t)(tag * 0x9E3779B97F4A7C15u >> 32);
}
static inline uint32_t cache_home(const struct cache *c, uint32_t hash)
{
    return hash >> c->index.home_shift;
}
static inline uint32_t cache_slot_line(const struct cache *c, uint32_t slot)
{
    return (slot & ((1u << c->index.line_bits) - 1)) - 1;
}
/* The line that holds a tag, LINE_NONE if none does. */
static inline uint32_t cache_find(const struct cache *c, uint64_t tag)
{
    if (c->line[c->recent].tag == tag && c->line[c->recent].resident) return c->recent;
    uint32_t hash = cache_hash(tag);
    for (uint32_t i = cache_home(c, hash);; i = (i + 1) & c->index.mask) {
        uint32_t at = c->index.slot[i];
        if (!at) return LINE_NONE;
        if ((at ^ hash) >> c->index.line_bits) continue;
        uint32_t line = cache_slot_line(c, at);
        if (c->line[line].tag == tag) return line;
    }
}

/* The MSHR entry of a sector's fill, MSHR_NONE: there is none.  line: of its tag, or LINE_NONE. */
static inline uint32_t cache_fill_of(const struct cache *c, uint32_t line, uint64_t key)
{
    if (!c->chained) return mshr_find(&c->mshr, key);
    if (line == LINE_NONE) return MSHR_NONE;
    uint32_t e = (uint32_t)c->line[line].fills - 1;
    while (e != MSHR_NONE && c->mshr.entry[e].key != key)
        e = c->mshr.entry[e].chain;
    return e;
}

/* Hints for the host's caches, one and two steps before an address is looked up: with a large
 * machine nothing of what a look-up touches is near. */
static inline void cache_prefetch_slot(const struct cache *c, uint64_t addr)
{
    prefetch_line(&c->index.slot[cache_home(c, cache_hash(cache_tag(c, addr)))]);
}
void cache_prefetch_line(const struct cache *c, uint64_t addr, bool write);

/* The tag is known, be it that its line is still on its way. */
static inline bool cache_has_tag(const struct cache *c, uint64_t addr)
{
    uint64_t tag = cache_tag(c, addr);
    return cache_find(c, tag) != LINE_NONE || (c->p.tags && hash_map_get(&c->flying, tag));
}

void cache_plan_into(const struct cache *c, const struct access *a, struct access_plan *p);
static inline struct access_plan cache_plan(const struct cache *c, const struct access *a)
{
    struct access_plan p;
    cache_plan_into(c, a, &p);
    return p;
}
/* Carries a plan out; the plan must be fresh and not a stall.  *v: what left.  Returns the MSHR
 * entry of a CACHE_MISS (its reader is still to be added as a waiter), else MSHR_NONE. */
uint32_t cache_apply(struct cache *c, const struct access_plan *p, const struct access *a,
                     struct victim *v);
/* The data of an entry's sector have come: makes it valid (unless killed).  The waiters are the
 * owner's to serve; the owner releases the entry afterwards.  Returns the line, LINE_NONE if the
 * data were not kept. */
uint32_t cache_fill(struct cache *c, uint32_t entry, struct victim *v);

/* Stores have put bytes into the sector of an address: a fill merges under them, it does not
 * replace them. */
bool cache_written(const struct cache *c, uint64_t addr);

/* Building blocks for miss management and warm-up. */
/* The set's best victim among lines without fills in flight that may leave; transient ones count
 * only if `transient_too`. */
uint32_t cache_victim(const struct cache *c, uint64_t tag, bool transient_too);
void cache_take(struct cache *c, uint32_t line, uint64_t tag,
                struct victim *v); /* the old tag leaves */
void cache_drop(struct cache *c, uint32_t line);
/* What of the line's sectors (bits) a write-back would have to carry. */
struct victim cache_dirty(const struct cache *c, uint32_t line, uint8_t sectors);
/* The bytes of one dirty sector of a victim, relative to the sector. */
void cache_dirty_bytes(const struct cache *c, const struct victim *v, uint32_t sector,
                       uint64_t out[2]);
/* These sectors are gone; the line, too, when nothing is left in it and nothing on its way. */
void cache_forget(struct cache *c, uint32_t line, uint8_t sectors);
/* What is valid of an address's sector is still to be written back. */
void cache_soil(struct cache *c, uint64_t addr);
void cache_write_bytes(struct cache *c, uint32_t line, const struct access *a);
/* One access of a functional pass: no MSHRs, no time; *v as in cache_apply; returns whether it hit.
 */
bool cache_touch(struct cache *c, const struct access *a, struct victim *v);

/* One resident line as a warm-up keeps it.  Images list a set's lines from the best victim on
 * (by way under policies with notes of their own, see replacement.h). */
struct line_image {
    uint64_t tag, bytes[2];
    uint8_t valid, partial, dirty;
    uint8_t note;   /* the replacement policy's */
    uint16_t owner; /* cache.note */
};
uint32_t cache_save(const struct cache *c,
                    struct line_image *out); /* out[n_lines]; the number written */
/* Into an empty cache; lines of another geometry find their sets again, the surplus is dropped in
 * order. */
void cache_load(struct cache *c, const struct line_image *image, uint32_t n);

/* All that accesses without time leave in it, to go on from exactly there: of a cache of the same
 * parameters, with no fill in flight and no shadow memory. */
void cache_serialize(struct cache *c, struct serializer *t);

bool cache_check(const struct cache *c);

/* A store of all of its sector's bytes for which a line is to be had: *p, for cache_apply. */
bool cache_stores_whole_sector(const struct cache *c, const struct access *a,
                               struct access_plan *p);

#endif
