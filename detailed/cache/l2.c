#include "detailed/cache/l2.h"

#include "base/mem.h"
#include "detailed/cache/bypass.h"
#include "detailed/coherence/home.h"

#include <assert.h>
#include <string.h>

const struct miss_ops *const miss_table[MISS_N] = {
    [MISS_REPLACE_AT_ONCE] = &miss_replace, [MISS_CONVENTIONAL] = &miss_conventional};

static void reset_queues(struct l2_slice *s)
{
    fifo_clear(&s->pipe);
    fifo_clear(&s->returns);
    fifo_clear(&s->fetched);
    fifo_clear(&s->woken);
    fifo_clear(&s->replies);
    refusals_clear(&s->refusals);
    linemap_clear(&s->waits_at);
    memset(s->wait_head, 0xff, s->c.n_lines * sizeof *s->wait_head);
    memset(s->wait_tail, 0xff, s->c.n_lines * sizeof *s->wait_tail);
    s->waiting = 0;
    s->head_stalled_since = UINT64_MAX;
    s->announced = REQ_NONE;
    s->s = (struct l2_stats){0};
    s->no_memory = false;
}

/* Room for requests that are in the look-up pipeline or queue behind it. */
static uint32_t pipe_bound(const struct l2_params *p)
{
    return (p->extra_latency + p->latency) * p->ports + p->input_queue;
}

bool l2_init(struct l2_slice *s, const struct l2_params *p, uint32_t id, const struct l2_wiring *w)
{
    *s = (struct l2_slice){.p = p,
                           .miss = miss_table[p->miss_management],
                           .w = w,
                           .id = id,
                           .pipe_bound = pipe_bound(p)};
    bool ok = cache_init(&s->c, &p->cache, p->banks, p->interleave_bytes, SHADOW_ON) &&
              fifo_init(&s->pipe, 64) && fifo_init(&s->returns, 64) && fifo_init(&s->fetched, 64) &&
              data_banks_init(&s->banks, p->data_banks, p->bank_cycles) &&
              fifo_init(&s->woken, 16) && refusals_init(&s->refusals) &&
              linemap_init(&s->waits_at, 64) && fifo_init(&s->replies, p->reply_queue);
    /* conventional management evicts first: until then the fill has no line of its own */
    s->c.reserves = s->c.reserves && p->miss_management == MISS_REPLACE_AT_ONCE;
    if (ok) {
        s->wait_head = mem_new_unset(s->c.n_lines, sizeof *s->wait_head);
        s->wait_tail = mem_new_unset(s->c.n_lines, sizeof *s->wait_tail);
        ok = s->wait_head && s->wait_tail;
    }
    if (ok)
        reset_queues(s);
    else
        l2_fini(s);
    return ok;
}

void l2_fini(struct l2_slice *s)
{
    cache_fini(&s->c);
    data_banks_fini(&s->banks);
    fifo_fini(&s->pipe);
    fifo_fini(&s->returns);
    fifo_fini(&s->fetched);
    fifo_fini(&s->woken);
    fifo_fini(&s->replies);
    refusals_fini(&s->refusals);
    linemap_fini(&s->waits_at);
    mem_free(s->wait_head);
    mem_free(s->wait_tail);
    *s = (struct l2_slice){0};
}

void l2_clear(struct l2_slice *s)
{
    cache_clear(&s->c);
    data_banks_clear(&s->banks);
    reset_queues(s);
}

struct access l2_access_of(const struct l2_slice *s, const struct req *r)
{
    struct access a = {.addr = r->addr, .kind = ACCESS_READ};
    if (r->kind == REQ_READ) return a;
    a.kind = r->kind == REQ_ATOMIC ? ACCESS_ATOMIC : ACCESS_WRITE;
    a.joins = true; /* else the warp's older load would see the store, an older atomic undo it */
    /* the request's mask is relative to the L1's grain; the L2's sector may be larger */
    uint64_t mask[2];
    req_mask(s->w->reqs, r, mask);
    bytemask_up(mask, (uint32_t)(r->addr & (s->c.p.sector_bytes - 1)), a.mask);
    return a;
}

void l2_reply(struct l2_slice *s, uint32_t req, enum req_reply kind)
{
    s->w->reqs->item[req].reply = kind & 3u;
    if (!fifo_push(&s->replies, 0, req)) s->no_memory = true;
}

