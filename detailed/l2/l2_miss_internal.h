/* l2_miss_internal.h - conventional miss management in three files: misses and lines
 * (l2_miss_conventional.c), the FRC (l2_miss_frc.c), and evictions (l2_eviction.c).
 *
 * A handle names what waits for an external event or for time: an MSHR entry (whose victim leaves
 * its line), or L2_OF_FRC + an FRC entry (from which a victim leaves). */
#pragma once

#include "detailed/l2/l2.h"

/* Values of mshr_entry.phase and frc_entry.stage. The stages up to MOVE are a victim's. */
enum stage {
    STAGE_INVALIDATE, /* L1 copies are being invalidated */
    STAGE_OUT,        /* its write-back or notice is in flight to memory */
    STAGE_ROOM,       /* a block of the victim cache is written back to make room for it */
    STAGE_MOVE,       /* it moves into the victim cache */
    STAGE_FETCH,      /* the block is fetched into a line in transition */
    STAGE_EARLY,      /* the block is fetched into an FRC entry, or is being swapped */
    STAGE_EXCHANGE    /* victim and a block of the victim cache are exchanged */
};

/* --- l2_eviction.c: L1 copies, then victim cache, buffer or memory --- */
/* Whether the eviction of a block must wait for anything. */
bool l2_eviction_takes_time(const struct l2_slice *s, uint64_t tag, uint8_t dirty);
/* Called for a return from memory: whether it answers a notice, whose eviction then continues. */
bool l2_eviction_is_answered(struct l2_slice *s, uint32_t handle, uint64_t now);
/* Begins the eviction of the handle's victim; l2_line_evicted (or the FRC's) follows, possibly at
 * once. */
void l2_eviction_begin(struct l2_slice *s, uint32_t handle, uint64_t now);
/* Continues an eviction when its wait has ended. */
void l2_eviction_step(struct l2_slice *s, uint32_t handle, uint64_t now);
/* Exchanges a block of the victim cache, which has an MSHR entry, with the content of `line`, now
 * in transition. */
void l2_exchange_begin(struct l2_slice *s, uint32_t entry, uint32_t vc_line, uint64_t now);
/* The line of the victim cache that holds a tag, LINE_NONE: none. */
uint32_t l2_victim_cache_line(const struct l2_slice *s, uint64_t tag);

/* --- l2_miss_conventional.c --- */
void l2_line_evicted(struct l2_slice *s, uint32_t entry, uint64_t now);
void l2_set_transient(struct l2_slice *s, uint32_t line, bool on); /* and counts it in its set */
/* Allocates an MSHR entry for the request; MSHR_NONE: no memory. */
uint32_t l2_open_entry(struct l2_slice *s, uint32_t req, const struct access *a, uint64_t now);
void l2_wake(struct l2_slice *s, uint32_t wait);
/* Called when the line has left transition. */
void l2_wake_line(struct l2_slice *s, uint32_t line, uint64_t now);

/* --- l2_miss_frc.c --- */
/* Begins an early fetch; false: no entry is free. */
bool l2_frc_start(struct l2_slice *s, uint32_t req, const struct access *a, uint32_t line,
                  uint64_t now);
void l2_frc_fetched(struct l2_slice *s, uint32_t entry, uint32_t version, uint64_t now);
void l2_frc_swapped(struct l2_slice *s, uint32_t i, uint64_t now);
void l2_frc_evicted(struct l2_slice *s, uint32_t i, uint64_t now);
void l2_frc_retry(struct l2_slice *s, uint64_t now); /* called when a line has left transition */
