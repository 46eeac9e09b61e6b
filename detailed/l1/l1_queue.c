/* l1_queue.c - where an L1's accesses wait before and beside its look-up pipeline.
 *
 * Arriving: with merging, accesses of later phases arrive one cycle after the other. An arriving
 * access merges with the newest queued one to its block if that is of the same kind; otherwise it
 * queues. A load thus never passes a store to its block, and two stores merge only if no access to
 * their block is between them, or, as in Multi2Sim, if no access at all is (`merge_stores_with`).
 *
 * Aside: loads that found no free MSHR, oldest first, while other accesses proceed. A free entry
 * goes to them first; when one gets it, those behind it to the same block merge into the fill. A
 * store, atomic or bypassing access does not pass a load of its line.
 *
 * Source: Candel 2019, 3.5.1, 3.5.2, 4.5.1, 4.5.3. */
#include "detailed/l1/l1_internal.h"

#include "base/memory/alloc.h"

bool l1_ring_push(struct access_ring *r, const struct l1_access *a)
{
    bool full = !r->slot || r->tail - r->head > r->mask;
    if (full && !mem_grow_ring(&r->slot, &r->mask, r->head, r->tail, sizeof *r->slot)) return false;
    r->slot[r->tail++ & r->mask] = *a;
    return true;
}

static struct l1_access *accesses_at(const struct access_ring *r, uint64_t i)
{
    return &r->slot[i & r->mask];
}

bool l1_arrive_later(struct l1 *l, const struct l1_access *a)
{
    return l1_ring_push(&l->arriving, a);
}

static bool may_join(const struct l1 *l, const struct l1_access *a)
{
    if (a->bypass || a->around_l2) return false;
    return a->kind == ACCESS_READ ? l->p->merge_loads
                                  : a->kind == ACCESS_WRITE && l->p->merge_stores;
}

/* The newest queued access to the block (in one mode, only if it is the newest of all), if it is of
 * the same kind. */
static struct l1_access *find_partner(const struct l1 *l, const struct l1_access *a)
{
    bool last = a->kind == ACCESS_WRITE && l->p->merge_stores_with == JOIN_LAST;
    for (uint64_t i = l->tail; i != l->head; i--) {
        struct l1_access *at = &l->access[(i - 1) & l->access_mask];
        if (at->addr != a->addr && last) return NULL;
        if (at->addr != a->addr) continue;
        return at->kind == a->kind && !at->bypass && !at->around_l2 ? at : NULL;
    }
    return NULL;
}

static bool join_access(struct l1 *l, const struct l1_access *a)
{
    struct l1_access *at = may_join(l, a) ? find_partner(l, a) : NULL;
    if (!at) return false;
    uint32_t both = l->w->join(l->owner, at->vinst, a->vinst);
    if (both == UINT32_MAX) return false;
    at->vinst = both;
    at->mask[0] |= a->mask[0];
    at->mask[1] |= a->mask[1];
    l->s.joined++;
    return true;
}

void l1_arrivals(struct l1 *l, uint64_t now)
{
    struct access_ring *r = &l->arriving;
    while (r->head != r->tail && accesses_at(r, r->head)->ready <= now) {
        const struct l1_access *a = accesses_at(r, r->head++);
        if (!join_access(l, a)) l1_enqueue(l, a);
    }
}

static uint64_t block_of(const struct l1 *l, const struct l1_access *a)
{
    return a->addr & ~(uint64_t)(l->grain - 1);
}

bool l1_must_follow(const struct l1 *l, const struct l1_access *a)
{
    if (!l->cache_on) return false;
    if (a->kind == ACCESS_READ && !a->bypass) {
        struct access look = {.addr = a->addr, .kind = ACCESS_READ};
        return cache_plan(&l->c, &look).verdict == CACHE_MISS;
    }
    for (uint64_t i = l->aside.head; i != l->aside.tail; i++)
        if (cache_tag(&l->c, accesses_at(&l->aside, i)->addr) == cache_tag(&l->c, a->addr))
            return true;
    return false;
}

bool l1_step_aside(struct l1 *l, const struct l1_access *a)
{
    if (!l->p->mshr_wait_aside || a->kind != ACCESS_READ || a->bypass) return false;
    if (l->p->mshr_wait_entries && l->waiting >= l->p->mshr_wait_entries) return false;
    if (!l1_ring_push(&l->aside, a)) return true; /* no memory: the run ends */
    l->waiting++;
    l->s.waited_mshr++;
    return true;
}

/* Admits a load that waits aside; its slot stays, marked, until it is the oldest. */
static bool admit_access(struct l1 *l, uint64_t i, uint64_t now)
{
    struct l1_access a = *accesses_at(&l->aside, i);
    /* it must not pass a rejected request to its block */
    bool behind = l->refused.head != l->refused.tail && l1_must_wait(l, &a);
    l->aside_stall = behind ? L1_STALL_MERGE : l1_decide(l, &a, now);
    if (l->aside_stall != L1_GOES) return false;
    accesses_at(&l->aside, i)->vinst = UINT32_MAX;
    l->waiting--;
    l1_count(l, &a, now);
    return true;
}

static void admit_followers(struct l1 *l, uint64_t first, uint64_t now)
{
    uint64_t want = block_of(l, accesses_at(&l->aside, first));
    for (uint64_t i = first + 1; i != l->aside.tail; i++) {
        const struct l1_access *a = accesses_at(&l->aside, i);
        if (a->vinst == UINT32_MAX || block_of(l, a) != want) continue;
        if (!admit_access(l, i, now)) return;
    }
}

void l1_admit_aside(struct l1 *l, uint64_t now)
{
    struct access_ring *r = &l->aside;
    l->aside_stall = L1_GOES;
    for (uint32_t k = 0; k < l->p->ports && l->waiting; k++) {
        while (accesses_at(r, r->head)->vinst == UINT32_MAX)
            r->head++;
        if (!admit_access(l, r->head, now)) break;
        admit_followers(l, r->head, now);
    }
    if (!l->waiting) r->head = r->tail = 0;
}

void l1_queues_clear(struct l1 *l)
{
    l->arriving.head = l->arriving.tail = 0;
    l->aside.head = l->aside.tail = 0;
    l->waiting = 0;
    l->aside_stall = L1_GOES;
}

void l1_queues_fini(struct l1 *l)
{
    mem_free(l->arriving.slot);
    mem_free(l->aside.slot);
}

uint64_t l1_queues_due(const struct l1 *l, uint64_t now)
{
    uint64_t next = UINT64_MAX;
    bool room = l->aside_stall == L1_STALL_NETWORK && l1_network_room(l, 1);
    if (l->arriving.head != l->arriving.tail)
        next = accesses_at(&l->arriving, l->arriving.head)->ready;
    /* the other stalls end with a reply, which steps the SM */
    if (l->waiting && (room || l->aside_stall == L1_GOES)) next = now + 1;
    return next;
}
