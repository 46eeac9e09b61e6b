/* l15_build.c - builds, empties and checks the L1.5s, and puts them between SMs and networks; see
 * l15.h. */
#include "detailed/l15/l15.h"

#include "base/memory/alloc.h"
#include "gpu/machine/params/clock.h"

/* --- the networks' calls: those for SMs are for their L1.5 --- */

static uint64_t core_cycle(const struct l15 *l)
{
    return (*l->w.tick + l->w.core_period - 1) / l->w.core_period;
}

static void wake_of_sm(struct l15 *l, uint32_t sm, uint64_t cycle)
{
    l->w.wake(l->w.sim, l15_of(l->p, l->w.sms, sm), cycle);
}

static void request_arrives(void *ctx, uint32_t slice, uint64_t cycle)
{
    struct l15 *l = ctx;
    l->before.request_arrives(l->w.sim, slice, cycle);
}

static void request_room(void *ctx, uint32_t client)
{
    struct l15 *l = ctx;
    if (client < l->w.sms)
        wake_of_sm(l, client, core_cycle(l));
    else
        l->before.request_room(l->w.sim, client);
}

static void reply_arrives(void *ctx, uint32_t client, uint64_t cycle)
{
    struct l15 *l = ctx;
    if (client < l->w.sms)
        wake_of_sm(l, client, clock_ceil(cycle, l->w.noc_period, l->w.core_period));
    else
        l->before.reply_arrives(l->w.sim, client, cycle);
}

static void reply_room(void *ctx, uint32_t slice)
{
    struct l15 *l = ctx;
    l->before.reply_room(l->w.sim, slice);
}

static void take_place(struct l15 *l)
{
    struct noc *request = l->w.request, *reply = l->w.reply;
    l->before = (struct l15_calls){request->on_arrival, request->on_room, reply->on_arrival,
                                   reply->on_room};
    request->on_arrival = request_arrives;
    request->on_room = request_room;
    reply->on_arrival = reply_arrives;
    reply->on_room = reply_room;
    request->ctx = reply->ctx = l;
}

/* --- the queues of SMs: a crossbar in which nothing crosses --- */

/* An SM that has sent nothing before sends. */
static void queue_ask(struct noc *n, uint32_t sm, uint64_t now)
{
    struct l15 *l = n->ctx;
    (void)now;
    wake_of_sm(l, sm, *l->w.tick / l->w.core_period + 1);
}

static void queue_fini(struct noc *n)
{
    noc_crossbar.fini(n);
}

static void queue_clear(struct noc *n)
{
    noc_crossbar.clear(n);
}

static bool queue_wants(const struct noc *n, uint32_t output)
{
    (void)n, (void)output;
    return false;
}

static const struct noc_ops queue_ops = {.name = "queues of an L1.5",
                                         .fini = queue_fini,
                                         .clear = queue_clear,
                                         .ask = queue_ask,
                                         .wants = queue_wants};

static void room_for_sm(void *ctx, uint32_t sm)
{
    struct l15 *l = ctx;
    l->before.request_room(l->w.sim, sm);
}

static bool init_queues(struct l15 *l)
{
    l->queues = (struct noc_params){.topology = TOPOLOGY_CROSSBAR,
                                    .sms_per_port = 1,
                                    .flit_bytes = l->w.noc->flit_bytes,
                                    .header_bytes = l->w.noc->header_bytes,
                                    .input_queue = l->w.noc->input_queue,
                                    .output_queue = l->w.noc->output_queue};
    if (!noc_init(&l->up, &l->queues, NOC_REQUEST, l->w.sms, 1) ||
        !noc_init(&l->down, &l->queues, NOC_REPLY, 1, l->w.sms))
        return false;
    l->up.ops = l->down.ops = &queue_ops;
    l->up.ctx = l->down.ctx = l;
    l->up.on_room = room_for_sm;
    return true;
}

/* --- the caches --- */

/* Passes in flight: `ports` of each cycle, for `latency` cycles. */
static uint64_t ring_of(const struct l15_params *p)
{
    uint64_t room = 1, most = (uint64_t)p->ports * (p->latency + 1);
    while (room < most)
        room *= 2;
    return room;
}

