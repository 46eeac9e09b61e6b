/* component.h - what a simulation is made of: components of several kinds.
 *
 * All objects of a kind lie in one array. What is stepped by itself has a number in it; mostly that
 * is an object, of a memory it is a channel. The list of kinds is below; detailed/core/components.h
 * allocates the objects and calls the operations. A kind wires its objects itself (`build`); those
 * that every machine has, detailed/core/sim_build.c wires. A kind that a machine lacks costs
 * nothing.
 *
 * Operations are NULL where there is nothing to do. They see no other kind but through their
 * wiring. */
#pragma once

#include "base/text/text.h"
#include "detailed/parts/below.h"
#include "gpu/machine/params/clock.h"
#include "gpu/metrics/metrics.h"

struct coherence;
struct machine;
struct map;
struct noc;
struct occupancy;
struct placement;
struct req_pool;
struct shadow;
struct warm_state;

/* The kinds of components. In the order of their steps within a tick: X(kind, clock), kinds of a
 * clock together. What arrives at an edge can be used at that edge; what is pushed is seen at the
 * receiver's next. */
#define COMPONENTS(X)             \
    X(noc, NOC)                   \
    X(cpu_core, NOC)              \
    X(memory, DRAM)               \
    X(second_memory, SECOND_DRAM) \
    X(l2, L2)                     \
    X(l2_links, L2)               \
    X(memory_side, L2)            \
    X(cpu_cluster, L2)            \
    X(pages, CORE)                \
    X(scalar, CORE)               \
    X(l2_tlb, CORE)               \
    X(l15, CORE)                  \
    X(sm, CORE)
#define COMPONENT_KIND(kind, clock) KIND_##kind,
enum component_kind { COMPONENTS(COMPONENT_KIND) KIND_N };

/* What kinds are built from: what all share, the objects of all kinds, which exist before the first
 * is built, and the ports between them (detailed/core/sim_ports.c), which are called with `sim`. */
struct wiring {
    const struct machine *m;
    const struct clocks *clocks;
    const uint64_t *tick;               /* now */
    const struct map *map, *second_map; /* the second: NULL: there is no second memory */
    struct req_pool *reqs;
    struct shadow *shadow;
    const struct coherence *coherence; /* NULL: no protocol */
    void *all[KIND_N];                 /* NULL: the machine has none */
    /* What a kind puts between others, which are built behind it. */
    struct below below;                /* between the L2 and the memory */
    const struct placement *placement; /* NULL: addresses are physical */
    struct noc *sm_request, *sm_reply; /* the networks that SMs see */
    void *sim;
    void (*wake[KIND_N])(void *sim, uint32_t i, uint64_t cycle);
    void (*noc_due)(void *sim);
    void (*memory_due)(void *sim, uint32_t channel);
    /* To the slices, as in struct memory. */
    void (*on_return)(void *sim, uint32_t slice, uint32_t entry, uint32_t version, uint64_t tick);
    void (*on_written)(void *sim, uint32_t slice, uint32_t entry, uint64_t tick);
    /* Whether a request of another cache can be sent through an SM's port; sends it. */
    bool (*port_has_room)(void *sim, uint32_t sm);
    void (*port_send)(void *sim, uint32_t sm, uint32_t req, uint64_t now);
    /* An access of an SM's instruction has been served elsewhere. */
    void (*access_done)(void *sim, uint32_t sm, uint32_t vinst, uint64_t now);
};

/* All objects of a kind, at a time outside of their steps. */
struct objects {
    void *all; /* [n] */
    uint32_t n;
    const struct clocks *clocks;
    uint64_t tick;
};
/* The cycle of a clock that has begun last. */
static inline uint64_t objects_cycle(const struct objects *o, enum clock_domain d)
{
    return o->tick / o->clocks->period[d];
}

struct component_ops {
    const char *name;
    size_t size; /* of an object */
    bool starts; /* a launch wakes all of it */
    /* How many objects a machine has (NULL: one if `steps` is not 0), and how many parts of them
     * are stepped by themselves (NULL: the objects). */
    uint32_t (*count)(const struct machine *m);
    uint32_t (*steps)(const struct machine *m);
    /* Host memory of all objects, in bytes; NULL: they have none but themselves. */
    uint64_t (*host_bytes)(const struct machine *m);
    /* Initializes and wires the objects; false: no memory. */
    bool (*build)(const struct objects *o, struct wiring *w);
    void (*fini)(void *object);  /* of zeros, too */
    void (*clear)(void *object); /* empties it: the machine at time 0 */
    /* Called in a cycle in which some are due, before the steps of first..end-1; changes nothing.
     */
    void (*announce)(void *all, const uint64_t *due, uint32_t first, uint32_t end, uint64_t cycle);
    /* Steps number i at an edge of the kind's clock; returns the next cycle at which it is due,
     * UINT64_MAX: when it is woken. NULL: nothing is stepped. */
    uint64_t (*step)(void *all, uint32_t i, uint64_t cycle);
    /* A launch begins, at `now` of the core's clock. false: no memory. */
    bool (*launch)(void *object, const struct occupancy *occ, uint64_t now);
    /* What happens only so often per instruction: a run in which it stays the same is stuck. */
    uint64_t (*progress)(const void *object);
    void (*add_metrics)(const struct objects *o, struct metrics *m);
    /* Takes over what a functional pass has left. */
    void (*load)(const struct objects *o, const struct warm_state *w);
    /* The host writes the block of an address between launches; the SMs' and the L2's copies have
     * left. */
    void (*host_writes)(void *object, uint64_t addr);
    bool (*check)(const void *object); /* all invariants */
    bool (*idle)(const void *object);  /* at the end of a launch; NULL: it need not be */
    void (*stuck)(const void *object, struct text *out);
};

/* Defines fini, clear, check and stuck as PART_fini and so on, and step as that of object number i.
 */
#define COMPONENT_OF_OBJECTS(part, type)                        \
    COMPONENT_OBJECT(part)                                      \
    static uint64_t step(void *all, uint32_t i, uint64_t cycle) \
    {                                                           \
        return part##_step((struct type *)all + i, cycle);      \
    }
/* The same of one object that steps its parts. */
#define COMPONENT_OF_PARTS(part)                                \
    COMPONENT_OBJECT(part)                                      \
    static uint64_t step(void *all, uint32_t i, uint64_t cycle) \
    {                                                           \
        return part##_step(all, i, cycle);                      \
    }
/* fini and clear alone. */
#define COMPONENT_STATE(part)       \
    static void fini(void *object)  \
    {                               \
        part##_fini(object);        \
    }                               \
    static void clear(void *object) \
    {                               \
        part##_clear(object);       \
    }
/* idle as PART_idle. */
#define COMPONENT_IDLE(part)             \
    static bool idle(const void *object) \
    {                                    \
        return part##_idle(object);      \
    }
#define COMPONENT_OBJECT(part)                              \
    COMPONENT_STATE(part)                                   \
    static bool check(const void *object)                   \
    {                                                       \
        return part##_check(object);                        \
    }                                                       \
    static void stuck(const void *object, struct text *out) \
    {                                                       \
        part##_stuck(object, out);                          \
    }
#define COMPONENT_PASSED .fini = fini, .clear = clear, .check = check, .stuck = stuck, .step = step

#define COMPONENT_DECLARED(kind, clock) extern const struct component_ops kind##_component;
COMPONENTS(COMPONENT_DECLARED)
