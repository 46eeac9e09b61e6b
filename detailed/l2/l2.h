/* l2.h - one L2 slice: look-up pipeline, tags, miss management, replies.
 *
 * Requests arrive from the request network, spend extra_latency + latency cycles in the look-up
 * pipeline, and are decided at its end, in order and `ports` per cycle. A policy (miss_ops) handles
 * misses: the victim is evicted at once, or it is managed as in Candel 5.4. Replies leave through
 * the reply network.
 *
 * A request may be for several neighbouring sectors of a line, if w->joins. It takes the turns of
 * as many at the ports, is looked up part by part, and is answered when it has all of them.
 *
 * Time: cycles of the L2 clock. Back-pressure: a head that cannot proceed waits, and so does
 * everything behind it (miss_replace), or it is rejected (NACK) or queued at its line
 * (miss_conventional). Invariants: l2_check; reads + writes = hits + merges + misses. */
#pragma once

#include "detailed/dram/memory_controller.h"
#include "detailed/l2/data_banks.h"
#include "detailed/l2/l2_handle.h"
#include "detailed/l2/nack_order.h"
#include "detailed/noc/noc.h"
#include "detailed/parts/below.h"
#include "detailed/parts/request.h"
#include "detailed/parts/shadow_memory.h"
#include "detailed/parts/stats.h"
#include "gpu/cache/cache.h"
#include "gpu/cache/frc.h"
#include "gpu/machine/params/clock.h"
#include "gpu/machine/params/l2.h"
#include "gpu/mechanisms/mechanisms.h"

#define L2_STATS(C, M)                                                        \
    M(reads, l2_reads, true)                                                  \
    M(read_hits, l2_read_hits, true)                                          \
    M(writes, l2_writes, true)                                                \
    M(write_hits, l2_write_hits, true)                                        \
    M(misses, l2_misses, true)                                                \
    M(merges, l2_merges, true)                                                \
    C(nacks, "requests sent back, by a directory, too")                       \
    M(line_waits, l2_line_waits, true)                                        \
    M(writebacks, l2_writebacks, true)                                        \
    M(fetches, l2_fetches, true)                                              \
    C(stall_cycles, "L2 cycles in which the head could not proceed")          \
    C(invalidation_cycles, "of the misses: wait for L1 copies of the victim") \
    C(eviction_cycles, "its way out")                                         \
    C(memory_cycles, "fetch beyond the unloaded access")                      \
    C(local_misses, "read misses whose address lies in a bank of the SM's")   \
    C(placed_misses, "read misses where banks belong to SMs")                 \
    C(set_looks, "misses that looked for a victim")                           \
    M(set_transit, l2_set_transit, p->miss_management == MISS_CONVENTIONAL)   \
    M(set_full, l2_set_full, p->miss_management == MISS_CONVENTIONAL)         \
    L2_MECHANISM_STATS(C, M)
struct l2_stats {
    STATS_MEMBERS(L2_STATS)
};

struct coherence;
struct coherence_params;
struct directory;
struct home_ops;
struct sync_home;
struct l2_side_ops;
struct l2_link;
struct l2_links;

/* What a slice is wired to. */
struct l2_wiring {
    struct req_pool *reqs;
    struct noc *request, *reply;
    struct memory *memory, *second_memory; /* the second: NULL: there is none */
    struct below below;
    struct shadow *shadow;
    const struct coherence *coherence; /* NULL: no protocol */
    const struct coherence_params *protocol;
    uint32_t link_header;              /* bytes of a message to what is below the L2 */
    struct locality *locality;         /* NULL: not counted */
    struct site_counters *sites;       /* NULL: not counted */
    const struct placement *placement; /* NULL: banks belong to no SM */
    const struct l2_links *links;      /* NULL: no line has a home in another slice */
    struct mechanism_set mechanisms;   /* that are on: machine_mechanisms */
    uint64_t l2_period, noc_period;    /* ticks */
    bool joins;                 /* requests may be for several sectors of a line: sim_joins.c */
    uint64_t idle_fetch_cycles; /* unloaded fetch from memory, row open */
    /* An operation was sent there; the second memory's channels count behind the first's. */
    void (*memory_due)(void *ctx, uint32_t channel);
    bool l1_keeps_stores; /* an L1 may keep a copy of the bytes that it stores */
    /* Tests replace back_invalidate_begin by this; else NULL. */
    bool (*invalidate)(void *ctx, uint32_t slice, uint64_t tag, uint32_t handle);
    uint32_t first_core; /* the number of the first CPU core, behind the SMs; 0: there are none */
    void (*noc_due)(void *ctx); /* a reply was pushed, or room was made in the request network */
    void *ctx;
};

