/* directory.h - what a directory protocol (moesi_states.h) adds to an L2 slice's home.
 *
 * There is one entry per block that has copies or a transaction (directory_entries.h), whether or
 * not its line is in the L2. An inclusive L2 (back_invalidate.h) has the line of every block with
 * copies, and cannot evict it while one of its blocks is locked. The slice performs look-ups and
 * miss management for a locked block; its reply ends the transaction (directory_answers).
 *
 * A directory below the L2 (coherence.directory_latency) is kept here, too, and what needs it goes
 * there and back first: every message but a read that the L2 serves while others share the block.
 * A finite one (coherence.directory_entries) covers what L1s and L2 hold: to cover another block,
 * it recalls the one of the set that was used longest ago, from the L1s and from the L2. */
#pragma once

#include "detailed/l2/l2.h"
#include "gpu/coherence/moesi_states.h"
#include "gpu/coherence/protocol.h"

#define DIRECTORY_STATS(C, M)                                                      \
    C(messages, "requests, questions and answers of the protocol alone")           \
    C(nacks, "requests that found their block locked")                             \
    C(bytes, "of messages and data between the slices and a directory below them") \
    C(recalls, "copies asked to leave because their line left an inclusive L2")
struct directory_stats {
    STATS_MEMBERS(DIRECTORY_STATS)
};

struct dir_entry;

/* NULL: no memory. */
struct directory *directory_new(uint32_t sms);
/* Bounds the blocks that it covers, and puts it at a distance. false: no memory. */
bool directory_place(struct directory *d, const struct coherence_params *p, uint32_t slices);
void directory_free(struct directory *d);
void directory_clear(struct directory *d);
const struct directory_stats *directory_stats(const struct directory *d);

/* Returns the entry of a request's block. NULL: the message has been taken: it was an answer, it
 * is on its way to a directory below the L2, or its block cannot be covered now. */
struct dir_entry *directory_admit(struct l2_slice *s, uint32_t req, uint64_t now);
/* Whether the slice's look-up for this request is in progress. */
bool directory_looks_up(const struct dir_entry *e, uint32_t req);
enum dir_state directory_state(const struct directory *d, const struct dir_entry *e);
/* The event of a request, given the copies that the entry records. */
enum dir_event directory_event(const struct l2_slice *s, const struct dir_entry *e,
                               const struct req *r);
/* Begins a request's transaction by its row; true: the slice must look the request up. */
bool directory_begin(struct l2_slice *s, struct dir_entry *e, uint32_t req, const struct row *row);
void directory_count_nack(struct directory *d);
/* Whether a message answers a home's probe; such a message is never rejected. */
bool directory_is_answer(const struct req *r);
/* Called before the slice replies to a request that it has looked up, or rejects it. */
void directory_answers(struct l2_slice *s, uint32_t req, enum req_reply kind);
/* Whether a block of this line is locked, so that an inclusive L2 cannot evict it; ctx: the slice.
 */
bool directory_keeps(const void *ctx, uint64_t tag);
/* Implements back_invalidate_begin. Precondition: no block of the line is locked. */
bool directory_recall(struct l2_slice *s, uint64_t tag, uint32_t handle);
/* Forgets all copies of a block, between launches; false: it is locked. */
bool directory_forget(struct l2_slice *s, uint64_t key);
/* Decides the requests that have come back from a directory below the L2, and tells the structures
 * beside the lines of blocks that were unlocked; returns when to call it again. */
uint64_t directory_step(struct l2_slice *s, uint64_t now);
/* Whether no transaction is in progress. */
bool directory_idle(const struct directory *d);
