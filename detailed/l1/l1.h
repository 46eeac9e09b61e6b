/* l1.h - the L1 data cache of one SM, from the accesses of the load/store unit to requests to the
 * L2.
 *
 * Accesses enter the look-up pipeline in order (`ports` per cycle) and are decided at its end after
 * `latency` cycles; hits are served right then. Without a cache they are decided on arrival. A head
 * that cannot be decided (no MSHR, merge list full, no line, no room towards the network) waits,
 * and so does everything behind it, unless it may wait aside (l1_queue.c). Stores are sent to the
 * L2 (write_through) or stay (write_back); atomics are performed at the L2 and remove the L1's
 * copy.
 *
 * Time: core cycles. An access belongs to a vector memory instruction (vinst) of its SM, which is
 * notified of every access that completes (l1_wiring.done). Invariants: accesses decided = hits +
 * misses + merges + bypasses. */
#pragma once

#include "detailed/noc/noc.h"
#include "detailed/parts/delay_line.h"
#include "detailed/parts/request.h"
#include "detailed/parts/shadow_memory.h"
#include "detailed/parts/stats.h"
#include "gpu/cache/cache.h"
#include "gpu/cache/l1_memory.h"
#include "gpu/cache/l1_way.h"
#include "gpu/geometry/address_map.h"
#include "gpu/machine/params/clock.h"
#include "gpu/machine/params/l1.h"
#include "gpu/mechanisms/mechanisms.h"

struct agent_ops;
struct l1_side_ops;
struct coherence;
struct owner;
struct sync_agent;

struct l1_access {
    uint64_t addr;
    uint64_t mask[2]; /* relative to addr; what a store writes */
    uint64_t ready;   /* before the pipeline: earliest entry; in it: end of the look-up */
    uint32_t vinst;
    uint8_t kind;       /* enum access_kind */
    uint8_t way;        /* enum l1_way */
    uint8_t more;       /* sectors of its line behind the first, with l1_wiring.joins */
    bool first;         /* of its instruction */
    bool bypass : 1;    /* hint GLC: bypasses the L1 */
    bool again : 1;     /* was decided before, and rejected by the L2 */
    bool released : 1;  /* the store that a release carries, under QuickRelease */
    bool around_l2 : 1; /* hint SLC: bypasses both caches, under a protocol that supports it */
    bool refused : 1;   /* its next request takes over its turn at the L2: request.h */
    uint16_t turn;
    uint16_t pc; /* see gpu/cache/agcb.h */
};

/* Accesses of a vinst, to a sector and `more` behind it. */
enum { ACCESSES_SHIFT = 30, ACCESSES_VINST = (1 << ACCESSES_SHIFT) - 1 };
static inline uint32_t l1_accesses(uint32_t vinst, uint32_t more)
{
    return vinst | more << ACCESSES_SHIFT;
}
static inline uint32_t l1_accesses_vinst(uint32_t accesses)
{
    return accesses & ACCESSES_VINST;
}
static inline uint32_t l1_accesses_count(uint32_t accesses)
{
    return 1 + (accesses >> ACCESSES_SHIFT);
}

/* When a bank was last used, and by how many accesses in that cycle. */
struct l1_bank {
    uint64_t cycle;
    uint32_t used;
};

#define L1_STATS(C, M)                                                                 \
    M(accesses, l1_accesses, true)                                                     \
    M(reads, l1_reads, true)                                                           \
    M(read_hits, l1_read_hits, true)                                                   \
    M(writes, l1_writes, true)                                                         \
    M(hits, l1_hits, true)                                                             \
    M(misses, l1_misses, true)                                                         \
    M(merges, l1_merges, true)                                                         \
    M(bypasses, l1_bypasses, true)                                                     \
    M(fills, l1_fills, true)                                                           \
    C(modified_hits, "loads that hit a block that their own L1 had modified")          \
    C(probes, "invalidations that came under QuickRelease")                            \
    C(invalidations, "blocks that left under a coherence protocol")                    \
    C(evicted_stores, "blocks that left behind a store, under one")                    \
    C(sector_misses, "of the misses, those whose line was there, or on its way")       \
    L1_MECHANISM_STATS(C, M)                                                           \
    M(bank_conflicts, l1_bank_conflicts, p->enabled && p->banks > 1)                   \
    M(instruction_cycles, l1_instruction_cycles,                                       \
      p->enabled &&l1_limits_instructions(&p->instruction))                            \
    M(stall_mshr, l1_fails_mshr, true) /* cycles that the head waited, by cause */     \
    M(stall_merge, l1_fails_merge, true)                                               \
    M(stall_line, l1_fails_line, true)                                                 \
    M(stall_network, l1_fails_queue, true)                                             \
    M(joined, l1_joined, p->merge_loads || p->merge_stores) /* not among `accesses` */ \
    M(waited_mshr, l1_mshr_waits, p->mshr_wait_aside)
