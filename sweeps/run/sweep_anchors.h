/* sweep_anchors.h - makes the runs that correct a sweep's estimates (plan.h, struct plan_anchor).
 *
 * The sweep's store holds them, each with the estimate of the same machine that nothing corrected,
 * so that the estimates of a plan are the same whatever the user's bank holds: a simulation that
 * the bank has is only not made again.  A program that cannot be run on the machine has no anchor
 * and keeps its uncorrected estimates. */
#pragma once

#include "base/run/progress.h"
#include "sweeps/plan/plan.h"
#include "sweeps/store/store.h"

struct sweep_anchors_request {
    unsigned threads;
    struct progress *progress; /* NULL: silent */
    bool retry;                /* make again what failed before */
};

/* Anchors that the store lacks, and the warp instructions of their programs.  s NULL: all are
 * missing. */
struct sweep_anchors_missing {
    uint32_t simulated, sampled;
    uint64_t instructions;
};
bool sweep_anchors_count(const struct plan *p, struct store *s, struct sweep_anchors_missing *m,
                         struct error *e);
/* Makes what the store lacks.  false: the store failed, there is no memory, or it was
 * interrupted. */
bool sweep_anchors_make(const struct plan *p, struct store *s,
                        const struct sweep_anchors_request *q, struct error *e);
/* Copies what one store has and the other lacks; a `from` that cannot be read counts as empty. */
bool sweep_anchors_take(const struct plan *p, struct store *from, struct store *into,
                        struct error *e);
/* Lets the plan's estimates be corrected by the anchors that the store has; once for a plan. */
bool sweep_anchors_teach(struct plan *p, struct store *s, struct error *e);