void l2_nack(struct l2_slice *s, uint32_t req)
{
    struct req *r = &s->w->reqs->item[req];
    s->s.nacks++;
    if (!refusals_add(&s->refusals, r, cache_key(&s->c, r->addr))) s->no_memory = true;
    l2_reply(s, req, REPLY_NACK);
}

static uint32_t *version_of(struct l2_slice *s, uint32_t line, uint64_t addr)
{
    return &s->c.version[(size_t)line * s->c.sectors + cache_sector(&s->c, addr)];
}

static bool send(struct l2_slice *s, const struct mem_op *op)
{
    uint32_t channel = memory_send(s->w->memory, op);
    if (channel == UINT32_MAX) {
        s->no_memory = true;
        return false;
    }
    s->w->memory_due(s->w->ctx, channel);
    return true;
}

bool l2_goes_through(const struct l2_slice *s, const struct access *a)
{
    return s->c.p.write == WRITE_THROUGH && a->kind != ACCESS_READ;
}

/* The store's sector goes to memory as well; masked writes move whole sectors. */
static void write_through(struct l2_slice *s, const struct req *r)
{
    struct mem_op op = {.addr = r->addr & ~(uint64_t)(s->c.p.sector_bytes - 1),
                        .entry = MSHR_NONE,
                        .bytes = s->c.p.sector_bytes,
                        .slice = (uint16_t)s->id,
                        .kind = MEM_WRITE,
                        .version = r->version};
    send(s, &op);
}

void l2_serve(struct l2_slice *s, uint32_t req, uint32_t line)
{
    struct req *r = &s->w->reqs->item[req];
    if (s->c.p.write == WRITE_THROUGH && r->kind != REQ_READ) write_through(s, r);
    if (s->c.note && r->kind == REQ_READ && !r->bypass_l1)
        r->came_back = bypass_verify(&s->c, line, r->addr, r->predicted);
    if (SHADOW_ON) {
        struct shadow *sh = s->w->shadow;
        uint64_t key = cache_key(&s->c, r->addr);
        if (r->kind == REQ_READ) {
            r->version = *version_of(s, line, r->addr);
            shadow_expect(sh, &sh->l2, key, r->version);
        } else {
            *version_of(s, line, r->addr) = r->version;
            shadow_put(sh, &sh->l2, key, r->version);
        }
    }
    l2_reply(s, req, r->kind == REQ_WRITE ? REPLY_ACK : REPLY_DATA);
}

bool l2_send_fetch(struct l2_slice *s, uint32_t entry)
{
    struct mem_op op = {.addr = s->c.mshr.entry[entry].key << s->c.sector_shift,
                        .entry = entry,
                        .bytes = s->c.p.sector_bytes,
                        .slice = (uint16_t)s->id,
                        .kind = MEM_READ};
    s->s.fetches++;
    return send(s, &op);
}

bool l2_send_writebacks(struct l2_slice *s, uint64_t tag, uint8_t dirty, uint32_t entry)
{
    assert((!dirty || !s->w->coherence || home_cleans(s)) && "what leaves dirty is written");
    for (uint32_t sector = 0; dirty; sector++) {
        if (!(dirty & (1u << sector))) continue;
        dirty &= (uint8_t) ~(1u << sector);
        struct mem_op op = {.addr =
                                (tag << s->c.line_shift) + ((uint64_t)sector << s->c.sector_shift),
                            .entry = dirty ? MSHR_NONE : entry,
                            .bytes = s->c.p.sector_bytes,
                            .slice = (uint16_t)s->id,
                            .kind = MEM_WRITE};
        if (SHADOW_ON)
            op.version = shadow_get(s->w->shadow, &s->w->shadow->l2, op.addr >> s->c.sector_shift);
        s->s.writebacks++;
        if (!send(s, &op)) return false;
    }
    return true;
}

bool l2_has_memory_room(const struct l2_slice *s, uint64_t addr)
{
    return memory_waiting(s->w->memory, s->id, addr) < s->p->miss_queue;
}

void l2_pass_by(struct l2_slice *s, uint32_t req)
{
    struct req *r = &s->w->reqs->item[req];
    write_through(s, r);
    shadow_put(s->w->shadow, &s->w->shadow->l2, cache_key(&s->c, r->addr), r->version);
    l2_reply(s, req, r->kind == REQ_WRITE ? REPLY_ACK : REPLY_DATA);
}

void l2_count_fetch_time(struct l2_slice *s, uint64_t since, uint64_t now)
{
    uint64_t spent = now - since;
    if (spent > s->w->idle_fetch_cycles) s->s.memory_cycles += spent - s->w->idle_fetch_cycles;
}

