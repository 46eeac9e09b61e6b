/* warp_select.h - which warp of the functional pass goes next: those whose time has come compete by
 * rank. LRR: in the order in which they became ready; GTO: the last one if it is ready, then the
 * oldest.
 *
 * Sub-cores issue side by side, but memory instructions go through one unit, at which they take
 * turns while it is behind: the rank decides inside a sub-core. */
#pragma once

#include "gpu/machine/params/sm.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { WARP_QUEUE_CORES = 8 }; /* sub-cores of an SM at most */

struct warp_rank {
    uint64_t key;
    uint32_t warp;
};
struct warp_heap {
    struct warp_rank *at;
    size_t n, cap;
};
struct warp_queue {
    enum sched_kind rule;
    struct warp_heap waiting;                 /* by time */
    struct warp_heap ready[WARP_QUEUE_CORES]; /* by rank */
    uint32_t n_ready, cores;
    uint32_t next_core; /* whose turn it is at the memory unit */
    uint64_t *age;      /* [warps]; set by the owner */
    size_t age_cap;
    uint64_t turn;
    uint32_t *core; /* [warps] sub-core; set by the owner */
    size_t core_cap;
    uint32_t last[WARP_QUEUE_CORES];
    bool pressed;    /* set by the owner: the memory unit is behind */
    uint64_t urgent; /* set by the owner: those whose time is just this go first; 0 = none */
};

/* Room for that many warps, none inside.  false: no memory. */
bool warp_queue_start(struct warp_queue *q, enum sched_kind rule, uint32_t cores, uint32_t warps);
void warp_queue_fini(struct warp_queue *q);
void warp_queue_add(struct warp_queue *q, uint32_t warp, uint64_t time);
static inline bool warp_queue_empty(const struct warp_queue *q)
{
    return !q->waiting.n && !q->n_ready;
}
/* The next warp at *now; moves *now on to the first time at which there is one.  Not empty. */
uint32_t warp_queue_take(struct warp_queue *q, uint64_t *now);
/* First time at which a warp can be had. */
uint64_t warp_queue_due(const struct warp_queue *q, uint64_t now);
/* For who takes them himself: a warp whose time has come, and its rank, the lowest of which goes
 * first; false: none now, *next is when (UINT64_MAX: nobody waits).  Then who was taken. */
bool warp_queue_came(struct warp_queue *q, uint64_t now, struct warp_rank *warp, uint64_t *next);
void warp_queue_taken(struct warp_queue *q, uint32_t warp);
