/* l2.c - the time of an L2 slice: what it does in a cycle, and when it is due.
 *
 * A step takes what has come back from memory, then requests that were woken, then new ones from
 * the network; it decides those at the end of the look-up pipeline, up to `ports`, and sends
 * replies. A decision is made by the protocol's home, by the partition's link or by miss management
 * (miss_ops). A head that cannot go stops the pipeline. Data banks, the side structures' look-up
 * and the order of rejected requests are asked before it. Source: Candel 2019, 5.4; miss
 * management: docs/models/misses.md. */
#include "detailed/l2/l2.h"

#include "base/memory/alloc.h"
#include "detailed/l2/back_invalidate.h"
#include "detailed/l2/directory.h"
#include "detailed/l2/l2_home.h"
#include "detailed/l2/l2_link.h"
#include "detailed/l2/l2_side.h"
#include "detailed/l2/l2_trains.h"

#include <assert.h>
#include <string.h>

const struct miss_ops *const miss_table[MISS_N] = {
    [MISS_REPLACE_AT_ONCE] = &miss_replace, [MISS_CONVENTIONAL] = &miss_conventional};

static size_t wait_queues(const struct l2_slice *s)
{
    return (size_t)s->c.n_lines + s->p->frc.entries;
}

static void reset_queues(struct l2_slice *s)
{
    fifo_clear(&s->pipe);
    s->entries_used = s->ports_used = s->piped = s->under_way = 0;
    fifo_clear(&s->side_lookup);
    fifo_clear(&s->returns);
    fifo_clear(&s->fetched);
    fifo_clear(&s->woken);
    fifo_clear(&s->replies);
    nack_order_clear(&s->nack_order);
    if (s->directory) directory_clear(s->directory);
    if (s->copies) directory_clear(s->copies);
    if (s->home) s->home->clear(s);
    if (s->wait_head) {
        hash_map_clear(&s->waits_at);
        memset(s->wait_head, 0xff, wait_queues(s) * sizeof *s->wait_head);
        memset(s->wait_tail, 0xff, wait_queues(s) * sizeof *s->wait_tail);
        memset(s->in_transit, 0, s->c.p.sets * sizeof *s->in_transit);
    }
    s->waiting = 0;
    s->head_stalled_since = UINT64_MAX;
    s->head_wait = HEAD_GOES;
    s->announced = REQ_NONE;
    s->timed_due = UINT64_MAX;
    s->s = (struct l2_stats){0};
}

/* The capacity of the look-up pipeline and the queue behind it. */
static uint32_t pipe_bound(const struct l2_params *p)
{
    return (p->extra_latency + p->latency) * p->ports + p->input_queue;
}

/* Allocates the queues of requests that wait for lines in transition. */
static bool init_waiting(struct l2_slice *s)
{
    if (s->p->miss_management != MISS_CONVENTIONAL) return true;
    s->wait_head = mem_new_unset(wait_queues(s), sizeof *s->wait_head);
    s->wait_tail = mem_new_unset(wait_queues(s), sizeof *s->wait_tail);
    s->in_transit = mem_new_unset(s->c.p.sets, sizeof *s->in_transit);
    return s->wait_head && s->wait_tail && s->in_transit && hash_map_init(&s->waits_at, 64);
}

/* Allocates the directory or the record of copies, if the protocol or inclusion needs one. */
static bool init_directory(struct l2_slice *s)
{
    const struct coherence *c = s->w->coherence;
    bool protocol = c && c->protocol->directory, inclusive = s->p->inclusion != INCLUSION_NONE;
    if (!protocol && !inclusive) return true;
    struct directory *d = directory_new(s->w->reply->outputs);
    if (protocol)
        s->directory = d;
    else
        s->copies = d;
    if (d && protocol && !directory_place(d, s->w->protocol, s->p->banks)) return false;
    if (!d || !protocol || !inclusive) return d != NULL;
    s->c.keeps = directory_keeps;
    s->c.keeps_ctx = s;
    return true;
}

