/* l15.h - the L1.5s: each between the L1s of some neighbouring SMs and the networks.
 *
 * To SMs it is the networks: they send into `up` and take replies from `down`, two networks without
 * a topology, of which only the queues are used. Of the SMs that have sent something, in turn, up
 * to `ports` a cycle have their oldest request looked up. What that leads to happens `latency`
 * cycles later: data of a hit go to the SM, all else goes on to the L2. A read that misses has an
 * MSHR; reads of its sector wait there. Stores and atomics pass, and the sector leaves. A request
 * that cannot be looked up (no MSHR, no line, no room towards the network) holds up those behind it
 * of its SM, and no others.
 *
 * What goes on leaves through the port of one of the SMs, which its line says: so requests to a
 * line reach the L2 in the order in which they came here. Replies come back at the port of the SM
 * that they are for, fill their line, and are passed on in the same cycle.
 *
 * Stores of other SMs do not reach the copies here: a launch begins with none, as with the L1s'
 * [A]. Reads of scalar caches and page walks pass, and leave the sector.
 *
 * Time: core cycles; stepped before the SMs in a cycle. Memory: l15_init allocates; queues grow.
 * Invariants: l15_check. Source: gpu/mechanisms/l1_l15.h. */
#pragma once

#include "base/memory/hash_map.h"
#include "detailed/noc/noc.h"
#include "detailed/parts/request.h"
#include "detailed/parts/shadow_memory.h"
#include "detailed/parts/stats.h"
#include "gpu/cache/cache.h"
#include "gpu/cache/l15.h"

#define L15_STATS(C, M)             \
    M(accesses, l15_accesses, true) \
    M(hits, l15_hits, true)         \
    M(misses, l15_misses, true)     \
    M(merges, l15_merges, true)     \
    M(passed, l15_passed, true)
struct l15_stats {
    STATS_MEMBERS(L15_STATS)
};

struct l15_wiring {
    struct req_pool *reqs;
    struct shadow *shadow;
    struct noc *request, *reply; /* between here and the L2 */
    const struct noc_params *noc;
    uint32_t sms;
    const uint64_t *tick;
    uint64_t core_period, noc_period;
    void (*wake)(void *sim, uint32_t i, uint64_t cycle); /* one of the L1.5s */
    void (*wake_sm)(void *sim, uint32_t sm, uint64_t cycle);
    void (*noc_due)(void *sim);
    void *sim;
};

/* A request on its way through an L1.5. */
struct l15_pass {
    uint64_t ready;
    uint64_t route; /* as in struct noc_input: slice and flits; UINT64_MAX: to its SM */
    uint32_t req, port;
};

struct l15_cache {
    struct cache c;
    uint32_t first, sms;   /* the SMs */
    uint32_t turn;         /* which of them is asked first */
    struct l15_pass *pass; /* ring: [head, tail) */
    uint64_t mask, head, tail;
    struct hash_map given; /* shadow: sector -> version of its last fill */
    struct l15_stats s;
};

/* What the networks called before. */
struct l15_calls {
    void (*request_arrives)(void *sim, uint32_t slice, uint64_t cycle);
    void (*request_room)(void *sim, uint32_t client);
    void (*reply_arrives)(void *sim, uint32_t client, uint64_t cycle);
    void (*reply_room)(void *sim, uint32_t slice);
};

struct l15 {
    const struct l1_params *p;
    struct l15_wiring w;
    struct l15_calls before;
    struct noc_params queues; /* of `up` and `down` */
    struct noc up, down;
    struct l15_cache *cache; /* [n] */
    uint32_t n;
    uint32_t *leaving; /* [SMs] passes that will leave through the port of each */
};

/* Takes the place of the SMs at both networks, which are built. false: no memory. */
bool l15_init(struct l15 *l, const struct l1_params *p, const struct l15_wiring *w);
void l15_fini(struct l15 *l);
void l15_clear(struct l15 *l);
/* Invalidates everything; fills in flight bring older data and are not kept. */
void l15_drop(struct l15 *l);
/* Returns the next cycle at which number i is due; UINT64_MAX: when it is woken. */
uint64_t l15_step(struct l15 *l, uint32_t i, uint64_t now);
bool l15_idle(const struct l15 *l);
bool l15_check(const struct l15 *l);
void l15_stuck(const struct l15 *l, struct text *out);