/* What the refused head of a slice that settles waits for; until then its plan stays the same. */
enum head_wait { HEAD_GOES, HEAD_WAITS_FILL, HEAD_WAITS_MEMORY };

/* The fields that each step reads come first. */
struct l2_slice {
    const struct l2_params *p;
    const struct l2_wiring *w;
    const struct miss_ops *miss;
    uint64_t head_stalled_since; /* UINT64_MAX: the head is not stalled */
    uint32_t id;
    uint32_t pipe_bound;               /* capacity of `pipe`, sectors */
    uint32_t piped;                    /* sectors in it */
    uint32_t at_once;                  /* sectors of the head that are looked up now */
    uint32_t most_under_way;           /* operations below, of one of several L2s; 0: any */
    uint32_t under_way;                /* counted if there is a bound */
    uint64_t entries_used, ports_used; /* turns into the pipeline and at its end: port.h */
    uint32_t announced;                /* the last request whose line was prefetched */
    bool joins;                        /* w->joins */
    bool settles; /* nothing but its own requests, returns and times changes what a request is
                     decided by: no protocol, partitions, data banks or side look-ups */
    bool plain; /* decided by the tags alone: no protocol, partitions, data banks, side look-ups or
                   NACK */
    enum head_wait head_wait;
    const uint32_t *head_queue; /* places taken where the head waits for the memory; NULL: its
                                   level below tells */
    struct fifo pipe;           /* value = request, time = end of the look-up */
    struct fifo returns;        /* value = handle, time = cycle */
    struct fifo replies;        /* requests to reply to */
    struct fifo woken;          /* requests to decide again without a new look-up */
    struct cache c;
    struct l2_link *link;  /* to the other partitions; NULL: there is none */
    struct hash_map *seen; /* what the shadow memory says of the slice's sectors */
    struct data_banks banks;
    struct fifo side_lookup;      /* as pipe: look-up in the structures beside the lines */
    struct fifo fetched;          /* versions of the returns, in step with them */
    struct nack_order nack_order; /* order of the rejected requests */
    const struct home_ops *home;  /* of a protocol with write caches (l2_home.h), else NULL */
    struct sync_home *sync;       /* their state */
    uint16_t fetch_delay;         /* of their look-up, ahead of each fetch */
    struct directory *directory;  /* the directory, if the protocol has one, else NULL */
    struct directory *copies; /* record of copies of an inclusive L2 without directory, else NULL */
    uint32_t *wait_head, *wait_tail; /* [lines + FRC entries] requests queued at a line in
                                        transition, or at a victim in an FRC entry */
    struct hash_map waits_at;        /* tag -> where its requests queue */
    uint32_t waiting;
    uint16_t *in_transit; /* [sets] lines in transition; used, as the fields above, by
                             miss_conventional */
    const struct l2_side_ops *side[L2_HOLDERS]; /* [sides] the structures beside the lines that are
                                                   on, the last of l2_side_table first */
    uint32_t sides;
    uint32_t side_lookup_cycles;    /* cycles of the side look-up; 0: none */
    uint64_t timed_due;             /* the next end of a wait in `timed`; UINT64_MAX: none */
    struct fifo timed[L2_HOLDERS];  /* by structure: what waits for a time in it; time = end */
    void *side_state[L2_HOLDERS];   /* by structure: its own, if it has no place below */
    struct frc frc;                 /* used if frc.entries > 0 */
    struct cache victim_cache;      /* used if vc.entries > 0 */
    uint32_t victim_cache_reserved; /* lines of it that are reserved for blocks that are being moved
                                       in */
    uint32_t buffered;              /* write-backs in the buffer */
    struct l2_stats s;
};

