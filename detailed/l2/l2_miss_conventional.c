/* l2_miss_conventional.c - conventional L2 miss management (Candel 5.4, 6.4.1).
 *
 * A miss chooses its victim's line and puts it in transition; then, strictly in sequence, L1 copies
 * of the victim are invalidated where they are recorded, the victim is evicted (l2_eviction.c), the
 * block is fetched, and the line is filled and its queue woken. Until the eviction has ended, loads
 * of the victim still hit (victim_hit).
 *
 * Victim: `lru` takes the LRU line even if that is in transition, and waits in its queue; `lru_ext`
 * takes the LRU line among the others and waits only if there is none. A full MSHR file rejects the
 * request (NACK; Candel 4.5.1). With side structures, an FRC entry takes a miss that would evict
 * (l2_miss_frc.c), and a block in the victim cache is not fetched but exchanged with the victim.
 *
 * Requests that wait at a line are decided again when it leaves transition, in order and without a
 * new look-up. All requests for one block wait at the same line, so that none finds a victim
 * elsewhere and passes older ones.
 *
 * Of a line with sectors, the first miss evicts the victim and fetches its sector. Once the victim
 * has left, those that wait at the line are decided again, and misses of other sectors fetch these;
 * the line leaves transition with the first sector that arrives. */
#include "detailed/l2/l2_miss_internal.h"

void l2_set_transient(struct l2_slice *s, uint32_t line, bool on)
{
    struct cache_line *l = &s->c.line[line];
    uint16_t *n = &s->in_transit[cache_set_of_line(&s->c, line)];
    if (l->transient == on) return;
    l->transient = on;
    *n = (uint16_t)(on ? *n + 1 : *n - 1);
}

static void l2_wait_at(struct l2_slice *s, uint32_t req, uint32_t wait)
{
    struct req *pool = s->w->reqs->item;
    if (!pool[req].waited && wait < s->c.n_lines) s->s.line_waits++;
    pool[req].waited = true;
    pool[req].next = REQ_NONE;
    if (s->wait_head[wait] == REQ_NONE)
        s->wait_head[wait] = req;
    else
        pool[s->wait_tail[wait]].next = req;
    s->wait_tail[wait] = req;
    s->waiting++;
    hash_map_put(&s->waits_at, cache_tag(&s->c, pool[req].addr), wait);
}

void l2_wake(struct l2_slice *s, uint32_t wait)
{
    uint32_t req = s->wait_head[wait];
    s->wait_head[wait] = s->wait_tail[wait] = REQ_NONE;
    while (req != REQ_NONE) {
        const struct req *r = &s->w->reqs->item[req];
        uint32_t next = r->next;
        hash_map_del(&s->waits_at, cache_tag(&s->c, r->addr));
        fifo_push(&s->woken, 0, req);
        s->waiting--;
        req = next;
    }
}

void l2_wake_line(struct l2_slice *s, uint32_t line, uint64_t now)
{
    l2_wake(s, line);
    l2_side_line_ready(s, now);
}

static void merge_request(struct l2_slice *s, uint32_t req, const struct access_plan *p)
{
    if (!mshr_can_merge(&s->c.mshr, p->entry)) {
        l2_nack(s, req);
        return;
    }
    mshr_wait(&s->c.mshr, p->entry, req);
    L2_EACH_SIDE(s, o)
    if (o->merged) o->merged(s, p->entry);
    struct access_plan merged = *p;
    merged.verdict = CACHE_MERGE;
    l2_count(s, &s->w->reqs->item[req], &merged);
}

static void fetch_block(struct l2_slice *s, uint32_t entry, uint64_t now)
{
    struct mshr_entry *e = &s->c.mshr.entry[entry];
    e->phase = STAGE_FETCH;
    s->c.mshr.since[entry] = now;
    s->c.line[e->line].pending |= (uint8_t)(1u << cache_sector(&s->c, e->key << s->c.sector_shift));
    l2_send_fetch(s, entry);
}

