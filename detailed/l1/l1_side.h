/* l1_side.h - the structures beside the lines of an L1 (gpu/mechanisms/l1_mechanisms.h, and the
 * write cache of QuickRelease), as one table of operations.
 *
 * l1_init puts those whose row of the table of mechanisms says that they are on into l->side. A
 * structure has the operations that it needs, and NULL for the others. Where an L1 has none, an
 * access asks nobody.
 *
 * Time: core cycles. Memory: init allocates. */
#pragma once

#include "detailed/l1/l1_internal.h"
#include "gpu/mechanisms/mechanisms.h"

struct l1_side_ops {
    enum mechanism_id id;
    bool sends_behind; /* it sends requests that neither a warp nor a launch waits for */
    uint64_t (*bytes)(const struct l1_params *p);     /* of host memory, l1_memory.h's apart */
    bool (*init)(struct l1 *l);                       /* false: no memory */
    bool (*attach)(struct l1 *l, struct cache *tags); /* to new tags; false: no memory */
    void (*fini)(struct l1 *l);
    void (*clear)(struct l1 *l);

    /* --- an access --- */
    /* Sends what must go ahead of an access that goes round, or of a load that misses; false: the
     * network has no room. */
    bool (*ahead)(struct l1 *l, const struct l1_access *a, bool round, uint64_t now);
    void (*hit)(struct l1 *l, const struct l1_access *a, uint32_t line);    /* a load */
    void (*joins)(struct l1 *l, const struct l1_access *a, uint32_t entry); /* a fetch */
    /* A load's fetch is about to begin, as planned. */
    void (*misses)(struct l1 *l, const struct access_plan *p);
    /* It has begun, with that request. */
    void (*missed)(struct l1 *l, const struct l1_access *a, const struct access_plan *p,
                   struct req *r);
    void (*under_way)(struct l1 *l, const struct l1_access *a,
                      uint64_t now); /* all of it is done */

    /* --- a fill --- */
    void (*arrives)(struct l1 *l, const struct req *r); /* its data; may make it one not kept */
    void (*filled)(struct l1 *l, const struct req *r, uint32_t line); /* they are in the line */
    void (*ended)(struct l1 *l, uint32_t entry, uint64_t now); /* all who waited have the data */
    void (*given_up)(struct l1 *l, uint32_t entry);            /* the L2 has rejected the fetch */

    /* --- time: one structure of an L1 may have a clock, the FRC or the write cache --- */
    void (*step)(struct l1 *l, uint64_t now);
    uint64_t (*due)(const struct l1 *l, uint64_t now); /* UINT64_MAX: when a reply comes */
    void (*release)(struct l1 *l, uint64_t now);       /* sends what stores have left in it */

    bool (*is_idle)(const struct l1 *l);
    bool (*check)(const struct l1 *l); /* every invariant */
};

#define L1_SIDE_OPS(name, ...) extern const struct l1_side_ops l1_side_##name;
L1_MECHANISMS(L1_SIDE_OPS, )
extern const struct l1_side_ops l1_side_write_cache;

/* For each structure `o` of the L1. */
#define L1_EACH_SIDE(l, o)                                     \
    for (const struct l1_side_ops *const *at_ = (l)->side, *o; \
         at_ < (l)->side + (l)->sides && (o = *at_, true); at_++)
/* Calls an operation of all structures that have it. */
#define L1_TELL(l, operation, ...) \
    L1_EACH_SIDE(l, o_)            \
    if (o_->operation) o_->operation(__VA_ARGS__)

bool l1_side_init(struct l1 *l); /* false: no memory */
void l1_side_fini(struct l1 *l);
void l1_side_clear(struct l1 *l);
bool l1_side_attach(struct l1 *l, struct cache *tags);
bool l1_side_ahead(struct l1 *l, const struct l1_access *a, bool round, uint64_t now);
bool l1_side_is_idle(const struct l1 *l);
bool l1_side_check(const struct l1 *l);

/* --- what only one structure does, and an access's way (l1_way.h) names --- */
/* Whether a load that is predicted goes round before its look-up. */
bool l1_agcb_passes(const struct l1 *l, const struct l1_access *a);
enum l1_stall l1_combine_store(struct l1 *l, const struct l1_access *la, const struct access *a,
                               uint64_t now);
