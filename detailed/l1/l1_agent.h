/* l1_agent.h - an L1 under a coherence protocol: finds the state of a block, looks up its row in
 * the agent's table (gpu/coherence/protocol.h) and carries out the row's actions. Queues, ports,
 * MSHRs and timing remain the L1's.
 *
 * Without a directory the state is in the tags (block_place.h), and nothing in the cache is dirty:
 * an acquire invalidates lines in one cycle, and a release only has to wait for the warp's stores
 * (sm/issue.c). A protocol adds operations of its own: those of an L1 under a directory are in
 * l1_owner.h; a structure beside the L1 may bring others (l1_side.h). */
#pragma once

#include "detailed/coherence/block_place.h"
#include "detailed/l1/l1_internal.h"

/* An access at the end of its look-up, with its row. */
struct agent_step {
    const struct l1_access *la; /* its mask is relative to the L1's grain */
    struct block_place at;
    const struct row *row;
    uint64_t now;
};

struct agent_ops {
    struct block_place (*find)(const struct l1 *l, uint64_t addr);
    /* Whether an access without a hint has FORM_FULL; NULL: none has. */
    bool (*is_full)(const struct l1 *l, const struct block_place *at, const struct l1_access *la);
    /* Carry out the row of an access that hits, joins a request in flight, needs a request to the
     * home, or stores; store is NULL where stores do the same as loads. They return L1_GOES, or why
     * the access must wait. */
    enum l1_stall (*hit)(struct l1 *l, const struct agent_step *x);
    enum l1_stall (*join)(struct l1 *l, const struct agent_step *x);
    enum l1_stall (*request)(struct l1 *l, const struct agent_step *x);
    enum l1_stall (*store)(struct l1 *l, const struct agent_step *x);
    /* Takes a message of the home; false: it is the reply to an access. NULL: there are none. */
    bool (*receive)(struct l1 *l, uint32_t req, uint64_t now);
    /* Sends the home a block's dirty bytes, which are beside the cache. NULL: there are none. */
    void (*clean)(struct l1 *l, uint32_t beside, uint64_t now);
};
extern const struct agent_ops l1_owner_ops;

/* Chooses the operations, unless a structure has brought them, and allocates what they need. false:
 * no memory. */
bool l1_agent_init(struct l1 *l);
void l1_agent_fini(struct l1 *l);
void l1_agent_clear(struct l1 *l);
/* Decides one access at the end of its look-up; its mask is relative to the L1's grain. */
enum l1_stall l1_agent_access(struct l1 *l, const struct l1_access *la, uint64_t now);
/* Called before a fill's data arrive: marks a fill that the table does not keep. false: the table
 * gives the data to nobody. */
bool l1_agent_fill(struct l1 *l, const struct req *r);
void l1_agent_acquire(struct l1 *l, uint64_t now);

/* --- actions that operations share --- */
static inline const struct row *l1_agent_row(const struct l1 *l, uint32_t state, uint32_t event)
{
    return transitions_row(&l->w->coherence->agent, state, event);
}
/* Finds a block whose state is in the tags. */
struct block_place l1_agent_find(const struct l1 *l, uint64_t addr);
/* Carries out what a row does to the block ahead of its access. */
void l1_agent_prepare(struct l1 *l, const struct block_place *at, const struct row *row,
                      uint64_t addr, uint64_t now);
/* Performs a load in the tags. */
enum l1_stall l1_agent_load(struct l1 *l, const struct agent_step *x);
/* Queues a new message to the home; NULL: no memory. */
struct req *l1_agent_send(struct l1 *l, uint64_t addr, uint64_t now);
/* Makes it a write of these bytes. */
void l1_agent_add_bytes(const struct l1 *l, struct req *r, const uint64_t mask[2],
                        uint32_t version);