static bool needs_fetch(const struct l2_slice *s, uint32_t req)
{
    return s->w->reqs->item[req].kind != REQ_WRITE || s->c.p.write_miss == WRITE_MISS_FETCH;
}

/* Serves the stores at the head of the entry's waiters. If they were decided again like the others,
 * other requests could take the line from them for ever. */
static void serve_stores(struct l2_slice *s, uint32_t entry, uint32_t line)
{
    const struct mshr *m = &s->c.mshr;
    while (m->entry[entry].waiters &&
           s->w->reqs->item[mshr_first_waiter(m, entry)].kind == REQ_WRITE)
        l2_serve_waiter(s, entry, line);
    l2_look_again(s, entry);
}

void l2_line_evicted(struct l2_slice *s, uint32_t entry, uint64_t now)
{
    struct mshr_entry *e = &s->c.mshr.entry[entry];
    uint32_t line = e->line;
    uint64_t tag = cache_tag(&s->c, e->key << s->c.sector_shift);
    bool fetches = !e->waiters || needs_fetch(s, mshr_first_waiter(&s->c.mshr, entry));
    bool refused = fetches && e->waiters && l2_memory_refuses(s, tag);
    struct victim v;
    l2_set_transient(s, line, false);
    cache_take(&s->c, line, tag, &v);
    if (refused) cache_vacate(&s->c, line);
    l2_set_transient(s, line, true);
    if (fetches) s->s.eviction_cycles += now - s->c.mshr.since[entry];
    if (refused) {
        l2_refuse(s, l2_handle_mshr(entry), now);
        return;
    }
    if (fetches) {
        fetch_block(s, entry, now);
        if (s->c.sectors > 1) l2_wake(s, line); /* other sectors' fetches need not wait */
        return;
    }
    l2_set_transient(s, line, false);
    serve_stores(s, entry, line);
    mshr_release(&s->c.mshr, entry);
    l2_wake_line(s, line, now);
}

uint32_t l2_open_entry(struct l2_slice *s, uint32_t req, const struct access *a, uint64_t now)
{
    uint32_t entry = mshr_alloc(&s->c.mshr, cache_key(&s->c, a->addr));
    if (entry == MSHR_NONE || !mshr_wait(&s->c.mshr, entry, req)) return MSHR_NONE;
    s->c.mshr.since[entry] = now;
    return entry;
}

void l2_claim_line(struct l2_slice *s, uint32_t entry, uint32_t line)
{
    s->c.mshr.entry[entry].line = line;
    l2_set_transient(s, line, true);
    s->c.repl.ops->claim(&s->c.repl, line / s->c.p.ways, line % s->c.p.ways);
}

static void start_miss(struct l2_slice *s, uint32_t req, const struct access *a, uint32_t line,
                       uint64_t now)
{
    struct cache_line *l = &s->c.line[line];
    bool evict = l->resident && l2_eviction_takes_time(s, l->tag, l->dirty);
    if (!evict && !needs_fetch(s, req)) {
        struct victim v;
        cache_take(&s->c, line, cache_tag(&s->c, a->addr), &v);
        cache_write_bytes(&s->c, line, a);
        l2_serve(s, req, line);
        return;
    }
    uint32_t entry = l2_open_entry(s, req, a, now);
    if (entry == MSHR_NONE) return;
    l2_claim_line(s, entry, line);
    if (evict)
        l2_eviction_begin(s, l2_handle_mshr(entry), now);
    else
        l2_line_evicted(s, entry, now);
}

static void look_at_set(struct l2_slice *s, uint32_t req, uint64_t tag)
{
    uint32_t in_transit = s->in_transit[cache_set(&s->c, tag)];
    if (s->w->reqs->item[req].waited) return; /* it has been counted before */
    s->s.set_looks++;
    s->s.set_transit += in_transit;
    s->s.set_full += in_transit == s->c.p.ways;
}