struct l1_stats {
    STATS_MEMBERS(L1_STATS)
};

enum l1_stall { L1_GOES, L1_STALL_MSHR, L1_STALL_MERGE, L1_STALL_LINE, L1_STALL_NETWORK };

struct l1_wiring {
    struct req_pool *reqs;
    struct noc *request;
    const struct map *map;
    uint32_t sms; /* of the machine */
    struct shadow *shadow;
    const struct coherence *coherence; /* NULL: no protocol */
    struct mechanism_set mechanisms;   /* that are on: machine_mechanisms */
    bool fence_invalidates;            /* a fence is an acquire, too */
    bool stores_in_order; /* stores that own their block are ordered with all other accesses */
    bool victim_first;    /* a miss under a directory fetches when its victim is gone */
    bool recalls;         /* the L2 is inclusive */
    uint64_t core_period, noc_period;
    uint32_t nack_retry_cycles;
    bool nack_releases_mshr;
    bool joins;       /* accesses may be for several sectors of a line: sim_joins.c */
    uint64_t *behind; /* counts the fetches in flight that no warp waits for; a launch does */
    /* Accesses of an instruction have completed at `now`; in a step of the SM. */
    void (*done)(void *ctx, uint32_t accesses, uint64_t now);
    /* Stores or atomic accesses have been decided and sent. */
    void (*issued)(void *ctx, uint32_t accesses);
    /* The warp of an instruction: waiters of one warp are woken together. */
    uint32_t (*warp_of)(const void *ctx, uint32_t accesses);
    /* Merges two accesses into one: returns a handle that represents both; UINT32_MAX: no memory.
     */
    uint32_t (*join)(void *ctx, uint32_t into, uint32_t vinst);
    /* Optional: an access has been looked up. Neither hit nor miss: it merged into a fill. */
    void (*seen)(void *ctx, const struct l1_access *a, bool hit, bool miss, uint64_t now);
    void (*left)(void *ctx, uint64_t line); /* optional: a line was evicted */
    void (*noc_due)(void *sim);             /* something was pushed into the request network */
    /* With S-FIFOs: how many an L1 has, and which one takes the stores of an instruction. */
    uint32_t sync_groups;
    uint32_t (*sync_group_of)(const void *ctx, uint32_t vinst);
    void *sim;
};

struct access_ring {
    struct l1_access *slot;
    uint64_t mask, head, tail;
};

