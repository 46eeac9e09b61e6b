/* l2_link.c - a slice's end of the links between partitions of the L2: requests to the home of a
 * line, copies that come back, and what slices of other partitions ask of it.
 *
 * A message of n bytes occupies its partition's link for n / link_bytes cycles and arrives
 * link_latency later. A copy's fetch has an MSHR of its own and takes a line when the data
 * come, not before. A store or atomic that the home performs removes the copies of all other
 * partitions in that cycle; the notice costs bytes of the link, no time [A]. More:
 * docs/models/partitions.md. */
#include "detailed/l2/l2_link.h"

#include "base/memory/alloc.h"
#include "detailed/l2/l2_side.h"
#include "detailed/parts/component.h"

#include <assert.h>

/* --- a slice's end --- */

static bool init_queues(struct l2_link *k, uint32_t partitions)
{
    k->in = mem_new(partitions, sizeof *k->in);
    k->back = mem_new(partitions, sizeof *k->back);
    bool ok = k->in && k->back && fifo_init(&k->pipe, 16);
    for (uint32_t i = 0; ok && i < partitions; i++)
        ok = fifo_init(&k->in[i], 0) && fifo_init(&k->back[i], 0);
    return ok;
}

static bool init_link(struct l2_slice *s)
{
    const struct l2_params *p = s->p;
    if (!l2_has_homes(p)) return true;
    struct l2_link *k = s->link = mem_new(1, sizeof *k);
    if (!k || !init_queues(k, p->partitions)) return false;
    k->partition = s->id / s->w->links->map->near_slices;
    k->pipe_bound = p->latency * p->ports + p->input_queue;
    return mshr_init(&k->mshr, &p->cache.mshr);
}

static void fini_link(struct l2_slice *s)
{
    struct l2_link *k = s->link;
    if (!k) return;
    for (uint32_t i = 0; i < s->p->partitions; i++) {
        if (k->in) fifo_fini(&k->in[i]);
        if (k->back) fifo_fini(&k->back[i]);
    }
    mem_free(k->in);
    mem_free(k->back);
    fifo_fini(&k->pipe);
    mshr_fini(&k->mshr);
    mem_free(k);
    s->link = NULL;
}

static void clear_link(struct l2_slice *s)
{
    struct l2_link *k = s->link;
    if (!k) return;
    for (uint32_t i = 0; i < s->p->partitions; i++) {
        fifo_clear(&k->in[i]);
        fifo_clear(&k->back[i]);
    }
    fifo_clear(&k->pipe);
    mshr_clear(&k->mshr);
    k->next = 0;
}

static uint64_t host_bytes(const struct l2_params *p)
{
    if (!l2_has_homes(p)) return 0;
    return sizeof(struct l2_link) +
           (uint64_t)p->cache.mshr.entries * (sizeof(struct mshr_entry) + sizeof(uint64_t)) +
           2 * (uint64_t)p->partitions * sizeof(struct fifo);
}

/* --- messages --- */

static const struct req *item_of(const struct l2_slice *s, uint32_t req)
{
    return &s->w->reqs->item[req];
}

bool l2_link_is_far(const struct l2_slice *s, uint64_t addr)
{
    return map_slice(s->w->links->map, addr) != s->id;
}

bool l2_link_brought(const struct l2_slice *s, uint32_t req)
{
    return s->w->links->partition_of[item_of(s, req)->sm] != s->link->partition;
}

/* The slice of the same number in another partition. */
static struct l2_slice *peer_in(const struct l2_slice *s, uint32_t partition)
{
    const struct l2_links *k = s->w->links;
    return &k->slice[map_near_slice(k->map, s->id, partition)];
}

/* When a message of that size arrives that leaves the slice's partition now. */
static uint64_t send_message(struct l2_slice *s, uint32_t data_bytes, uint64_t now)
{
    const struct l2_links *k = s->w->links;
    uint32_t bytes = k->header_bytes + data_bytes;
    s->s.link_bytes += bytes;
    return link_leaves(&k->left[s->link->partition], s->p->link_bytes, now, bytes) +
           s->p->link_latency;
}

static void wake_at(struct l2_slice *s, uint64_t cycle)
{
    const struct wiring *w = s->w->links->w;
    w->wake[KIND_l2](w->sim, s->id, cycle);
}

/* Bytes of data that a request carries. */
static uint32_t data_of(const struct req *r)
{
    return r->kind == REQ_READ ? 0 : r->bytes & 255u;
}

static struct l2_slice *home_of(const struct l2_slice *s, uint64_t addr)
{
    const struct l2_links *k = s->w->links;
    return &k->slice[map_slice(k->map, addr)];
}

static bool has_link_room(const struct l2_slice *s, const struct l2_slice *home)
{
    return home->link->in[s->link->partition].n < s->p->miss_queue;
}

