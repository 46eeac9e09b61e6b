/* warp_interleave.h - the order in which characterisation reads a program: its warps are
 * interleaved round robin.
 *
 * CTAs start in order while at most `warps` warps are resident (one CTA at least); when one ends,
 * the next takes its place.  The resident warps take turns in the order of their places.  A turn
 * ends after the warp's next global memory instruction (load, store, atomic), at a barrier, or at
 * the warp's end. A barrier opens when all warps of the CTA that have not ended wait at it.
 * Launches follow each other; they do not overlap.
 *
 * This covers the whole device without any machine's timing: the order is the same on each run.
 * Memory: cursors of the resident warps. */
#pragma once

#include "base/run/progress.h"
#include "trace/program/cursor.h"

#include <stddef.h>

struct turn_place {
    uint32_t launch, warp; /* warp: index inside its CTA */
    uint64_t cta;
    uint32_t at; /* the warp's place among the resident ones: below turns_places */
};
struct turns_visitor {
    /* called before a warp's first turn; false: failed */
    bool (*start)(void *ctx, const struct turn_place *p);
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
    uint32_t launch, live, warps; /* warps: the most that are resident */
    uint64_t next_cta;
};

bool turns_init(struct turns *t, const struct program *p, uint32_t warps, struct error *e);
void turns_fini(struct turns *t);
/* The number of places that a launch needs. */
uint32_t turns_places(const struct turns *t, const struct launch *l);
/* progress: NULL, or counts CTAs.  false: *e is set, unless the visitor failed. */
bool turns_launch(struct turns *t, uint32_t launch, const struct turns_visitor *v,
                  struct progress *progress, struct error *e);
