/* l2_miss_internal.h - conventional miss management: misses and lines (l2_miss_conventional.c),
 * evictions (l2_eviction.c), and what the structures beside the lines need of both (l2_side.h). */
#pragma once

#include "detailed/l2/l2_side.h"

/* --- l2_eviction.c: L1 copies, then side structures or memory --- */
/* Whether the eviction of a block must wait for anything. */
bool l2_eviction_takes_time(const struct l2_slice *s, uint64_t tag, uint8_t dirty);
/* Begins the eviction of the handle's victim; l2_eviction_end follows, possibly at once. */
void l2_eviction_begin(struct l2_slice *s, struct l2_handle h, uint64_t now);
/* Continues an eviction when its wait has ended. */
void l2_eviction_step(struct l2_slice *s, struct l2_handle h, uint64_t now);
/* The victim has left its line or entry. */
void l2_eviction_end(struct l2_slice *s, struct l2_handle h, uint64_t now);
void l2_eviction_set_stage(struct l2_slice *s, struct l2_handle h, enum stage stage);
struct cache_block l2_eviction_block(const struct l2_slice *s, struct l2_handle h);
/* Sends a block to memory; false: there is nothing to wait for. */
bool l2_eviction_sends(struct l2_slice *s, uint64_t tag, uint8_t dirty, struct l2_handle h);

/* --- l2_miss_conventional.c --- */
void l2_line_evicted(struct l2_slice *s, uint32_t entry, uint64_t now);
void l2_set_transient(struct l2_slice *s, uint32_t line, bool on); /* and counts it in its set */
/* Allocates an MSHR entry for the request; MSHR_NONE: no memory. */
uint32_t l2_open_entry(struct l2_slice *s, uint32_t req, const struct access *a, uint64_t now);
void l2_wake(struct l2_slice *s, uint32_t wait);
/* Called when the line has left transition. */
void l2_wake_line(struct l2_slice *s, uint32_t line, uint64_t now);
/* The line that a miss takes, whatever its state; LINE_NONE: locked blocks hold the whole set. */
uint32_t l2_find_victim(const struct l2_slice *s, uint64_t tag);
/* Puts a line in transition for the entry's block. */
void l2_claim_line(struct l2_slice *s, uint32_t entry, uint32_t line);
/* Makes a request wait, or rejects it: its line, its victim's line, or the entry with its block is
 * in transition. */
void l2_put_off(struct l2_slice *s, uint32_t req, uint32_t wait);

/* --- l2_miss_refused.c: l2.memory_full --- */
/* Whether the memory sends back what goes to that line's channel. */
bool l2_memory_refuses(const struct l2_slice *s, uint64_t tag);
/* The answer to the entry's miss is on its way; l2_refused follows. */
void l2_refuse(struct l2_slice *s, struct l2_handle h, uint64_t now);
void l2_refused(struct l2_slice *s, uint32_t entry, uint64_t now);
/* Sends all of the entry's waiters back, and releases it. */
void l2_send_back(struct l2_slice *s, uint32_t entry);

/* --- l2_victim_notice.c --- */
/* Waits for the answer to a message without data; l2_eviction_step follows. */
void l2_victim_notice_wait(struct l2_slice *s, struct l2_handle h, uint64_t now);

/* --- l2_miss_frc.c --- */
void l2_frc_evicted(struct l2_slice *s, uint32_t i); /* the entry's victim is gone */
