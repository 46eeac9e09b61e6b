/* dispatch.c - which CTA an SM gets next: the launch's next one, or one of its own queue. */
#include "detailed/sm/sm.h"

static struct cta_queue *own_queue(const struct sm *s)
{
    return &s->run->queue[s->id];
}

static uint64_t length(const struct cta_queue *q)
{
    return q->end - q->next;
}

/* Equal parts, in order (Mao 4.2.3). */
void sm_queue_fill(struct sm *s)
{
    uint64_t ctas = s->run->launch->ctas, n = s->p->count;
    *own_queue(s) = (struct cta_queue){ctas * s->id / n, ctas * (s->id + 1) / n};
    if (s->id == 0) s->run->queued = ctas;
}

/* Mao's queues are virtual and he does not say that they are fixed: the second half of the longest
 * one, so that both parts are of consecutive CTAs [A]. */
static void refill(struct sm *s)
{
    struct cta_queue *longest = s->run->queue;
    for (uint32_t i = 1; i < s->p->count; i++)
        if (length(&s->run->queue[i]) > length(longest)) longest = &s->run->queue[i];
    uint64_t middle = longest->next + length(longest) / 2;
    *own_queue(s) = (struct cta_queue){middle, longest->end};
    longest->end = middle;
}

static bool any_left(const struct sm *s)
{
    switch (s->p->dispatch) {
    case DISPATCH_SERIAL: return length(own_queue(s)) > 0;
    case DISPATCH_BALANCED: return s->run->queued > 0;
    case DISPATCH_INTERLEAVED:
    case DISPATCH_N: break;
    }
    return s->run->next_cta < s->run->launch->ctas;
}

static bool may_dispatch(const struct sm *s)
{
    return s->run->running && s->ctas < s->occ.ctas && any_left(s);
}

uint64_t sm_dispatch(struct sm *s, uint64_t now)
{
    bool queues = s->p->dispatch != DISPATCH_INTERLEAVED;
    uint64_t *next = queues ? &own_queue(s)->next : &s->run->next_cta;
    if (!may_dispatch(s)) return UINT64_MAX;
    if (now < s->run->starts) return s->run->starts;
    if (queues && !length(own_queue(s))) refill(s);
    if (!sm_place(s, *next, NULL, now)) return UINT64_MAX;
    ++*next;
    if (queues) s->run->queued--;
    return may_dispatch(s) ? now + 1 : UINT64_MAX;
}