uint32_t l2_find_victim(const struct l2_slice *s, uint64_t tag)
{
    uint32_t line =
        s->p->victim_rule == VICTIM_LRU_EXT ? cache_victim(&s->c, tag, false) : LINE_NONE;
    return line == LINE_NONE ? cache_victim(&s->c, tag, true) : line;
}

void l2_put_off(struct l2_slice *s, uint32_t req, uint32_t wait)
{
    if (s->p->line_wait == LINE_WAIT_NACK && !l2_was_let_in(s, &s->w->reqs->item[req]))
        l2_nack(s, req);
    else
        l2_wait_at(s, req, wait);
}

/* Handles a miss: finds the block a line or a place beside the lines, or waits for a line. */
static void take_miss(struct l2_slice *s, uint32_t req, const struct access *a,
                      struct access_plan *p, uint64_t now)
{
    if (p->entry != MSHR_NONE) {
        merge_request(s, req, p);
        return;
    }
    if (!mshr_has_room(&s->c.mshr)) {
        l2_nack(s, req);
        return;
    }
    uint64_t tag = cache_tag(&s->c, a->addr);
    uint32_t line = l2_find_victim(s, tag);
    if (line == LINE_NONE) { /* every line of the set has a locked block */
        l2_nack(s, req);
        return;
    }
    look_at_set(s, req, tag);
    p->verdict = needs_fetch(s, req) ? CACHE_MISS : CACHE_ALLOCATE;
    bool early = p->verdict == CACHE_MISS && s->c.line[line].resident;
    if (early && l2_side_takes_miss(s, req, a, line, now)) {
        l2_count(s, &s->w->reqs->item[req], p);
        l2_side_missed(s, req, now);
        return;
    }
    if (s->c.line[line].transient || s->c.line[line].pending) {
        l2_put_off(s, req, line);
        return;
    }
    l2_count(s, &s->w->reqs->item[req], p);
    start_miss(s, req, a, line, now);
    if (p->verdict == CACHE_MISS) l2_side_missed(s, req, now);
}

/* Handles an access to a resident line that is not in transition. */
static void access_resident(struct l2_slice *s, uint32_t req, const struct access *a,
                            const struct access_plan *p, uint64_t now)
{
    struct victim v;
    l2_count(s, &s->w->reqs->item[req], p);
    uint32_t entry = cache_apply(&s->c, p, a, &v);
    if (p->verdict != CACHE_MISS) {
        l2_serve(s, req, p->line);
        return;
    }
    if (entry == MSHR_NONE || !mshr_wait(&s->c.mshr, entry, req)) return;
    fetch_block(s, entry, now);
    l2_side_missed(s, req, now);
}

/* Whether a store to the block waits at the line; a later load must not pass it. */
static bool store_waits(const struct l2_slice *s, uint32_t line, uint64_t addr)
{
    const struct req *pool = s->w->reqs->item;
    for (uint32_t i = s->wait_head[line]; i != REQ_NONE; i = pool[i].next)
        if (pool[i].kind != REQ_READ && cache_tag(&s->c, pool[i].addr) == cache_tag(&s->c, addr))
            return true;
    return false;
}

/* The place where older requests for the block wait; LINE_NONE: there are none. */
static uint32_t waits_where(const struct l2_slice *s, uint64_t addr)
{
    const uint32_t *at = s->waiting ? hash_map_get(&s->waits_at, cache_tag(&s->c, addr)) : NULL;
    return at ? *at : LINE_NONE;
}

/* The line that a miss of another sector has taken for the tag, whose victim is leaving it;
 * LINE_NONE: none. */
static uint32_t taken_for_sibling(const struct l2_slice *s, uint64_t tag)
{
    uint64_t key = tag << (s->c.line_shift - s->c.sector_shift);
    for (uint32_t k = 0; s->c.sectors > 1 && k < s->c.sectors; k++) {
        uint32_t entry = mshr_find(&s->c.mshr, key + k);
        if (entry != MSHR_NONE) return s->c.mshr.entry[entry].line;
    }
    return LINE_NONE;
}

