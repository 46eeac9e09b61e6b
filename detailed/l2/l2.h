/* l2.h - one L2 slice: look-up pipeline, tags, miss management, answers.
 *
 * Requests arrive from the request network, spend extra_latency + latency cycles in the look-up
 * pipeline, and are decided at its end, `ports` per cycle and in order.  What happens on a miss is
 * a policy (miss_ops): the victim leaves at once, or it is managed as in Candel 5.4.  Answers leave
 * through the reply network.
 *
 * Time: cycles of the L2 clock.  Back-pressure: a head that cannot proceed stays, everything behind
 * it waits (miss_replace), or is sent back (NACK) or queued at its line (miss_conventional).
 * Invariants: l2_check; reads + writes = hits + merges + misses. */
#ifndef PLUMB_DETAILED_L2_L2_H
#define PLUMB_DETAILED_L2_L2_H

#include "detailed/core/request.h"
#include "detailed/core/stats.h"
#include "detailed/dram/memory_controller.h"
#include "detailed/l2/data_banks.h"
#include "detailed/l2/nack_order.h"
#include "detailed/noc/noc.h"
#include "detailed/observe/shadow_memory.h"
#include "gpu/cache/cache.h"
#include "gpu/cache/frc.h"
#include "gpu/machine/params/clock.h"
#include "gpu/machine/params/l2.h"

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
    C(set_looks, "misses that looked for a victim")                           \
    M(set_transit, l2_set_transit, p->miss_management == MISS_CONVENTIONAL)   \
    M(set_full, l2_set_full, p->miss_management == MISS_CONVENTIONAL)         \
    M(frc_lookups, l2_frc_lookups, p->frc.entries)                            \
    M(frc_fetches, l2_frc_fetches, p->frc.entries)                            \
    M(frc_swaps, l2_frc_swaps, p->frc.entries)                                \
    M(frc_merges, l2_frc_merges, p->frc.entries)                              \
    M(vc_hits, l2_vc_hits, p->vc.entries)
struct l2_stats {
    STATS_MEMBERS(L2_STATS)
};

struct coherence;
struct directory;

/* Operations towards memory that belong to no MSHR entry come back with these. */
#define L2_OF_FRC UINT32_C(0x40000000)    /* + the FRC entry whose victim leaves */
#define L2_OF_BUFFER UINT32_C(0x80000000) /* a place in the write-back buffer is free again */

/* What a slice is wired to. */
struct l2_wiring {
    struct req_pool *reqs;
    struct noc *request, *reply;
    struct memory *memory;
    struct shadow *shadow;
    const struct coherence *coherence;               /* NULL: no protocol */
    struct locality *locality;                       /* NULL: nobody counts */
    struct site_counters *sites;                     /* NULL: nobody counts */
    uint64_t l2_period, noc_period;                  /* ticks */
    uint64_t idle_fetch_cycles;                      /* unloaded fetch from memory, row open */
    void (*memory_due)(void *ctx, uint32_t channel); /* an operation was sent there */
    bool l1_keeps_stores; /* stores' bytes may stay in the L1 that sends them */
    /* In the place of back_invalidate_begin, of tests; else NULL. */
    bool (*invalidate)(void *ctx, uint32_t slice, uint64_t tag, uint32_t handle);
    void (*noc_due)(void *ctx); /* a reply was pushed, or room was made in the request network */
    void *ctx;
};

/* What a plain slice's refused head waits for: until then its plan would be the same. */
enum head_wait { HEAD_GOES, HEAD_WAITS_FILL, HEAD_WAITS_MEMORY };

/* What each step looks at comes first. */
struct l2_slice {
    const struct l2_params *p;
    const struct l2_wiring *w;
    const struct miss_ops *miss;
    uint64_t head_stalled_since; /* UINT64_MAX: the head is not stalled */
    uint32_t id;
    uint32_t pipe_bound; /* requests that `pipe` takes */
    uint32_t announced;  /* the last request whose line was announced to the host */
    bool plain; /* decided by the tags alone: no protocol, banks or look-ups beside, none refused */
    bool no_memory;
    enum head_wait head_wait;
    struct fifo pipe;    /* value = request, time = end of the look-up */
    struct fifo returns; /* value = entry, time = cycle */
    struct fifo replies; /* requests to send back */
    struct fifo woken;   /* requests to look at again without a new look-up */
    struct cache c;
    struct data_banks banks;
    struct fifo side_lookup;         /* as pipe: look-up in the FRC and the victim cache */
    struct fifo fetched;             /* versions of the returns, in step with them */
    struct nack_order nack_order;    /* of requests that were sent back */
    struct directory *directory;     /* of a protocol that has one, else NULL */
    struct directory *copies;        /* of an inclusive L2 without one: who has copies; else NULL */
    uint32_t *wait_head, *wait_tail; /* [lines + FRC entries] requests queued at a line in
                                        transition, or at a victim that leaves the FRC */
    struct hash_map waits_at;        /* tag -> where its requests queue */
    uint32_t waiting;
    uint16_t *in_transit;      /* [sets] lines in transition; with the above: miss_conventional's */
    struct frc frc;            /* of frc.entries > 0 */
    struct cache victim_cache; /* the victim cache, of vc.entries > 0 */
    uint32_t victim_cache_reserved; /* its lines for which blocks are on their way */
    uint32_t buffered;              /* write-backs in the buffer */
    /* time = end; FRC entries; handles (l2_miss_internal.h); handles of victims whose notice is
     * answered */
    struct fifo swaps, moves, notices;
    uint32_t side_lookup_cycles; /* of that look-up */
    struct l2_stats s;
};

