/* scalar_cache.c - the time of a scalar cache: replies fill lines and wake loads of all SMs, heads
 * of the look-up are decided, new accesses enter it.
 *
 * A head is decided by the cache's plan: a hit is served, a miss sends a read through its SM's
 * port, a merge waits for the fill in flight; a stall or a full port holds up all behind it.
 * Nothing is ever dirty, and stores do not reach it. Source: Candel 2019, 2.3, table 3.1. */
#include "detailed/scalar/scalar_cache.h"

#include "base/memory/alloc.h"
#include "detailed/parts/component.h"

bool scalar_init(struct scalar_cache *s, const struct scalar_params *p, const struct wiring *w)
{
    *s = (struct scalar_cache){
        .p = p, .w = w, .mask = 63, .waiters = POOL(struct scalar_waiter, next)};
    s->access = mem_new(s->mask + 1, sizeof *s->access);
    bool ok = s->access && fifo_init(&s->replies, 16) &&
              cache_init(&s->c, &p->cache, 1, 0, SHADOW_ON) &&
              (!SHADOW_ON || hash_map_init(&s->given, 256));
    if (!ok) scalar_fini(s);
    return ok;
}

void scalar_fini(struct scalar_cache *s)
{
    mem_free(s->access);
    mem_free(s->waiter);
    fifo_fini(&s->replies);
    cache_fini(&s->c);
    hash_map_fini(&s->given);
    *s = (struct scalar_cache){0};
}

void scalar_clear(struct scalar_cache *s)
{
    cache_clear(&s->c);
    s->head = s->entered = s->tail = 0;
    fifo_clear(&s->replies);
    if (SHADOW_ON) hash_map_clear(&s->given);
    pool_clear(&s->waiters, &s->waiter);
    s->stalled = s->wants_room = false;
    s->s = (struct scalar_stats){0};
}

void scalar_drop(struct scalar_cache *s)
{
    cache_invalidate(&s->c);
    mshr_kill_all(&s->c.mshr);
}

static void wake_at(struct scalar_cache *s, uint64_t cycle)
{
    const struct scalar_cache *first = s->w->all[KIND_scalar];
    s->w->wake[KIND_scalar](s->w->sim, (uint32_t)(s - first), cycle);
}

void scalar_push(struct scalar_cache *s, const struct scalar_access *a)
{
    bool full = s->tail - s->head > s->mask;
    if (full && !mem_grow_ring(&s->access, &s->mask, s->head, s->tail, sizeof *s->access)) return;
    s->access[s->tail++ & s->mask] = *a;
    wake_at(s, a->ready);
}

void scalar_reply(struct scalar_cache *s, uint32_t req, uint64_t now)
{
    fifo_push(&s->replies, now, req);
    wake_at(s, now);
}

static uint32_t *version_at(const struct scalar_cache *s, uint32_t line, uint64_t addr)
{
    return &s->c.version[(size_t)line * s->c.sectors + cache_sector(&s->c, addr)];
}

static void serve_hit(struct scalar_cache *s, const struct scalar_access *a, uint32_t line,
                      uint64_t now)
{
    if (SHADOW_ON) {
        uint32_t v = *version_at(s, line, a->addr);
        shadow_expect(s->w->shadow, &s->given, cache_key(&s->c, a->addr), v);
        shadow_served(s->w->shadow, a->sm, a->addr, v);
    }
    s->s.hits++;
    s->w->access_done(s->w->sim, a->sm, a->vinst, now);
}

static void send_fetch(struct scalar_cache *s, const struct scalar_access *a, uint32_t entry,
                       uint64_t now)
{
    uint32_t i = req_new(s->w->reqs);
    if (i == REQ_NONE) return;
    struct req *r = &s->w->reqs->item[i];
    r->addr = a->addr;
    r->entry = entry;
    r->sm = a->sm & 1023;
    r->bytes = (uint8_t)s->c.p.sector_bytes;
    r->kind = REQ_READ;
    r->scalar = true;
    r->bypass_l1 = true;
    s->w->port_send(s->w->sim, a->sm, i, now);
}

