/* miss_conventional.c - conventional L2 miss management (Candel 5.4, 6.4.1; mechanisms 2).
 *
 * A miss chooses its victim's line and puts it in transition; then, strictly in sequence, the
 * victim is evicted (written back if dirty; a clean one announces itself if clean_victim_notice),
 * the block fetched, the line filled and its queue woken.  Until the eviction is over, loads of the
 * victim still hit. Victim: `lru` takes the LRU line even if that is in transition, and waits in
 * its queue; `lru_ext` takes the LRU line among the others and waits only if there is none. A full
 * MSHR file sends the request back (NACK; Candel 4.5.1). The L2 is not inclusive: there are no L1
 * copies to invalidate.
 *
 * Requests that wait at a line look again when it leaves transition, in order and without a new
 * look-up.  All that want one block wait at the same line: none finds a victim elsewhere and goes
 * ahead of older ones. */
#include "detailed/cache/l2.h"

enum phase { PHASE_EVICT, PHASE_FETCH };

static void wait_at_line(struct l2_slice *s, uint32_t req, uint32_t line)
{
    struct req *pool = s->w->reqs->item;
    if (!pool[req].waited) s->s.line_waits++;
    pool[req].waited = true;
    pool[req].next = REQ_NONE;
    if (s->wait_head[line] == REQ_NONE)
        s->wait_head[line] = req;
    else
        pool[s->wait_tail[line]].next = req;
    s->wait_tail[line] = req;
    s->waiting++;
    if (!linemap_put(&s->waits_at, cache_tag(&s->c, pool[req].addr), line)) s->no_memory = true;
}

static void wake_line(struct l2_slice *s, uint32_t line)
{
    uint32_t req = s->wait_head[line];
    s->wait_head[line] = s->wait_tail[line] = REQ_NONE;
    while (req != REQ_NONE) {
        const struct req *r = &s->w->reqs->item[req];
        uint32_t next = r->next;
        linemap_del(&s->waits_at, cache_tag(&s->c, r->addr));
        if (!fifo_push(&s->woken, 0, req)) s->no_memory = true;
        s->waiting--;
        req = next;
    }
}

static void merge(struct l2_slice *s, uint32_t req, const struct plan *p)
{
    if (!mshr_can_merge(&s->c.mshr, p->entry)) {
        s->c.mshr.s.stall_merge++;
        l2_nack(s, req);
        return;
    }
    if (!mshr_wait(&s->c.mshr, p->entry, req)) s->no_memory = true;
    struct plan merged = *p;
    merged.verdict = CACHE_MERGE;
    l2_count(s, &s->w->reqs->item[req], &merged);
}

static void fetch(struct l2_slice *s, uint32_t entry, uint64_t now)
{
    struct mshr_entry *e = &s->c.mshr.entry[entry];
    e->phase = PHASE_FETCH;
    s->c.mshr.since[entry] = now;
    s->c.line[e->line].pending |= (uint8_t)(1u << cache_sector(&s->c, e->key << s->c.sector_shift));
    l2_send_fetch(s, entry);
}

static bool needs_fetch(const struct l2_slice *s, uint32_t req)
{
    return s->w->reqs->item[req].kind != REQ_WRITE || s->c.p.write_miss == WRITE_MISS_FETCH;
}

/* The stores that came first have their line now; were they to look again like the others, others
 * could take the line from them, for ever. */
static void serve_stores(struct l2_slice *s, uint32_t entry, uint32_t line)
{
    bool first = true;
    uint32_t req;
    while (mshr_next_waiter(&s->c.mshr, entry, &req)) {
        struct access a = l2_access_of(s, &s->w->reqs->item[req]);
        first = first && a.kind == ACCESS_WRITE;
        if (first) {
            cache_write_bytes(&s->c, line, &a);
            l2_serve(s, req, line);
        } else if (!fifo_push(&s->woken, 0, req)) {
            s->no_memory = true;
        }
    }
}