static bool init_cache(struct l15 *l, uint32_t i)
{
    struct l15_cache *c = &l->cache[i];
    uint64_t room = ring_of(&l->p->l15);
    *c = (struct l15_cache){.mask = room - 1, .pass = mem_new(room, sizeof *c->pass)};
    for (uint32_t sm = 0; sm < l->w.sms; sm++) {
        if (l15_of(l->p, l->w.sms, sm) != i) continue;
        if (!c->sms++) c->first = sm;
    }
    return c->pass && cache_init(&c->c, &l->p->l15.cache, 1, 0, SHADOW_ON) &&
           (!SHADOW_ON || hash_map_init(&c->given, 256));
}

bool l15_init(struct l15 *l, const struct l1_params *p, const struct l15_wiring *w)
{
    *l = (struct l15){.p = p, .w = *w, .n = l15_caches(p, w->sms)};
    l->cache = mem_new(l->n, sizeof *l->cache);
    l->leaving = mem_new(w->sms, sizeof *l->leaving);
    bool ok = l->cache && l->leaving && init_queues(l);
    for (uint32_t i = 0; ok && i < l->n; i++)
        ok = init_cache(l, i);
    if (!ok)
        l15_fini(l);
    else
        take_place(l);
    return ok;
}

void l15_fini(struct l15 *l)
{
    for (uint32_t i = 0; l->cache && i < l->n; i++) {
        mem_free(l->cache[i].pass);
        cache_fini(&l->cache[i].c);
        hash_map_fini(&l->cache[i].given);
    }
    noc_fini(&l->up);
    noc_fini(&l->down);
    mem_free(l->leaving);
    mem_free(l->cache);
    *l = (struct l15){0};
}

void l15_clear(struct l15 *l)
{
    noc_clear(&l->up);
    noc_clear(&l->down);
    for (uint32_t i = 0; i < l->w.sms; i++)
        l->leaving[i] = 0;
    for (uint32_t i = 0; i < l->n; i++) {
        struct l15_cache *c = &l->cache[i];
        cache_clear(&c->c);
        if (SHADOW_ON) hash_map_clear(&c->given);
        c->head = c->tail = 0;
        c->turn = 0;
        c->s = (struct l15_stats){0};
    }
}

void l15_drop(struct l15 *l)
{
    for (uint32_t i = 0; i < l->n; i++) {
        cache_invalidate(&l->cache[i].c);
        mshr_kill_all(&l->cache[i].c.mshr);
    }
}

bool l15_idle(const struct l15 *l)
{
    for (uint32_t i = 0; i < l->n; i++)
        if (l->cache[i].c.mshr.used) return false;
    return true;
}

static bool check_cache(const struct l15 *l, const struct l15_cache *c)
{
    const struct l15_stats *s = &c->s;
    uint64_t leaving = 0, goes_on = 0;
    for (uint64_t i = c->head; i != c->tail; i++)
        goes_on += c->pass[i & c->mask].route != UINT64_MAX;
    for (uint32_t sm = c->first; sm < c->first + c->sms; sm++)
        leaving += l->leaving[sm];
    return cache_check(&c->c) && s->accesses == s->hits + s->misses + s->merges &&
           c->tail - c->head <= c->mask + 1 && leaving == goes_on;
}

bool l15_check(const struct l15 *l)
{
    uint32_t up = 0, down = 0;
    for (uint32_t i = 0; i < l->w.sms; i++) {
        if (l->up.in[i].queue.n > l->queues.input_queue) return false;
        up += l->up.in[i].queue.n;
        down += l->down.out[i].queue.n;
    }
    for (uint32_t i = 0; i < l->n; i++)
        if (!check_cache(l, &l->cache[i])) return false;
    return up == noc_in_flight(&l->up) && down == noc_in_flight(&l->down);
}

void l15_stuck(const struct l15 *l, struct text *out)
{
    for (uint32_t i = 0; i < l->n; i++) {
        const struct l15_cache *c = &l->cache[i];
        uint32_t queued = 0;
        for (uint32_t sm = c->first; sm < c->first + c->sms; sm++)
            queued += l->up.in[sm].queue.n;
        if (!queued && c->head == c->tail && !c->c.mshr.used) continue;
        text_add(out, "L1.5 of SMs %u to %u: %u requests, %u in the look-up, %u MSHRs in use\n",
                 c->first, c->first + c->sms - 1, queued, (uint32_t)(c->tail - c->head),
                 c->c.mshr.used);
    }
}
