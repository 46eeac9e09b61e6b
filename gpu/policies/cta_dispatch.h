/* cta_dispatch.h - which CTA an SM gets next (sm.dispatch): the launch's next one, or the next one
 * of the SM's own queue of consecutive CTAs, which may take half of the longest queue.
 *
 * For an SM with room the owner calls cta_dispatch_any, then cta_dispatch_peek for the CTA's
 * number, and cta_dispatch_take when the CTA has been placed. A pass in which SMs must not depend
 * on each other takes a fixed share instead (cta_dispatch_share).
 *
 * One dispatcher serves all SMs, and starts a CTA every `period` cycles at most (sm.cta_rate):
 * cta_dispatch_turn says when the one is at the earliest that is asked for now. Who asks first has
 * the first turn [A], so that SMs that always have room take turns.
 *
 * Units: CTAs by their number in the launch; core cycles. Ownership: `queue` is the owner's;
 * nothing is allocated here. State to save: `dispatched`, the queues where they exist, `next`.
 * Invariant: with queues, unless a fixed share is taken instead, the CTAs left in them are ctas -
 * dispatched. Source: Mao 4.2.3; that queues balance is an assumption (docs/models/scheduling.md).
 */
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
    double period, next;       /* cycles from a CTA to the next one, 0: none; the next turn */
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

/* Cycles from one CTA to the next one that SMs get if they have `share` of the machine's. */
static inline double cta_dispatch_period(const struct sm_params *p, double share)
{
    return p->cta_rate > 0 ? 1 / (p->cta_rate * share) : 0;
}

/* Begins a launch of that many CTAs: distributes them in equal consecutive parts. */
void cta_dispatch_launch(struct cta_dispatch *d, uint64_t ctas);
/* Whether the SM will get another one. */
bool cta_dispatch_any(const struct cta_dispatch *d, uint32_t sm);
/* Precondition of both: cta_dispatch_any. */
uint64_t cta_dispatch_peek(struct cta_dispatch *d, uint32_t sm);
void cta_dispatch_take(struct cta_dispatch *d, uint32_t sm);
/* Takes the dispatcher's next turn from `now` on; returns its time. */
double cta_dispatch_turn(struct cta_dispatch *d, double now);

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
