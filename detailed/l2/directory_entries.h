/* directory_entries.h - which L1s have copies of which block: the entries of a directory, or an
 * inclusive L2's record of copies where the protocol has no directory (back_invalidate.h).
 *
 * There is one entry per block that has copies or an operation in progress; their number is
 * unbounded. A record may list an L1 that has silently dropped its copy; it is then probed without
 * effect. Memory: directory_new allocates, entries grow with the blocks that have copies at a time.
 */
#pragma once

#include "base/memory/hash_map.h"
#include "detailed/l2/directory.h"

enum { NOBODY = UINT32_MAX };

struct dir_entry {
    uint64_t key;
    uint32_t owner;
    uint32_t req;   /* the transaction's request, REQ_NONE */
    uint32_t waits; /* outstanding answers */
    uint32_t held_version;
    uint32_t leaves; /* handle of its line's eviction from the L2; MSHR_NONE: none */
    uint8_t lock;    /* the locked state, 0: not locked */
    bool held;       /* the owner's data have arrived for the requester */
};

/* The blocks that a finite directory covers: sets with LRU, by the slice's own set index. */
struct dir_cover {
    uint64_t *tag;  /* [sets * ways] line number */
    uint64_t *used; /* [sets * ways] when it was used last; 0: free */
    uint32_t sets, ways;
    uint64_t clock;
};

struct directory {
    struct dir_cover cover; /* sets = 0: it covers any number of blocks */
    struct fifo far;        /* requests on their way to a directory below the L2 and back */
    uint32_t far_cycles;    /* 0: the directory is at the slice */
    struct hash_map at;
    struct dir_entry *entry;
    uint64_t *sharers; /* [cap * words] */
    uint32_t words, cap, n;
    uint32_t busy;  /* entries that are locked, or whose line is being evicted */
    bool unlocked;  /* a block has been unlocked since directory_step */
    uint32_t *free; /* [cap] */
    uint32_t n_free;
    struct directory_stats s;
};

/* NULL: the block has no entry. */
struct dir_entry *dir_entry_find(const struct directory *d, uint64_t key);
/* Finds or creates the block's entry; NULL: no memory. */
struct dir_entry *dir_entry_obtain(struct directory *d, uint64_t key);
/* Frees the entry if it has no copies and waits for nothing. */
void dir_entry_forget_empty(struct directory *d, struct dir_entry *e);
bool dir_entry_lists(const struct directory *d, const struct dir_entry *e, uint32_t sm);
void dir_entry_list(const struct directory *d, const struct dir_entry *e, uint32_t sm);
void dir_entry_unlist(const struct directory *d, struct dir_entry *e, uint32_t sm);
uint32_t dir_entry_count(const struct directory *d, const struct dir_entry *e);
/* The first SM from `from` on that has a copy, NOBODY: none has. */
uint32_t dir_entry_next(const struct directory *d, const struct dir_entry *e, uint32_t from);
