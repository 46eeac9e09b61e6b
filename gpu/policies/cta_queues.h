/* cta_queues.h - which CTA an SM gets next where each SM has a queue of its own (sm.dispatch).
 *
 * Both engines take from the same queues: whoever has room asks cta_queues_any, then
 * cta_queues_next which one it is, and cta_queues_take when it has been placed.
 *
 * Memory: the owner's; nothing is allocated here.
 * Source: Mao 4.2.3; that queues balance is an assumption (docs/models/scheduling.md). */
#ifndef PLUMB_GPU_POLICIES_CTA_QUEUES_H
#define PLUMB_GPU_POLICIES_CTA_QUEUES_H

#include "gpu/machine/params/sm.h"

#include <stdbool.h>
#include <stdint.h>

/* CTAs that an SM is still to get: next .. end - 1. */
struct cta_queue {
    uint64_t next, end;
};

struct cta_queues {
    struct cta_queue *of; /* [n] */
    uint32_t n;           /* SMs */
    uint64_t left;        /* CTAs in all of them */
};

/* A launch of so many CTAs begins: equal parts, in order. */
void cta_queues_fill(struct cta_queues *q, uint64_t ctas);
/* Whether an SM will get another one.  Precondition: kind is not DISPATCH_INTERLEAVED. */
bool cta_queues_any(const struct cta_queues *q, enum dispatch_kind kind, uint32_t sm);
/* Precondition of both: cta_queues_any. */
uint64_t cta_queues_next(struct cta_queues *q, uint32_t sm);
void cta_queues_take(struct cta_queues *q, uint32_t sm);

#endif
