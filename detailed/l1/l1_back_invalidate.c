/* l1_back_invalidate.c - handles an inclusive L2's probe (back_invalidate.h): dirty bytes are sent
 * first, then the probe itself is returned as the answer.
 *
 * Fills in flight were served before their line was evicted, or will be served from a new one, so
 * they are kept. The exception is a fill that a store has overtaken: if the store's bytes leave
 * with this probe, the fill's data are too old. */
#include "detailed/l1/l1_internal.h"

static void send_down(struct l1 *l, const struct victim *v, uint64_t now)
{
    for (uint32_t sector = 0; v->dirty >> sector; sector++) {
        if (!(v->dirty >> sector & 1)) continue;
        struct l1_access a = {.vinst = UINT32_MAX};
        cache_dirty_bytes(&l->c, v, sector, a.mask);
        struct req *r =
            l1_send(l, &a, REQ_WRITE,
                    (v->tag << l->c.line_shift) + ((uint64_t)sector << l->c.sector_shift), now);
        if (r) r->recalled = true;
    }
}

static void drop_line(struct l1 *l, uint32_t line, uint64_t now)
{
    const struct cache_line *c = &l->c.line[line];
    struct victim v = cache_dirty(&l->c, line, UINT8_MAX);
    uint64_t key = c->tag << (l->c.line_shift - l->c.sector_shift);
    uint32_t stored_over = c->pending & (c->partial | c->valid);
    for (uint32_t rest = stored_over; rest; rest &= rest - 1) {
        uint32_t entry = cache_fill_of(&l->c, line, key + (uint32_t)__builtin_ctz(rest));
        if (entry != MSHR_NONE) l->c.mshr.entry[entry].killed = true;
    }
    send_down(l, &v, now);
    l->s.invalidations += (uint64_t)__builtin_popcount(c->valid | c->partial);
    cache_forget(&l->c, line, UINT8_MAX);
}

void l1_recalled(struct l1 *l, uint32_t req, uint64_t now)
{
    uint64_t addr = l->w->reqs->item[req].addr;
    uint32_t bytes = l->w->reqs->item[req].bytes;
    for (uint32_t at = 0; at < bytes; at += l->c.p.line_bytes) {
        uint32_t line = cache_find(&l->c, cache_tag(&l->c, addr + at));
        if (line != LINE_NONE) drop_line(l, line, now);
    }
    fifo_push(&l->miss_queue, now, req);
}