/* Whether the line is in transition and has its victim's block, not yet its own. */
static bool is_being_evicted(const struct l2_slice *s, uint32_t line)
{
    return s->c.line[line].transient && !s->c.line[line].pending;
}

/* The place where a request must wait before anything else; LINE_NONE: none. */
static uint32_t must_wait_at(const struct l2_slice *s, const struct access *a,
                             const struct access_plan *p)
{
    uint64_t tag = cache_tag(&s->c, a->addr);
    uint32_t leaving = p->present ? LINE_NONE : l2_side_leaving(s, tag);
    bool transient = p->present && s->c.line[p->line].transient;
    bool other_sector = transient && s->c.sectors > 1 && !is_being_evicted(s, p->line);
    if (!transient || (other_sector && p->entry == MSHR_NONE)) {
        uint32_t where = leaving != LINE_NONE ? leaving : waits_where(s, a->addr);
        bool opens = where == LINE_NONE && !p->present && p->entry == MSHR_NONE;
        return opens ? taken_for_sibling(s, tag) : where;
    }
    /* a directory must not add copies of a line that the L2 is about to lose */
    bool loads = s->p->victim_hit == VICTIM_HIT_LOADS && !s->c.keeps;
    bool victim = p->verdict == CACHE_HIT && loads;
    bool passes = a->kind == ACCESS_READ && (victim || p->verdict == CACHE_MERGE) &&
                  !store_waits(s, p->line, a->addr);
    return passes ? LINE_NONE : p->line;
}

/* Whether an access to a block that is being evicted is rejected. */
static bool is_refused(const struct l2_slice *s, const struct access *a,
                       const struct access_plan *p)
{
    return s->p->victim_hit == VICTIM_HIT_NACK && p->present && is_being_evicted(s, p->line) &&
           p->entry == MSHR_NONE && waits_where(s, a->addr) == LINE_NONE;
}

/* false: the request must stay at the head. */
static bool decide_request(struct l2_slice *s, uint32_t req, const struct access *a,
                           struct access_plan *p, uint64_t now)
{
    if (is_refused(s, a, p)) {
        l2_nack(s, req);
        return true;
    }
    uint32_t wait = must_wait_at(s, a, p);
    if (wait != LINE_NONE) {
        l2_put_off(s, req, wait);
        return true;
    }
    if (!p->present && p->entry == MSHR_NONE && l2_side_serves(s, req, a, now)) return true;
    bool here = p->verdict == CACHE_HIT || p->verdict == CACHE_MERGE ||
                (p->verdict == CACHE_ALLOCATE && p->present);
    bool waits = p->present || p->verdict == CACHE_PASS || s->p->memory_full == MEMORY_FULL_WAIT;
    if (((!here && waits) || l2_goes_through(s, a)) && !l2_has_memory_room(s, a->addr)) {
        l2_wait_for_memory(s, a->addr);
        return false;
    }
    switch (p->verdict) {
    case CACHE_HIT: access_resident(s, req, a, p, now); break;
    case CACHE_MERGE:
    case CACHE_STALL_MERGE: merge_request(s, req, p); break;
    case CACHE_MISS:
    case CACHE_ALLOCATE:
        if (p->present)
            access_resident(s, req, a, p, now);
        else
            take_miss(s, req, a, p, now);
        break;
    case CACHE_STALL_MSHR:
    case CACHE_STALL_LINE: take_miss(s, req, a, p, now); break;
    case CACHE_PASS:
        if (p->entry !=
            MSHR_NONE) { /* it waits for the fill in flight, which would otherwise undo the store */
            merge_request(s, req, p);
            break;
        }
        l2_count(s, &s->w->reqs->item[req], p);
        l2_pass_by(s, req);
        break;
    }
    return true;
}

