#include "gpu/policies/cta_queues.h"

static uint64_t queue_length(const struct cta_queue *q)
{
    return q->end - q->next;
}

void cta_queues_fill(struct cta_queues *q, uint64_t ctas)
{
    for (uint32_t i = 0; i < q->n; i++)
        q->of[i] = (struct cta_queue){ctas * i / q->n, ctas * (i + 1) / q->n};
    q->left = ctas;
}

bool cta_queues_any(const struct cta_queues *q, enum dispatch_kind kind, uint32_t sm)
{
    return kind == DISPATCH_BALANCED ? q->left > 0 : queue_length(&q->of[sm]) > 0;
}

/* Moves the second half of the longest queue, so that both parts hold consecutive CTAs. Mao's
 * queues are virtual, and he does not say that they are fixed [A]. */
static void refill_queue(struct cta_queues *q, uint32_t sm)
{
    struct cta_queue *longest = q->of;
    for (uint32_t i = 1; i < q->n; i++)
        if (queue_length(&q->of[i]) > queue_length(longest)) longest = &q->of[i];
    uint64_t middle = longest->next + queue_length(longest) / 2;
    q->of[sm] = (struct cta_queue){middle, longest->end};
    longest->end = middle;
}

uint64_t cta_queues_next(struct cta_queues *q, uint32_t sm)
{
    if (!queue_length(&q->of[sm])) refill_queue(q, sm);
    return q->of[sm].next;
}

void cta_queues_take(struct cta_queues *q, uint32_t sm)
{
    q->of[sm].next++;
    q->left--;
}
