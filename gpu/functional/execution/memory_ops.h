/* memory_ops.h - what the functional machine (functional.h) asks of the memory behind it.
 *
 * The machine decides which warp executes which instruction when; the memory says how long an
 * access takes, and keeps what the access leaves behind. functional_caches.h has real tags, for the
 * intervals of samples; the estimator's reuse_observer.h has reuse distances, for profiles.
 *
 * Units: core cycles since the pass began. */
#pragma once

#include "trace/program/program.h"
#include "trace/stream/inst.h"

struct error;
struct occupancy;
struct serializer;
struct snapshot;

/* An instruction that a warp executes. */
struct func_issue {
    uint32_t sm;
    uint32_t warp; /* CTA slot of the group of SMs * warps per CTA + number in the CTA */
    uint16_t name; /* of the warp on its SM: sub-core * 64 + warp slot */
    const struct warp_inst *inst;
    double time;
};

struct func_memory_ops {
    /* Executes a global memory instruction; returns when the last of its accesses is served. */
    double (*access)(void *memory, const struct func_issue *i);
    void (*acquire)(void *memory, uint32_t sm, double time);
    void (*release)(void *memory, uint32_t sm, double time);
    /* Begins a launch with that many resident CTAs, which leaves each L1 fit->l1_kb KiB; false: no
     * memory. */
    bool (*launch)(void *memory, const struct launch *l, const struct occupancy *fit);
    void (*copy)(void *memory, const struct command *c);
    void (*advance)(void *memory, double now); /* to the quantum that begins then */
    /* Whether the instruction needs room at its SM's L1, and when there is room next unless another
     * access enters. */
    bool (*needs_room)(const void *memory, const struct warp_inst *inst);
    double (*room_at)(const void *memory, uint32_t sm);

    /* Watching a warp; NULL where nobody watches. `issues` precedes the instruction's effects, and
     * `ends` comes with the end of the warp's stream. */
    void (*begins)(void *memory, uint32_t warp, double time);
    void (*issues)(void *memory, const struct func_issue *i);
    void (*ends)(void *memory, uint32_t warp, double time);

    /* For passes with checkpoints; NULL in others. `restart` empties the memory. */
    bool (*restart)(void *memory, struct error *e);
    bool (*serialize)(void *memory, struct serializer *t); /* false: no memory */
};
