/* stream.h - the accesses that leave an SM's L1, or pass it, in the pass that makes profiles.
 *
 * Units: bytes; cycles of the launch. Ownership: a stream owns its array. */
#pragma once

#include "base/memory/rng.h"
#include "estimator/profile/profile_data.h"

enum { STREAM_NEAR_PART = 4 };
enum stream_kind { STREAM_READ, STREAM_WRITE, STREAM_ATOMIC, STREAM_KINDS };
struct stream_op { /* one line's sectors */
    uint64_t addr; /* of the L1 line */
    uint64_t time;
    uint32_t parts;   /* of stores: written parts (sector_reuse.h) */
    uint32_t l1;      /* distance of the farthest sector; writes: REUSE_FAR */
    uint8_t kind : 2, /* enum stream_kind */
        bypass : 1,   /* round the L1 */
        followed : 1, /* the profile follows its lines in the L2 */
        chosen : 1,   /* for the sample of single accesses */
        far_page : 1; /* page_reuse_is_far */
    uint8_t mask;
    /* sectors that go on to the L2; those that an L1 of twice the capacity would not absorb
     * either */
    uint8_t pass, pass_twice;
    uint16_t code; /* the static instruction's number, modulo 2^16 */
};
/* Whether an L1 of a part of the view's capacity absorbs the access, so that it is in no stream
 * behind an L1. */
static inline bool stream_op_near(const struct stream_op *op, const struct profile_view *v)
{
    return op->kind == STREAM_READ && op->l1 < v->l1_class_bytes / STREAM_NEAR_PART / v->l1_line;
}

/* Which accesses a window shows besides those to lines that the profile follows and those chosen
 * for the sample of single ones: none, those that go on to the L2, or all that are not near. */
enum stream_view { STREAM_SAMPLE, STREAM_MISSES, STREAM_ALL };
static inline bool stream_op_shows(const struct stream_op *op, enum stream_view view,
                                   const struct profile_view *v)
{
    if (view == STREAM_ALL) return !stream_op_near(op, v);
    return view == STREAM_MISSES && op->pass;
}

/* Accesses behind the L1 whose lines are sampled by their own measure: reads that an L1 of twice
 * the capacity would absorb, which are few hot lines, are one class; other reads, stores, atomics.
 */
enum stream_class { STREAM_ABSORBED, STREAM_ON, STREAM_ATOMICS, STREAM_STORES, STREAM_CLASSES };
static inline enum stream_class stream_class_of(const struct stream_op *op)
{
    if (op->kind == STREAM_WRITE) return STREAM_STORES;
    if (op->kind == STREAM_ATOMIC) return STREAM_ATOMICS;
    return op->pass_twice ? STREAM_ON : STREAM_ABSORBED;
}

struct stream {
    struct stream_op *op;
    size_t n, cap;
};

/* Drops the accesses before `time`; returns how many are left. */
static inline size_t stream_keep_from(struct stream *s, uint64_t time)
{
    size_t n = 0;
    for (size_t i = 0; i < s->n; i++)
        if (s->op[i].time >= time) s->op[n++] = s->op[i];
    return n;
}

/* Chooses one access in `one_in`, at random places. */
struct random_choice {
    uint32_t one_in, left;
    uint64_t n;
};
static inline bool random_choice_takes(struct random_choice *c)
{
    if (c->one_in == 1) return true;
    if (c->left) {
        c->left--;
        return false;
    }
    c->left = (uint32_t)(rng_splitmix64(++c->n) % (2 * c->one_in - 1));
    return true;
}