/* Decides the head at the end of its look-up; false: it must wait. */
static bool decide_access(struct scalar_cache *s, const struct scalar_access *a, uint64_t now)
{
    const struct access look = {.addr = a->addr, .kind = ACCESS_READ};
    struct access_plan p = cache_plan(&s->c, &look);
    struct victim v;
    bool misses = p.verdict == CACHE_MISS;
    s->wants_room = false;
    if (p.verdict != CACHE_HIT && p.verdict != CACHE_MERGE && !misses) return false;
    s->wants_room = misses && !s->w->port_has_room(s->w->sim, a->sm);
    if (s->wants_room) return false;
    uint32_t entry = cache_apply(&s->c, &p, &look, &v);
    if (p.verdict == CACHE_HIT) {
        serve_hit(s, a, p.line, now);
        return true;
    }
    if (!misses) entry = p.entry;
    uint32_t waiter = pool_take(&s->waiters, &s->waiter);
    if (waiter == POOL_NONE || entry == MSHR_NONE) return false;
    s->waiter[waiter] = (struct scalar_waiter){.sm = a->sm, .vinst = a->vinst};
    if (!mshr_wait(&s->c.mshr, entry, waiter)) return false;
    s->s.misses += misses;
    s->s.merges += !misses;
    if (misses) send_fetch(s, a, entry, now);
    return true;
}

void scalar_account(struct scalar_cache *s, uint64_t now)
{
    if (s->stalled) s->s.stall_cycles += now - s->stalled_since;
    s->stalled_since = now;
}

static void decide_heads(struct scalar_cache *s, uint64_t now)
{
    for (uint32_t k = 0; k < s->p->ports && s->head != s->entered; k++) {
        struct scalar_access a = s->access[s->head & s->mask];
        if (a.ready > now) return;
        bool goes = decide_access(s, &a, now);
        if (goes == s->stalled) scalar_account(s, now);
        s->stalled = !goes;
        if (!goes) return;
        s->s.accesses++;
        s->head++;
    }
}

static void fill_line(struct scalar_cache *s, uint32_t req, uint64_t now)
{
    struct req r = s->w->reqs->item[req];
    struct victim v;
    uint32_t waiter;
    req_free(s->w->reqs, req);
    uint32_t line = cache_fill(&s->c, r.entry, &v);
    if (SHADOW_ON && line != LINE_NONE) {
        *version_at(s, line, r.addr) = r.version;
        shadow_put(s->w->shadow, &s->given, cache_key(&s->c, r.addr), r.version);
    }
    while (mshr_next_waiter(&s->c.mshr, r.entry, &waiter)) {
        struct scalar_waiter at = s->waiter[waiter];
        pool_give(&s->waiters, &s->waiter, waiter);
        shadow_served(s->w->shadow, at.sm, r.addr, r.version);
        s->w->access_done(s->w->sim, at.sm, at.vinst, now);
    }
    mshr_release(&s->c.mshr, r.entry);
}

static uint64_t in_look_up(const struct scalar_cache *s)
{
    return s->entered - s->head;
}

static uint64_t bound_of(const struct scalar_cache *s)
{
    return (uint64_t)s->p->latency * s->p->ports;
}

uint64_t scalar_step(struct scalar_cache *s, uint64_t now)
{
    while (s->replies.due <= now)
        fill_line(s, fifo_pop(&s->replies), now);
    decide_heads(s, now);
    for (uint32_t k = 0; k < s->p->ports && s->entered != s->tail && in_look_up(s) < bound_of(s);
         k++) {
        struct scalar_access *a = &s->access[s->entered & s->mask];
        if (a->ready > now) break;
        a->ready = now + s->p->latency;
        s->entered++;
    }
    uint64_t next = s->replies.due;
    /* other waits end with a reply */
    bool looks = s->head != s->entered && (!s->stalled || s->wants_room);
    if (looks && s->access[s->head & s->mask].ready < next)
        next = s->access[s->head & s->mask].ready;
    if (s->entered != s->tail && in_look_up(s) < bound_of(s)) {
        uint64_t enters = s->access[s->entered & s->mask].ready;
        if (enters < next) next = enters;
    }
    return next > now ? next : now + 1;
}

bool scalar_idle(const struct scalar_cache *s)
{
    return s->head == s->tail && !s->replies.n && !s->c.mshr.used;
}

bool scalar_check(const struct scalar_cache *s)
{
    const struct scalar_stats *t = &s->s;
    return cache_check(&s->c) && t->accesses == t->hits + t->misses + t->merges;
}

void scalar_stuck(const struct scalar_cache *s, struct text *out)
{
    if (scalar_idle(s)) return;
    text_add(out, "scalar cache: %llu accesses%s, %u MSHRs in use\n",
             (unsigned long long)(s->tail - s->head), s->stalled ? " (head waits)" : "",
             s->c.mshr.used);
}