/* Operations of a miss policy (names: gpu/machine/params/l2.h). */
struct miss_ops {
    const char *name;
    /* Handles one request at the end of its look-up; false: it must wait at the head of the pipe.
     */
    bool (*access)(struct l2_slice *s, uint32_t req, uint64_t now);
    /* Called when the wait of a handle's victim ends: a write-back was accepted, a notice returned,
     * L1s have answered, or a time has passed. */
    void (*evicted)(struct l2_slice *s, uint32_t handle, uint64_t now);
    /* Fetches the sector of an address for which nobody waits; false: it is here or on its way, or
     * no MSHR, no line or no place towards the memory is free. A line whose eviction would take
     * time is not. */
    bool (*fetch_ahead)(struct l2_slice *s, uint64_t addr, uint64_t now);
    /* Called when the entry's data have arrived. */
    void (*fill)(struct l2_slice *s, uint32_t entry, uint32_t version, uint64_t now);
};
extern const struct miss_ops miss_replace, miss_conventional;
extern const struct miss_ops *const miss_table[MISS_N];

bool l2_init(struct l2_slice *s, const struct l2_params *p, uint32_t id, const struct l2_wiring *w);
void l2_fini(struct l2_slice *s);
void l2_clear(struct l2_slice *s);
uint64_t l2_step(struct l2_slice *s, uint64_t now); /* next wake-up */
/* Called by the memory; the caller wakes the slice at that cycle. */
void l2_return(struct l2_slice *s, uint32_t handle, uint32_t version, uint64_t cycle);
void l2_written(struct l2_slice *s, uint32_t handle, uint64_t now);
void l2_invalidated(struct l2_slice *s, uint32_t handle, uint64_t now);
/* The host writes the block between launches: the slice's copy leaves. false: a directory has it
 * in transition, and it stays. */
bool l2_host_writes(struct l2_slice *s, uint64_t addr);
/* Whether the slice holds nothing but tags. */
bool l2_idle(const struct l2_slice *s);
bool l2_check(const struct l2_slice *s);
void l2_stuck(const struct l2_slice *s, struct text *out);

/* --- shared by the miss policies
 * -------------------------------------------------------------------------------- */
struct access l2_access_of(const struct l2_slice *s, const struct req *r);
/* Occupies the bank of a sector that is filled. */
void l2_fill_bank(struct l2_slice *s, uint64_t addr, uint64_t now);
void l2_nack(struct l2_slice *s, uint32_t req); /* rejects a request, which will be retried */
/* The level below has answered a request that it was sent for. */
void l2_answered(struct l2_slice *s, uint32_t req);
/* Queues a request as a reply. */
void l2_reply(struct l2_slice *s, uint32_t req, enum req_reply kind);
/* Queues a new message to an L1 about `bytes` from an address on; NULL: no memory. The pool of
 * requests may move. */
struct req *l2_ask_l1(struct l2_slice *s, uint32_t sm, uint64_t addr, uint32_t bytes);
/* The sectors of a request behind its first. */
static inline uint32_t l2_more(const struct l2_slice *s, const struct req *r)
{
    return s->joins && r->bytes > s->c.p.sector_bytes ? (r->bytes - 1u) >> s->c.sector_shift : 0;
}
/* Serves a request with data and version of `line`. */
void l2_serve(struct l2_slice *s, uint32_t req, uint32_t line);
/* The same for the sectors of it that `a` names; it is answered if nothing else of it is open. */
void l2_serve_part(struct l2_slice *s, uint32_t req, const struct access *a, uint32_t line);
/* The part of a request from its nth sector on. */
struct access l2_part_of(const struct l2_slice *s, const struct req *r, uint32_t nth,
                         uint32_t more);
