/* cta_dispatch.c - the next CTA of an SM: the launch's next one, or with queues the SM's own next
 * one. An SM whose queue is empty takes the second half of the longest queue [A], unless dispatch
 * is serial. A dispatcher's turns lie `period` cycles apart. Source: Mao 4.2.3;
 * docs/models/scheduling.md. */
#include "gpu/policies/cta_dispatch.h"

static uint64_t queue_length(const struct cta_queue *q)
{
    return q->end - q->next;
}

struct cta_share cta_dispatch_share(enum dispatch_kind kind, uint32_t sms, uint32_t sm,
                                    uint64_t ctas)
{
    if (!cta_dispatch_has_queues(kind))
        return (struct cta_share){.next = sm, .end = ctas, .step = sms};
    return (struct cta_share){.next = ctas * sm / sms, .end = ctas * (sm + 1) / sms, .step = 1};
}

void cta_dispatch_launch(struct cta_dispatch *d, uint64_t ctas)
{
    d->ctas = ctas;
    d->dispatched = 0;
    d->next = 0;
    for (uint32_t i = 0; cta_dispatch_has_queues(d->kind) && i < d->sms; i++) {
        struct cta_share share = cta_dispatch_share(d->kind, d->sms, i, ctas);
        d->queue[i] = (struct cta_queue){share.next, share.end};
    }
}

bool cta_dispatch_any(const struct cta_dispatch *d, uint32_t sm)
{
    return d->kind == DISPATCH_SERIAL ? queue_length(&d->queue[sm]) > 0 : d->dispatched < d->ctas;
}

/* Moves the second half of the longest queue, so that both parts hold consecutive CTAs. Mao's
 * queues are virtual, and he does not say that they are fixed [A]. */
static void refill_queue(struct cta_dispatch *d, uint32_t sm)
{
    struct cta_queue *longest = d->queue;
    for (uint32_t i = 1; i < d->sms; i++)
        if (queue_length(&d->queue[i]) > queue_length(longest)) longest = &d->queue[i];
    uint64_t middle = longest->next + queue_length(longest) / 2;
    d->queue[sm] = (struct cta_queue){middle, longest->end};
    longest->end = middle;
}

uint64_t cta_dispatch_peek(struct cta_dispatch *d, uint32_t sm)
{
    if (!cta_dispatch_has_queues(d->kind)) return d->dispatched;
    if (!queue_length(&d->queue[sm])) refill_queue(d, sm);
    return d->queue[sm].next;
}

void cta_dispatch_take(struct cta_dispatch *d, uint32_t sm)
{
    if (cta_dispatch_has_queues(d->kind)) d->queue[sm].next++;
    d->dispatched++;
}

double cta_dispatch_turn(struct cta_dispatch *d, double now)
{
    double turn = d->next > now ? d->next : now;
    d->next = turn + d->period;
    return turn;
}
