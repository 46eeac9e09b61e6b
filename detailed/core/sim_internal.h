/* sim_internal.h - the wired machine, shared by sim.c (launches), sim_build.c (wiring), sim_ports.c
 * (wake-ups), sim_step.c (time), sim_metrics.c, sim_check.c and sim_interval.c. */
#pragma once

#include "detailed/core/components.h"
#include "detailed/core/sim.h"
#include "detailed/core/stall_roots.h"
#include "detailed/counters/locality.h"
#include "detailed/l2/l2.h"
#include "detailed/sm/sm.h"
#include "gpu/coherence/protocol.h"
#include "gpu/machine/machine.h"
#include "gpu/pages/placement.h"

struct sim_shares;
struct sim_threads;

/* What a clock steps of a kind: the step, what it is called with, and when each is due. */
struct kind_run {
    uint64_t (*step)(void *all, uint32_t i, uint64_t cycle);
    void *all;
    uint64_t *due;
    uint32_t first, end;
    /* NULL: not for so few */
    void (*announce)(void *all, const uint64_t *due, uint32_t first, uint32_t end, uint64_t cycle);
    struct sim_shares *shares; /* that threads may step at the same time; NULL: none */
};

/* A clock, and what it steps: the kinds that the machine has. */
struct domain {
    uint64_t period;          /* ticks */
    uint64_t next;            /* earliest due cycle, UINT64_MAX: none */
    uint64_t tick;            /* `next` in ticks */
    uint64_t edge, edge_tick; /* the most recently computed edge, in cycles and ticks */
    struct kind_run run[KIND_N], *run_end;
};

struct sim {
    struct machine m;
    const struct program *program;
    struct reader *reader;
    struct clocks clocks;
    struct map map, second_map; /* the second: used if there is a second memory */
    struct req_pool reqs;
    struct shadow shadow;
    struct coherence coherence;
    struct component kind[KIND_N];
    uint64_t *due; /* of all components */
    /* Their objects by kind; NULL: there are none. */
    struct noc *noc; /* [NOC_N] */
    struct memory *memory, *second_memory;
    struct l2_slice *slice;
    struct sm *sm;
    struct wiring wiring;
    struct l2_wiring l2_wiring;
    struct l1_wiring l1_wiring;
    struct launch_run run;
    struct locality locality;    /* with sm.reuse_classes */
    struct site_counters *sites; /* NULL: not counted */
    struct domain domain[CLOCK_N];
    struct domain *stepped[CLOCK_N]; /* those with components, in the order of their steps */
    uint32_t stepped_clocks;
    uint64_t tick;
    double held; /* core cycles that the power limit added to launches and pieces of them */
    struct histogram load_latency, max_latency;
    struct error error; /* first failure inside a component */
    /* mem_refusals, and its value when the run began: another says that memory has run out. */
    const uint64_t *refusals;
    uint64_t refusals_before;
    struct watcher {
        uint64_t every, next; /* ticks */
        sim_watch_fn *each;
        void *ctx;
    } watcher[SIM_WATCHERS];
    uint32_t watchers;
    uint64_t watch_next;    /* the earliest of the observers' times; UINT64_MAX: no observer */
    sim_ctas_fn *tell_ctas; /* NULL: nobody is told */
    void *tell_ctx;
    struct stall_roots roots;
    struct sim_threads *threads; /* NULL: one */
    bool used;                   /* the simulation has run since the last sim_clear */
};

bool sim_clear(struct sim *s,
               struct error *e); /* sim_clear.c: resets to an empty machine at time 0 */
void sim_check(const struct sim *s, bool launch_ends); /* sim_check.c: asserts every invariant */
static inline uint64_t sim_core_cycle(const struct sim *s)
{
    return s->tick / s->domain[CLOCK_CORE].period;
}
/* What has been done so far. */
struct sim_work {
    uint64_t cycles, matrix; /* core cycles that the power limit did not add; instructions */
};
struct sim_work sim_work_of(const struct sim *s);
/* Adds to `held` what the power limit adds to the work since (gpu/policies/power_limit.h). */
void sim_hold(struct sim *s, const struct sim_work *since);
/* Makes a launch current; CTAs are dispatched from core cycle `starts` on.  false: *e. */
bool sim_begin_launch(struct sim *s, uint32_t launch, uint64_t starts, struct error *e);
/* Runs until the current launch has ended, `instructions` more have issued (0 = no limit), or a
 * failure. */
enum sim_end sim_advance(struct sim *s, uint64_t instructions, struct error *e);

/* --- between the files of the simulation --- */

static inline struct locality *sim_locality_of(struct sim *s)
{
    return s->m.sm.reuse_classes ? &s->locality : NULL;
}