/* Serves a request from a block that is not in a line. */
void l2_serve_block(struct l2_slice *s, uint32_t req, struct cache_block *b);
/* Serves the entry's oldest waiter from `line`, where a store leaves its bytes; false: there is
 * none. */
bool l2_serve_waiter(struct l2_slice *s, uint32_t entry, uint32_t line);
/* Serves all waiters of the entry. */
void l2_serve_waiters(struct l2_slice *s, uint32_t entry, uint32_t line);
/* Puts all of the entry's waiters into `woken`, in order, to be decided again. */
void l2_look_again(struct l2_slice *s, uint32_t entry);
/* Sends a write's sector to memory, too. */
bool l2_goes_through(const struct l2_slice *s, const struct access *a);
/* The memory that holds the address. */
struct memory *l2_memory_of(const struct l2_wiring *w, uint64_t addr);
/* An operation on one sector, for which nobody waits. */
struct mem_op l2_operation_of(const struct l2_slice *s, uint64_t addr, enum mem_kind kind);
/* Sends an operation to the level below. false: no memory. */
bool l2_send_operation(struct l2_slice *s, const struct mem_op *op);
bool l2_send_fetch(struct l2_slice *s, uint32_t entry);
/* Sends the notice of a clean victim. */
bool l2_send_notice(struct l2_slice *s, uint64_t tag, uint32_t handle);
/* Sends one operation for each run of dirty sectors of a victim; `handle` goes with the last one
 * (MSHR_NONE: nothing waits). */
bool l2_send_writebacks(struct l2_slice *s, uint64_t tag, uint8_t dirty, uint32_t handle);
bool l2_has_memory_room(const struct l2_slice *s, uint64_t addr);
/* The head waits for that room. */
void l2_wait_for_memory(struct l2_slice *s, uint64_t addr);
void l2_pass_by(struct l2_slice *s, uint32_t req); /* Sends a store to memory only. */
/* Sends the bytes of a store or an atomic to memory; masked writes move whole sectors. */
void l2_write_through(struct l2_slice *s, const struct req *r);
/* Decides a request of a slice that shares its addresses with those of other partitions
 * (l2_several.c); false: it must wait at the head. */
bool l2_partition_access(struct l2_slice *s, uint32_t req, uint64_t now);
/* A store or an atomic has changed the sector here. */
void l2_changed(struct l2_slice *s, uint64_t addr, uint32_t version);

/* --- l2_cores.c: requests of CPU cores, which a slice hands to its memory and does not look up ---
 */
static inline bool l2_is_of_core(const struct l2_slice *s, uint32_t req)
{
    return s->w->first_core && s->w->reqs->item[req].sm >= s->w->first_core;
}
/* Hands the request over, which has left the network; precondition: there is room. */
void l2_send_for_core(struct l2_slice *s, uint32_t req);
bool l2_has_room_for_core(const struct l2_slice *s, uint32_t req);
/* Replies with the data that have come from the memory; false: the request is no core's. */
bool l2_answers_core(struct l2_slice *s, uint32_t req);

/* Whether a request that is decided again is older than the rejected requests of its SM to the same
 * sector, so that it must not be rejected behind them. */
bool l2_was_let_in(const struct l2_slice *s, const struct req *r);
/* Counts a request, once. */
void l2_count(struct l2_slice *s, struct req *r, const struct access_plan *p);
/* Counts the sectors of a request from addr on that the plan is for. */
void l2_count_part(struct l2_slice *s, const struct req *r, uint64_t addr,
                   const struct access_plan *p);
/* Merges the bytes that a probe has returned into the L2's copy, or sends them to memory. waits:
 * the line is being evicted and waits for them. */
void l2_merge(struct l2_slice *s, uint32_t req, bool waits);
void l2_count_fetch_time(struct l2_slice *s, uint32_t entry, uint64_t now);