/* The fields that each step reads come first. */
struct l1 {
    struct l1_access *access; /* ring: [head, entered) in the pipeline, [entered, tail) before it */
    uint64_t access_mask, head, entered, tail;
    const struct l1_params *p;
    const struct l1_wiring *w;
    void *owner;                     /* passed to w->done */
    uint64_t slots_seen, lines_seen; /* accesses before these have been prefetched for */
    enum l1_stall stall;
    bool plain;   /* decided by the tags alone, which change with the head and with what comes back:
                     no protocol, structures, merging or waiting aside */
    bool settled; /* the head of a plain L1 stalled, and nothing has changed since */
    uint32_t waiting;                /* loads in `aside` */
    const struct l1_side_ops *timed; /* that of `side` that has a clock; NULL: none has */
    uint32_t sides;                  /* in `side` */
    bool hears;                      /* one of them is told of loads and fills */
    uint32_t sm;
    uint32_t grain; /* bytes of a request */
    bool cache_on;
    bool merges;   /* accesses arrive one by one and may merge (l1_queue.c) */
    uint32_t took; /* sectors of the access that were just decided */
    bool kept; /* the access just decided was a store that a write-back L1 holds: it is complete */
    bool goes_ahead;        /* a structure has what must go ahead of accesses */
    bool sends_behind;      /* requests that nobody waits for may still be sent when it is idle */
    struct fifo miss_queue; /* requests waiting for the network */
    uint32_t sending_more;  /* sectors behind their first ones */
    uint32_t before, piped; /* sectors before the pipeline and in it */
    uint64_t entries_used, ports_used; /* turns into the pipeline and at its end: port.h */
    struct fifo wake;                  /* accesses whose data have arrived, with wake = in_turn */
    uint64_t wake_free; /* the cycle at which all of them have been woken, at the latest */
    struct fifo retry;  /* rejected requests: time = when to send them again */
    /* Loads that gave up their MSHR after a rejection: ready = when to retry. */
    struct access_ring refused;
    struct l1_ways ways;
    struct cache c;
    struct l1_stats s;
    uint64_t last_block; /* the last block of the interleaving that was looked up, and its slice */
    uint32_t last_slice;
    uint32_t partition;            /* of the L2, to which the SM belongs */
    const struct agent_ops *agent; /* of the protocol; NULL: there is none */
    struct owner *owner_dir;       /* under a directory protocol, else NULL */
    struct sync_agent *sync;       /* write cache and S-FIFO, if the protocol has them, else NULL */
    struct access_ring arriving;   /* with merging: accesses before the queue */
    /* Loads that wait for an MSHR; vinst = UINT32_MAX marks a removed one. */
    struct access_ring aside;
    enum l1_stall aside_stall;   /* why the oldest of them waits */
    enum l1_stall refused_stall; /* why the oldest of `refused` waits */
    struct l1_bank *bank;        /* [p->banks], NULL: not banked */
    uint64_t stalled_since;
    /* Structures that it has (l1_side.h), and what each of them has. */
    const struct l1_side_ops *side[L1_STRUCTURES + 1];
    void *side_state[L1_STRUCTURES];
    struct l1_memory memory;
};

bool l1_init(struct l1 *l, const struct l1_params *p, uint32_t grain_without_cache, uint32_t sm,
             const struct l1_wiring *w, void *owner);
void l1_fini(struct l1 *l);
void l1_clear(struct l1 *l);
/* Sets the capacity that the launch leaves to the L1 (adaptive split); drops the content if it
 * changes. false: no memory. */
bool l1_resize(struct l1 *l, uint32_t kb, uint64_t now);
void l1_account(struct l1 *l, uint64_t now); /* stall statistics up to `now` */
bool l1_push_slow(struct l1 *l, const struct l1_access *a);
static inline bool l1_push(struct l1 *l, const struct l1_access *a) /* false: no memory */
{
    if (l->merges || l->tail - l->head > l->access_mask) return l1_push_slow(l, a);
    l->access[l->tail++ & l->access_mask] = *a;
    l->before += 1u + a->more;
    return true;
}
static inline uint64_t l1_queued(const struct l1 *l)
{
    return l->before + (l->arriving.tail - l->arriving.head);
}
/* Whether a request of another cache may be sent through this L1's port. */
bool l1_port_has_room(const struct l1 *l);
void l1_send_for(struct l1 *l, uint32_t req, uint64_t now);
/* Handles a reply from the network; frees the request. */
void l1_reply(struct l1 *l, uint32_t req, uint64_t now);
void l1_step(struct l1 *l, uint64_t now); /* advances by one cycle */
/* Whether a reply, or room in the network, may give the L1 work before it is due. */
static inline bool l1_waits(const struct l1 *l)
{
    return l->stall != L1_GOES || l->waiting || l->miss_queue.n || l->wake.n || l->retry.n ||
           l->refused.head != l->refused.tail;
}
/* The next cycle at which the L1 must be stepped; UINT64_MAX: when a reply or room in the network
 * comes. */
uint64_t l1_due(const struct l1 *l, uint64_t now);
/* Writes back dirty lines and invalidates everything: between launches, when nothing is in flight.
 */
void l1_flush(struct l1 *l, uint64_t now);
/* Flushes while fills are in flight; these bring data from before the acquire and are not kept. */
void l1_acquire(struct l1 *l, uint64_t now);
/* Sends the combined stores to the L2 (l1.write = combine). */
void l1_release(struct l1 *l, uint64_t now);
/* The host writes the block between launches: the L1's copy leaves. */
void l1_host_writes(struct l1 *l, uint64_t addr);
bool l1_idle(const struct l1 *l);
bool l1_check(const struct l1 *l);
/* Host memory of the structures beside the lines; on: machine_mechanisms. */
uint64_t l1_side_bytes(const struct l1_params *p, const struct mechanism_set *on);
void l1_stuck(const struct l1 *l, struct text *out);
