/* cache.h - tags, sectors and byte masks of one cache (an L1, or one L2 slice): plan, then apply.
 *
 * cache_plan is const and decides; cache_apply is the only writer on an access, cache_fill the only
 * one on a fill. The owner sends and answers requests, counts, and keeps the clock: this module has
 * none.
 *
 * Sector states: valid (every byte may be read), partial (only the bytes in the byte mask were
 * written), pending (a fill is in flight), dirty (to be written back). A line is resident while its
 * tag is in the index. Lines are found by hash and ordered by the replacement policy, so that 4
 * ways and 256 ways cost the same.
 *
 * Units: addresses in bytes; masks relative to the sector; `line` is an index into the line array.
 * Memory: cache_init allocates; later calls only when an unbounded MSHR file grows. Invariants:
 * cache_check. Source: Khairy II, III-B, III-C; Candel 4.5. */
#pragma once

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
    uint64_t addr; /* the bytes do not cross a sector, unless there are more */
    enum access_kind kind;
    uint32_t more; /* sectors of the line behind the first that are accessed, too; only where fills
                      are chained */
    bool through; /* a write that is also sent down, so that a write-back cache's sector stays clean
                   */
    bool allocate;    /* a write that allocates a line even under no-allocate */
    bool joins;       /* a write that waits for a fill in flight instead of overtaking it */
    uint64_t mask[2]; /* bytes written, bit i = byte i from the first sector on */
};

enum verdict {
    CACHE_HIT,      /* served here */
    CACHE_MERGE,    /* waits for a fill in flight */
    CACHE_MISS,     /* needs a fill: an MSHR entry and, with on_miss, a line are available */
    CACHE_ALLOCATE, /* a write that allocates a line, or writes to one, without a fill */
    CACHE_PASS,     /* is sent down and changes nothing here, except that a fill it overtakes is not
                       kept */
    CACHE_STALL_MSHR,  /* no free entry */
    CACHE_STALL_MERGE, /* the entry is full */
    CACHE_STALL_LINE   /* every line of the set is reserved */
};

/* Filled in place, field by field (cache_plan_into): copying a struct that has just been written in
 * parts would stall the host's store forwarding. */
struct access_plan {
    enum verdict verdict;
    uint32_t line; /* the resident line, else the victim to replace (with p.tags: the line whose tag
                      entry is to be freed), else LINE_NONE */
    uint32_t entry;   /* CACHE_MERGE, and CACHE_PASS or writes that overtake a fill: its MSHR entry,
                         else MSHR_NONE */
    uint32_t present; /* `line` is the accessed line itself */
    uint32_t more; /* of the access's: as many sectors behind the first have the same verdict, and
                      are all that it plans for */
    uint32_t written; /* a write to a sector that earlier writes have written in part: hardware
                         profilers count a hit */
};

struct victim {
    uint64_t tag;
    uint8_t dirty;     /* sectors to write back; 0: clean, or the line was empty */
    uint8_t partial;   /* the dirty sectors of which only `bytes` were written */
    uint64_t bytes[2]; /* bit i = byte i of the line */
};

/* Hash index from tags to lines: open addressing over line numbers (0: empty, else line + 1 in the
 * low bits and the upper bits of the tag's hash above). An L1's index fits into a few KB, and a
 * look-up rarely reads the tag of any line but the right one. */
struct tag_index {
    uint32_t *slot;
    uint32_t mask, n;
    uint8_t line_bits;  /* bits of a slot that hold line + 1 */
    uint8_t home_shift; /* the bits of a hash from here on give its home slot */
    bool tells_home;    /* a slot holds all bits of its hash that give the home slot */
};

struct frc;

