/* cta_dispatch.h - which CTA an SM gets next (sm.dispatch): the launch's next one, or the next one
 * of the SM's own queue of consecutive CTAs, which may take half of the longest queue.
 *
 * For an SM with room the owner calls cta_dispatch_any, then cta_dispatch_peek for the CTA's
 * number, and cta_dispatch_take when the CTA has been placed. A pass in which SMs must not depend
 * on each other takes a fixed share instead (cta_dispatch_share).
 *
 * Units: CTAs by their number in the launch. Ownership: `queue` is the owner's; nothing is
 * allocated here. State to save: `dispatched`, and the queues where they exist. Invariant: with
 * queues, unless a fixed share is taken instead, the CTAs left in them are ctas - dispatched.
 * Source: Mao 4.2.3; that queues balance is an assumption (docs/models/scheduling.md). */
#pragma once

#include "gpu/machine/params/sm.h"

#include <stdbool.h>
#include <stdint.h>

/* The CTAs that an SM has not yet received: next .. end - 1. */
struct cta_queue {
    uint64_t next, end;
};

struct cta_dispatch {
    enum dispatch_kind kind;
    uint32_t sms;
    uint64_t ctas, dispatched; /* of the launch; how many of them SMs have received */
    struct cta_queue *queue;   /* [sms]; may be NULL if kind is DISPATCH_INTERLEAVED */
};

/* Whether each SM has a queue of its own. What an SM gets then depends on the launch's whole
 * history, and an execution cannot begin inside a launch. */
static inline bool cta_dispatch_has_queues(enum dispatch_kind kind)
{
    return kind != DISPATCH_INTERLEAVED;
}

/* Whether no SM ever takes a CTA from another's queue. */
static inline bool cta_dispatch_is_fixed(enum dispatch_kind kind)
{
    return kind == DISPATCH_SERIAL;
}

/* Begins a launch of that many CTAs: distributes them in equal consecutive parts. */
void cta_dispatch_launch(struct cta_dispatch *d, uint64_t ctas);
/* Whether the SM will get another one. */
bool cta_dispatch_any(const struct cta_dispatch *d, uint32_t sm);
/* Precondition of both: cta_dispatch_any. */
uint64_t cta_dispatch_peek(struct cta_dispatch *d, uint32_t sm);
void cta_dispatch_take(struct cta_dispatch *d, uint32_t sm);

/* The CTAs next, next + step, ... below end; those from `gap` on, if there is one, are so many
 * later that the CTA `gap` becomes `after`. */
struct cta_share {
    uint64_t next, end, step, gap, after;
};
#define CTA_SHARE_OVER UINT64_MAX
/* The n-th CTA from now on; CTA_SHARE_OVER: there are not so many. */
static inline uint64_t cta_share_at(const struct cta_share *s, uint64_t n)
{
    uint64_t cta = s->next + n * s->step;
    if (s->gap && cta >= s->gap) cta += s->after - s->gap;
    return cta < s->end ? cta : CTA_SHARE_OVER;
}
/* An SM's share if no SM is ever ahead of another: its queue, or every sms-th CTA. */
struct cta_share cta_dispatch_share(enum dispatch_kind kind, uint32_t sms, uint32_t sm,
                                    uint64_t ctas);
