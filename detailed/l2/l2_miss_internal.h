/* l2_miss_internal.h - conventional miss management in three files: misses and lines
 * (l2_miss_conventional.c), the FRC (l2_miss_frc.c), and the way out of a block (l2_eviction.c).
 *
 * Who waits for an event of the outside, or for time, is named by a handle: an MSHR entry (whose
 * victim leaves its line), or L2_OF_FRC + an FRC entry (from which a victim leaves). */
#ifndef PLUMB_DETAILED_L2_L2_MISS_INTERNAL_H
#define PLUMB_DETAILED_L2_L2_MISS_INTERNAL_H

#include "detailed/l2/l2.h"

/* mshr_entry.phase, frc_entry.stage.  Those up to MOVE are a victim's. */
enum stage {
    STAGE_INVALIDATE, /* L1s are told */
    STAGE_OUT,        /* its write-back or notice is on its way to memory */
    STAGE_ROOM,       /* as OUT, of a block that makes room in the victim cache */
    STAGE_MOVE,       /* into the victim cache */
    STAGE_FETCH,      /* of the block, into a line in transition */
    STAGE_EARLY,      /* into an FRC entry; also while it swaps */
    STAGE_EXCHANGE    /* victim and a block of the victim cache change places */
};

/* --- l2_eviction.c: L1 copies, then victim cache, buffer or memory --- */
/* Must a block that leaves wait for anything? */
bool l2_eviction_takes_time(const struct l2_slice *s, uint64_t tag, uint8_t dirty);
/* Something has come from memory: is it the controller's word on a notice, whose way goes on? */
bool l2_eviction_is_answered(struct l2_slice *s, uint32_t handle, uint64_t now);
/* The handle's victim is about to leave; left follows, maybe at once. */
void l2_eviction_begin(struct l2_slice *s, uint32_t handle, uint64_t now);
/* What it waited for has come. */
void l2_eviction_step(struct l2_slice *s, uint32_t handle, uint64_t now);
/* A block of the victim cache, MSHR entry taken, changes places with what is in `line`, now in
 * transition. */
void l2_exchange_begin(struct l2_slice *s, uint32_t entry, uint32_t kept, uint64_t now);
void l2_exchange_end(struct l2_slice *s, uint32_t entry, uint64_t now);
/* The line of the victim cache that holds a tag, LINE_NONE: none. */
uint32_t l2_victim_cache_line(const struct l2_slice *s, uint64_t tag);

/* --- l2_miss_conventional.c --- */
void l2_line_evicted(struct l2_slice *s, uint32_t entry, uint64_t now);
void l2_set_transient(struct l2_slice *s, uint32_t line, bool on); /* the line's set counts it */
/* A new MSHR entry with the request; MSHR_NONE: no memory. */
uint32_t l2_open_entry(struct l2_slice *s, uint32_t req, const struct access *a, uint64_t now);
void l2_wake(struct l2_slice *s, uint32_t wait);
void l2_wake_line(struct l2_slice *s, uint32_t line, uint64_t now); /* it has left transition */

/* --- l2_miss_frc.c --- */
/* Begins an early fetch; false: no entry is free. */
bool l2_frc_start(struct l2_slice *s, uint32_t req, const struct access *a, uint32_t line,
                  uint64_t now);
void l2_frc_fetched(struct l2_slice *s, uint32_t entry, uint32_t version, uint64_t now);
void l2_frc_swapped(struct l2_slice *s, uint32_t i, uint64_t now);
void l2_frc_evicted(struct l2_slice *s, uint32_t i, uint64_t now);
void l2_frc_retry(struct l2_slice *s, uint64_t now); /* a line has left transition */

#endif
