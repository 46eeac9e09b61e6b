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
#ifndef PLUMB_DETAILED_CACHE_L2_H
#define PLUMB_DETAILED_CACHE_L2_H

#include "detailed/cache/cache.h"
#include "detailed/cache/data_banks.h"
#include "detailed/cache/refusals.h"
#include "detailed/dram/memory.h"
#include "detailed/noc/noc.h"
#include "detailed/req.h"
#include "detailed/shadow.h"
#include "machine/clock.h"
#include "machine/l2.h"

struct l2_stats {
    uint64_t reads, read_hits, writes, write_hits, misses, merges;
    uint64_t nacks, line_waits, writebacks, fetches, stall_cycles;
    uint64_t eviction_cycles,
        memory_cycles; /* of the misses: victim's way out; fetch beyond the unloaded access */
};

struct coherence;

/* What a slice is wired to. */
struct l2_wiring {
    struct req_pool *reqs;
    struct noc *request, *reply;
    struct memory *memory;
    struct shadow *shadow;
    const struct coherence *coherence;               /* NULL: no protocol */
    uint64_t l2_period, noc_period;                  /* ticks */
    uint64_t idle_fetch_cycles;                      /* unloaded fetch from memory, row open */
    void (*memory_due)(void *ctx, uint32_t channel); /* an operation was sent there */
    void (*noc_due)(void *ctx); /* a reply was pushed, or room was made in the request network */
    void *ctx;
};

struct l2_slice {
    const struct l2_params *p;
    const struct miss_ops *miss;
    const struct l2_wiring *w;
    uint32_t id;
    struct cache c;
    struct data_banks banks;
    struct fifo pipe;                /* value = request, time = end of the look-up */
    struct fifo returns;             /* value = entry, time = cycle */
    struct fifo fetched;             /* versions of the returns, in step with them */
    struct fifo woken;               /* requests to look at again without a new look-up */
    struct fifo replies;             /* requests to send back */
    struct refusals refusals;        /* of requests that were sent back */
    uint32_t *wait_head, *wait_tail; /* [lines] requests queued at a line in transition */
    struct linemap waits_at;         /* tag -> the line at which its requests queue */
    uint32_t waiting;
    uint32_t pipe_bound;         /* requests that `pipe` takes */
    uint64_t head_stalled_since; /* UINT64_MAX: the head is not stalled */
    uint32_t announced;          /* the last request whose line was announced to the host */
    struct l2_stats s;
    bool no_memory;
};

/* Behaviour on a miss: machine/l2.h names them. */
struct miss_ops {
    const char *name;
    /* One request at the end of its look-up; false: it must wait at the head of the pipe. */
    bool (*access)(struct l2_slice *s, uint32_t req, uint64_t now);
    /* The entry's victim is out (its write-back was accepted, or its notice came back). */
    void (*evicted)(struct l2_slice *s, uint32_t entry, uint64_t now);
    /* The entry's data are there. */
    void (*fill)(struct l2_slice *s, uint32_t entry, uint32_t version, uint64_t now);
};
extern const struct miss_ops miss_replace, miss_conventional;
extern const struct miss_ops *const miss_table[MISS_N];

bool l2_init(struct l2_slice *s, const struct l2_params *p, uint32_t id, const struct l2_wiring *w);
void l2_fini(struct l2_slice *s);
void l2_clear(struct l2_slice *s);
uint64_t l2_step(struct l2_slice *s, uint64_t now); /* next wake-up */
/* From the memory side; the caller wakes the slice at that cycle. */
void l2_return(struct l2_slice *s, uint32_t entry, uint32_t version, uint64_t cycle);
void l2_write_accepted(struct l2_slice *s, uint32_t entry, uint64_t now);
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
bool l2_goes_through(const struct l2_slice *s,
                     const struct access *a); /* a write that memory gets, too */
bool l2_send_fetch(struct l2_slice *s, uint32_t entry);
/* One write per dirty sector of what left; `entry` goes with the last one (MSHR_NONE: nobody
 * waits). */
bool l2_send_writebacks(struct l2_slice *s, uint64_t tag, uint8_t dirty, uint32_t entry);
bool l2_has_memory_room(const struct l2_slice *s, uint64_t addr);
void l2_pass_by(struct l2_slice *s,
                uint32_t req); /* a store that memory gets and the L2 does not */
void l2_count(struct l2_slice *s, struct req *r, const struct plan *p); /* once per request */
void l2_count_fetch_time(struct l2_slice *s, uint64_t since, uint64_t now);

#endif
