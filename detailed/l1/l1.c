/* l1.c - the time of an L1: what it does in a cycle, when it is due, and how replies fill it.
 *
 * A step goes from the oldest to the newest: accesses whose data have come are completed, loads
 * that waited aside or were rejected try again, the heads of the pipeline are decided
 * (l1_access.c), new accesses enter it if their banks are free, and requests leave for the network.
 * An access that cannot be decided holds up all behind it, and the time is counted under its cause.
 * What fences and launches do to the content stands here, too.
 *
 * Source: Candel 2019, 3.5.1 and 4.5.1; parameters: gpu/machine/params/l1.h. */
#include "detailed/coherence/sync_message.h"
#include "detailed/l1/l1_agent.h"
#include "detailed/l1/l1_owner.h"
#include "detailed/l1/l1_side.h"
#include "detailed/parts/port.h"

#include "base/memory/alloc.h"
#include "base/memory/popcount.h"

#include <assert.h>

bool l1_enqueue(struct l1 *l, const struct l1_access *a)
{
    bool full = l->tail - l->head > l->access_mask;
    if (full && !mem_grow_ring(&l->access, &l->access_mask, l->head, l->tail, sizeof *l->access))
        return false;
    l->access[l->tail++ & l->access_mask] = *a;
    l->before += 1u + a->more;
    return true;
}

bool l1_push_slow(struct l1 *l, const struct l1_access *a)
{
    return l->merges ? l1_arrive_later(l, a) : l1_enqueue(l, a);
}

void l1_account(struct l1 *l, uint64_t now)
{
    uint64_t *const by_cause[] = {[L1_STALL_MSHR] = &l->s.stall_mshr,
                                  [L1_STALL_MERGE] = &l->s.stall_merge,
                                  [L1_STALL_LINE] = &l->s.stall_line,
                                  [L1_STALL_NETWORK] = &l->s.stall_network};
    if (l->stall != L1_GOES) *by_cause[l->stall] += now - l->stalled_since;
    l->stalled_since = now;
}

static void leave_head(struct l1 *l)
{
    if (l->entered == l->head)
        l->entered++; /* without a cache, accesses are decided in the queue */
    if (++l->head == l->tail)
        l->head = l->entered = l->tail = l->slots_seen = l->lines_seen =
            0; /* so that a short ring stays in the same cache lines */
}

void l1_count(struct l1 *l, const struct l1_access *a, uint64_t now)
{
    l->s.accesses += l->took;
    if (a->kind == ACCESS_READ) {
        l->s.reads += l->took;
        return;
    }
    l->s.writes += l->took;
    l->w->issued(l->owner, l1_accesses(a->vinst, l->took - 1));
    if (l->kept) l1_done(l, a->vinst, now);
    l->kept = false;
}

/* Accesses before this one have been decided or are in the pipeline (which exists only with a
 * cache). */
static uint64_t decided_until(const struct l1 *l)
{
    return l->cache_on ? l->entered : l->tail;
}

/* Decides the access, unless older ones must go first. */
static inline __attribute__((always_inline)) enum l1_stall
access_l1(struct l1 *l, const struct l1_access *a, uint64_t now)
{
    if (l->refused.head != l->refused.tail && l1_must_wait(l, a)) return L1_STALL_MERGE;
    return l->waiting && l1_must_follow(l, a) ? L1_STALL_MSHR : l1_decide(l, a, now);
}

/* Decides all sectors of an access but those that share the last verdict, which is returned. */
static enum l1_stall decide_sectors(struct l1 *l, struct l1_access *a, uint64_t now)
{
    for (;;) {
        enum l1_stall stall = access_l1(l, a, now);
        if (stall != L1_GOES || l->took > a->more) return stall;
        l1_count(l, a, now);
        *(l->cache_on ? &l->piped : &l->before) -= l->took;
        a->more = (uint8_t)(a->more - l->took);
        a->addr += (uint64_t)l->took * l->grain;
        bytemask_part(a->mask, l->took * l->grain, l->c.p.line_bytes, a->mask);
    }
}

