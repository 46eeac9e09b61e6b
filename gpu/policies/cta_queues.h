/* cta_queues.h - which CTA an SM gets next if each SM has its own queue (sm.dispatch). Both engines
 * use these queues: for an SM with room they call cta_queues_any, then cta_queues_next for the
 * CTA's number, and cta_queues_take when the CTA has been placed.
 *
 * Memory: the owner's; nothing is allocated here. Source: Mao 4.2.3; that queues balance is an
 * assumption (docs/models/scheduling.md). */
#pragma once

#include "gpu/machine/params/sm.h"

#include <stdbool.h>
#include <stdint.h>

/* The CTAs that an SM has not yet received: next .. end - 1. */
struct cta_queue {
    uint64_t next, end;
};

struct cta_queues {
    struct cta_queue *of; /* [n] */
    uint32_t n;           /* SMs */
    uint64_t left;        /* CTAs in all of them */
};

/* Begins a launch of that many CTAs: distributes them in equal consecutive parts. */
void cta_queues_fill(struct cta_queues *q, uint64_t ctas);
/* Whether an SM will get another one.  Precondition: kind is not DISPATCH_INTERLEAVED. */
bool cta_queues_any(const struct cta_queues *q, enum dispatch_kind kind, uint32_t sm);
/* Precondition of both: cta_queues_any. */
uint64_t cta_queues_next(struct cta_queues *q, uint32_t sm);
void cta_queues_take(struct cta_queues *q, uint32_t sm);
