/* l2_home.h - an L2 slice under a coherence protocol: finds the state of a request's block, looks
 * up its row in the home's table (gpu/coherence/protocol.h) and carries out the row's actions,
 * before (or instead of) the slice's own look-up and miss management. Transactions of a directory
 * are in directory.h. A protocol with write caches beside the slices brings operations of its own
 * (struct home_ops).
 *
 * State of a block under si: a bypassing read in flight = R; a fill in flight, or its line in
 * transition = F; dirty = D; valid = V; else I. A read that bypasses the L2 takes an MSHR entry
 * without a line, so that no two reads of one block are in flight to memory and no later request
 * overtakes it. Under QuickRelease: block_place.h; with a directory its entry gives the state. */
#pragma once

#include "detailed/coherence/block_place.h"
#include "detailed/l2/l2.h"

/* What a protocol with dirty bytes beside the slice's cache does. */
struct home_ops {
    bool (*init)(struct l2_slice *s); /* false: no memory */
    void (*fini)(struct l2_slice *s);
    void (*clear)(struct l2_slice *s);
    struct block_place (*find)(const struct l2_slice *s, uint64_t addr);
    /* Whether all bytes of the block are beside. */
    bool (*has_all)(const struct l2_slice *s, const struct block_place *at);
    void (*clean)(struct l2_slice *s, uint32_t beside);    /* sends them to memory */
    void (*invalidate)(struct l2_slice *s, uint64_t addr); /* tells all L1s to drop their copies */
    /* Takes dirty bytes; false: they must wait. */
    bool (*take)(struct l2_slice *s, uint32_t req, const struct block_place *at,
                 const struct row *row);
    /* Serves a read from beside; returns true. */
    bool (*serve)(struct l2_slice *s, uint32_t req, const struct block_place *at, uint64_t now);
    void (*send_atomic)(struct l2_slice *s, uint32_t req); /* to the point of coherence */
    /* Takes an L1's answer when it comes, or a marker behind the look-up; false: it is another
     * message. */
    bool (*takes_answer)(struct l2_slice *s, uint32_t req);
    bool (*takes_marker)(struct l2_slice *s, uint32_t req);
    /* Memory has answered a request; false: it is no marker. */
    bool (*answered)(struct l2_slice *s, uint32_t req);
    uint64_t (*step)(struct l2_slice *s, uint64_t now); /* when to call it again */
    bool (*is_idle)(const struct l2_slice *s);
    bool (*check)(const struct l2_slice *s);
};

/* Chooses the protocol's operations, s->home, if it has some. false: no memory. */
bool l2_home_init(struct l2_slice *s);
/* Handles one request at the end of its look-up; false: it must wait where it is. */
bool l2_home_access(struct l2_slice *s, uint32_t req, uint64_t now);
/* Handles data for an entry; false: the entry belongs to miss management. */
bool l2_home_fill(struct l2_slice *s, uint32_t entry, uint32_t version, uint64_t now);

/* --- actions that protocols share --- */
static inline const struct row *l2_home_row(const struct l2_slice *s, uint32_t state,
                                            uint32_t event)
{
    return transitions_row(&s->w->coherence->home, state, event);
}
/* Finds a block whose state no directory entry gives. */
struct block_place l2_home_find(const struct l2_slice *s, uint64_t addr);
/* Carries out what a row does to the block ahead of its request; the messages to L1s may move the
 * pool of requests. */
void l2_home_prepare(struct l2_slice *s, const struct block_place *at, const struct row *row,
                     uint64_t addr);
void l2_home_count(struct l2_slice *s, uint32_t req, enum verdict v);