/* Whether the head that stalled would stall again. */
static inline bool still_stalls(const struct l1 *l)
{
    return l->settled && (l->stall != L1_STALL_NETWORK || !l1_network_room(l, 1));
}

/* joins: accesses may be for several sectors; here and below. */
static inline __attribute__((always_inline)) void decide_heads(struct l1 *l, uint64_t now,
                                                               bool joins)
{
    const uint32_t ports = l->p->ports;
    uint64_t turns = 0;
    for (uint32_t k = 0; l->head != decided_until(l); k++) {
        struct l1_access *a = &l->access[l->head & l->access_mask];
        if (joins) turns = port_turns(l->ports_used, ports, 1u + a->more, now);
        if (a->ready > now || (joins ? !port_passes(turns, ports, now) : k == ports)) return;
        enum l1_stall stall = joins ? decide_sectors(l, a, now) : access_l1(l, a, now);
        bool aside = stall == L1_STALL_MSHR && l1_step_aside(l, a);
        if (aside) stall = L1_GOES;
        if (stall != l->stall) {
            l1_account(l, now);
            l->stall = stall;
        }
        l->settled = stall != L1_GOES && l->plain && l->refused.head == l->refused.tail;
        if (stall != L1_GOES) return;
        if (joins) l->ports_used = turns;
        *(l->cache_on ? &l->piped : &l->before) -= joins ? 1u + a->more : 1u;
        leave_head(l); /* its slot stays valid until something is queued */
        if (!aside) l1_count(l, a, now);
    }
}

/* Occupies all banks that contain the access's sectors, or the last `turns` of them: those before
 * went in cycles before. false: one of the banks is in use. */
static bool take_banks(struct l1 *l, const struct l1_access *a, uint64_t turns, uint64_t now)
{
    const struct l1_params *p = l->p;
    uint32_t sectors = 1u + a->more, gone = turns < sectors ? sectors - (uint32_t)turns : 0;
    uint64_t first = ((a->addr & ~(uint64_t)(l->grain - 1)) + gone * l->grain) / p->bank_bytes;
    uint32_t bytes = (sectors - gone) * l->grain;
    uint32_t spans = bytes > p->bank_bytes ? bytes / p->bank_bytes : 1;
    for (uint32_t k = 0; k < spans; k++) {
        struct l1_bank *b = &l->bank[index_table[p->bank_index](first + k, p->banks)];
        if (b->cycle != now) *b = (struct l1_bank){.cycle = now};
        if (b->used == p->bank_ports) return false;
    }
    for (uint32_t k = 0; k < spans; k++)
        l->bank[index_table[p->bank_index](first + k, p->banks)].used++;
    return true;
}

static inline __attribute__((always_inline)) void enter_pipeline(struct l1 *l, uint64_t now,
                                                                 bool joins)
{
    const uint32_t ports = l->p->ports;
    uint64_t bound = (uint64_t)l->p->latency * ports, turns = now * ports;
    for (uint32_t k = 0; l->entered != l->tail && l->piped < bound; k++) {
        struct l1_access *a = &l->access[l->entered & l->access_mask];
        uint32_t sectors = joins ? 1u + a->more : 1u;
        turns = joins ? port_turns(l->entries_used, ports, sectors, now) : turns + 1;
        if (a->ready > now || (joins ? !port_passes(turns, ports, now) : k == ports)) return;
        if (l->bank && !take_banks(l, a, turns - now * ports, now)) {
            l->s.bank_conflicts++;
            return;
        }
        a->ready = now + l->p->latency;
        if (joins) l->entries_used = turns;
        l->before -= sectors;
        l->piped += sectors;
        l->entered++;
    }
}

/* The slice of the SM's partition that serves an address. Consecutive requests mostly lie in one
 * block of the interleaving, so the last result is cached. */
