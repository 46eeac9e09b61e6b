/* throttle.h - how many warps of an SM may issue, and which: a policy (names:
 * gpu/machine/params/sm.h).
 *
 * The SM tells what happens to warps and in the L1; when something that matters has happened
 * (`due`), it hands over its roster and the policy says anew which warps may not issue, or may not
 * issue loads.  In what order the others go is the schedulers' business.
 *
 * A warp at a barrier or at its end does not count as active and is never held back, so that warps
 * that it waits for come forward in its place.
 *
 * Units:  warps are named subcore * 64 + slot; time in core cycles.
 * Memory: throttle_init allocates.
 * Source: Mao 4.2.1, 4.2.2 (IWL, IntraCL); Rogers 2012 (CCWS); mechanisms 18, 20. */
#ifndef PLUMB_GPU_POLICIES_THROTTLE_H
#define PLUMB_GPU_POLICIES_THROTTLE_H

#include "base/memory/hash_map.h"
#include "gpu/machine/params/sm.h"

#include <stdbool.h>
#include <stdint.h>

enum { THROTTLE_SUBCORES = 8, THROTTLE_WARPS = THROTTLE_SUBCORES * 64 };

/* The SM's warps, CTA after CTA in order of arrival, each CTA's in the order of their numbers. */
struct rostered {
    uint16_t warp;
    bool waits;     /* at a barrier, or has nothing left to issue */
    bool cta_first; /* first one listed of its CTA */
};

struct throttle_access {
    uint32_t warp;
    uint64_t block; /* line number */
    bool load, miss;
};

struct serializer;

struct throttle {
    const struct throttle_ops *ops; /* NULL: nobody is held back */
    const struct sm_params *p;
    uint32_t l1_blocks;
    uint32_t limit; /* warps that may be active, UINT32_MAX: all */
    uint64_t barred[THROTTLE_SUBCORES], no_loads[THROTTLE_SUBCORES]; /* slots (bits) */
    bool no_memory;
    uint64_t due; /* cycle from which the masks must be made anew; UINT64_MAX: when told */
    struct iwl *iwl;
    struct ccws *ccws;
};

struct throttle_ops {
    const char *name;
    bool (*init)(struct throttle *t); /* optional; false: no memory */
    /* warps: mean per SM; issued: instructions of the SM so far. */
    void (*launch)(struct throttle *t, double warps, uint64_t issued); /* optional */
    void (*born)(struct throttle *t, uint32_t warp);                   /* optional */
    void (*ended)(struct throttle *t, uint32_t warp);                  /* optional */
    void (*asked)(struct throttle *t, uint32_t warp); /* optional: issued a memory instruction */
    /* Optional: an access of the L1 has been decided.  Returns whether the masks are old now. */
    bool (*access)(struct throttle *t, const struct throttle_access *a, uint64_t issued,
                   uint64_t now);
    void (*left)(struct throttle *t, uint64_t block); /* optional: pushed out of the L1 */
    /* All of its state; false: no memory. */
    bool (*serialize)(struct throttle *t,
                      struct serializer *serializer); /* optional: it has none of its own */
    /* Its SM goes on elsewhere: cycle `then` is `now` there, `issued` instructions are 0. */
    void (*moved)(struct throttle *t, uint64_t issued, uint64_t then, uint64_t now); /* optional */
    /* Makes the masks, and `due` if time alone will change them. */
    void (*choose)(struct throttle *t, const struct rostered *r, uint32_t n, uint64_t now);
};
extern const struct throttle_ops throttle_fixed, throttle_iwl, throttle_ccws;
extern const struct throttle_ops *const throttle_table[THROTTLE_N];

/* l1_blocks: lines of the L1.  false: no memory. */
bool throttle_init(struct throttle *t, const struct sm_params *p, uint32_t l1_blocks);
void throttle_fini(struct throttle *t);
/* All that changes; names of warps stay what they are.  false: no memory. */
bool throttle_serialize(struct throttle *t, struct serializer *serializer);
/* A loaded one goes on where that cycle and that number of instructions issued are others: see
 * throttle_ops.moved.  The masks must be made anew. */
void throttle_moved(struct throttle *t, uint64_t issued, uint64_t then, uint64_t now);
void throttle_launch(struct throttle *t, double warps, uint64_t issued);

/* At most t->limit warps are active, by t->p->active_set; the others are barred. */
void throttle_by_number(struct throttle *t, const struct rostered *r, uint32_t n, uint64_t now);
static inline void throttle_set(uint64_t mask[THROTTLE_SUBCORES], uint32_t warp)
{
    mask[warp / 64] |= UINT64_C(1) << warp % 64;
}

/* --- IWL's estimate, equations 4.1 to 4.6 --- */
struct iwl {
    double ws, rr;       /* running means: blocks, accesses per block */
    bool known;          /* they hold a sample */
    uint32_t n_pred;     /* warps that end before the first estimate counts */
    uint64_t ended;      /* in this launch */
    uint32_t since_wipe; /* warps that ended since the table was cleared */
    uint8_t *amt;        /* [amt_entries] 1: a miss of this entry has been counted */
    uint32_t misses[THROTTLE_WARPS], accesses[THROTTLE_WARPS];
};
uint32_t throttle_iwl_n_pred(double alpha, double warps);                           /* 4.2 */
uint32_t throttle_iwl_n_act(double beta, uint32_t l1_blocks, double ws, double rr); /* 4.6 */

/* --- CCWS's scores --- */
struct ccws {
    uint64_t *tag; /* [THROTTLE_WARPS * tags]: a set's tags, last lost first; 0 = none, else + 1 */
    uint64_t expires[THROTTLE_WARPS]; /* score = base + what is left until then */
    uint64_t hits, issued_before;     /* victim tag hits in this launch; instructions before it */
    uint32_t live;
    struct hash_map owner; /* block -> the warp that missed on it last */
};

#endif