static void send_request(struct l2_slice *s, struct l2_slice *home, uint32_t req, uint64_t now)
{
    uint64_t arrives = send_message(s, data_of(item_of(s, req)), now);
    fifo_push(&home->link->in[s->link->partition], arrives, req);
    wake_at(home, arrives);
}

void l2_link_answer(struct l2_slice *s, uint32_t req)
{
    const struct req *r = item_of(s, req);
    uint32_t to = s->w->links->partition_of[r->sm];
    struct l2_slice *near = peer_in(s, to);
    uint64_t arrives = send_message(s, r->reply == REPLY_DATA ? r->bytes & 255u : 0, s->link->now);
    if (r->kind == REQ_READ) near->link->mshr.entry[r->entry].phase = 1;
    fifo_push(&near->link->back[s->link->partition], arrives, req);
    wake_at(near, arrives);
}

/* --- the near slice --- */

/* Removes the slice's copy of the sector, and does not keep one whose data have left the home, or,
 * with `any`, one that is asked for. */
static void drop_copy(struct l2_slice *s, uint64_t addr, bool any)
{
    uint32_t line = cache_find(&s->c, cache_tag(&s->c, addr));
    uint8_t bit = (uint8_t)(1u << cache_sector(&s->c, addr));
    uint32_t e = mshr_find(&s->link->mshr, cache_key(&s->c, addr));
    if (e != MSHR_NONE && (any || s->link->mshr.entry[e].phase))
        s->link->mshr.entry[e].killed = true;
    if (line == LINE_NONE || !(s->c.line[line].valid & bit)) return;
    cache_forget(&s->c, line, bit);
    s->s.copy_drops++;
}

void l2_link_performed(struct l2_slice *s, uint64_t addr)
{
    for (uint32_t i = 0; i < s->p->partitions; i++) {
        if (i == s->link->partition) continue;
        struct l2_slice *near = peer_in(s, i);
        uint64_t drops = near->s.copy_drops;
        drop_copy(near, addr, false);
        if (near->s.copy_drops != drops) send_message(s, 0, s->link->now);
    }
}

static void count_read(struct l2_slice *s, uint32_t req, enum verdict verdict)
{
    struct access_plan p = {.verdict = verdict, .line = LINE_NONE, .entry = MSHR_NONE};
    l2_count(s, &s->w->reqs->item[req], &p);
}

/* Sends for a copy of the request's sector. */
static void fetch_copy(struct l2_slice *s, struct l2_slice *home, uint32_t req, uint64_t now)
{
    struct l2_link *k = s->link;
    uint64_t key = cache_key(&s->c, item_of(s, req)->addr);
    uint32_t sm = item_of(s, req)->sm, entry = mshr_alloc(&k->mshr, key);
    uint32_t fetch = req_new(s->w->reqs); /* the pool may move */
    if (entry == MSHR_NONE || fetch == REQ_NONE || !mshr_wait(&k->mshr, entry, req)) return;
    struct req *f = &s->w->reqs->item[fetch];
    f->addr = key << s->c.sector_shift;
    f->entry = entry;
    f->sm = sm & 1023u;
    f->kind = REQ_READ;
    f->bytes = s->c.p.sector_bytes & 255u;
    f->bypass_l1 = true;
    k->mshr.entry[entry].phase = 0;
    s->s.copy_fetches++;
    send_request(s, home, fetch, now);
}

static bool serve_copy(struct l2_slice *s, uint32_t req, uint32_t line)
{
    struct access a = l2_access_of(s, item_of(s, req));
    struct access_plan p = {
        .verdict = CACHE_HIT, .line = line, .entry = MSHR_NONE, .present = true};
    struct victim v;
    cache_apply(&s->c, &p, &a, &v);
    s->s.copy_hits++;
    l2_count(s, &s->w->reqs->item[req], &p);
    l2_serve(s, req, line);
    return true;
}

bool l2_link_access(struct l2_slice *s, uint32_t req, uint64_t now)
{
    struct l2_link *k = s->link;
    uint64_t addr = item_of(s, req)->addr;
    struct l2_slice *home = home_of(s, addr);
    if (item_of(s, req)->kind != REQ_READ) {
        if (!has_link_room(s, home)) return false;
        drop_copy(s, addr, true);
        s->s.link_writes++;
        send_request(s, home, req, now);
        return true;
    }
    uint32_t line = cache_find(&s->c, cache_tag(&s->c, addr));
    if (line != LINE_NONE && s->c.line[line].valid >> cache_sector(&s->c, addr) & 1)
        return serve_copy(s, req, line);
    uint32_t entry = mshr_find(&k->mshr, cache_key(&s->c, addr));
    if (entry != MSHR_NONE) {
        if (mshr_overtaken(&k->mshr, entry) || !mshr_can_merge(&k->mshr, entry)) return false;
        mshr_wait(&k->mshr, entry, req);
        count_read(s, req, CACHE_MERGE);
        return true;
    }
    if (!mshr_has_room(&k->mshr) || !has_link_room(s, home)) return false;
    fetch_copy(s, home, req, now);
    return true;
}