bool l2_init(struct l2_slice *s, const struct l2_params *p, uint32_t id, const struct l2_wiring *w)
{
    *s = (struct l2_slice){.p = p,
                           .miss = miss_table[p->miss_management],
                           .w = w,
                           .id = id,
                           .joins = w->joins,
                           .most_under_way = l2_link_requests(p),
                           .seen = shadow_of_l2(w->shadow, id, p->banks),
                           .pipe_bound = pipe_bound(p)};
    bool ok = cache_init(&s->c, &p->cache, p->banks, p->interleave_bytes, SHADOW_ON) &&
              fifo_init(&s->pipe, 64) && fifo_init(&s->returns, 64) && fifo_init(&s->fetched, 0) &&
              data_banks_init(&s->banks, p->data_banks, p->bank_cycles) &&
              fifo_init(&s->woken, 0) && nack_order_init(&s->nack_order) &&
              fifo_init(&s->replies, p->reply_queue);
    ok = ok && init_waiting(s) && init_directory(s) && l2_home_init(s);
    /* conventional management evicts first; until then the fill has no line */
    s->c.reserves = s->c.reserves && p->miss_management == MISS_REPLACE_AT_ONCE;
    if (!w->coherence) cache_chain_fills(&s->c);
    ok = ok && fifo_init(&s->side_lookup, 0) && l2_side_init(s);
    bool refuses = p->nack || p->miss_management != MISS_REPLACE_AT_ONCE;
    s->settles =
        !w->coherence && !s->copies && !s->banks.n && !s->side_lookup_cycles && p->partitions == 1;
    s->plain = s->settles && !refuses;
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
    nack_order_fini(&s->nack_order);
    directory_free(s->directory);
    directory_free(s->copies);
    if (s->home) s->home->fini(s);
    hash_map_fini(&s->waits_at);
    fifo_fini(&s->side_lookup);
    l2_side_fini(s);
    mem_free(s->in_transit);
    mem_free(s->wait_head);
    mem_free(s->wait_tail);
    *s = (struct l2_slice){0};
}

void l2_clear(struct l2_slice *s)
{
    cache_clear(&s->c);
    data_banks_clear(&s->banks);
    l2_side_clear(s);
    reset_queues(s);
}

void l2_return(struct l2_slice *s, uint32_t handle, uint32_t version, uint64_t cycle)
{
    fifo_push(&s->returns, cycle, handle);
    if (SHADOW_ON) fifo_push(&s->fetched, cycle, version);
}

void l2_written(struct l2_slice *s, uint32_t handle, uint64_t now)
{
    enum l2_holder holder = l2_handle_unpack(handle).holder;
    if (holder == L2_OF_REQUEST || holder == L2_OF_partitions)
        l2_return(s, handle, 0, now);
    else
        l2_invalidated(s, handle, now);
}

void l2_invalidated(struct l2_slice *s, uint32_t handle, uint64_t now)
{
    s->head_wait = HEAD_GOES;
    s->miss->evicted(s, handle, now);
}

/* Whether a request must also look up the side structures: it misses the L2's tags, or an earlier
 * request for its block is looking them up and must not be passed. */
static bool looks_beside(struct l2_slice *s, uint32_t req, uint64_t now)
{
    struct req *pool = s->w->reqs->item, *r = &pool[req];
    if (!s->side_lookup_cycles || r->side_looked_up) return false;
    uint64_t tag = cache_tag(&s->c, r->addr);
    bool before = false;
    for (uint32_t i = 0; i < s->side_lookup.n && !before; i++)
        before = cache_tag(&s->c, pool[fifo_at(&s->side_lookup, i)->value].addr) == tag;
    if (!before && cache_find(&s->c, tag) != LINE_NONE) return false;
    r->side_looked_up = true;
    fifo_push(&s->side_lookup, now + s->side_lookup_cycles, req);
    return true;
}

