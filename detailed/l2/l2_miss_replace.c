/* l2_miss_replace.c - the victim is evicted at the miss: the line is reserved for the fill, and the
 * write-back follows. If no MSHR, no unreserved line or no room towards memory is available, the
 * head waits (GPGPU-Sim's reservation fail; Khairy II); with l2.nack it is rejected for the first
 * two (Candel 4.5.1). */
#include "detailed/l2/back_invalidate.h"
#include "detailed/l2/l2_side.h"

/* Invalidates the L1s' copies of the victim. */
static void recall_victim(struct l2_slice *s, const struct access_plan *p)
{
    if (s->p->inclusion == INCLUSION_NONE || p->present || p->line == LINE_NONE) return;
    const struct cache_line *l = &s->c.line[p->line];
    if (l->resident) back_invalidate_begin(s, l->tag, MSHR_NONE);
}

/* Begins the fetch that a plan demands. req: who waits for it, REQ_NONE: nobody. */
static void start_fetch(struct l2_slice *s, uint32_t req, const struct access *a,
                        const struct access_plan *p, uint64_t now)
{
    struct victim v;
    recall_victim(s, p);
    uint32_t entry = cache_apply(&s->c, p, a, &v);
    if (entry == MSHR_NONE || (req != REQ_NONE && !mshr_wait(&s->c.mshr, entry, req))) return;
    s->c.mshr.since[entry] = now;
    l2_send_writebacks(s, v.tag, v.dirty, MSHR_NONE);
    l2_send_fetch(s, entry);
}

static bool replace_fetch_ahead(struct l2_slice *s, uint64_t addr, uint64_t now)
{
    struct access a = {.addr = addr, .kind = ACCESS_READ};
    struct access_plan p;
    cache_plan_into(&s->c, &a, &p);
    if (p.verdict != CACHE_MISS || !l2_has_memory_room(s, addr)) return false;
    start_fetch(s, REQ_NONE, &a, &p, now);
    return true;
}

/* Rejects the head where possible; true: it has left. If locked blocks hold all lines of a set, the
 * messages that unlock them are behind the head. */
static bool is_refused(struct l2_slice *s, uint32_t req)
{
    bool nack = s->p->nack || s->c.keeps;
    s->head_wait = HEAD_WAITS_FILL;
    if (nack) l2_nack(s, req);
    return nack;
}

static bool replace_access(struct l2_slice *s, uint32_t req, uint64_t now)
{
    const struct req *r = &s->w->reqs->item[req];
    struct access a = l2_access_of(s, r);
    struct access_plan p;
    struct victim v;
    cache_plan_into(&s->c, &a, &p);
    bool to_memory = p.verdict == CACHE_MISS || p.verdict == CACHE_PASS ||
                     (p.verdict == CACHE_ALLOCATE && !p.present) || l2_goes_through(s, &a);
    if (to_memory && !l2_has_memory_room(s, a.addr)) {
        s->head_wait = HEAD_WAITS_MEMORY;
        return false;
    }
    switch (p.verdict) {
    case CACHE_HIT:
        cache_apply(&s->c, &p, &a, &v);
        l2_serve(s, req, p.line);
        break;
    case CACHE_MERGE:
        cache_apply(&s->c, &p, &a, &v);
        mshr_wait(&s->c.mshr, p.entry, req);
        break;
    case CACHE_MISS: start_fetch(s, req, &a, &p, now); break;
    case CACHE_ALLOCATE:
        recall_victim(s, &p);
        cache_apply(&s->c, &p, &a, &v);
        l2_send_writebacks(s, v.tag, v.dirty, MSHR_NONE);
        l2_serve(s, req, p.line);
        break;
    case CACHE_PASS:
        cache_apply(&s->c, &p, &a, &v);
        l2_pass_by(s, req);
        break;
    case CACHE_STALL_MSHR:
    case CACHE_STALL_MERGE:
    case CACHE_STALL_LINE: return is_refused(s, req);
    }
    l2_count(s, &s->w->reqs->item[req], &p);
    if (p.verdict == CACHE_MISS) l2_side_missed(s, req, now);
    return true;
}

static void replace_evicted(struct l2_slice *s, uint32_t entry, uint64_t now)
{
    (void)s, (void)entry, (void)now; /* no request waits for a victim here */
}

/* Notes which store's data a fill has brought. Where partitions are L2s of their own, a read is
 * served what its own L2 was last given or has written. */
static void note_version(struct l2_slice *s, uint32_t line, uint64_t addr, uint32_t version)
{
    s->c.version[(size_t)line * s->c.sectors + cache_sector(&s->c, addr)] = version;
    if (l2_are_several(s->p)) shadow_put(s->w->shadow, s->seen, cache_key(&s->c, addr), version);
}

static void replace_fill(struct l2_slice *s, uint32_t entry, uint32_t version, uint64_t now)
{
    struct mshr_entry *e = &s->c.mshr.entry[entry];
    uint64_t addr = e->key << s->c.sector_shift;
    l2_count_fetch_time(s, s->c.mshr.since[entry], now);
    l2_fill_bank(s, addr, now);
    bool written = SHADOW_ON && cache_written(&s->c, addr);
    struct victim v;
    uint32_t line = cache_fill(&s->c, entry, &v), req;
    if (v.dirty) l2_send_writebacks(s, v.tag, v.dirty, MSHR_NONE);
    if (SHADOW_ON && line != LINE_NONE && !written) note_version(s, line, addr, version);
    while (mshr_next_waiter(&s->c.mshr, entry, &req)) {
        struct req *r = &s->w->reqs->item[req];
        struct access a = l2_access_of(s, r);
        if (line == LINE_NONE && a.kind != ACCESS_READ) {
            l2_pass_by(s, req);
            continue;
        }
        if (line == LINE_NONE) {
            r->version = version;
            l2_reply(s, req, REPLY_DATA);
            continue;
        }
        if (a.kind != ACCESS_READ) cache_write_bytes(&s->c, line, &a);
        l2_serve(s, req, line);
    }
    mshr_release(&s->c.mshr, entry);
}

const struct miss_ops miss_replace = {.name = "replace_at_once",
                                      .access = replace_access,
                                      .fetch_ahead = replace_fetch_ahead,
                                      .evicted = replace_evicted,
                                      .fill = replace_fill};