static uint32_t slice_of(struct l1 *l, uint64_t addr)
{
    const struct map *m = l->w->map;
    if (m->follows) return map_near_slice(m, map_slice(m, addr), l->partition);
    uint64_t block = addr >> m->interleave_shift;
    if (block != l->last_block) {
        l->last_block = block;
        l->last_slice = map_slice(m, addr);
        if (m->partitions > 1) l->last_slice = map_near_slice(m, l->last_slice, l->partition);
    }
    return l->last_slice;
}

/* The slice that a request goes to. */
static uint32_t destination_of(struct l1 *l, const struct req *r)
{
    if (l->sync && r->message != SYNC_MESSAGE_NONE) return (uint32_t)r->addr;
    return slice_of(l, r->addr);
}

static void inject_requests(struct l1 *l, uint64_t now)
{
    while (l->retry.due <= now)
        fifo_push(&l->miss_queue, now, fifo_pop(&l->retry));
    if (!l->miss_queue.n) return;
    struct noc *net = l->w->request;
    uint64_t noc_now = clock_floor(now, l->w->core_period, l->w->noc_period);
    bool pushed = false;
    while (l->miss_queue.n && noc_can_push(net, l->sm)) {
        uint32_t i = fifo_pop(&l->miss_queue);
        const struct req *r = &l->w->reqs->item[i];
        if (l->miss_queue.n > 2)
            prefetch_line(&l->w->reqs->item[fifo_at(&l->miss_queue, 2)->value]);
        uint32_t more = l1_more(l, r), bytes = more ? l->grain : r->bytes;
        uint32_t flits = noc_length(net, r->kind == REQ_READ ? 0 : bytes & 255u);
        noc_push(net, l->sm, destination_of(l, r), noc_train(flits, more), i, noc_now);
        l->sending_more -= more;
        pushed = true;
    }
    if (l->miss_queue.n) net->in[l->sm].notify = true;
    if (pushed) l->w->noc_due(l->w->sim);
}

