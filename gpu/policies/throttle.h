/* throttle.h - how many warps of an SM may issue, and which (names: gpu/machine/params/sm.h).
 *
 * The SM reports the events of its warps and of its L1. When a relevant event has made the masks
 * stale (`due`), the SM hands over its roster, and the policy decides anew which warps may not
 * issue, or may not issue loads. The schedulers choose among the others.
 *
 * A warp at a barrier or at its end does not count as active and is never barred, so that the warps
 * that it waits for take its place.
 *
 * Units: warps are named subcore * 64 + slot; time in core cycles. Memory: throttle_init allocates.
 * Source: Mao 4.2.1, 4.2.2 (IWL, IntraCL); Rogers 2012 (CCWS). */
#pragma once

#include "base/memory/hash_map.h"
#include "gpu/machine/params/sm.h"

#include <stdbool.h>
#include <stdint.h>

enum { THROTTLE_SUBCORES = 8, THROTTLE_WARPS = THROTTLE_SUBCORES * 64 };

/* A warp in the SM's roster, which lists CTA after CTA in order of arrival and the warps of each by
 * number. */
struct rostered {
    uint16_t warp;
    bool waits;     /* at a barrier, or has nothing left to issue */
    bool cta_first; /* the first of its CTA in the roster */
};

struct throttle_access {
    uint32_t warp;
    uint64_t block; /* line number */
    bool load, miss;
};

struct serializer;

struct throttle {
    const struct throttle_ops *ops; /* NULL: no throttling */
    const struct sm_params *p;
    uint32_t l1_blocks;
    uint32_t limit; /* warps that may be active, UINT32_MAX: all */
    uint64_t barred[THROTTLE_SUBCORES], no_loads[THROTTLE_SUBCORES]; /* slots (bits) */
    bool no_memory;
    uint64_t due; /* cycle from which the masks are stale; UINT64_MAX: not before an event */
    struct iwl *iwl;
    struct ccws *ccws;
};

struct throttle_ops {
    const char *name;
    bool learns;                      /* its choices depend on the launch's whole history */
    bool (*init)(struct throttle *t); /* optional; false: no memory */
    /* warps: mean per SM; issued: instructions of the SM so far. */
    void (*launch)(struct throttle *t, double warps, uint64_t issued); /* optional */
    void (*born)(struct throttle *t, uint32_t warp);                   /* optional */
    void (*ended)(struct throttle *t, uint32_t warp);                  /* optional */
    /* optional: the warp issued a memory instruction. */
    void (*asked)(struct throttle *t, uint32_t warp);
    /* Optional: called when an L1 access has been decided. Returns whether the masks are stale now.
     */
    bool (*access)(struct throttle *t, const struct throttle_access *a, uint64_t issued,
                   uint64_t now);
    void (*left)(struct throttle *t, uint64_t block); /* optional: the L1 evicted the block */
    /* The policy's own state; false: no memory. */
    /* optional: it has none of its own. */
    bool (*serialize)(struct throttle *t, struct serializer *serializer);
    /* Converts the state to another time base: cycle `then` becomes `now`, and the count of
     * `issued` instructions restarts at 0. */
    void (*moved)(struct throttle *t, uint64_t issued, uint64_t then, uint64_t now); /* optional */
    /* Computes the masks, and `due` if time alone will change them. */
    void (*choose)(struct throttle *t, const struct rostered *r, uint32_t n, uint64_t now);
};
extern const struct throttle_ops throttle_fixed, throttle_iwl, throttle_ccws;
extern const struct throttle_ops *const throttle_table[THROTTLE_N];

/* Whether it wants to hear of the lines that leave the L1. */
static inline bool throttle_follows_lines(enum throttle_kind kind)
{
    return throttle_table[kind] && throttle_table[kind]->left;
}
/* Whether an execution that begins inside a launch lacks what the throttle would know by then. */
static inline bool throttle_learns(enum throttle_kind kind)
{
    return throttle_table[kind] && throttle_table[kind]->learns;
}

/* l1_blocks: lines of the L1.  false: no memory. */
bool throttle_init(struct throttle *t, const struct sm_params *p, uint32_t l1_blocks);
void throttle_fini(struct throttle *t);
/* All mutable state; names of warps stay the same. false: no memory. */
bool throttle_serialize(struct throttle *t, struct serializer *serializer);
/* Converts loaded state to another time base (throttle_ops.moved); the masks become stale. */
void throttle_moved(struct throttle *t, uint64_t issued, uint64_t then, uint64_t now);
void throttle_launch(struct throttle *t, double warps, uint64_t issued);

/* Activates at most t->limit warps, chosen by t->p->active_set, and bars the others. */
void throttle_by_number(struct throttle *t, const struct rostered *r, uint32_t n, uint64_t now);
static inline void throttle_set(uint64_t mask[THROTTLE_SUBCORES], uint32_t warp)
{
    mask[warp / 64] |= UINT64_C(1) << warp % 64;
}

/* --- IWL's estimate, equations 4.1 to 4.6 --- */
struct iwl {
    double ws, rr;       /* running means: working set in blocks, accesses per block */
    bool known;          /* the means include a sample */
    uint32_t n_pred;     /* warps that end before the first estimate counts */
    uint64_t ended;      /* warps that have ended in this launch */
    uint32_t since_wipe; /* warps that ended since the table was cleared */
    uint8_t *amt;        /* [amt_entries] 1: a miss of this entry has been counted */
    uint32_t misses[THROTTLE_WARPS], accesses[THROTTLE_WARPS];
};
uint32_t throttle_iwl_n_pred(double alpha, double warps);                           /* 4.2 */
uint32_t throttle_iwl_n_act(double beta, uint32_t l1_blocks, double ws, double rr); /* 4.6 */

/* --- CCWS's scores --- */
struct ccws {
    uint64_t *tag; /* [THROTTLE_WARPS * tags]: a set's tags, most recently lost first; 0 = none,
                      else tag + 1 */
    uint64_t expires[THROTTLE_WARPS]; /* score = base + remaining cycles until then */
    uint64_t hits, issued_before;     /* victim tag hits in this launch; instructions before it */
    uint32_t live;
    struct hash_map owner; /* block -> the warp that missed on it last */
};
