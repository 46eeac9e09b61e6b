/* functional.h - a functional pass through a program under way: checkpoints.c's inner parts.
 *
 * functional_step does one thing: a copy, the beginning or the end of a launch, or a quantum of
 * time. Where the walk stands (functional_can_pause) it can be left and gone on from:
 * functional_serialize is all of its state, and one that is loaded goes on exactly as the one that
 * was saved.
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
struct functional_warp {
    uint64_t done;        /* instructions behind it */
    double time;          /* before which the next cannot issue */
    double loads, stores; /* when the last outstanding one is served */
    uint32_t segment;     /* while the walk's state is serialized: where its stream stood */
    bool ended, at_barrier;
    bool at_door; /* its next access found no room before the L1's door, or in the buffer */
};

struct functional_stream {
    struct cursor cursor;
    struct warp_inst inst; /* next */
};

struct functional_cta {
    uint64_t cta, order; /* order: in which they were dispatched */
    uint32_t live, arrived;
    uint32_t subcore; /* of its first warp */
    double latest;    /* of its warps' barriers or ends */
    double wake;      /* none of its warps can go on before */
    bool active;
};

/* Which warp a sub-core took last: of that CTA if it is still in that slot.  NO_CTA: none yet. */
#define NO_CTA UINT64_MAX
struct functional_last {
    uint64_t cta;
    uint32_t slot, warp;
};

/* An SM: its CTAs in the order of their arrival. */
struct functional_sm {
    uint32_t n;
    uint32_t next_subcore;
    struct functional_last last[SM_MAX_SUBCORES];
    double wake; /* nothing can happen before */
    bool over;   /* a CTA has ended and is still in its place */
};

struct functional {
    const struct machine *m;
    const struct sm_params *params;
    uint32_t sms;
    const struct program *p;
    struct reader *reader;
    struct functional_caches caches;
    bool warm;        /* caches are wanted */
    uint32_t command; /* the next */
    uint64_t done;
    /* the launch under way; NULL: none */
    const struct launch *launch;
    uint32_t launch_index, slots; /* CTA slots per SM */
    bool begun;                   /* CTAs have been dispatched */
    uint32_t active;
    uint64_t next_cta, launch_done;
    struct functional_cta *cta; /* [sms * slots] */
    struct functional_sm *sm;   /* [sms] */
    uint32_t *slot;             /* [sms * slots] of cta[], by SM, in the order of arrival */
    uint32_t *awake; /* [slots] of the SM under way: those that can go on in the quantum */
    /* by CTA slot, then by warp of the CTA */
    struct functional_warp *clock;
    struct functional_stream *stream;
    double *ready;            /* [registers] of each warp */
    struct cta_queues queues; /* where SMs have queues of their own */
    /* where not every warp may always go on; NULL elsewhere */
    struct warp_admission *admission; /* [sms] */
    uint16_t *name;                   /* of each warp: sub-core * 64 + slot */
};

/* To be undone with functional_fini even if it fails. */
bool functional_init(struct functional *w, const struct machine *m, const struct program *p,
                     bool want_warm, struct error *e);
void functional_fini(struct functional *w);
bool functional_step(struct functional *w, struct error *e); /* false also at the program's end */
bool functional_quantum(struct functional *w, struct error *e);
bool functional_dispatch(struct functional *w, uint32_t sm, uint32_t slot, double time,
                         struct error *e);
/* A warp that may be at a barrier or at its end goes on as far as it can in the quantum. */
bool functional_try_warp(struct functional *w, uint32_t sm, uint32_t k, uint32_t slot, uint32_t i,
                         struct error *e);
/* All anew with empty caches, before that command, with so many instructions behind it. */
bool functional_restart(struct functional *w, uint32_t command, uint64_t done, struct error *e);
/* Whether a walk can begin inside a launch: nothing that machine remembers of one depends on all of
 * it. */
bool functional_can_begin_inside(const struct machine *m);
/* Into the next launch, whose first CTAs count as done; none of its own has begun. */
bool functional_skip_to(struct functional *w, uint64_t cta, struct error *e);
uint64_t functional_wave_ctas(const struct functional *w,
                              const struct launch *l); /* CTAs that run at once */
/* Room for a launch, and its end. */
bool functional_enter_launch(struct functional *w, uint32_t launch, struct error *e);
void functional_leave_launch(struct functional *w);
/* At a launch's beginning, or between two quanta of one that goes on. */
static inline bool functional_can_pause(const struct functional *w)
{
    return w->launch && (!w->begun || w->active);
}
/* On to the first place where it stands with so many instructions behind it. */
bool functional_run_until(struct functional *w, uint64_t moment, struct error *e);
bool functional_snapshot(const struct functional *w, struct snapshot *s, struct error *e);
/* Precondition: it stands, or nothing has been walked yet. */
bool functional_serialize(struct functional *w, struct serializer *t, struct error *e);

static inline struct functional_warp *functional_warps_of(const struct functional *w, uint32_t slot)
{
    return w->clock + (size_t)slot * w->launch->warps_per_cta;
}
static inline size_t functional_count_warps(const struct functional *w)
{
    return (size_t)w->sms * w->slots * w->launch->warps_per_cta;
}

#endif
