/* l1_internal.h - shared by l1.c (time, fills), l1_queue.c (waiting) and l1_access.c (decisions).
 */
#pragma once

#include "detailed/l1/l1.h"

/* Phases of an MSHR entry. */
enum { L1_FETCH, L1_FETCH_AHEAD /* a structure began it: it keeps its entry until it is over */ };

static inline bool l1_network_room(const struct l1 *l, uint32_t packets)
{
    return !l->miss_queue.n || l->miss_queue.n + l->sending_more + packets <= l->p->miss_queue;
}
/* Sectors of a request behind its first. */
static inline uint32_t l1_more(const struct l1 *l, const struct req *r)
{
    return l->w->joins && r->bytes > l->grain ? (r->bytes - 1u) >> l->c.sector_shift : 0;
}
static inline void l1_done(struct l1 *l, uint32_t accesses, uint64_t now)
{
    l->w->done(l->owner, accesses, now);
}

/* Reports the outcome of the sectors that an access took to the observer; a retried access was
 * reported before. */
static inline void l1_tell(const struct l1 *l, const struct l1_access *a, bool hit, bool miss,
                           uint64_t now)
{
    if (!l->w->seen || a->again) return;
    struct l1_access one = *a;
    for (uint32_t k = 0; k < l->took; k++, one.addr += l->grain)
        l->w->seen(l->owner, &one, hit, miss, now);
}

/* Counts and tells of what an access took that has been looked up; present: its line is there. */
static inline void l1_count_look_up(struct l1 *l, const struct l1_access *a, bool hit, bool present,
                                    uint64_t now)
{
    *(hit ? &l->s.hits : &l->s.misses) += l->took;
    if (!hit && present) l->s.sector_misses += l->took;
    l1_tell(l, a, hit, !hit, now);
}

/* Whether the access's sector is valid. */
static inline bool l1_is_here(const struct l1 *l, const struct l1_access *a)
{
    uint32_t line = cache_find(&l->c, cache_tag(&l->c, a->addr));
    return line != LINE_NONE && l->c.line[line].valid >> cache_sector(&l->c, a->addr) & 1;
}

/* Decides one access at the end of its look-up, as many of its sectors (l->took) as have one
 * verdict; returns L1_GOES, or why it must stay the head. */
enum l1_stall l1_decide(struct l1 *l, const struct l1_access *a, uint64_t now);
/* Counts a decided access and notifies its instruction. */
void l1_count(struct l1 *l, const struct l1_access *a, uint64_t now);
/* Adds an access to the queue before the pipeline; false: no memory. */
bool l1_enqueue(struct l1 *l, const struct l1_access *a);
/* --- l1_nack.c --- */
void l1_nacked(struct l1 *l, uint32_t req, uint64_t now); /* the L2 has rejected the request */
/* Whether a rejected load of the access's block must be retried first. */
bool l1_must_wait(const struct l1 *l, const struct l1_access *a);
void l1_come_again(struct l1 *l, uint64_t now);
uint64_t l1_again_due(const struct l1 *l, uint64_t now); /* UINT64_MAX: when a reply comes */
/* --- l1_queue.c --- */
bool l1_ring_push(struct access_ring *r, const struct l1_access *a); /* false: no memory */
bool l1_arrive_later(struct l1 *l, const struct l1_access *a);       /* false: no memory */
void l1_arrivals(struct l1 *l, uint64_t now);
/* Whether loads that wait aside must go before this access. */
bool l1_must_follow(const struct l1 *l, const struct l1_access *a);
bool l1_step_aside(struct l1 *l, const struct l1_access *a); /* false: it must stay the head */
void l1_admit_aside(struct l1 *l, uint64_t now);
void l1_queues_clear(struct l1 *l);
void l1_queues_fini(struct l1 *l);
uint64_t l1_queues_due(const struct l1 *l, uint64_t now); /* UINT64_MAX: when a reply comes */
/* --- what a coherence protocol's agent shares --- */
/* Queues a request to the L2 behind those that wait for the network; NULL: no memory. */
struct req *l1_send(struct l1 *l, const struct l1_access *a, enum req_kind kind, uint64_t addr,
                    uint64_t now);
/* Performs a load that uses the cache: hit, merge or miss. */
enum l1_stall l1_load(struct l1 *l, const struct l1_access *la, const struct access *a,
                      uint64_t now);
/* Sends the dirty sectors of a line that a write-back L1 has evicted. */
void l1_write_back(struct l1 *l, const struct victim *v, uint64_t now);
/* --- l1_back_invalidate.c: handles a probe of an inclusive L2 --- */
void l1_recalled(struct l1 *l, uint32_t req, uint64_t now);
/* Sets the version of the L1's copy of a sector. */
void l1_note_version(struct l1 *l, uint32_t line, uint64_t addr, uint32_t version);
