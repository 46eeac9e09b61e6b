/* l15.c - the time of an L1.5: replies fill lines and go on to SMs, passes leave, requests of SMs
 * are looked up; see l15.h. */
#include "detailed/l15/l15.h"

#include "gpu/machine/params/clock.h"

#include <assert.h>

static bool looks_up(const struct req *r)
{
    return r->kind == REQ_READ && !r->bypass_l1 && !r->scalar;
}

static uint32_t *version_at(const struct l15_cache *c, uint32_t line, uint64_t addr)
{
    return &c->c.version[(size_t)line * c->c.sectors + cache_sector(&c->c, addr)];
}

/* --- to the SMs --- */

static void give(struct l15 *l, uint32_t req, uint64_t now)
{
    uint32_t sm = l->w.reqs->item[req].sm;
    uint64_t noc_now = clock_floor(now, l->w.core_period, l->w.noc_period);
    if (fifo_push(&l->down.out[sm].queue, noc_now, req)) {
        l->down.in[0].pushed++;
        l->down.out[sm].held++;
    }
    l->w.wake_sm(l->w.sim, sm, now);
}

/* Fills the line of a fetch and answers all who wait for it, the one who asked included. */
static void fill_line(struct l15 *l, struct l15_cache *c, uint32_t req, uint64_t now)
{
    struct req r = l->w.reqs->item[req];
    uint32_t entry = mshr_find(&c->c.mshr, cache_key(&c->c, r.addr)), waiter;
    struct victim v;
    assert(entry != MSHR_NONE && "a read that went on has an MSHR");
    uint32_t line = cache_fill(&c->c, entry, &v);
    if (SHADOW_ON && line != LINE_NONE) {
        *version_at(c, line, r.addr) = r.version;
        shadow_put(l->w.shadow, &c->given, cache_key(&c->c, r.addr), r.version);
    }
    while (mshr_next_waiter(&c->c.mshr, entry, &waiter)) {
        struct req *at = &l->w.reqs->item[waiter];
        at->reply = REPLY_DATA;
        at->version = r.version;
        give(l, waiter, now);
    }
    mshr_release(&c->c.mshr, entry);
}

/* Takes what has arrived for an SM; false: its queue is full. */
static bool take_replies(struct l15 *l, struct l15_cache *c, uint32_t sm, uint64_t now)
{
    uint64_t noc_now = clock_floor(now, l->w.core_period, l->w.noc_period);
    uint32_t req;
    while (noc_ready_at(l->w.reply, sm) <= noc_now) {
        if (l->down.out[sm].queue.n >= l->queues.output_queue) return false;
        if (noc_take(l->w.reply, sm, &req)) l->w.noc_due(l->w.sim);
        if (looks_up(&l->w.reqs->item[req]))
            fill_line(l, c, req, now);
        else
            give(l, req, now);
    }
    return true;
}

/* --- to the L2 --- */

static void leave(struct l15 *l, struct l15_cache *c, uint64_t now)
{
    uint64_t noc_now = clock_floor(now, l->w.core_period, l->w.noc_period);
    bool pushed = false;
    for (; c->head != c->tail && c->pass[c->head & c->mask].ready <= now; c->head++) {
        const struct l15_pass *x = &c->pass[c->head & c->mask];
        if (x->route == UINT64_MAX) {
            give(l, x->req, now);
            continue;
        }
        noc_push(l->w.request, x->port, (uint32_t)(x->route >> 16), (uint32_t)(x->route & 0xffff),
                 x->req, noc_now);
        l->leaving[x->port]--;
        pushed = true;
    }
    if (pushed) l->w.noc_due(l->w.sim);
}

static uint32_t port_of(const struct l15_cache *c, uint64_t addr)
{
    return c->first + cache_hash(cache_tag(&c->c, addr)) % c->sms;
}

/* Whether a request may go on; else the L1.5 is woken when one has left the port. */
static bool has_room(struct l15 *l, uint32_t port)
{
    struct noc_input *in = &l->w.request->in[port];
    if (in->queue.n + l->leaving[port] < l->w.noc->input_queue) return true;
    in->notify = true;
    return false;
}

static void pass_on(struct l15 *l, struct l15_cache *c, struct l15_pass x, uint64_t now)
{
    x.ready = now + l->p->l15.latency;
    if (x.route != UINT64_MAX) l->leaving[x.port]++;
    c->pass[c->tail++ & c->mask] = x;
}

/* --- the look-up --- */

