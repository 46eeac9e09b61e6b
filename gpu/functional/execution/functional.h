/* functional.h - functional execution of a program by a group of SMs: copies, launches, CTA
 * dispatch and warps. What accesses do, and how long they take, is the memory's affair
 * (memory_ops.h).
 *
 * functional_step does one thing: a copy, the beginning or the end of a launch, or one quantum of
 * time. Where functional_can_pause holds, functional_serialize saves or loads all state, and a pass
 * that was loaded continues exactly as the saved one would have.
 *
 * Time: SMs advance one after another in quanta of some cycles. Every warp has its own
 * clock; its instructions wait for their registers, for their unit, and for what the memory says.
 * CTAs are dispatched as in the cycle model, when slots become free and the dispatcher, where it
 * has a rate, comes to them. Groups of SMs with memories of their own can run in parallel.
 *
 * Units: core cycles since the pass began; positions are counts of warp instructions from the
 * program's beginning. */
#pragma once

#include "base/memory/serialize.h"
#include "gpu/functional/execution/issue_slots.h"
#include "gpu/functional/execution/memory_ops.h"
#include "gpu/functional/execution/warp_admission.h"
#include "gpu/machine/params/l1.h"
#include "gpu/policies/copy_groups.h"
#include "gpu/policies/cta_barrier.h"
#include "gpu/policies/cta_dispatch.h"
#include "trace/program/cursor.h"

struct functional_warp {
    uint64_t done;        /* instructions executed */
    uint32_t cta;         /* its slot: index into functional.cta */
    double time;          /* earliest issue of the next instruction */
    double loads, stores; /* when the last outstanding load, store has been served */
    uint32_t segment;     /* segment of its stream; only used in serialized state */
    bool ended, at_barrier;
    bool at_door; /* its next access found no room in the L1's input queue or in the buffer */
};

struct functional_stream {
    struct cursor cursor;
    struct warp_inst inst; /* the next to issue */
};

struct functional_cta {
    uint64_t cta, order; /* order: position in the order of dispatch */
    struct cta_barrier barrier;
    double latest; /* when the last of its warps arrived at the barrier, or ended */
    bool active;
};

struct functional_sm {
    uint32_t next_subcore;                            /* of the next CTA's first warp */
    uint32_t first_subcore;                           /* to be offered the shared units */
    uint64_t resident[SM_MAX_SUBCORES];               /* warp slots in use (bits) */
    uint32_t warp[SM_MAX_SUBCORES][SM_SUBCORE_SLOTS]; /* their warps: index into clock */
    struct issue_slots slots;
    /* earliest time at which a warp of each sub-core, and of any, can issue */
    double wake[SM_MAX_SUBCORES], first_wake;
    bool over; /* a CTA has ended and still occupies its slot */
};

/* A slot without a CTA; `time`: when it can have the next one. */
struct functional_vacancy {
    double time;
    uint32_t sm, slot;
};

/* Slots that wait for the dispatcher, in the order in which they asked. */
struct functional_vacancies {
    struct functional_vacancy *slot; /* [sms * slots], a ring; NULL: CTAs start at any rate */
    uint32_t first, n;
};

/* What a pass is made of; all of it outlives the pass. */
struct functional_setup {
    const struct sm_params *sm;
    const struct l1_params *l1;
    bool fence_acquires;
    uint32_t first_sm, sms; /* the group: all SMs, or one that takes its share of the CTAs */
    uint32_t l1_blocks;     /* lines of an L1 that is not adaptive */
    double step;            /* cycles from an instruction of a warp to its next */
    /* cycles that an SM goes on before the next one does; who comes first within them is not known
     */
    double quantum;
    const struct program *p;
    /* others of the same thread may use it; NULL: functional_init opens one */
    struct reader *reader;
    const struct func_memory_ops *ops;
    void *memory;
    struct warp_admission *admission; /* [sms] */
};

struct functional {
    struct functional_setup use;
    const struct sm_params *params; /* use.sm */
    uint32_t sms;                   /* use.sms */
    const struct program *p;        /* use.p */
    bool restricts;                 /* a policy restricts which warps may issue */
    struct reader *reader;
    double now;       /* when the current quantum begins */
    uint32_t command; /* index of the next command */
    uint64_t done;
    /* the running launch; NULL: none */
    const struct launch *launch;
    uint32_t launch_index, slots; /* CTA slots per SM */
    uint32_t batch_ctas;          /* CTAs of a thread batch */
    bool begun;                   /* its first CTAs have been dispatched */
    uint32_t active;
    uint64_t launch_done;
    struct cta_dispatch dispatch;
    struct functional_vacancies vacant;
    struct cta_share share;     /* of a group of one SM */
    struct functional_cta *cta; /* [sms * slots] */
    struct functional_sm *sm;   /* [sms] */
    /* indexed by CTA slot, then by warp of the CTA */
    struct functional_warp *clock;
    struct functional_stream *stream;
    double *ready;              /* [registers] of each warp: when each is ready */
    struct copy_groups *copies; /* NULL: the launch has no asynchronous copies */
    uint16_t *name;             /* of each warp: sub-core * 64 + warp slot */
};

