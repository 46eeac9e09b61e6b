/* cta_queues.h - the queues of cta_dispatch.h by themselves, for an owner that counts the CTAs that
 * are left in place of those dispatched. */
#pragma once

#include "gpu/policies/cta_dispatch.h"

struct cta_queues {
    struct cta_queue *of; /* [n] */
    uint32_t n;           /* SMs */
    uint64_t left;        /* CTAs in all of them */
};

static inline struct cta_dispatch cta_queues_dispatch(const struct cta_queues *q,
                                                      enum dispatch_kind kind)
{
    return (struct cta_dispatch){.kind = kind, .sms = q->n, .ctas = q->left, .queue = q->of};
}
static inline void cta_queues_fill(struct cta_queues *q, uint64_t ctas)
{
    struct cta_dispatch d = cta_queues_dispatch(q, DISPATCH_BALANCED);
    cta_dispatch_launch(&d, ctas);
    q->left = ctas;
}
static inline bool cta_queues_any(const struct cta_queues *q, enum dispatch_kind kind, uint32_t sm)
{
    struct cta_dispatch d = cta_queues_dispatch(q, kind);
    return cta_dispatch_any(&d, sm);
}
static inline uint64_t cta_queues_next(struct cta_queues *q, uint32_t sm)
{
    struct cta_dispatch d = cta_queues_dispatch(q, DISPATCH_BALANCED);
    return cta_dispatch_peek(&d, sm);
}
static inline void cta_queues_take(struct cta_queues *q, uint32_t sm)
{
    q->of[sm].next++;
    q->left--;
}