static bool access_slice(struct l2_slice *s, uint32_t req, uint64_t now)
{
    struct req *r = &s->w->reqs->item[req];
    uint64_t sector = cache_key(&s->c, r->addr), nacks = s->s.nacks;
    uint32_t waiting = s->waiting;
    if (s->directory && directory_is_answer(r)) return l2_home_access(s, req, now);
    if (r->recalled) {
        back_invalidate_answered(s, req, now);
        return true;
    }
    if (!l2_was_let_in(s, r) && !nack_order_allows(&s->nack_order, r, sector)) {
        l2_nack(s, req);
        return true;
    }
    if (looks_beside(s, req, now)) return true;
    bool gone = s->w->coherence        ? l2_home_access(s, req, now)
                : s->p->partitions > 1 ? l2_partition_access(s, req, now)
                                       : s->miss->access(s, req, now);
    r = &s->w->reqs->item[req]; /* messages of the directory may have moved the pool */
    bool decided = gone && s->s.nacks == nacks && s->waiting == waiting;
    if (decided && r->refused) nack_order_admit(&s->nack_order, r, sector);
    return gone;
}

static void take_requests(struct l2_slice *s, uint64_t now)
{
    uint64_t noc_now = clock_floor(now, s->w->l2_period, s->w->noc_period);
    for (uint32_t k = 0; k < s->p->ports && s->piped < s->pipe_bound; k++) {
        if (noc_ready_at(s->w->request, s->id) > noc_now) return;
        uint32_t req = noc_next(s->w->request, s->id);
        bool of_core = l2_is_of_core(s, req);
        uint32_t more = l2_more(s, &s->w->reqs->item[req]);
        if (more && !l2_train_enters(s, more, noc_now, now)) return;
        if (of_core && !l2_has_room_for_core(s, req)) return;
        if (noc_take_train(s->w->request, s->id, more, &req)) s->w->noc_due(s->w->ctx);
        if (of_core) {
            l2_send_for_core(s, req);
            continue;
        }
        if (s->home && s->home->takes_answer(s, req)) continue; /* looks nothing up */
        uint32_t early = more ? l2_train_early(s, more) : 0;
        fifo_push(&s->pipe, now + s->p->extra_latency + s->p->latency - early, req);
        s->piped += 1 + more;
    }
}

static bool wants_data(const struct l2_slice *s, uint32_t req)
{
    struct access a = l2_access_of(s, &s->w->reqs->item[req]);
    struct access_plan p = cache_plan(&s->c, &a);
    return p.verdict == CACHE_HIT || p.verdict == CACHE_ALLOCATE;
}

/* Whether an older request for the same block waits aside, which this one would pass: woken by an
 * answer to an inclusive L2 in this cycle, a read that waits for a fetch under QuickRelease, or a
 * request that waits for room to fetch its sector. */
static bool would_pass(const struct l2_slice *s, uint32_t req)
{
    const struct req *item = s->w->reqs->item, *r = &item[req];
    bool sectors = s->wait_head && s->c.sectors > 1;
    if ((s->p->inclusion == INCLUSION_NONE && !s->home && !sectors) || r->recalled) return false;
    for (uint32_t k = 0; k < s->woken.n; k++) {
        const struct req *older = &item[fifo_at(&s->woken, k)->value];
        if (older->sm == r->sm && cache_key(&s->c, older->addr) == cache_key(&s->c, r->addr))
            return true;
    }
    return false;
}

/* Whether the plan of a refused head is still valid: the tags of a slice that settles change only
 * with its head, and where head_wait is set back. */
static bool head_still_waits(const struct l2_slice *s, uint32_t req)
{
    switch (s->head_wait) {
    case HEAD_GOES: return false;
    case HEAD_WAITS_FILL: return true;
    case HEAD_WAITS_MEMORY: break;
    }
    if (s->head_queue) return *s->head_queue >= s->p->miss_queue;
    return !l2_has_memory_room(s, s->w->reqs->item[req].addr);
}