/* Takes a line for a copy that has come; LINE_NONE: all are reserved, and it is not kept. */
static uint32_t keep_copy(struct l2_slice *s, uint64_t addr, uint32_t version)
{
    uint64_t tag = cache_tag(&s->c, addr);
    uint32_t line = cache_find(&s->c, tag), sector = cache_sector(&s->c, addr);
    struct victim v = {0};
    if (line == LINE_NONE) {
        line = cache_victim(&s->c, tag, false);
        if (line == LINE_NONE) return line;
        cache_take(&s->c, line, tag, &v);
        if (v.dirty) l2_send_writebacks(s, v.tag, v.dirty, MSHR_NONE);
    }
    s->c.line[line].valid |= (uint8_t)(1u << sector);
    if (SHADOW_ON) s->c.version[(size_t)line * s->c.sectors + sector] = version;
    l2_fill_bank(s, addr, s->link->now);
    return line;
}

static void take_copy(struct l2_slice *s, uint32_t fetch)
{
    struct mshr *m = &s->link->mshr;
    const struct req f = *item_of(s, fetch);
    uint32_t req;
    req_free(s->w->reqs, fetch);
    if (!m->entry[f.entry].killed) keep_copy(s, f.addr, f.version);
    while (mshr_next_waiter(m, f.entry, &req)) {
        s->w->reqs->item[req].version = f.version;
        l2_reply(s, req, REPLY_DATA);
    }
    mshr_release(m, f.entry);
}

static void take_answers(struct l2_slice *s, struct fifo *back, uint64_t now)
{
    while (back->due <= now) {
        uint32_t req = fifo_pop(back);
        if (item_of(s, req)->kind == REQ_READ)
            take_copy(s, req);
        else
            l2_reply(s, req, item_of(s, req)->reply);
    }
}

/* --- both --- */

static void take_requests(struct l2_slice *s, uint64_t now)
{
    struct l2_link *k = s->link;
    uint32_t taken = 0, n = s->p->partitions;
    for (uint32_t idle = 0; taken < s->p->ports && k->pipe.n < k->pipe_bound && idle < n;) {
        struct fifo *in = &k->in[k->next];
        bool goes = in->due <= now;
        if (goes) fifo_push(&k->pipe, now + s->p->latency, fifo_pop(in));
        taken += goes;
        idle = goes ? 0 : idle + 1;
        k->next = k->next + 1 == n ? 0 : k->next + 1;
    }
}

__attribute__((noinline)) void l2_link_step(struct l2_slice *s, uint64_t now)
{
    s->link->now = now;
    for (uint32_t i = 0; i < s->p->partitions; i++)
        take_answers(s, &s->link->back[i], now);
    take_requests(s, now);
}

__attribute__((noinline)) uint64_t l2_link_due(const struct l2_slice *s)
{
    const struct l2_link *k = s->link;
    uint64_t due = k->pipe.due;
    for (uint32_t i = 0; i < s->p->partitions; i++) {
        if (k->back[i].due < due) due = k->back[i].due;
        if (k->in[i].due < due && k->pipe.n < k->pipe_bound) due = k->in[i].due;
    }
    return due;
}

static uint32_t queued(const struct l2_slice *s)
{
    const struct l2_link *k = s->link;
    uint32_t n = k->pipe.n;
    for (uint32_t i = 0; i < s->p->partitions; i++)
        n += k->in[i].n + k->back[i].n;
    return n;
}

static bool is_idle(const struct l2_slice *s)
{
    return !s->link || (!queued(s) && !s->link->mshr.used);
}

static bool check_link(const struct l2_slice *s)
{
    if (!s->link) return true;
    for (uint32_t i = 0; i < s->c.n_lines; i++) {
        const struct cache_line *l = &s->c.line[i];
        if (!l->resident || !l2_link_is_far(s, l->tag << s->c.line_shift)) continue;
        if (l->dirty || l->partial || l->pending || l->transient) return false;
    }
    return mshr_check(&s->link->mshr);
}

static void print_stuck(const struct l2_slice *s, struct text *out)
{
    if (s->link)
        text_add(out, ", %u at the link, %u copies on their way", queued(s), s->link->mshr.used);
}

const struct l2_side_ops l2_side_partitions = {.id = L2_OF_partitions,
                                               .bytes = host_bytes,
                                               .init = init_link,
                                               .fini = fini_link,
                                               .clear = clear_link,
                                               .launch = l2_several_flush,
                                               .is_idle = is_idle,
                                               .check = check_link,
                                               .stuck = print_stuck};
