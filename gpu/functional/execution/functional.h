/* functional.h - a functional pass through a program under way: checkpoints.c's inner parts.
 *
 * walk_step does one thing: a copy, the beginning or the end of a launch, or a quantum of time.
 * Where the walk stands (walk_stands) it can be left and gone on from: walk_tape is all of its
 * state, and a walk loaded from a tape goes on exactly as the one that was saved.
 *
 * Pace: CTAs are dispatched as the cycle model does when slots free up; fluid_timing.h says when
 * warps go on.  Units: core cycles since the walk began; positions in warp instructions. */
#ifndef PLUMB_GPU_FUNCTIONAL_EXECUTION_FUNCTIONAL_H
#define PLUMB_GPU_FUNCTIONAL_EXECUTION_FUNCTIONAL_H

#include "base/memory/serialize.h"
#include "gpu/functional/execution/warp_admission.h"
#include "gpu/functional/memory/functional_caches.h"
#include "gpu/functional/warming/checkpoints.h"
#include "gpu/policies/cta_queues.h"
#include "trace/program/cursor.h"

/* Of a warp of the functional machine. */
struct walk_clock {
    uint64_t done;        /* instructions behind it */
    double time;          /* before which the next cannot issue */
    double loads, stores; /* when the last outstanding one is served */
    uint32_t segment;     /* while the walk's state is on a tape: where its stream stood */
    bool ended, at_barrier;
    bool at_door; /* its next access found no room before the L1's door, or in the buffer */
};

struct walk_stream {
    struct cursor cursor;
    struct warp_inst inst; /* next */
};

struct walk_cta {
    uint64_t cta, order; /* order: in which they were dispatched */
    uint32_t live, arrived;
    uint32_t subcore; /* of its first warp */
    double latest;    /* of its warps' barriers or ends */
    double wake;      /* none of its warps can go on before */
    bool active;
};

/* Which warp a sub-core took last: of that CTA if it is still in that slot.  NO_CTA: none yet. */
#define NO_CTA UINT64_MAX
struct walk_last {
    uint64_t cta;
    uint32_t slot, warp;
};

/* An SM: its CTAs in the order of their arrival. */
struct walk_sm {
    uint32_t n;
    uint32_t next_subcore;
    struct walk_last last[SM_MAX_SUBCORES];
    double wake; /* nothing can happen before */
    bool over;   /* a CTA has ended and is still in its place */
};

struct walk {
    const struct machine *m;
    const struct sm_params *params;
    uint32_t sms;
    const struct program *p;
    struct reader *reader;
    struct warm_caches caches;
    bool warm;        /* caches are wanted */
    uint32_t command; /* the next */
    uint64_t done;
    /* the launch under way; NULL: none */
    const struct launch *launch;
    uint32_t launch_index, slots; /* CTA slots per SM */
    bool begun;                   /* CTAs have been dispatched */
    uint32_t active;
    uint64_t next_cta, launch_done;
    struct walk_cta *cta; /* [sms * slots] */
    struct walk_sm *sm;   /* [sms] */
    uint32_t *slot;       /* [sms * slots] of cta[], by SM, in the order of arrival */
    uint32_t *awake;      /* [slots] of the SM under way: those that can go on in the quantum */
    /* by CTA slot, then by warp of the CTA */
    struct walk_clock *clock;
    struct walk_stream *stream;
    double *ready;            /* [registers] of each warp */
    struct cta_queues queues; /* where SMs have queues of their own */
    /* where not every warp may always go on; NULL elsewhere */
    struct walk_govern *govern; /* [sms] */
    uint16_t *name;             /* of each warp: sub-core * 64 + slot */
};

/* To be undone with walk_fini even if it fails. */
bool walk_init(struct walk *w, const struct machine *m, const struct program *p, bool want_warm,
               struct error *e);
void walk_fini(struct walk *w);
bool walk_step(struct walk *w, struct error *e); /* false also at the program's end */
bool walk_quantum(struct walk *w, struct error *e);
bool walk_dispatch(struct walk *w, uint32_t sm, uint32_t slot, double time, struct error *e);
/* A warp that may be at a barrier or at its end goes on as far as it can in the quantum. */
bool walk_try_warp(struct walk *w, uint32_t sm, uint32_t k, uint32_t slot, uint32_t i,
                   struct error *e);
/* All anew with empty caches, before that command, with so many instructions behind it. */
bool walk_restart(struct walk *w, uint32_t command, uint64_t done, struct error *e);
/* Whether a walk can begin inside a launch: nothing that machine remembers of one depends on all of
 * it. */
bool walk_begins_inside(const struct machine *m);
/* Into the next launch, whose first CTAs count as done; none of its own has begun. */
bool walk_skip_to(struct walk *w, uint64_t cta, struct error *e);
uint64_t walk_wave(const struct walk *w, const struct launch *l); /* CTAs that run at once */
/* Room for a launch, and its end. */
bool walk_enter(struct walk *w, uint32_t launch, struct error *e);
void walk_leave(struct walk *w);
/* At a launch's beginning, or between two quanta of one that goes on. */
static inline bool walk_stands(const struct walk *w)
{
    return w->launch && (!w->begun || w->active);
}
/* On to the first place where it stands with so many instructions behind it. */
bool walk_until(struct walk *w, uint64_t moment, struct error *e);
bool walk_snapshot(const struct walk *w, struct snapshot *s, struct error *e);
/* Precondition: it stands, or nothing has been walked yet. */
bool walk_tape(struct walk *w, struct tape *t, struct error *e);

static inline struct walk_clock *walk_clocks(const struct walk *w, uint32_t slot)
{
    return w->clock + (size_t)slot * w->launch->warps_per_cta;
}
static inline size_t walk_warps(const struct walk *w)
{
    return (size_t)w->sms * w->slots * w->launch->warps_per_cta;
}

#endif