/* The fields that a look-up reads come first. */
struct cache {
    struct cache_line *line;
    struct tag_index index;
    /* The line of the last access, since accesses to a line's sectors come in a row. */
    uint32_t recent;
    uint32_t line_shift, sector_shift, sectors;
    /* Lines are allocated at the miss, so that every fill in flight has a line: where no bit is
     * pending, there is no MSHR entry, except for fills that an FRC entry has taken. */
    bool reserves;
    bool chained; /* fills are chained at their lines: cache_chain_fills */
    /* Holds misses whose set has no free line until they get one. The owner's; NULL: there is none.
     */
    struct frc *frc;
    struct cache_params p;
    uint32_t n_lines;
    uint64_t way_share; /* 2^64 / ways, rounded up, to divide by the ways; 0: one way */
    struct repl repl;
    index_fn *index_of;
    /* The slice number, which is removed from the line number before indexing (L2 slices); the
     * line's bits within a chunk stay. */
    /* slice_shift: log2(slices); 0: not a power of two. */
    uint32_t slices, chunk_shift, slice_shift;
    uint32_t room; /* lines for which memory was allocated: cache_resize */
    struct mshr mshr;
    uint16_t *note;             /* [n_lines] the owner's, 0 in a new line; NULL: no notes */
    uint64_t (*sector_mask)[2]; /* [sectors] the sector's bytes, relative to the line */
    uint64_t *bytes;   /* [n_lines * 2] written bytes of partial sectors, by byte of the line (<=
                          128); valid while the line has such a sector */
    uint32_t *version; /* [n_lines * sectors], shadow memory; NULL when it is off */
    void (*left)(void *ctx, uint64_t tag); /* called when a line is evicted; NULL: not called */
    void *left_ctx;
    /* Whether a line must not be evicted now; NULL: none. */
    bool (*keeps)(const void *ctx, uint64_t tag);
    const void *keeps_ctx;
    struct hash_map flying; /* with p.tags: tags without a line -> their sectors in flight */
};

/* slices = 1 and chunk_bytes = 0 for a cache that serves every address.  false: no memory. */
bool cache_init(struct cache *c, const struct cache_params *p, uint32_t slices,
                uint32_t chunk_bytes, bool shadow);
bool cache_keep_notes(struct cache *c); /* false: no memory */
/* Chains MSHR entries, where possible, at the lines that they fill instead of hashing them. For
 * owners that start and end fills only by cache_apply and cache_fill. Precondition: the cache is
 * empty. */
void cache_chain_fills(struct cache *c);
void cache_fini(struct cache *c);
void cache_clear(struct cache *c); /* invalidates everything and empties the MSHRs */
/* Gives an empty cache (index.n = 0) another number of ways, of which the last sets may lack one,
 * within the memory it has.
 * Precondition: sets * ways <= room. false: no memory. */