static void conventional_evicted(struct l2_slice *s, uint32_t entry, uint64_t now)
{
    struct mshr_entry *e = &s->c.mshr.entry[entry];
    uint32_t line = e->line;
    struct victim v;
    cache_take(&s->c, line, cache_tag(&s->c, e->key << s->c.sector_shift), &v);
    s->c.line[line].transient = true;
    if (needs_fetch(s, mshr_first_waiter(&s->c.mshr, entry))) {
        s->s.eviction_cycles += now - s->c.mshr.since[entry];
        fetch(s, entry, now);
        return;
    }
    s->c.line[line].transient = false;
    serve_stores(s, entry, line);
    mshr_release(&s->c.mshr, entry);
    wake_line(s, line);
}

static void start_miss(struct l2_slice *s, uint32_t req, const struct access *a, uint32_t line,
                       uint64_t now)
{
    struct cache_line *l = &s->c.line[line];
    bool evict = l->resident && (l->dirty || s->p->clean_victim_notice);
    if (!evict && !needs_fetch(s, req)) {
        struct victim v;
        cache_take(&s->c, line, cache_tag(&s->c, a->addr), &v);
        cache_write_bytes(&s->c, line, a);
        l2_serve(s, req, line);
        return;
    }
    uint32_t entry = mshr_alloc(&s->c.mshr, cache_key(&s->c, a->addr));
    if (entry == MSHR_NONE || !mshr_wait(&s->c.mshr, entry, req)) {
        s->no_memory = true;
        return;
    }
    struct mshr_entry *e = &s->c.mshr.entry[entry];
    e->line = line;
    s->c.mshr.since[entry] = now;
    e->phase = PHASE_EVICT;
    l->transient = true;
    s->c.repl.ops->claim(&s->c.repl, line / s->c.p.ways, line % s->c.p.ways);
    if (!evict) {
        conventional_evicted(s, entry, now);
    } else if (l->dirty) {
        l2_send_writebacks(s, l->tag, l->dirty, entry);
    } else {
        struct mem_op op = {.addr = l->tag << s->c.line_shift,
                            .entry = entry,
                            .bytes = s->c.p.sector_bytes,
                            .slice = (uint16_t)s->id,
                            .kind = MEM_NOTICE};
        uint32_t channel = memory_send(s->w->memory, &op);
        if (channel == UINT32_MAX)
            s->no_memory = true;
        else
            s->w->memory_due(s->w->ctx, channel);
    }
}

/* The block is not there: find it a line, or wait for one. */
static void miss(struct l2_slice *s, uint32_t req, const struct access *a, struct plan *p,
                 uint64_t now)
{
    if (p->entry != MSHR_NONE) {
        merge(s, req, p);
        return;
    }
    if (!mshr_has_room(&s->c.mshr)) {
        s->c.mshr.s.stall_full++;
        l2_nack(s, req);
        return;
    }
    uint64_t tag = cache_tag(&s->c, a->addr);
    uint32_t line =
        s->p->victim_rule == VICTIM_LRU_EXT ? cache_victim(&s->c, tag, false) : LINE_NONE;
    if (line == LINE_NONE) line = cache_victim(&s->c, tag, true);
    if (s->c.line[line].transient || s->c.line[line].pending) {
        wait_at_line(s, req, line);
        return;
    }
    p->verdict = needs_fetch(s, req) ? CACHE_MISS : CACHE_ALLOCATE;
    l2_count(s, &s->w->reqs->item[req], p);
    start_miss(s, req, a, line, now);
}

/* A sector of a resident line that is not in transition. */
static void resident(struct l2_slice *s, uint32_t req, const struct access *a, const struct plan *p,
                     uint64_t now)
{
    struct victim v;
    l2_count(s, &s->w->reqs->item[req], p);
    uint32_t entry = cache_apply(&s->c, p, a, &v);
    if (p->verdict != CACHE_MISS) {
        l2_serve(s, req, p->line);
        return;
    }
    if (entry == MSHR_NONE || !mshr_wait(&s->c.mshr, entry, req))
        s->no_memory = true;
    else
        fetch(s, entry, now);
}

