/* l1_nack.c - requests that the L2 sends back (Candel 3.5.1, 4.5.1; mechanisms 5).
 *
 * They come again after nack_retry_cycles: the request itself, which keeps its MSHR, or, where that
 * is given up, every load that waited for it, through the look-up.  Those loads had been counted;
 * they are counted again when they are decided again, so that the counts are taken back here. */
#include "detailed/cache/l1_internal.h"

/* The entry's line is no longer on its way. */
static void cancel_fill(struct l1 *l, uint32_t entry)
{
    struct victim v;
    l->c.mshr.entry[entry].killed = true;
    uint32_t line = cache_fill(&l->c, entry, &v);
    (void)line; /* none: a killed fill is not kept and pushes nothing out */
}

static void give_up(struct l1 *l, const struct req *r, uint64_t now)
{
    struct l1_access a = {.addr = r->addr,
                          .ready = now + l->w->nack_retry_cycles,
                          .kind = ACCESS_READ,
                          .again = true,
                          .pc = r->pc};
    uint64_t n = 0;
    cancel_fill(l, r->entry);
    for (; mshr_next_waiter(&l->c.mshr, r->entry, &a.vinst); n++)
        if (!l1_ring_push(&l->refused, &a)) l->no_memory = true;
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
    if (l->w->nack_releases_mshr && r->kind == REQ_READ && !r->bypass_l1) {
        give_up(l, r, now);
        req_free(l->w->reqs, req);
        return;
    }
    r->reply = REPLY_NONE;
    if (!fifo_push(&l->retry, now + l->w->nack_retry_cycles, req)) l->no_memory = true;
}

void l1_come_again(struct l1 *l, uint64_t now)
{
    struct access_ring *r = &l->refused;
    for (; r->head != r->tail && r->slot[r->head & r->mask].ready <= now; r->head++)
        if (!l1_enqueue(l, &r->slot[r->head & r->mask])) l->no_memory = true;
}
