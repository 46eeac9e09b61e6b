/* scalar_cache.h - a scalar (constant) cache: read-only, shared by some SMs.
 *
 * SMs put loads into its queue as they issue; `ports` per cycle enter the look-up, which takes
 * `latency` cycles; a head that cannot be decided (no MSHR, no line, no room at its SM's port)
 * blocks those behind it. A miss goes to the L2 through the port of the SM that sent it, and its
 * reply returns there: one core cycle later the fill arrives here and wakes the waiters of all SMs.
 * Stores do not affect copies: their data are constant during a launch, and a launch begins with
 * empty caches [A].
 *
 * Time: core cycles; stepped before the SMs in a cycle, so that data that arrive at a cycle can be
 * used at it. Memory: scalar_init allocates; queues grow. Invariants: scalar_check. Source: Candel
 * 2019, 2.3, table 3.1 (three caches for 4, 3 and 3 SMs). */
#pragma once

#include "base/memory/hash_map.h"
#include "base/memory/pool.h"
#include "detailed/parts/delay_line.h"
#include "detailed/parts/request.h"
#include "detailed/parts/shadow_memory.h"
#include "detailed/parts/stats.h"
#include "gpu/cache/cache.h"
#include "gpu/machine/params/scalar.h"

#define SCALAR_STATS(C, M)             \
    M(accesses, scalar_accesses, true) \
    M(hits, scalar_hits, true)         \
    M(misses, scalar_misses, true)     \
    M(merges, scalar_merges, true)     \
    M(stall_cycles, scalar_stall_cycles, true)
struct scalar_stats {
    STATS_MEMBERS(SCALAR_STATS)
};

struct wiring;

struct scalar_access {
    uint64_t addr;  /* of the sector */
    uint64_t ready; /* before the look-up: earliest entry; in it: its end */
    uint32_t sm, vinst;
};

/* A load that waits for a fill. */
struct scalar_waiter {
    uint32_t sm, vinst, next;
};

struct scalar_cache {
    const struct scalar_params *p;
    const struct wiring *w;
    struct cache c;
    struct scalar_access *access; /* ring: [head, entered) in the look-up, [entered, tail) before */
    uint64_t mask, head, entered, tail;
    struct fifo replies; /* requests with their data; time = cycle of arrival */
    struct scalar_waiter *waiter;
    struct pool waiters;
    struct hash_map given;    /* shadow: sector -> version of its last fill */
    bool stalled, wants_room; /* stalled: the head waits; wants_room: for room at its SM's port */
    uint64_t stalled_since;
    struct scalar_stats s;
};

/* false: no memory. */
bool scalar_init(struct scalar_cache *s, const struct scalar_params *p, const struct wiring *w);
struct scalar_cache *scalar_of_sm(const struct wiring *w, uint32_t sm); /* NULL: it has none */
void scalar_fini(struct scalar_cache *s);
void scalar_clear(struct scalar_cache *s);
/* Invalidates everything; fills in flight bring older data and are not kept. */
void scalar_drop(struct scalar_cache *s);
/* Adds an access that arrives at `ready`; called in the SM's step before that cycle. */
void scalar_push(struct scalar_cache *s, const struct scalar_access *a);
/* Called when data have reached the requesting SM; they arrive here at `now`. */
void scalar_reply(struct scalar_cache *s, uint32_t req, uint64_t now);
/* Returns the next cycle at which it is due; UINT64_MAX: when an access or reply arrives. */
uint64_t scalar_step(struct scalar_cache *s, uint64_t now);
void scalar_account(struct scalar_cache *s, uint64_t now); /* statistics up to `now` */
bool scalar_idle(const struct scalar_cache *s);
bool scalar_check(const struct scalar_cache *s);
void scalar_stuck(const struct scalar_cache *s, struct text *out);