/* Lowers *at, which other threads may lower at the same time. */
static inline void sim_lower(uint64_t *at, uint64_t to)
{
    uint64_t is = __atomic_load_n(at, __ATOMIC_RELAXED);
    while (to < is &&
           !__atomic_compare_exchange_n(at, &is, to, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
    }
}

/* Wakes a component at this cycle of its clock. */
static inline void sim_wake(struct sim *s, enum component_kind kind, uint32_t i, uint64_t cycle)
{
    struct domain *d = &s->domain[component_clock[kind]];
    uint64_t *due = s->kind[kind].due;
    if (s->threads) {
        sim_lower(&due[i], cycle);
        sim_lower(&d->next, cycle); /* sim_threads_wake sets its tick */
        return;
    }
    if (cycle < due[i]) due[i] = cycle;
    if (cycle >= d->next) return;
    d->next = cycle;
    d->tick = cycle * d->period;
}

/* Steps what is due of a run from the object `first` on, which is r->first; returns when the next
 * is, if that is before `soonest`. *stepped, unless NULL, counts the steps. */
static inline uint64_t sim_step_run(const struct kind_run *r, uint32_t first, uint64_t cycle,
                                    uint64_t soonest, uint32_t *stepped)
{
    uint64_t (*const step)(void *, uint32_t, uint64_t) = r->step;
    uint64_t *const due = r->due;
    void *const all = r->all;
    const uint32_t end = r->end;
    if (r->announce) r->announce(all, due, first, end, cycle);
    uint32_t i = first;
    do {
        uint64_t at = due[i];
        if (at <= cycle) {
            due[i] = UINT64_MAX;
            uint64_t next = step(all, i, cycle);
            at = due[i]; /* set by wake-ups during the step */
            if (next < at) due[i] = at = next;
            if (stepped) ++*stepped;
        }
        if (at < soonest) soonest = at;
    } while (++i < end);
    return soonest;
}

/* The last edge at or before a tick. All components of a step ask for the same one, which is
 * divided only once. */
static inline uint64_t sim_edge_before(struct domain *d, uint64_t tick)
{
    if (d->edge_tick != tick) {
        d->edge_tick = tick;
        d->edge = tick / d->period;
    }
    return d->edge;
}
/* The first edge at or after a tick that is not now. */
static inline uint64_t sim_edge_at(const struct domain *d, uint64_t tick)
{
    return (tick + d->period - 1) / d->period;
}
/* --- sim_joins.c --- */
bool sim_joins_sectors(const struct machine *m);

/* --- sim_threads.c, sim_shares.c: with s->threads --- */
void sim_threads_tick(struct sim *s); /* the steps of s->tick */
/* After wake-ups outside of a tick, which have lowered the next cycles alone. */
void sim_threads_wake(struct sim *s);
void sim_threads_launch(struct sim *s); /* begins to count a launch */
void sim_threads_clear(struct sim *s);
void sim_threads_add_latencies(const struct sim *s, struct histogram *load, struct histogram *max);
uint32_t sim_threads_requests(const struct sim *s); /* that SMs have taken, less those freed */
void sim_threads_free(struct sim *s);
/* --- sim_ports.c: what wakes whom, and what passes between components --- */
void sim_noc_due(void *sim);
void sim_memory_due(void *sim, uint32_t channel);
void sim_request_crossed(void *ctx, uint32_t req, uint64_t span);
void sim_request_arrives(void *sim, uint32_t slice, uint64_t noc_cycle);
void sim_request_room(void *sim, uint32_t client);
void sim_reply_arrives(void *sim, uint32_t client, uint64_t noc_cycle);
void sim_reply_room(void *sim, uint32_t slice);
void sim_access_done(void *sim, uint32_t sm, uint32_t vinst, uint64_t now);
void sim_memory_returns(void *sim, uint32_t slice, uint32_t entry, uint32_t version, uint64_t tick);
void sim_memory_writes(void *sim, uint32_t slice, uint32_t entry, uint64_t tick);
/* Whether a request of another cache can be sent through an SM's port; sends it. */
bool sim_port_has_room(void *sim, uint32_t sm);
void sim_port_send(void *sim, uint32_t sm, uint32_t req, uint64_t now);

/* The first edge after now. */
static inline uint64_t sim_edge_after(struct sim *s, enum clock_domain d)
{
    return sim_edge_before(&s->domain[d], s->tick) + 1;
}

/* Restarts the periods of all observers. */
void sim_watch_afresh(struct sim *s);
/* Calls the observers that are due. */
void sim_watched(struct sim *s);
