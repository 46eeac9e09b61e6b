/* sim_internal.h - the wired machine, shared by sim.c (launches), sim_build.c (parts and wiring),
 * sim_step.c (time), sim_metrics.c, sim_check.c, sim_cores.c and sim_interval.c. */
#pragma once

#include "detailed/core/sim.h"
#include "detailed/core/stall_roots.h"
#include "detailed/counters/locality.h"
#include "detailed/cpu/cpu_core.h"
#include "detailed/l2/l2.h"
#include "detailed/l2/l2_link.h"
#include "detailed/memory_side/memory_side.h"
#include "detailed/sm/sm.h"
#include "gpu/coherence/protocol.h"
#include "gpu/machine/machine.h"
#include "gpu/pages/page_table.h"

/* The components of one clock domain, and the cycle at which each is due. */
struct domain {
    uint64_t period;          /* ticks */
    uint64_t next;            /* earliest due cycle, UINT64_MAX: none */
    uint64_t tick;            /* `next` in ticks */
    uint64_t edge, edge_tick; /* the most recently computed edge, in cycles and ticks */
    uint32_t n;
    uint64_t *due;
};

struct sim {
    struct machine m;
    const struct program *program;
    struct reader *reader;
    struct clocks clocks;
    struct map map, second_map; /* the second: used if there is a second memory */
    struct page_table pages;    /* used if pages are placed */
    struct req_pool reqs;
    struct shadow shadow;
    struct coherence coherence;
    struct noc noc[NOC_N];
    struct memory memory, second_memory;
    struct memory_side memory_side; /* off: without an L3 */
    struct cpu_cluster cpu;         /* used if cpu.cache_kb > 0 */
    struct cpu_core_wiring core_wiring;
    struct cpu_core *core; /* [m.cpu.cores] that execute programs, in the networks' domain */
    struct l2_wiring l2_wiring;
    struct l1_wiring l1_wiring;
    struct scalar_wiring scalar_wiring;
    struct l2_slice *slice;      /* [l2.banks] */
    uint32_t *partition_of;      /* [sm.count] of the L2; NULL: it has one */
    struct l2_links links;       /* used where lines have homes in partitions */
    struct scalar_cache *scalar; /* [scalars], in the core's domain before the SMs */
    uint32_t scalars;
    struct l2_tlb l2_tlb; /* with a model of translation, in the core's domain before the SMs */
    struct l2_tlb_wiring l2_tlb_wiring;
    uint32_t before_sms;          /* components of the core's domain before them */
    struct sm *sm;                /* [sm.count] */
    struct sm_expected *expected; /* [sm.count] workspace: this cycle's replies */
    struct launch_run run;
    struct locality locality;    /* with sm.reuse_classes */
    struct site_counters *sites; /* NULL: not counted */
    struct domain domain[CLOCK_N];
    uint64_t tick;
    struct histogram load_latency, max_latency;
    struct error error; /* first failure inside a component */
    /* mem_refusals when the run began: another number says that memory has run out. */
    uint64_t refusals;
    struct watcher {
        uint64_t every, next; /* ticks */
        sim_watch_fn *each;
        void *ctx;
    } watcher[SIM_WATCHERS];
    uint32_t watchers;
    uint64_t watch_next; /* the earliest of the observers' times; UINT64_MAX: no observer */
    struct stall_roots roots;
    bool used; /* the simulation has run since the last sim_clear */
};

bool sim_clear(struct sim *s,
               struct error *e); /* sim_clear.c: resets to an empty machine at time 0 */
void sim_check(const struct sim *s, bool launch_ends); /* sim_check.c: asserts every invariant */
static inline uint64_t sim_core_cycle(const struct sim *s)
{
    return s->tick / s->domain[CLOCK_CORE].period;
}
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

static inline bool sim_has_second(const struct sim *s)
{
    return dram_is_there(&s->m.second_dram);
}

static inline struct page_table *sim_pages_of(struct sim *s)
{
    return pages_are_placed(&s->m.pages) ? &s->pages : NULL;
}

/* Schedules a component at this cycle of its clock. */
static inline void sim_due(struct sim *s, enum clock_domain d, uint32_t i, uint64_t cycle)
{
    struct domain *dom = &s->domain[d];
    if (cycle < dom->due[i]) dom->due[i] = cycle;
    if (cycle >= dom->next) return;
    dom->next = cycle;
    dom->tick = cycle * dom->period;
}
static inline void sim_sm_due(struct sim *s, uint32_t sm, uint64_t cycle)
{
    sim_due(s, CLOCK_CORE, s->before_sms + sm, cycle);
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
/* The first edge after now. */
static inline uint64_t sim_edge_after(struct sim *s, enum clock_domain d)
{
    return sim_edge_before(&s->domain[d], s->tick) + 1;
}

/* Whether a request of another cache can be sent through an SM's port; sends it. */
bool sim_port_has_room(void *sim, uint32_t sm);
void sim_port_send(void *sim, uint32_t sm, uint32_t req, uint64_t now);

static inline bool sim_translates(const struct sim *s)
{
    return tlb_is_on(&s->m.tlb);
}
/* --- sim_partitions.c --- */
bool sim_partitions_init(struct sim *s); /* before the slices; false: no memory */
/* --- sim_translation.c --- */
bool sim_translation_init(struct sim *s); /* before the SMs; false: no memory */
void sim_translation_load(struct sim *s, const struct warm_state *w);
void sim_translation_metrics(struct sim *s, struct metrics *m);

static inline void sim_core_due(struct sim *s, uint32_t core, uint64_t cycle)
{
    sim_due(s, CLOCK_NOC, NOC_N + core, cycle);
}

/* --- sim_cores.c: CPU cores that execute programs. They start with the first launch, and nothing
 * waits for their requests at the end of the last. --- */
bool sim_cores_init(struct sim *s, void (*noc_due)(void *ctx)); /* false: no memory */
void sim_cores_clear(struct sim *s);
/* A launch begins: wakes the cores, and the agents behind the L3. */
void sim_begin_cpu(struct sim *s);
void sim_cores_metrics(const struct sim *s, struct metrics *m);
/* Restarts the periods of all observers. */
void sim_watch_afresh(struct sim *s);
/* Calls the observers that are due. */
void sim_watched(struct sim *s);