/* A store to the block waits at the line: a load that came behind it must not pass. */
static bool store_waits(const struct l2_slice *s, uint32_t line, uint64_t addr)
{
    const struct req *pool = s->w->reqs->item;
    for (uint32_t i = s->wait_head[line]; i != REQ_NONE; i = pool[i].next)
        if (pool[i].kind != REQ_READ && cache_tag(&s->c, pool[i].addr) == cache_tag(&s->c, addr))
            return true;
    return false;
}

/* The line at which older requests for the block wait. */
static uint32_t waits_where(const struct l2_slice *s, uint64_t addr)
{
    const uint32_t *line = s->waiting ? linemap_get(&s->waits_at, cache_tag(&s->c, addr)) : NULL;
    return line ? *line : LINE_NONE;
}

static bool conventional_access(struct l2_slice *s, uint32_t req, uint64_t now)
{
    struct access a = l2_access_of(s, &s->w->reqs->item[req]);
    struct plan p = cache_plan(&s->c, &a);
    bool transient = p.present && s->c.line[p.line].transient;
    bool passes = a.kind == ACCESS_READ && (p.verdict == CACHE_HIT || p.verdict == CACHE_MERGE) &&
                  !(transient && store_waits(s, p.line, a.addr));
    uint32_t line = transient ? p.line : waits_where(s, a.addr);
    if (line != LINE_NONE && !(transient && passes)) {
        wait_at_line(s, req, line);
        return true;
    }
    bool here = p.verdict == CACHE_HIT || p.verdict == CACHE_MERGE ||
                (p.verdict == CACHE_ALLOCATE && p.present);
    if ((!here || l2_goes_through(s, &a)) && !l2_has_memory_room(s, a.addr)) return false;
    switch (p.verdict) {
    case CACHE_HIT: resident(s, req, &a, &p, now); break;
    case CACHE_MERGE:
    case CACHE_STALL_MERGE: merge(s, req, &p); break;
    case CACHE_MISS:
    case CACHE_ALLOCATE:
        if (p.present)
            resident(s, req, &a, &p, now);
        else
            miss(s, req, &a, &p, now);
        break;
    case CACHE_STALL_MSHR:
    case CACHE_STALL_LINE: miss(s, req, &a, &p, now); break;
    case CACHE_PASS:
        if (p.entry !=
            MSHR_NONE) { /* behind the fill in flight, else the fill would undo the store */
            merge(s, req, &p);
            break;
        }
        l2_count(s, &s->w->reqs->item[req], &p);
        l2_pass_by(s, req);
        break;
    }
    return true;
}

static void conventional_fill(struct l2_slice *s, uint32_t entry, uint32_t version, uint64_t now)
{
    struct mshr_entry *e = &s->c.mshr.entry[entry];
    if (e->phase == PHASE_EVICT) {
        conventional_evicted(s, entry, now);
        return;
    }
    l2_count_fetch_time(s, s->c.mshr.since[entry], now);
    uint64_t addr = e->key << s->c.sector_shift;
    l2_fill_bank(s, addr, now);
    uint32_t sector = cache_sector(&s->c, addr), req;
    bool written = SHADOW_ON && cache_written(&s->c, addr);
    struct victim v;
    uint32_t line = cache_fill(&s->c, entry, &v);
    if (SHADOW_ON && !written) s->c.version[(size_t)line * s->c.sectors + sector] = version;
    s->c.line[line].transient = false;
    while (mshr_next_waiter(&s->c.mshr, entry, &req)) {
        struct access a = l2_access_of(s, &s->w->reqs->item[req]);
        if (a.kind != ACCESS_READ) cache_write_bytes(&s->c, line, &a);
        l2_serve(s, req, line);
    }
    mshr_release(&s->c.mshr, entry);
    wake_line(s, line);
}

const struct miss_ops miss_conventional = {.name = "conventional",
                                           .access = conventional_access,
                                           .evicted = conventional_evicted,
                                           .fill = conventional_fill};