static bool conventional_access(struct l2_slice *s, uint32_t req, uint64_t now)
{
    struct access a = l2_access_of(s, &s->w->reqs->item[req]);
    struct access_plan p = cache_plan(&s->c, &a);
    bool looks = !p.present && !s->w->reqs->item[req].waited;
    if (!decide_request(s, req, &a, &p, now)) return false;
    L2_EACH_SIDE(s, o)
    if (looks && o->looked_up) o->looked_up(s);
    return true;
}

/* Whether a block that nobody has asked for may take that line at once. */
static bool is_free(const struct l2_slice *s, uint32_t line, bool present)
{
    const struct cache_line *l = line == LINE_NONE ? NULL : &s->c.line[line];
    if (!l || l->transient || (l->pending && !present)) return false;
    return present || !l->resident || !l2_eviction_takes_time(s, l->tag, l->dirty);
}

static bool conventional_fetch_ahead(struct l2_slice *s, uint64_t addr, uint64_t now)
{
    struct access a = {.addr = addr, .kind = ACCESS_READ};
    struct access_plan p = cache_plan(&s->c, &a);
    struct victim v;
    uint64_t tag = cache_tag(&s->c, addr);
    if (p.entry != MSHR_NONE || !mshr_has_room(&s->c.mshr) || !l2_has_memory_room(s, addr) ||
        l2_side_holds(s, tag) || waits_where(s, addr) != LINE_NONE ||
        (!p.present && taken_for_sibling(s, tag) != LINE_NONE))
        return false;
    if (p.verdict != CACHE_MISS && p.verdict != CACHE_STALL_LINE) return false;
    uint32_t line = p.present ? p.line : l2_find_victim(s, tag);
    if (!is_free(s, line, p.present)) return false;
    uint32_t entry =
        p.present ? cache_apply(&s->c, &p, &a, &v) : mshr_alloc(&s->c.mshr, cache_key(&s->c, addr));
    if (entry == MSHR_NONE) return false;
    s->c.mshr.since[entry] = now;
    if (p.present) {
        fetch_block(s, entry, now);
        return true;
    }
    l2_claim_line(s, entry, line);
    l2_line_evicted(s, entry, now);
    return true;
}

static void conventional_fill(struct l2_slice *s, uint32_t entry, uint32_t version, uint64_t now)
{
    struct mshr_entry *e = &s->c.mshr.entry[entry];
    if (e->phase < STAGE_FETCH) {
        l2_eviction_step(s, l2_handle_mshr(entry), now);
        return;
    }
    l2_count_fetch_time(s, entry, now);
    uint64_t addr = e->key << s->c.sector_shift;
    l2_fill_bank(s, addr, now);
    if (e->phase == STAGE_EARLY) {
        l2_side_fetched(s, entry, version, now);
        return;
    }
    uint32_t sector = cache_sector(&s->c, addr);
    bool written = SHADOW_ON && cache_written(&s->c, addr);
    struct victim v;
    uint32_t line = cache_fill(&s->c, entry, &v);
    if (SHADOW_ON && !written) s->c.version[(size_t)line * s->c.sectors + sector] = version;
    l2_set_transient(s, line, false);
    l2_serve_waiters(s, entry, line);
    mshr_release(&s->c.mshr, entry);
    l2_wake_line(s, line, now);
}

/* Called when a victim's stage has ended, or a side structure's wait. */
static void conventional_evicted(struct l2_slice *s, uint32_t handle, uint64_t now)
{
    struct l2_handle h = l2_handle_unpack(handle);
    if (h.holder == L2_OF_MSHR)
        l2_eviction_step(s, h, now);
    else
        l2_side_table[h.holder]->ended(s, h.i, now);
}

const struct miss_ops miss_conventional = {.name = "conventional",
                                           .access = conventional_access,
                                           .fetch_ahead = conventional_fetch_ahead,
                                           .evicted = conventional_evicted,
                                           .fill = conventional_fill};