bool l2_decide_head(struct l2_slice *s, uint32_t req, uint64_t now)
{
    if (s->replies.n >= s->p->reply_queue) return false;
    if (s->settles && head_still_waits(s, req)) return false;
    s->head_wait = HEAD_GOES;
    if (s->plain) return s->miss->access(s, req, now);
    if (s->woken.n && !s->directory && would_pass(s, req)) return false;
    if (!s->banks.n || !wants_data(s, req)) return access_slice(s, req, now);
    uint64_t sector = cache_local_sector(&s->c, s->w->reqs->item[req].addr);
    if (!data_banks_free(&s->banks, sector, now)) {
        s->banks.conflict_cycles++;
        return false;
    }
    if (!access_slice(s, req, now)) return false;
    data_banks_take(&s->banks, sector, now);
    return true;
}

/* Decides the requests at the end of the side look-up; false: the first must wait, and all behind
 * it. */
static bool decide_beside(struct l2_slice *s, uint64_t now)
{
    while (s->side_lookup.due <= now) {
        if (!l2_decide_head(s, fifo_front(&s->side_lookup)->value, now)) return false;
        fifo_pop(&s->side_lookup);
    }
    return true;
}

/* Decides the requests at the end of the look-up, each for one sector, at the ports that are left;
 * false: the head waits. */
static inline bool decide_sectors(struct l2_slice *s, uint32_t taken, uint64_t now)
{
    for (uint32_t k = taken; k < s->p->ports && s->pipe.due <= now; k++) {
        if (!l2_decide_head(s, fifo_front(&s->pipe)->value, now)) return false;
        fifo_pop(&s->pipe);
        s->piped--;
    }
    return true;
}

/* Decides what is due; false: a head waits, of the look-ups beside the lines or of the others. */
static bool decide_due(struct l2_slice *s, uint64_t now)
{
    uint32_t taken = s->link ? l2_link_decide(s, now) : 0;
    if (!s->plain && !decide_beside(s, now)) return false;
    return s->joins ? l2_decide_trains(s, taken, now) : decide_sectors(s, taken, now);
}

static void decide(struct l2_slice *s, uint64_t now)
{
    if (!decide_due(s, now)) {
        if (s->head_stalled_since == UINT64_MAX) s->head_stalled_since = now;
        return;
    }
    assert(s->pipe.n || !s->piped);
    if (s->head_stalled_since == UINT64_MAX) return;
    s->s.stall_cycles += now - s->head_stalled_since;
    s->head_stalled_since = UINT64_MAX;
}

static void send_replies(struct l2_slice *s, uint64_t now)
{
    uint64_t noc_now = clock_floor(now, s->w->l2_period, s->w->noc_period);
    struct noc *net = s->w->reply;
    bool pushed = false;
    while (s->replies.n && noc_can_push(net, s->id)) {
        uint32_t req = fifo_pop(&s->replies);
        const struct req *r = &s->w->reqs->item[req];
        uint32_t more = l2_more(s, r), bytes = more ? s->c.p.sector_bytes : r->bytes;
        uint32_t flits = noc_length(net, r->reply == REPLY_DATA ? bytes & 255u : 0);
        uint32_t train = noc_train(flits, more) | (more && r->fetched ? TRAIN_CAME : 0);
        noc_push(net, s->id, r->sm, train, req, noc_now);
        pushed = true;
    }
    if (s->replies.n) net->in[s->id].notify = true;
    if (pushed) s->w->noc_due(s->w->ctx);
}

static void look_again(struct l2_slice *s, uint64_t now)
{
    for (uint32_t k = s->woken.n; k > 0; k--) {
        uint32_t req = fifo_pop(&s->woken);
        if (access_slice(s, req, now)) continue;
        fifo_push(&s->woken, 0, req);
    }
    s->head_wait = HEAD_GOES;
}

/* Prefetches, in stages, what the next steps will touch: the address of a request gives the place
 * of its line. */