bool cache_resize(struct cache *c, uint32_t ways, uint32_t short_sets);
/* Invalidates every line without a fill in flight, without write-back. */
void cache_invalidate(struct cache *c);

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
/* The sector's number among the sectors that this cache serves. */
uint64_t cache_local_sector(const struct cache *c, uint64_t addr);
static inline uint32_t cache_set_of_line(const struct cache *c, uint32_t line)
{
    return c->way_share ? (uint32_t)((unsigned __int128)c->way_share * line >> 64) : line;
}
/* Makes a line the one of its set that was used last. */
static inline void cache_use_line(struct cache *c, uint32_t line)
{
    uint32_t set = cache_set_of_line(c, line);
    c->repl.ops->touch(&c->repl, set, line - set * c->p.ways);
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

/* The MSHR entry of a sector's fill; MSHR_NONE: none. line: the line of its tag, or LINE_NONE. */
static inline uint32_t cache_fill_of(const struct cache *c, uint32_t line, uint64_t key)
{
    if (!c->chained) return mshr_find(&c->mshr, key);
    if (line == LINE_NONE) return MSHR_NONE;
    uint32_t e = (uint32_t)c->line[line].fills - 1;
    while (e != MSHR_NONE && !mshr_covers(&c->mshr.entry[e], key))
        e = c->mshr.entry[e].chain;
    return e;
}

/* The data that the fill brings for the address's sector are not kept. */
static inline void cache_kill_fill(struct cache *c, uint32_t entry, uint64_t addr)
{
    struct mshr_entry *e = &c->mshr.entry[entry];
    e->killed |= 1u << (cache_key(c, addr) - e->key) & MSHR_ALL;
}

/* Prefetch into the host's caches, one and two steps before an address is looked up: in a large
 * machine, a look-up misses the host's caches throughout. */
static inline void cache_prefetch_slot(const struct cache *c, uint64_t addr)
{
    prefetch_line(&c->index.slot[cache_home(c, cache_hash(cache_tag(c, addr)))]);
}
void cache_prefetch_line(const struct cache *c, uint64_t addr, bool write);

/* Whether the tag is resident or, with p.tags, has a fill in flight. */
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
/* Carries out a plan, which must be fresh and not a stall. *v: what was evicted. Returns the MSHR
 * entry of a CACHE_MISS (the caller adds the reader as a waiter), else MSHR_NONE. */
uint32_t cache_apply(struct cache *c, const struct access_plan *p, const struct access *a,
                     struct victim *v);
/* Fills an entry's sectors and makes valid those that were not killed. The owner serves the
 * waiters and releases the entry afterwards. Returns the line; LINE_NONE: the data were not kept.
 */
uint32_t cache_fill(struct cache *c, uint32_t entry, struct victim *v);

/* The sectors, as bits from the address's on, that stores have written to: a fill merges its data
 * under them. */
uint32_t cache_written(const struct cache *c, uint64_t addr);

/* Building blocks for miss management and warm-up. */
/* The set's best victim among the lines that have no fill in flight and may be evicted; transient
 * lines count only if `transient_too`. */
uint32_t cache_victim(const struct cache *c, uint64_t tag, bool transient_too);
/* Evicts the old tag. */
void cache_take(struct cache *c, uint32_t line, uint64_t tag, struct victim *v);
void cache_drop(struct cache *c, uint32_t line);
/* The same, but the line keeps its place in the order of replacement. */
void cache_vacate(struct cache *c, uint32_t line);
/* What a write-back of these sectors (bits) would have to carry. */
struct victim cache_dirty(const struct cache *c, uint32_t line, uint8_t sectors);
/* The bytes of one dirty sector of a victim, relative to the sector. */
void cache_dirty_bytes(const struct cache *c, const struct victim *v, uint32_t sector,
                       uint64_t out[2]);
/* Invalidates these sectors, and the line if nothing valid or pending is left in it. */
void cache_forget(struct cache *c, uint32_t line, uint8_t sectors);
/* Marks the valid bytes of an address's sector dirty. */
void cache_soil(struct cache *c, uint64_t addr);
void cache_write_bytes(struct cache *c, uint32_t line, const struct access *a);
/* Performs an access of a functional pass, without MSHRs and time; *v as in cache_apply. Returns
 * whether it hit. */
bool cache_touch(struct cache *c, const struct access *a, struct victim *v);

/* A resident line in a warm state. Images list a set's lines in the order of eviction (in the order
 * of ways under policies with notes of their own, see replacement.h). */
struct line_image {
    uint64_t tag, bytes[2];
    uint8_t valid, partial, dirty;
    uint8_t note;   /* the replacement policy's */
    uint16_t owner; /* cache.note */
};
/* out[n_lines]; the number written. */
uint32_t cache_save(const struct cache *c, struct line_image *out);
/* Loads an image into an empty cache. Lines from a cache of another geometry are placed in their
 * sets; lines that do not fit are dropped. */
void cache_load(struct cache *c, const struct line_image *image, uint32_t n);

/* Saves or loads the whole state of a cache with no fill in flight and no shadow memory; both sides
 * have the same parameters. */
void cache_serialize(struct cache *c, struct serializer *t);

bool cache_check(const struct cache *c);

/* Whether *a stores all bytes of its sector and a line is available; *p is then a plan for
 * cache_apply. */
bool cache_stores_whole_sector(const struct cache *c, const struct access *a,
                               struct access_plan *p);
