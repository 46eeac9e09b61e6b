/* l1_nack.c - requests that the L2 rejects (NACK; Candel 3.5.1, 4.5.1).
 *
 * They are retried after nack_retry_cycles: the request itself, which keeps its MSHR, or, if the
 * MSHR is given up, every load that waited for it, after another look-up. Those loads have already
 * been counted and will be counted again when they are decided again, so that the counts are
 * reverted here.
 *
 * Order: until such a load has been retried, no access to its block passes it. This also holds for
 * a load that was about to merge with it and has not done so when the request is rejected once more
 * (otherwise the L2 would wait for ever for a request that has merged with another). A store to the
 * block that was sent before the rejection arrived has overtaken the fill; then the MSHR is kept,
 * so that the load's data still come from before the store. The L2 keeps the order of requests
 * (nack_order.h). */
#include "detailed/l1/l1_side.h"

/* Clears the pending bit of the entry's fill. */
static void cancel_fill(struct l1 *l, uint32_t entry)
{
    struct victim v;
    l->c.mshr.entry[entry].killed = true;
    uint32_t line = cache_fill(&l->c, entry, &v);
    (void)line; /* LINE_NONE: a killed fill is not kept and evicts nothing */
}

static bool same_block(const struct l1 *l, const struct l1_access *x, const struct l1_access *y)
{
    return (x->addr ^ y->addr) < l->grain;
}

/* Moves the entries before `from` that are to the newest entry's block behind it. */
static void order_block(struct l1 *l, uint64_t from)
{
    struct access_ring *r = &l->refused;
    uint64_t kept = r->head, pushed = r->tail;
    const struct l1_access newest = r->slot[(pushed - 1) & r->mask];
    for (uint64_t i = r->head; i != from; i++) {
        struct l1_access a = r->slot[i & r->mask];
        if (same_block(l, &a, &newest)) l1_ring_push(r, &a);
    }
    for (uint64_t i = r->head; i != r->tail; i++) {
        struct l1_access a = r->slot[i & r->mask];
        if (i - r->head >= from - r->head || !same_block(l, &a, &newest))
            r->slot[kept++ & r->mask] = a;
    }
    r->tail = kept;
}

static void give_up(struct l1 *l, const struct req *r, uint64_t now)
{
    struct l1_access a = {.addr = r->addr,
                          .ready = now + l->w->nack_retry_cycles + l->p->latency,
                          .kind = ACCESS_READ,
                          .way = l->ways.of[ACCESS_READ][false][false],
                          .again = true,
                          .refused = true,
                          .turn = r->turn,
                          .pc = r->pc};
    uint64_t n = 0, before = l->refused.tail;
    bool others = l->refused.head != before && l1_must_wait(l, &a);
    cancel_fill(l, r->entry);
    for (; mshr_next_waiter(&l->c.mshr, r->entry, &a.vinst); n++) {
        l1_ring_push(&l->refused, &a);
        a.refused = false; /* the other loads merge with the first one's request */
    }
    if (others && n) order_block(l, before);
    L1_TELL(l, given_up, l, r->entry);
    mshr_release(&l->c.mshr, r->entry);
    l->s.accesses -= n;
    l->s.reads -= n;
    l->s.misses -= !r->predicted;
    l->s.bypasses -= r->predicted;
    l->s.merges -= n - 1;
}

void l1_nacked(struct l1 *l, uint32_t req, uint64_t now)
{
    struct req *r = &l->w->reqs->item[req];
    bool fills = r->kind == REQ_READ && !r->bypass_l1;
    bool gives_up = l->w->nack_releases_mshr && fills && !mshr_overtaken(&l->c.mshr, r->entry) &&
                    l->c.mshr.entry[r->entry].phase != L1_FETCH_AHEAD;
    if (gives_up) {
        give_up(l, r, now);
        req_free(l->w->reqs, req);
        return;
    }
    r->reply = REPLY_NONE;
    fifo_push(&l->retry, now + l->w->nack_retry_cycles, req);
}

bool l1_must_wait(const struct l1 *l, const struct l1_access *a)
{
    const struct access_ring *r = &l->refused;
    for (uint64_t i = r->head; i != r->tail; i++)
        if (same_block(l, &r->slot[i & r->mask], a)) return true;
    return false;
}

void l1_come_again(struct l1 *l, uint64_t now)
{
    struct access_ring *r = &l->refused;
    l->refused_stall = L1_GOES;
    for (uint32_t k = 0; k < l->p->ports && r->head != r->tail; k++) {
        struct l1_access a = r->slot[r->head & r->mask];
        if (a.ready > now) return;
        l->refused_stall = l1_decide(l, &a, now);
        if (l->refused_stall != L1_GOES) return;
        r->head++;
        l1_count(l, &a, now);
    }
}

uint64_t l1_again_due(const struct l1 *l, uint64_t now)
{
    const struct access_ring *r = &l->refused;
    if (r->head == r->tail) return UINT64_MAX;
    uint64_t ready = r->slot[r->head & r->mask].ready;
    if (ready > now) return ready;
    bool room = l->refused_stall == L1_STALL_NETWORK && l1_network_room(l, 1);
    /* the other stalls end with a reply, which steps the SM */
    return room || l->refused_stall == L1_GOES ? now + 1 : UINT64_MAX;
}