static void serve_hit(struct l15 *l, struct l15_cache *c, struct l15_pass x, uint32_t line,
                      uint64_t now)
{
    struct req *r = &l->w.reqs->item[x.req];
    if (SHADOW_ON) {
        r->version = *version_at(c, line, r->addr);
        shadow_expect(l->w.shadow, &c->given, cache_key(&c->c, r->addr), r->version);
    }
    r->reply = REPLY_DATA;
    x.route = UINT64_MAX;
    c->s.hits++;
    pass_on(l, c, x, now);
}

static bool look_up(struct l15 *l, struct l15_cache *c, const struct l15_pass *x, uint64_t now)
{
    const struct access a = {.addr = l->w.reqs->item[x->req].addr, .kind = ACCESS_READ};
    const struct access_plan p = cache_plan(&c->c, &a);
    struct victim v;
    bool hit = p.verdict == CACHE_HIT, merges = p.verdict == CACHE_MERGE;
    if (!hit && !merges && p.verdict != CACHE_MISS) return false;
    if (merges && mshr_overtaken(&c->c.mshr, p.entry)) return false;
    if (!hit && !merges && !has_room(l, x->port)) return false;
    uint32_t entry = cache_apply(&c->c, &p, &a, &v);
    c->s.accesses++;
    c->s.merges += merges;
    if (hit) {
        serve_hit(l, c, *x, p.line, now);
        return true;
    }
    if (merges) entry = p.entry;
    if (entry != MSHR_NONE) mshr_wait(&c->c.mshr, entry, x->req);
    if (merges) return true;
    c->s.misses++;
    pass_on(l, c, *x, now);
    return true;
}

/* Removes the sector, of which a store or an atomic makes newer data. */
static void drop_sector(struct l15_cache *c, uint64_t addr)
{
    uint32_t line = cache_find(&c->c, cache_tag(&c->c, addr));
    uint32_t entry = cache_fill_of(&c->c, line, cache_key(&c->c, addr));
    if (entry != MSHR_NONE) c->c.mshr.entry[entry].killed = true;
    if (line != LINE_NONE) cache_forget(&c->c, line, (uint8_t)(1u << cache_sector(&c->c, addr)));
}

/* Looks up the oldest request of an SM; false: it must wait. */
static bool take_request(struct l15 *l, struct l15_cache *c, uint32_t sm, uint64_t now)
{
    const struct noc_input *in = &l->up.in[sm];
    const uint32_t req = fifo_front(&in->queue)->value;
    const struct req *r = &l->w.reqs->item[req];
    const struct l15_pass x = {.route = in->queue.due, .req = req, .port = port_of(c, r->addr)};
    if (looks_up(r)) {
        if (!look_up(l, c, &x, now)) return false;
    } else {
        if (!has_room(l, x.port)) return false;
        if (!r->scalar) drop_sector(c, r->addr);
        c->s.passed++;
        pass_on(l, c, x, now);
    }
    noc_depart(&l->up, sm, now, l->up.ops->ask);
    l->up.out[0].taken++;
    return true;
}

/* Returns whether more can be looked up in the next cycle. */
static bool take_requests(struct l15 *l, struct l15_cache *c, uint64_t now)
{
    uint32_t taken = 0, from = c->turn;
    bool more = false;
    for (uint32_t k = 0; k < c->sms; k++) {
        uint32_t i = (from + k) % c->sms, sm = c->first + i;
        if (!l->up.in[sm].queue.n) continue;
        if (taken == l->p->l15.ports) return true;
        if (!take_request(l, c, sm, now)) continue;
        taken++;
        c->turn = (i + 1) % c->sms;
        more |= l->up.in[sm].queue.n != 0;
    }
    return more;
}

uint64_t l15_step(struct l15 *l, uint32_t i, uint64_t now)
{
    struct l15_cache *c = &l->cache[i];
    bool again = false;
    uint64_t next = UINT64_MAX;
    for (uint32_t sm = c->first; sm < c->first + c->sms; sm++) {
        again |= !take_replies(l, c, sm, now);
        uint64_t arrival = noc_ready_at(l->w.reply, sm);
        if (arrival == UINT64_MAX) continue;
        arrival = clock_ceil(arrival, l->w.noc_period, l->w.core_period);
        if (arrival < next) next = arrival;
    }
    leave(l, c, now);
    again |= take_requests(l, c, now);
    if (c->head != c->tail && c->pass[c->head & c->mask].ready < next)
        next = c->pass[c->head & c->mask].ready;
    return again || next <= now ? now + 1 : next;
}