void l2_count(struct l2_slice *s, struct req *r, const struct plan *p)
{
    if (r->counted) return;
    r->counted = true;
    bool hit = p->verdict == CACHE_HIT || (p->verdict == CACHE_ALLOCATE && p->written);
    if (r->kind == REQ_READ)
        s->s.reads++, s->s.read_hits += hit;
    else
        s->s.writes++, s->s.write_hits += hit;
    if (p->verdict == CACHE_MERGE)
        s->s.merges++;
    else if (!hit)
        s->s.misses++;
}

void l2_return(struct l2_slice *s, uint32_t entry, uint32_t version, uint64_t cycle)
{
    bool ok = fifo_push(&s->returns, cycle, entry);
    if (SHADOW_ON) ok = ok && fifo_push(&s->fetched, cycle, version);
    if (!ok) s->no_memory = true;
}

void l2_write_accepted(struct l2_slice *s, uint32_t entry, uint64_t now)
{
    s->miss->evicted(s, entry, now);
}

static bool access(struct l2_slice *s, uint32_t req, uint64_t now)
{
    struct req *r = &s->w->reqs->item[req];
    uint64_t sector = cache_key(&s->c, r->addr), nacks = s->s.nacks;
    uint32_t waiting = s->waiting;
    if (!refusals_may(&s->refusals, r, sector)) {
        l2_nack(s, req);
        return true;
    }
    bool gone = s->w->coherence ? home_access(s, req, now) : s->miss->access(s, req, now);
    bool decided = gone && s->s.nacks == nacks && s->waiting == waiting;
    if (decided && r->refused) refusals_admit(&s->refusals, r, sector);
    return gone;
}

static void intake(struct l2_slice *s, uint64_t now)
{
    uint64_t noc_now = clock_floor(now, s->w->l2_period, s->w->noc_period);
    for (uint32_t k = 0; k < s->p->ports && s->pipe.n < s->pipe_bound; k++) {
        if (noc_ready_at(s->w->request, s->id) > noc_now) return;
        uint32_t req;
        if (noc_take(s->w->request, s->id, &req)) s->w->noc_due(s->w->ctx);
        if (!fifo_push(&s->pipe, now + s->p->extra_latency + s->p->latency, req))
            s->no_memory = true;
    }
}

static bool wants_data(const struct l2_slice *s, uint32_t req)
{
    struct access a = l2_access_of(s, &s->w->reqs->item[req]);
    struct plan p = cache_plan(&s->c, &a);
    return p.verdict == CACHE_HIT || p.verdict == CACHE_ALLOCATE;
}

static bool decide_head(struct l2_slice *s, uint32_t req, uint64_t now)
{
    if (s->replies.n >= s->p->reply_queue) return false;
    if (!s->banks.n || !wants_data(s, req)) return access(s, req, now);
    uint64_t sector = cache_local_sector(&s->c, s->w->reqs->item[req].addr);
    if (!data_banks_free(&s->banks, sector, now)) {
        s->banks.conflict_cycles++;
        return false;
    }
    if (!access(s, req, now)) return false;
    data_banks_take(&s->banks, sector, now);
    return true;
}

void l2_fill_bank(struct l2_slice *s, uint64_t addr, uint64_t now)
{
    if (s->banks.n) data_banks_take(&s->banks, cache_local_sector(&s->c, addr), now);
}

static void decide(struct l2_slice *s, uint64_t now)
{
    for (uint32_t k = 0; k < s->p->ports && s->pipe.due <= now; k++) {
        if (!decide_head(s, fifo_front(&s->pipe)->value, now)) {
            if (s->head_stalled_since == UINT64_MAX) s->head_stalled_since = now;
            return;
        }
        fifo_pop(&s->pipe);
    }
    if (s->head_stalled_since == UINT64_MAX) return;
    s->s.stall_cycles += now - s->head_stalled_since;
    s->head_stalled_since = UINT64_MAX;
}

static void send_replies(struct l2_slice *s, uint64_t now)
{
    const struct noc_params *np = s->w->reply->p;
    uint64_t noc_now = clock_floor(now, s->w->l2_period, s->w->noc_period);
    bool pushed = false;
    while (s->replies.n && noc_can_push(s->w->reply, s->id)) {
        uint32_t req = fifo_pop(&s->replies);
        const struct req *r = &s->w->reqs->item[req];
        uint32_t data = r->reply == REPLY_DATA ? r->bytes : 0;
        if (!noc_push(s->w->reply, s->id, r->sm, noc_flits(np, data), req, noc_now))
            s->no_memory = true;
        pushed = true;
    }
    if (s->replies.n) s->w->reply->in[s->id].notify = true;
    if (pushed) s->w->noc_due(s->w->ctx);
}