/* Behaviour on a miss: gpu/machine/params/l2.h names them. */
struct miss_ops {
    const char *name;
    /* One request at the end of its look-up; false: it must wait at the head of the pipe. */
    bool (*access)(struct l2_slice *s, uint32_t req, uint64_t now);
    /* What the entry's (or L2_OF_...'s) victim waited for has come: a write-back was accepted, a
     * notice came back, L1s have answered, or its time is over. */
    void (*evicted)(struct l2_slice *s, uint32_t entry, uint64_t now);
    /* The entry's data are there. */
    void (*fill)(struct l2_slice *s, uint32_t entry, uint32_t version, uint64_t now);
    /* An FRC entry's swap is over.  NULL: there is none. */
    void (*swapped)(struct l2_slice *s, uint32_t frc_entry, uint64_t now);
};
extern const struct miss_ops miss_replace, miss_conventional;
extern const struct miss_ops *const miss_table[MISS_N];

bool l2_init(struct l2_slice *s, const struct l2_params *p, uint32_t id, const struct l2_wiring *w);
void l2_fini(struct l2_slice *s);
void l2_clear(struct l2_slice *s);
uint64_t l2_step(struct l2_slice *s, uint64_t now); /* next wake-up */
/* From the memory side; the caller wakes the slice at that cycle. */
void l2_return(struct l2_slice *s, uint32_t entry, uint32_t version, uint64_t cycle);
void l2_written(struct l2_slice *s, uint32_t entry, uint64_t now);
void l2_invalidated(struct l2_slice *s, uint32_t handle, uint64_t now);
/* Quiet: nothing in it but tags. */
bool l2_idle(const struct l2_slice *s);
bool l2_check(const struct l2_slice *s);
void l2_stuck(const struct l2_slice *s, struct text *out);

/* --- shared by the miss policies
 * -------------------------------------------------------------------------------- */
struct access l2_access_of(const struct l2_slice *s, const struct req *r);
void l2_fill_bank(struct l2_slice *s, uint64_t addr, uint64_t now); /* data come to this sector */
void l2_nack(struct l2_slice *s, uint32_t req); /* sends it back to come again */
void l2_reply(struct l2_slice *s, uint32_t req, enum req_reply kind); /* queues it */
void l2_serve(struct l2_slice *s, uint32_t req, uint32_t line); /* data and version at `line` */
void l2_serve_block(struct l2_slice *s, uint32_t req,
                    struct cache_block *b); /* of a block not in a line */
/* The entry's oldest waiter, from `line`, where a store leaves its bytes; false: there is none. */
bool l2_serve_waiter(struct l2_slice *s, uint32_t entry, uint32_t line);
void l2_serve_waiters(struct l2_slice *s, uint32_t entry, uint32_t line); /* all of the entry's */
/* All of the entry's waiters are to be decided anew, in order. */
void l2_look_again(struct l2_slice *s, uint32_t entry);
bool l2_goes_through(const struct l2_slice *s,
                     const struct access *a); /* a write that memory gets, too */
bool l2_send_fetch(struct l2_slice *s, uint32_t entry);
bool l2_send_notice(struct l2_slice *s, uint64_t tag, uint32_t entry); /* of a clean victim */
/* One operation for each run of dirty sectors of what left; `entry` goes with the last one
 * (MSHR_NONE: nobody waits). */
bool l2_send_writebacks(struct l2_slice *s, uint64_t tag, uint8_t dirty, uint32_t entry);
bool l2_has_memory_room(const struct l2_slice *s, uint64_t addr);
void l2_pass_by(struct l2_slice *s,
                uint32_t req); /* a store that memory gets and the L2 does not */
/* A request that looks again, of which the requests of its SM to the same sector that were sent
 * back are the younger ones: it is not sent back behind them. */
bool l2_was_let_in(const struct l2_slice *s, const struct req *r);
void l2_count(struct l2_slice *s, struct req *r,
              const struct access_plan *p); /* once per request */
/* The bytes that a home's question has brought go into the L2's copy, or to memory.  waits: the
 * line is on its way out, and waits for them. */
void l2_merge(struct l2_slice *s, uint32_t req, bool waits);
void l2_count_fetch_time(struct l2_slice *s, uint64_t since, uint64_t now);

#endif
