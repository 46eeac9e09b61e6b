/* l2_miss_replace.c - the victim is evicted at the miss: the line is reserved for the fill, and the
 * write-back follows. If no MSHR, no unreserved line or no room towards memory is available, the
 * head waits (GPGPU-Sim's reservation fail; Khairy II); with l2.nack it is rejected for the first
 * two (Candel 4.5.1). */
#include "detailed/l2/back_invalidate.h"
#include "detailed/l2/l2_side.h"
#include "detailed/l2/l2_trains.h"

/* Invalidates the L1s' copies of the victim. */
static void recall_victim(struct l2_slice *s, const struct access_plan *p)
{
    if (s->p->inclusion == INCLUSION_NONE || p->present || p->line == LINE_NONE) return;
    const struct cache_line *l = &s->c.line[p->line];
    if (l->resident) back_invalidate_begin(s, l->tag, MSHR_NONE);
}

static bool wait_for(struct l2_slice *s, uint32_t entry, uint32_t req)
{
    struct req *r = &s->w->reqs->item[req];
    if (l2_more(s, r)) r->open++;
    return mshr_wait(&s->c.mshr, entry, req);
}

/* Begins the fetch that a plan demands. req: who waits for it, REQ_NONE: nobody. */
static void start_fetch(struct l2_slice *s, uint32_t req, const struct access *a,
                        const struct access_plan *p, uint64_t now)
{
    struct victim v;
    recall_victim(s, p);
    uint32_t entry = cache_apply(&s->c, p, a, &v);
    if (entry == MSHR_NONE || (req != REQ_NONE && !wait_for(s, entry, req))) return;
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
    s->head_wait = nack ? HEAD_GOES : HEAD_WAITS_FILL;
    if (nack) l2_nack(s, req);
    return nack;
}

/* Decides those of a request's next sectors that have one verdict; left: how many there are, 0: it
 * is for one. */
static inline __attribute__((always_inline)) bool
access_part(struct l2_slice *s, uint32_t req, struct access *a, uint32_t left, uint64_t now)
{
    struct req *r = &s->w->reqs->item[req];
    struct access_plan p;
    struct victim v;
    cache_plan_into(&s->c, a, &p);
    bool to_memory = p.verdict == CACHE_MISS || p.verdict == CACHE_PASS ||
                     (p.verdict == CACHE_ALLOCATE && !p.present) || l2_goes_through(s, a);
    if (to_memory && !l2_has_memory_room(s, a->addr)) {
        l2_wait_for_memory(s, a->addr);
        return false;
    }
    if (left && p.verdict < CACHE_STALL_MSHR) l2_begin_part(r, left, p.more);
    a->more = p.more;
    switch (p.verdict) {
    case CACHE_HIT:
        cache_apply(&s->c, &p, a, &v);
        l2_serve_part(s, req, a, p.line);
        break;
    case CACHE_MERGE:
        cache_apply(&s->c, &p, a, &v);
        wait_for(s, p.entry, req);
        break;
    case CACHE_MISS: start_fetch(s, req, a, &p, now); break;
    case CACHE_ALLOCATE:
        recall_victim(s, &p);
        cache_apply(&s->c, &p, a, &v);
        l2_send_writebacks(s, v.tag, v.dirty, MSHR_NONE);
        l2_serve_part(s, req, a, p.line);
        break;
    case CACHE_PASS:
        cache_apply(&s->c, &p, a, &v);
        l2_pass_by(s, req);
        break;
    case CACHE_STALL_MSHR:
    case CACHE_STALL_MERGE:
    case CACHE_STALL_LINE: return is_refused(s, req);
    }
    r = &s->w->reqs->item[req]; /* questions to L1s may have moved the pool */
    if (left || !r->counted) l2_count_part(s, r, a->addr, &p);
    r->counted = true;
    if (p.verdict == CACHE_MISS) l2_side_missed(s, req, now);
    return true;
}

/* Decides the next sectors of a request for several, as many as may be looked up at once. */
static bool access_sectors(struct l2_slice *s, uint32_t req, uint32_t more, uint64_t now)
{
    const struct req *r = &s->w->reqs->item[req];
    for (uint32_t end = r->looked_up + s->at_once; r->looked_up < end;) {
        struct access a = l2_part_of(s, r, r->looked_up, end - 1 - r->looked_up);
        if (!access_part(s, req, &a, more + 1 - r->looked_up, now)) return false;
    }
    return true;
}

static bool replace_access(struct l2_slice *s, uint32_t req, uint64_t now)
{
    uint32_t more = l2_more(s, &s->w->reqs->item[req]);
    if (more) return access_sectors(s, req, more, now);
    struct access a = l2_access_of(s, &s->w->reqs->item[req]);
    return access_part(s, req, &a, 0, now);
}

static void replace_evicted(struct l2_slice *s, uint32_t entry, uint64_t now)
{
    (void)s, (void)entry, (void)now; /* no request waits for a victim here */
}

/* Notes which stores' data a fill has brought where none were written; only this slice writes to
 * the sectors below. Where partitions are L2s of their own, a read is served what its own L2 was
 * last given or has written. */
static void note_versions(struct l2_slice *s, uint32_t line, uint32_t entry, uint32_t version,
                          uint32_t written)
{
    const struct mshr_entry *e = &s->c.mshr.entry[entry];
    uint32_t first = cache_sector(&s->c, e->key << s->c.sector_shift);
    for (uint32_t k = 0; k <= e->more; k++) {
        if (written >> k & 1) continue;
        if (k) version = shadow_get(s->w->shadow, &s->w->shadow->memory, e->key + k);
        s->c.version[(size_t)line * s->c.sectors + first + k] = version;
        if (l2_are_several(s->p)) shadow_put(s->w->shadow, s->seen, e->key + k, version);
    }
}

/* The part of a waiting request that a fill brings. */
static struct access part_filled(const struct l2_slice *s, const struct req *r,
                                 const struct mshr_entry *e)
{
    uint64_t first = cache_key(&s->c, r->addr), end = first + l2_more(s, r);
    uint64_t from = first > e->key ? first : e->key;
    uint64_t to = end < e->key + e->more ? end : e->key + e->more;
    return l2_part_of(s, r, (uint32_t)(from - first), (uint32_t)(to - from));
}

static void replace_fill(struct l2_slice *s, uint32_t entry, uint32_t version, uint64_t now)
{
    struct mshr_entry *e = &s->c.mshr.entry[entry];
    uint64_t addr = e->key << s->c.sector_shift;
    l2_count_fetch_time(s, entry, now);
    l2_fill_bank(s, addr, now);
    uint32_t written = SHADOW_ON ? cache_written(&s->c, addr) : 0;
    struct victim v;
    uint32_t line = cache_fill(&s->c, entry, &v), req;
    if (v.dirty) l2_send_writebacks(s, v.tag, v.dirty, MSHR_NONE);
    if (SHADOW_ON && line != LINE_NONE) note_versions(s, line, entry, version, written);
    while (mshr_next_waiter(&s->c.mshr, entry, &req)) {
        struct req *r = &s->w->reqs->item[req];
        struct access a = l2_more(s, r) ? part_filled(s, r, e) : l2_access_of(s, r);
        if (l2_more(s, r)) r->fetched = --r->open == 0;
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
        l2_serve_part(s, req, &a, line);
    }
    mshr_release(&s->c.mshr, entry);
}

const struct miss_ops miss_replace = {.name = "replace_at_once",
                                      .access = replace_access,
                                      .fetch_ahead = replace_fetch_ahead,
                                      .evicted = replace_evicted,
                                      .fill = replace_fill};
