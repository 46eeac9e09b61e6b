/* l2_link.c - a slice's end of the links between partitions of the L2: messages, and what slices of
 * other partitions ask of it. What it asks of them: l2_copies.c.
 *
 * A message of n bytes occupies its partition's link for n / link_bytes cycles and arrives
 * link_latency later. More: docs/models/partitions.md. */
#include "detailed/l2/l2_link.h"

#include "base/memory/alloc.h"
#include "detailed/l2/l2_side.h"
#include "detailed/l2/l2_trains.h"
#include "detailed/parts/component.h"

#include <assert.h>

/* --- a slice's end --- */

static bool init_queues(struct l2_link *k, uint32_t partitions)
{
    k->in = mem_new(partitions, sizeof *k->in);
    k->back = mem_new(partitions, sizeof *k->back);
    k->waiting = mem_new(partitions, sizeof *k->waiting);
    bool ok = k->in && k->back && k->waiting && fifo_init(&k->pipe, 16);
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
    mem_free(k->waiting);
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
        k->waiting[i] = 0;
    }
    fifo_clear(&k->pipe);
    mshr_clear(&k->mshr);
    k->next = k->piped = k->saved = 0;
    k->entered = 0;
}

static uint64_t host_bytes(const struct l2_params *p)
{
    if (!l2_has_homes(p)) return 0;
    return sizeof(struct l2_link) +
           (uint64_t)p->cache.mshr.entries * (sizeof(struct mshr_entry) + sizeof(uint64_t)) +
           (uint64_t)p->partitions * (2 * sizeof(struct fifo) + sizeof(uint32_t));
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

struct l2_slice *l2_link_peer(const struct l2_slice *s, uint32_t partition)
{
    const struct l2_links *k = s->w->links;
    return &k->slice[map_near_slice(k->map, s->id, partition)];
}

/* When messages, each with its header, arrive that leave the slice's partition now. */
static uint64_t send_messages(struct l2_slice *s, uint32_t n, uint32_t data_bytes, uint64_t now)
{
    const struct l2_links *k = s->w->links;
    uint32_t bytes = n * k->header_bytes + data_bytes;
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

struct l2_slice *l2_link_home(const struct l2_slice *s, uint64_t addr)
{
    const struct l2_links *k = s->w->links;
    return &k->slice[map_slice(k->map, addr)];
}

/* Sectors that a request is for. */
static uint32_t sectors_of(const struct l2_slice *s, uint32_t req)
{
    return 1 + l2_more(s, item_of(s, req));
}

bool l2_link_has_room(const struct l2_slice *s, const struct l2_slice *home)
{
    return home->link->waiting[s->link->partition] < s->p->miss_queue;
}

void l2_link_send(struct l2_slice *s, struct l2_slice *home, uint32_t req, uint64_t now)
{
    uint32_t n = sectors_of(s, req);
    uint64_t arrives = send_messages(s, n, data_of(item_of(s, req)), now);
    fifo_push(&home->link->in[s->link->partition], arrives, req);
    home->link->waiting[s->link->partition] += n;
    wake_at(home, arrives);
}

void l2_link_notice(struct l2_slice *s)
{
    send_messages(s, 1, 0, s->link->now);
}

void l2_link_served(struct l2_slice *s, const struct req *r)
{
    uint32_t to = s->w->links->partition_of[r->sm];
    if (to != s->link->partition) l2_link_peer(s, to)->link->mshr.entry[r->entry].phase = 1;
}

void l2_link_answer(struct l2_slice *s, uint32_t req)
{
    const struct req *r = item_of(s, req);
    uint32_t to = s->w->links->partition_of[r->sm];
    struct l2_slice *near = l2_link_peer(s, to);
    uint32_t bytes = r->reply == REPLY_DATA ? r->bytes & 255u : 0;
    uint64_t arrives = send_messages(s, sectors_of(s, req), bytes, s->link->now);
    if (r->kind == REQ_READ) near->link->mshr.entry[r->entry].phase = 1;
    fifo_push(&near->link->back[s->link->partition], arrives, req);
    wake_at(near, arrives);
}

/* --- time --- */

static void take_answers(struct l2_slice *s, struct fifo *back, uint64_t now)
{
    while (back->due <= now) {
        uint32_t req = fifo_pop(back);
        if (item_of(s, req)->kind == REQ_READ)
            l2_copies_take(s, req);
        else
            l2_reply(s, req, item_of(s, req)->reply);
    }
}

static void take_requests(struct l2_slice *s, uint64_t now)
{
    struct l2_link *k = s->link;
    uint32_t n = s->p->partitions;
    uint64_t end = (now + 1) * s->p->ports;
    if (k->entered < end - s->p->ports) k->entered = end - s->p->ports;
    for (uint32_t idle = 0; k->entered < end && k->piped < k->pipe_bound && idle < n;) {
        struct fifo *in = &k->in[k->next];
        bool goes = in->due <= now;
        if (goes) {
            uint32_t sectors = sectors_of(s, fifo_front(in)->value);
            fifo_push(&k->pipe, now + s->p->latency, fifo_pop(in));
            k->waiting[k->next] -= sectors;
            k->piped += sectors;
            k->entered += sectors;
        }
        idle = goes ? 0 : idle + 1;
        k->next = k->next + 1 == n ? 0 : k->next + 1;
    }
}

/* Turns that the next request in the pipe still needs: one for each sector. */
static uint32_t turns_needed(struct l2_slice *s)
{
    s->at_once = 1 + l2_train_rest(s, fifo_front(&s->link->pipe)->value);
    return s->at_once > s->link->saved ? s->at_once - s->link->saved : 0;
}

__attribute__((noinline)) uint32_t l2_link_decide(struct l2_slice *s, uint64_t now)
{
    struct l2_link *k = s->link;
    uint32_t n = 0, ports = s->p->ports;
    if (s->pipe.due <= now && (ports > 1 || now & 1)) ports--;
    while (n < ports && k->pipe.due <= now) {
        uint32_t needs = turns_needed(s);
        if (needs > ports - n) {
            k->saved += ports - n;
            return ports;
        }
        if (!l2_decide_head(s, fifo_front(&k->pipe)->value, now)) break;
        k->piped -= sectors_of(s, fifo_pop(&k->pipe));
        k->saved = 0;
        n += needs;
    }
    return n;
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
        if (k->in[i].due < due && k->piped < k->pipe_bound) due = k->in[i].due;
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