static void look_again(struct l2_slice *s, uint64_t now)
{
    for (uint32_t k = s->woken.n; k > 0; k--) {
        uint32_t req = fifo_pop(&s->woken);
        if (access(s, req, now)) continue;
        if (!fifo_push(&s->woken, 0, req)) s->no_memory = true;
    }
}

/* What the next steps will touch, in stages: the address of a request tells where its line is. */
static void look_ahead(struct l2_slice *s)
{
    const struct req *item = s->w->reqs->item;
    const struct fifo *pipe = &s->pipe, *returns = &s->returns;
    if (pipe->n && fifo_front(pipe)->value != s->announced) {
        s->announced = fifo_front(pipe)->value;
        const struct req *r = &item[s->announced];
        cache_expect_line(&s->c, r->addr, r->kind != REQ_READ);
    }
    if (pipe->n > 1) cache_expect_slot(&s->c, item[fifo_at(pipe, 1)->value].addr);
    if (pipe->n > 2) __builtin_prefetch(&item[fifo_at(pipe, 2)->value], 1);
    if (returns->n > 1) __builtin_prefetch(&s->c.mshr.entry[fifo_at(returns, 1)->value], 1);
    if (!returns->n) return;
    const struct mshr_entry *e = &s->c.mshr.entry[fifo_front(returns)->value];
    __builtin_prefetch(mshr_bucket(&s->c.mshr, e->key), 1);
    __builtin_prefetch(&s->c.mshr.since[fifo_front(returns)->value]);
    if (e->line != UINT32_MAX) __builtin_prefetch(&s->c.line[e->line], 1);
    if (e->first != MSHR_NONE) __builtin_prefetch(&item[e->first], 1);
}

/* The oldest of the returned data are there, and so is the bank that takes them. */
static bool fill_may_go(const struct l2_slice *s, uint64_t now)
{
    if (s->returns.due > now) return false;
    if (!s->banks.n) return true;
    uint64_t key = s->c.mshr.entry[fifo_front(&s->returns)->value].key;
    return data_banks_free(&s->banks, cache_local_sector(&s->c, key << s->c.sector_shift), now);
}

uint64_t l2_step(struct l2_slice *s, uint64_t now)
{
    while (fill_may_go(s, now)) {
        uint32_t entry = fifo_pop(&s->returns), version = SHADOW_ON ? fifo_pop(&s->fetched) : 0;
        if (!s->w->coherence || !home_fill(s, entry, version, now))
            s->miss->fill(s, entry, version, now);
    }
    if (s->woken.n) look_again(s, now);
    intake(s, now);
    if (s->pipe.due <= now || s->head_stalled_since != UINT64_MAX) decide(s, now);
    if (s->replies.n) send_replies(s, now);
    look_ahead(s);

    if (s->woken.n) return now + 1;
    uint64_t next = s->returns.due < s->pipe.due ? s->returns.due : s->pipe.due;
    uint64_t arrival = noc_ready_at(s->w->request, s->id);
    if (arrival != UINT64_MAX && s->pipe.n < s->pipe_bound) {
        uint64_t at = clock_ceil(arrival, s->w->noc_period, s->w->l2_period);
        if (at < next) next = at;
    }
    return next > now ? next : now + 1;
}

bool l2_idle(const struct l2_slice *s)
{
    return !s->pipe.n && !s->returns.n && !s->woken.n && !s->replies.n && !s->waiting &&
           !s->c.mshr.used;
}

bool l2_check(const struct l2_slice *s)
{
    const struct l2_stats *t = &s->s;
    return cache_check(&s->c) &&
           t->reads + t->writes == t->read_hits + t->write_hits + t->merges + t->misses;
}

void l2_stuck(const struct l2_slice *s, struct text *out)
{
    if (l2_idle(s)) return;
    text_add(out,
             "l2 slice %u: %u in the look-up, %u to look at again, %u wait at lines, %u replies, "
             "%u MSHRs in use\n",
             s->id, s->pipe.n, s->woken.n, s->waiting, s->replies.n, s->c.mshr.used);
}
