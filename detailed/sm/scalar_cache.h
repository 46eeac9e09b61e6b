/* scalar_cache.h - a scalar (constant) cache: read-only, shared by some SMs.
 *
 * SMs put loads into its queue as they issue; `ports` a cycle enter the look-up, which takes
 * `latency` cycles; a head that cannot be decided (no MSHR, no line, no room at its SM's port)
 * holds up those behind it.  A miss goes to the L2 through the port of the SM that asked first, and
 * its reply comes back there: one core cycle later the fill is here and wakes the waiters of all
 * SMs.  Stores leave copies alone: what is in them is fixed for a launch, and a launch begins with
 * empty caches [A].
 *
 * Time: core cycles; stepped before the SMs in a cycle, so that data that are there at a cycle can
 * be used at it.  Memory: scalar_init allocates; queues grow.  Invariants: scalar_check.
 * Source: Candel 2019, 2.3, table 3.1 (three caches for 4, 3 and 3 SMs). */
#ifndef PLUMB_DETAILED_SM_SCALAR_CACHE_H
#define PLUMB_DETAILED_SM_SCALAR_CACHE_H

#include "base/memory/hash_map.h"
#include "detailed/core/delay_line.h"
#include "detailed/core/request.h"
#include "detailed/core/stats.h"
#include "detailed/observe/shadow_memory.h"
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

struct scalar_wiring {
    struct req_pool *reqs;
    struct shadow *shadow;
    /* The SM's load has its data, before the SM steps at `now`. */
    void (*done)(void *sim, uint32_t sm, uint32_t vinst, uint64_t now);
    /* A request goes out by the SM's port; false: no room there. */
    bool (*has_room)(void *sim, uint32_t sm);
    void (*send)(void *sim, uint32_t sm, uint32_t req, uint64_t now);
    void *sim;
};

struct scalar_access {
    uint64_t addr;  /* of the sector */
    uint64_t ready; /* before the look-up: earliest entry; in it: its end */
    uint32_t sm, vinst;
};

/* Who waits for a fill. */
struct scalar_waiter {
    uint32_t sm, vinst, next;
};

struct scalar_cache {
    const struct scalar_params *p;
    const struct scalar_wiring *w;
    struct cache c;
    struct scalar_access *access; /* ring: [head, entered) in the look-up, [entered, tail) before */
    uint64_t mask, head, entered, tail;
    struct fifo replies; /* requests whose data come: time = cycle */
    struct scalar_waiter *waiter;
    uint32_t waiter_cap, waiter_free;
    struct hash_map given;    /* shadow: sector -> version of its last fill */
    bool stalled, wants_room; /* the head waits, and that for room at its SM's port */
    uint64_t stalled_since;
    struct scalar_stats s;
    bool no_memory;
};

bool scalar_init(struct scalar_cache *s, const struct scalar_params *p,
                 const struct scalar_wiring *w); /* false: no memory */
void scalar_fini(struct scalar_cache *s);
void scalar_clear(struct scalar_cache *s);
/* Drops what is in it; fills in flight bring data from before and are not kept. */
void scalar_drop(struct scalar_cache *s);
/* An access is there at `ready`; from the SM's step before that cycle. */
void scalar_push(struct scalar_cache *s, const struct scalar_access *a);
/* Data have come to the SM that asked, and are here at `now`. */
void scalar_reply(struct scalar_cache *s, uint32_t req, uint64_t now);
/* Returns the next cycle, UINT64_MAX: when something comes. */
uint64_t scalar_step(struct scalar_cache *s, uint64_t now);
void scalar_account(struct scalar_cache *s, uint64_t now); /* statistics up to `now` */
bool scalar_idle(const struct scalar_cache *s);
bool scalar_check(const struct scalar_cache *s);
void scalar_stuck(const struct scalar_cache *s, struct text *out);

#endif
