/* warp_interleave.h - the order in which characterisation reads a program: warps take turns.
 *
 * CTAs start in order as long as no more than `warps` warps are resident (one CTA at least); when
 * one ends the next takes its place.  The resident warps take turns in the order of their places:
 * in its turn a warp goes on to the end of its next global memory instruction (loads, stores,
 * atomics), to a barrier, or to its end.  A barrier opens when all warps of the CTA that have not
 * ended stand at it.  Launches follow each other; nothing overlaps.
 *
 * This is the whole device without a machine's pace: one order for every program, the same on each
 * run.  Memory: cursors of the resident warps. */
#ifndef PLUMB_ESTIMATOR_CHARACTERIZE_WARP_INTERLEAVE_H
#define PLUMB_ESTIMATOR_CHARACTERIZE_WARP_INTERLEAVE_H

#include "base/run/progress.h"
#include "trace/program/cursor.h"

#include <stddef.h>

struct turn_place {
    uint32_t launch, warp; /* warp: inside its CTA */
    uint64_t cta;
    uint32_t at; /* place of the warp among the resident ones: below turns_places */
};
struct turns_visitor {
    bool (*start)(void *ctx, const struct turn_place *p); /* a warp's first turn; false: failed */
    bool (*inst)(void *ctx, const struct turn_place *p, const struct warp_inst *w);
    void (*end)(void *ctx, const struct turn_place *p);
    void *ctx;
};

struct turn_warp;
struct turn_cta;
struct turns {
    const struct program *program;
    struct reader *reader;
    const struct launch *l;
    struct turn_warp *warp; /* [places] */
    struct turn_cta *cta;   /* [slots] */
    uint32_t *slot;         /* [live] slots with a CTA, in order */
    size_t warp_cap, cta_cap, slot_cap;
    uint32_t launch, live, warps; /* warps: resident at most */
    uint64_t next_cta;
};

bool turns_init(struct turns *t, const struct program *p, uint32_t warps, struct error *e);
void turns_fini(struct turns *t);
/* How many places a launch takes. */
uint32_t turns_places(const struct turns *t, const struct launch *l);
/* progress: NULL, or counts CTAs.  false: *e, if the visitor did not fail. */
bool turns_launch(struct turns *t, uint32_t launch, const struct turns_visitor *v,
                  struct progress *progress, struct error *e);

#endif