static uint64_t sooner(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* Prefetches what the next decisions will touch, each access once per stage. */
static void look_ahead(struct l1 *l, uint64_t now)
{
    uint64_t ports = l->p->ports, mask = l->access_mask;
    uint64_t lines = sooner(l->head + ports, l->entered), slots = sooner(lines + ports, l->entered);
    if (l->lines_seen < l->head) l->lines_seen = l->head;
    if (l->slots_seen < l->lines_seen) l->slots_seen = l->lines_seen;
    for (; l->lines_seen < lines && l->access[l->lines_seen & mask].ready <= now + 1;
         l->lines_seen++) {
        const struct l1_access *a = &l->access[l->lines_seen & mask];
        cache_prefetch_line(&l->c, a->addr, a->kind != ACCESS_READ);
    }
    for (; l->slots_seen < slots && l->access[l->slots_seen & mask].ready <= now + 2;
         l->slots_seen++)
        cache_prefetch_slot(&l->c, l->access[l->slots_seen & mask].addr);
    prefetch_line(&l->access[(l->head + 3 * ports) & mask]);
}

/* Wakes all waiting accesses of the warp whose turn it is. */
static void wake_one(struct l1 *l, uint64_t now)
{
    uint32_t warp = l->w->warp_of(l->owner, fifo_front(&l->wake)->value);
    while (l->wake.n && l->w->warp_of(l->owner, fifo_front(&l->wake)->value) == warp)
        l1_done(l, fifo_pop(&l->wake), now);
}

void l1_step(struct l1 *l, uint64_t now)
{
    const bool joins = l->w->joins;
    if (l->timed) l->timed->step(l, now);
    if (l->wake.due <= now) wake_one(l, now);
    if (l->waiting) l1_admit_aside(l, now);
    if (l->refused.head != l->refused.tail) l1_come_again(l, now);
    if (!l->cache_on && l->merges) l1_arrivals(l, now);
    if (l->head != decided_until(l) && !still_stalls(l)) {
        if (joins)
            decide_heads(l, now, true);
        else
            decide_heads(l, now, false);
    }
    if (l->cache_on && l->merges) l1_arrivals(l, now);
    if (l->cache_on && l->entered != l->tail) {
        if (joins)
            enter_pipeline(l, now, true);
        else
            enter_pipeline(l, now, false);
    }
    if (l->miss_queue.n || l->retry.due <= now) inject_requests(l, now);
    if (l->head != l->entered) look_ahead(l, now);
    assert(l->head != l->entered || !l->piped);
    assert(l->entered != l->tail || !l->before);
}

uint64_t l1_due(const struct l1 *l, uint64_t now)
{
    uint64_t next = UINT64_MAX;
    if (l->stall == L1_GOES && l->head != decided_until(l))
        next = l->access[l->head & l->access_mask].ready;
    /* the other stalls end with a reply, which steps the SM */
    if (l->stall == L1_STALL_NETWORK && l1_network_room(l, 1)) next = now + 1;
    bool enters = l->piped < (uint64_t)l->p->latency * l->p->ports;
    if (l->cache_on && l->entered != l->tail && enters)
        next = sooner(next, l->access[l->entered & l->access_mask].ready);
    next = sooner(next, l->retry.due);
    next = sooner(next, l1_again_due(l, now));
    next = sooner(next, l->wake.due);
    if (l->timed) next = sooner(next, l->timed->due(l, now));
    if (l->merges || l->waiting) next = sooner(next, l1_queues_due(l, now));
    return next > now ? next : now + 1;
}

void l1_flush(struct l1 *l, uint64_t now)
{
    l->settled = false;
    if (l->agent) {
        l1_agent_acquire(l, now);
        return;
    }
    l1_release(l, now);
    if (l->c.p.write == WRITE_BACK) {
        for (uint32_t i = 0; i < l->c.n_lines; i++) {
            struct victim v = cache_dirty(&l->c, i, UINT8_MAX);
            l1_write_back(l, &v, now);
        }
    }
    cache_invalidate(&l->c);
}

void l1_release(struct l1 *l, uint64_t now)
{
    if (l->owner_dir) l1_owner_release(l, now);
    L1_TELL(l, release, l, now);
}

void l1_acquire(struct l1 *l, uint64_t now)
{
    l1_flush(l, now);
    if (l->agent) return;
    mshr_kill_all(&l->c.mshr);
}

/* Notes which stores' data a fill has brought where none were written, and that those who waited
 * for it are served them. r: a copy of the reply, which stood at index `req` of the pool. */
static void note_fill(struct l1 *l, const struct req *r, uint32_t req, uint32_t line,
                      uint32_t written)
{
    const struct mshr_entry *e = &l->c.mshr.entry[r->entry];
    for (uint32_t k = 0; k <= e->more; k++) {
        uint32_t version = k ? *req_version(l->w->reqs, &l->w->reqs->item[req], k) : r->version;
        uint64_t addr = r->addr + (uint64_t)k * l->grain;
        bool kept = line != LINE_NONE && !(e->killed >> k & 1);
        if (kept && !(written >> k & 1)) l1_note_version(l, line, addr, version);
        for (uint32_t n = 0; n < e->waiters; n++)
            shadow_served(l->w->shadow, l->sm, addr, version);
    }
}

/* Wakes the waiters of an entry of several sectors that is filled. They came one after the other,
 * the last of them now, and each woke those who waited for it, a warp at a time: only the last
 * round is carried out, behind the others. */
static void wake_in_turn(struct l1 *l, const struct mshr_entry *e, uint32_t entry, uint64_t now)
{
    uint64_t at = now - e->more;
    if (l->wake.n && l->wake_free > at) at = l->wake_free;
    uint32_t waiter, had = l->wake.n, warps = 0, last = UINT32_MAX;
    while (mshr_next_waiter(&l->c.mshr, entry, &waiter)) {
        uint32_t warp = l->w->warp_of(l->owner, waiter);
        fifo_push(&l->wake, now, waiter);
        if (warp == last) continue;
        last = warp;
        warps++;
        at += l1_accesses_count(waiter) - 1;
    }
    if (at < now) at = now;
    l->wake_free = at + warps;
    fifo_delay(&l->wake, had, at);
}

static void fill_line(struct l1 *l, const struct req *r, uint32_t req, uint64_t now)
{
    uint32_t entry = r->entry, waiter;
    uint32_t written = SHADOW_ON ? cache_written(&l->c, r->addr) : 0;
    const struct mshr_entry *e = &l->c.mshr.entry[entry];
    struct victim v;
    if (r->recalled) l->c.mshr.entry[entry].killed = true;
    if (l->agent && !l1_agent_fill(l, r)) return;
    if (l->hears) L1_TELL(l, arrives, l, r);
    uint32_t line = cache_fill(&l->c, entry, &v);
    l1_write_back(l, &v, now);
    if (line != LINE_NONE) l->s.fills += 1u + e->more - (e->killed ? popcount(e->killed) : 0);
    if (l->hears && line != LINE_NONE) L1_TELL(l, filled, l, r, line);
    if (SHADOW_ON) note_fill(l, r, req, line, written);
    if (l->p->wake == WAKE_IN_TURN && e->more)
        wake_in_turn(l, e, entry, now);
    else
        l->wake_free = (l->wake_free > now ? l->wake_free : now) + e->waiters;
    while (mshr_next_waiter(&l->c.mshr, entry, &waiter)) {
        if (l->p->wake == WAKE_TOGETHER)
            l1_done(l, waiter, now);
        else
            fifo_push(&l->wake, now, waiter);
    }
    if (l->hears) L1_TELL(l, ended, l, entry, now);
    mshr_release(&l->c.mshr, entry);
}

bool l1_port_has_room(const struct l1 *l)
{
    return l1_network_room(l, 1);
}

void l1_send_for(struct l1 *l, uint32_t req, uint64_t now)
{
    fifo_push(&l->miss_queue, now, req);
}

/* Whether the head that stalled may be decided otherwise behind a reply: one that waits for the
 * network behind what its own line brings, others behind all that brings data. */
static bool may_change_head(const struct l1 *l, const struct req *r)
{
    uint64_t head = l->access[l->head & l->access_mask].addr;
    if (r->reply == REPLY_ACK) return false;
    return r->reply != REPLY_DATA || l->stall != L1_STALL_NETWORK ||
           cache_tag(&l->c, r->addr) == cache_tag(&l->c, head);
}

void l1_reply(struct l1 *l, uint32_t req, uint64_t now)
{
    struct req r = l->w->reqs->item[req];
    if (l->settled && may_change_head(l, &r)) l->settled = false;
    if (r.reply == REPLY_NACK) {
        l1_nacked(l, req, now);
        return;
    }
    if (l->agent && l->agent->receive && l->agent->receive(l, req, now)) return;
    if (r.reply == REPLY_NONE) {
        l1_recalled(l, req, now);
        return;
    }
    req_free(l->w->reqs, req);
    if (r.kind == REQ_READ && !r.bypass_l1) {
        fill_line(l, &r, req, now);
        return;
    }
    if (r.kind == REQ_READ) shadow_served(l->w->shadow, l->sm, r.addr, r.version);
    if (r.vinst != UINT32_MAX) l1_done(l, r.vinst, now);
}

void l1_host_writes(struct l1 *l, uint64_t addr)
{
    uint32_t line = l->cache_on ? cache_find(&l->c, cache_tag(&l->c, addr)) : LINE_NONE;
    l->settled = false;
    if (line == LINE_NONE) return;
    if (l->owner_dir)
        l1_owner_drop(l, line);
    else
        cache_forget(&l->c, line, (uint8_t)(1u << cache_sector(&l->c, addr)));
}
