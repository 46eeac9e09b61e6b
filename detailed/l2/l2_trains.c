/* l2_trains.c - the order in which the sectors of requests for several are looked up; see
 * l2_trains.h. */
#include "detailed/l2/l2_trains.h"

#include "detailed/parts/port.h"

bool l2_train_enters(struct l2_slice *s, uint32_t more, uint64_t noc_now, uint64_t now)
{
    bool just_came = noc_ready_at(s->w->request, s->id) == noc_now;
    return port_lets_in(&s->entries_used, s->p->ports, 1 + more, just_came, now);
}

/* A train has come with its last packet; its sectors were looked up one by one from the first on.
 */
uint32_t l2_train_early(const struct l2_slice *s, uint32_t more)
{
    uint32_t cycles = s->p->extra_latency + s->p->latency;
    return more < cycles ? more : cycles;
}

uint32_t l2_train_rest(const struct l2_slice *s, uint32_t req)
{
    const struct req *r = &s->w->reqs->item[req];
    uint32_t more = l2_more(s, r);
    return more ? more - r->looked_up : 0;
}

/* When a sector of the k-th request in the pipe would have been at its end, alone. */
static uint64_t sector_at(const struct l2_slice *s, uint32_t k, const struct req *r, uint32_t nth)
{
    uint32_t more = l2_more(s, r);
    uint64_t last = fifo_time(&s->pipe, k) + l2_train_early(s, more);
    return more ? last - r->span + r->span * nth / more : last;
}

/* How many of the trains behind the head are for its line and crossed the network between its
 * packets, before the one behind the next. */
static uint32_t train_others(const struct l2_slice *s)
{
    const struct req *item = s->w->reqs->item, *head = &item[fifo_front(&s->pipe)->value];
    uint64_t next = sector_at(s, 0, head, head->looked_up + 1u);
    uint32_t n = 0;
    for (; head->kind == REQ_READ && n + 1 < s->pipe.n; n++) {
        const struct req *r = &item[fifo_at(&s->pipe, n + 1)->value];
        if (r->kind != REQ_READ || cache_tag(&s->c, r->addr) != cache_tag(&s->c, head->addr) ||
            sector_at(s, n + 1, r, r->looked_up) >= next)
            break;
    }
    return n;
}

/* The head stalls when so many of its sectors have left the pipeline. */
static void train_stalls(struct l2_slice *s, uint32_t gone, uint64_t now)
{
    if (!gone) return;
    s->piped -= gone;
    s->ports_used = port_turns(s->ports_used, s->p->ports, gone, now);
}

/* The head, of which a sector has been looked up, goes behind n others. */
static void train_rotate(struct l2_slice *s, uint32_t n)
{
    const struct fifo_entry head = *fifo_front(&s->pipe); /* the pipe stays due */
    for (uint32_t k = 0; k < n; k++)
        *fifo_at(&s->pipe, k) = *fifo_at(&s->pipe, k + 1);
    *fifo_at(&s->pipe, n) = head;
}

bool l2_decide_trains(struct l2_slice *s, uint32_t taken, uint64_t now)
{
    const uint32_t ports = s->p->ports;
    if (taken) s->ports_used = port_turns(s->ports_used, ports, taken, now);
    while (s->pipe.due <= now) {
        uint32_t req = fifo_front(&s->pipe)->value, more = l2_train_rest(s, req);
        uint32_t others = more ? train_others(s) : 0, n = others ? 1 : 1 + more;
        uint64_t used = s->ports_used;
        s->at_once = n;
        if (!port_lets_in(&used, ports, n, s->pipe.due == now, now)) return true;
        if (!l2_decide_head(s, req, now)) {
            train_stalls(s, more - l2_train_rest(s, req), now);
            return false;
        }
        s->ports_used = used;
        s->piped -= n;
        if (others)
            train_rotate(s, others);
        else
            fifo_pop(&s->pipe);
    }
    return true;
}
