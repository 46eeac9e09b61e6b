/* write_cache.h - a write-combining cache with its synchronisation FIFO (S-FIFO), as QuickRelease
 * puts one beside each read cache.
 *
 * A store leaves its bytes in the block's line, without a fetch and without permission; the line
 * has a mask of the bytes written. The S-FIFO lists, in order, the blocks that may be dirty and the
 * markers of releases. The owner dequeues it while it is full or holds a marker, and sends each
 * block that is still there to the level below; so it does with a marker that comes to the head.
 *
 * A block has an entry for each stretch between two markers in which it was written; when one is
 * dequeued, all its bytes leave. With several FIFOs (one per work-group or
 * warp) each has its own markers; their entries are taken from one pool.
 *
 * Units: tags are line numbers, masks are relative to the line of at most 64 bytes. A caller gives
 * a block's set in the read cache beside it, from which its set here follows. Memory: init
 * allocates; the pool grows with the markers that wait. Invariants: every dirty block has an entry
 * (write_cache_check). Source: QuickRelease 3, 3.1.1, 3.1.3. */
#pragma once

#include "base/memory/pool.h"
#include "gpu/machine/params/write_cache.h"

#include <stdbool.h>
#include <stdint.h>

enum { WRITE_LINE_NONE = UINT32_MAX, SYNC_NONE = UINT32_MAX };

struct write_line {
    uint64_t tag;
    uint64_t mask;    /* bytes written; 0: the line is empty */
    uint64_t used;    /* when it was written last, for LRU */
    uint64_t entered; /* number of its latest entry in the S-FIFO */
    uint32_t group;   /* whose FIFO has that entry */
    uint32_t version; /* shadow memory: of the last store */
};

struct sync_entry {
    uint64_t tag;    /* of a block */
    uint64_t number; /* entries of all FIFOs are numbered as they come */
    uint32_t marker; /* a release, by the owner's number for it; SYNC_NONE: a block */
    uint32_t next;   /* in its FIFO, or free */
};

struct sync_fifo {
    uint32_t head, tail;  /* SYNC_NONE: it is empty */
    uint32_t markers;     /* among its entries */
    uint64_t last_marker; /* number of its youngest one, left or not */
};

struct write_cache {
    struct write_line *line; /* [sets * ways] */
    uint32_t sets, ways, used;
    struct sync_entry *entry;
    struct pool entries;
    uint32_t blocks, blocks_max; /* entries of blocks in all FIFOs */
    uint32_t markers;
    struct sync_fifo *fifo; /* [groups] */
    uint32_t groups;
    uint64_t clock, number;
};

/* p->kb must be a whole number of sets. false: no memory. */
bool write_cache_init(struct write_cache *w, const struct write_cache_params *p,
                      uint32_t line_bytes, uint32_t groups);
void write_cache_fini(struct write_cache *w);
void write_cache_clear(struct write_cache *w);

/* The block's line; WRITE_LINE_NONE (which is BESIDE_NONE, too): it is not dirty here. */
uint32_t write_cache_find(const struct write_cache *w, uint64_t tag, uint32_t set);
/* Whether a store finds an entry for its block; if not, the FIFO is dequeued first. */
bool write_cache_has_entry(const struct write_cache *w, uint64_t tag, uint32_t set, uint32_t group);
/* The line that must leave before a store to the block; WRITE_LINE_NONE: none. */
uint32_t write_cache_victim(const struct write_cache *w, uint64_t tag, uint32_t set);
/* Preconditions: it has an entry, and there is no victim. false: no memory. */
bool write_cache_store(struct write_cache *w, uint64_t tag, uint32_t set, uint64_t mask,
                       uint32_t version, uint32_t group);
void write_cache_remove(struct write_cache *w, uint32_t line);

/* Appends a release's marker. false: no memory. */
bool write_cache_release(struct write_cache *w, uint32_t marker, uint32_t group);
/* The group's youngest entry, if it is a marker; else SYNC_NONE. */
uint32_t write_cache_youngest_marker(const struct write_cache *w, uint32_t group);
/* The FIFO whose head is to leave now, since it leads to a marker or since the pool is full;
 * SYNC_NONE: none. */
uint32_t write_cache_dequeues(const struct write_cache *w);
static inline const struct sync_entry *write_cache_head(const struct write_cache *w, uint32_t fifo)
{
    return &w->entry[w->fifo[fifo].head];
}
void write_cache_pop(struct write_cache *w, uint32_t fifo);
bool write_cache_check(const struct write_cache *w);