/* Call functional_fini even if it fails. */
bool functional_init(struct functional *w, const struct functional_setup *use, struct error *e);
void functional_fini(struct functional *w);
bool functional_step(struct functional *w, struct error *e); /* also false at the program's end */
/* Begins a launch: memory, policies, CTAs to be dispatched. */
bool functional_begin_launch(struct functional *w, uint32_t launch, struct error *e);
/* Runs all SMs for one quantum. Precondition: the launch has begun and is active. */
bool functional_quantum(struct functional *w, struct error *e);
/* Gives the SM its next CTA, if there is one, in that free slot (an index into cta). */
bool functional_dispatch(struct functional *w, uint32_t sm, uint32_t slot, double time,
                         struct error *e);
/* The slot is free from `time` on, and gets its next CTA, if there is one, as the dispatcher comes
 * to it. */
bool functional_vacate(struct functional *w, uint32_t sm, uint32_t slot, double time,
                       struct error *e);
/* The turns of the quantum. */
bool functional_fill_vacancies(struct functional *w, struct error *e);
bool functional_vacancies_init(struct functional *w); /* of a launch; false: no memory */
void functional_vacancies_fini(struct functional *w);
void functional_vacancies_begin(struct functional *w); /* the launch's first turn is now */
void functional_vacancies_serialize(struct functional *w, struct serializer *t);
/* Takes the next CTA for an SM; CTA_SHARE_OVER: there is none. */
uint64_t functional_take_cta(struct functional *w, uint32_t sm);
/* Gives each of the CTA's warps a sub-core and a slot there. The CTA fits: an SM has no more CTA
 * slots than occupancy() allows, and sm.max_warps is a multiple of sm.subcores. */
void functional_place_warps(struct functional *w, uint32_t sm, uint32_t slot);
/* Starts over with empty caches before that command; `done` instructions count as executed. */
bool functional_restart(struct functional *w, uint32_t command, uint64_t done, struct error *e);
/* Whether a pass may begin inside a launch: true if no policy of the machine depends on the
 * launch's whole history. */
bool functional_can_begin_inside(const struct sm_params *p);
/* Enters the next launch and counts its CTAs below `cta` as executed; the others have not begun. */
bool functional_skip_to(struct functional *w, uint64_t cta, struct error *e);
/* CTAs that are resident at once. */
uint64_t functional_wave_ctas(const struct functional *w, const struct launch *l);
/* Allocates and frees the state of a launch. */
bool functional_enter_launch(struct functional *w, uint32_t launch, struct error *e);
void functional_leave_launch(struct functional *w);
/* Whether the pass stands at a launch's beginning, or between two quanta of a running one. */
static inline bool functional_can_pause(const struct functional *w)
{
    return w->launch && (!w->begun || w->active);
}
/* Runs to the first place where the pass can pause with at least `moment` instructions executed. */
bool functional_run_until(struct functional *w, uint64_t moment, struct error *e);
/* Saves the state of launch and warps; false: no memory. */
bool functional_snapshot(const struct functional *w, struct snapshot *s, struct error *e);
/* Saves or loads all state, that of the memory included. Precondition: functional_can_pause, or
 * nothing has been executed yet. */
bool functional_serialize(struct functional *w, struct serializer *t, struct error *e);

static inline struct functional_warp *functional_warps_of(const struct functional *w, uint32_t slot)
{
    return w->clock + (size_t)slot * w->launch->warps_per_cta;
}
/* When the current quantum ends. */
static inline double functional_end(const struct functional *w)
{
    return w->now + w->use.quantum;
}
/* Whether the SM's L1 has room for an access in this quantum. */
static inline bool functional_has_room(const struct functional *w, uint32_t sm)
{
    return w->use.ops->room_at(w->use.memory, w->use.first_sm + sm) < functional_end(w);
}
/* The SM, counted in the group, of a warp (an index into clock). */
static inline uint32_t functional_sm_of(const struct functional *w, size_t warp)
{
    return (uint32_t)(warp / w->launch->warps_per_cta / w->slots);
}
static inline size_t functional_count_warps(const struct functional *w)
{
    return (size_t)w->sms * w->slots * w->launch->warps_per_cta;
}
