/* l1_way.h - the way that an access takes through an L1: the order in which an L1 decides, for the
 * cycle model (detailed/l1/l1_access.c), the tags of the functional machine
 * (functional_caches.c) and the estimator's observer (observer_lines.c).
 *
 * Without an L1 every access goes on to the L2. Under a coherence protocol its tables say the rest.
 * Else atomics go round the L1, accesses with a hint if hints are heeded, and loads if all do; a
 * store goes where the write policy says, and a load looks up the tags.
 *
 * The parameters do not change in a run, so that the order is written into a table once. */
#pragma once

#include "gpu/cache/cache.h"
#include "gpu/machine/params/l1.h"

enum l1_way {
    L1_NONE,      /* there is no L1 */
    L1_PROTOCOL,  /* the tables of the protocol say what is done */
    L1_ROUND,     /* round the L1, whose copy of the sector leaves */
    L1_LOAD,      /* looks up the tags */
    L1_PREDICTED, /* the same, unless a predictor sends it round */
    L1_THROUGH,   /* a store that also goes on to the L2 */
    L1_EVICT,     /* the same; the L1's copy of the sector leaves */
    L1_COMBINE,   /* a store that gathers with others of its line */
    L1_BACK,      /* a store that stays */
    L1_OWN        /* the same to private memory: it always gets a line */
};

struct l1_rules {
    bool enabled, protocol;
    enum bypass_kind bypass;
    enum write_kind write;
    enum local_kind local;
};

struct l1_ways {
    bool hints;          /* are heeded */
    uint8_t of[3][2][2]; /* enum l1_way by enum access_kind, hint, private memory */
};

struct l1_ways l1_ways_of(const struct l1_rules *r);
struct l1_rules l1_rules_of(const struct l1_params *p, bool protocol);

static inline enum l1_way l1_way(const struct l1_ways *w, enum access_kind kind, bool hint,
                                 bool local)
{
    return (enum l1_way)w->of[kind][hint][local];
}
/* What a store leaves in the tags that its way allows. */
static inline void l1_way_store(enum l1_way way, struct access *a)
{
    a->through = way != L1_BACK && way != L1_OWN;
    a->allocate = way == L1_OWN;
}