static void look_ahead(struct l2_slice *s)
{
    const struct req *item = s->w->reqs->item;
    const struct fifo *pipe = &s->pipe, *returns = &s->returns;
    if (pipe->n && fifo_front(pipe)->value != s->announced) {
        s->announced = fifo_front(pipe)->value;
        const struct req *r = &item[s->announced];
        cache_prefetch_line(&s->c, r->addr, r->kind != REQ_READ);
    }
    if (pipe->n > 1) cache_prefetch_slot(&s->c, item[fifo_at(pipe, 1)->value].addr);
    if (pipe->n > 2) prefetch_line(&item[fifo_at(pipe, 2)->value]);
    if (returns->n > 1 && l2_handle_is_mshr(fifo_at(returns, 1)->value))
        prefetch_line(&s->c.mshr.entry[fifo_at(returns, 1)->value]);
    if (!returns->n || !l2_handle_is_mshr(fifo_front(returns)->value)) return;
    const struct mshr_entry *e = &s->c.mshr.entry[fifo_front(returns)->value];
    mshr_expect(&s->c.mshr, e->key);
    prefetch_line(&s->c.mshr.since[fifo_front(returns)->value]);
    if (e->line < s->c.n_lines) prefetch_line(&s->c.line[e->line]);
    if (e->first != MSHR_NONE) prefetch_line(&item[e->first]);
}

/* Whether the oldest returned data have arrived and their bank is free. */
static bool fill_may_go(const struct l2_slice *s, uint64_t now)
{
    if (s->returns.due > now) return false;
    if (!s->banks.n || !l2_handle_is_mshr(fifo_front(&s->returns)->value)) return true;
    uint64_t key = s->c.mshr.entry[fifo_front(&s->returns)->value].key;
    return data_banks_free(&s->banks, cache_local_sector(&s->c, key << s->c.sector_shift), now);
}

/* Handles a return from memory. */
static void take_return(struct l2_slice *s, uint64_t now)
{
    uint32_t packed = fifo_pop(&s->returns), version = SHADOW_ON ? fifo_pop(&s->fetched) : 0;
    struct l2_handle h = l2_handle_unpack(packed);
    s->head_wait = HEAD_GOES;
    if (s->most_under_way && l2_several_returned(s, h)) return;
    if (h.holder == L2_OF_REQUEST) {
        if (l2_answers_core(s, h.i)) return;
        if (!s->home || !s->home->answered(s, h.i)) l2_answered(s, h.i);
        return;
    }
    if (l2_side_takes_return(s, h, now)) return;
    if (h.holder != L2_OF_MSHR)
        s->miss->evicted(s, packed, now);
    else if (!s->w->coherence || !l2_home_fill(s, h.i, version, now))
        s->miss->fill(s, h.i, version, now);
}

static uint64_t earlier(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

uint64_t l2_step(struct l2_slice *s, uint64_t now)
{
    if (s->link) l2_link_step(s, now);
    while (fill_may_go(s, now))
        take_return(s, now);
    if (s->timed_due <= now) {
        s->head_wait = HEAD_GOES;
        l2_side_step(s, now);
    }
    if (s->woken.n) look_again(s, now);
    take_requests(s, now);
    if (s->pipe.due <= now || s->head_stalled_since != UINT64_MAX ||
        (!s->plain && (s->side_lookup.due <= now || s->link)))
        decide(s, now);
    uint64_t protocol_due = s->home ? s->home->step(s, now) : UINT64_MAX;
    if (s->directory) protocol_due = directory_step(s, now);
    if (s->replies.n) send_replies(s, now);
    look_ahead(s);

    if (s->woken.n) return now + 1;
    uint64_t next = earlier(s->returns.due, s->pipe.due);
    if (!s->plain) next = earlier(next, earlier(s->side_lookup.due, s->timed_due));
    next = earlier(next, protocol_due);
    if (s->link) next = earlier(next, l2_link_due(s));
    uint64_t arrival = noc_ready_at(s->w->request, s->id);
    if (arrival != UINT64_MAX && s->piped < s->pipe_bound) {
        uint64_t at = clock_ceil(arrival, s->w->noc_period, s->w->l2_period);
        if (at < next) next = at;
    }
    return next > now ? next : now + 1;
}
