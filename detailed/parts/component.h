/* component.h - what a simulation is made of: components of several kinds.
 *
 * All objects of a kind lie in one array. What is stepped by itself has a number in it; mostly that
 * is an object, of a memory it is a channel. The list of kinds is below; detailed/core/components.h
 * allocates the objects and calls the operations; detailed/core/sim_build.c
 * is the only place that wires them. A kind that a machine lacks costs nothing.
 *
 * Operations are NULL where there is nothing to do. They see no other kind but through their
 * wiring. */
#pragma once

#include "base/text/text.h"
#include "gpu/machine/params/clock.h"
#include "gpu/metrics/metrics.h"

struct machine;
struct occupancy;
struct warm_state;

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
    void (*fini)(void *object);  /* of zeros, too */
    void (*clear)(void *object); /* empties it: the machine at time 0 */
    /* Called in a cycle in which some are due, before the steps of first..end-1; changes nothing.
     */
    void (*announce)(void *all, const uint64_t *due, uint32_t first, uint32_t end, uint64_t cycle);
    /* Steps number i at an edge of the kind's clock; returns the next cycle at which it is due,
     * UINT64_MAX: when it is woken. */
    uint64_t (*step)(void *all, uint32_t i, uint64_t cycle);
    /* A launch begins, at `now` of the core's clock. false: no memory. */
    bool (*launch)(void *object, const struct occupancy *occ, uint64_t now);
    /* What happens only so often per instruction: a run in which it stays the same is stuck. */
    uint64_t (*progress)(const void *object);
    void (*add_metrics)(const struct objects *o, struct metrics *m);
    /* Takes over what a functional pass has left. */
    void (*load)(const struct objects *o, const struct warm_state *w);
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
#define COMPONENT_OBJECT(part)                              \
    static void fini(void *object)                          \
    {                                                       \
        part##_fini(object);                                \
    }                                                       \
    static void clear(void *object)                         \
    {                                                       \
        part##_clear(object);                               \
    }                                                       \
    static bool check(const void *object)                   \
    {                                                       \
        return part##_check(object);                        \
    }                                                       \
    static void stuck(const void *object, struct text *out) \
    {                                                       \
        part##_stuck(object, out);                          \
    }
#define COMPONENT_PASSED .fini = fini, .clear = clear, .check = check, .stuck = stuck, .step = step

/* The kinds of components. In the order of their steps within a tick: X(kind, clock), kinds of a
 * clock together. What arrives at an edge can be used at that edge; what is pushed is seen at the
 * receiver's next. */
#define COMPONENTS(X)             \
    X(noc, NOC)                   \
    X(cpu_core, NOC)              \
    X(memory, DRAM)               \
    X(second_memory, SECOND_DRAM) \
    X(l2, L2)                     \
    X(memory_side, L2)            \
    X(cpu_cluster, L2)            \
    X(scalar, CORE)               \
    X(l2_tlb, CORE)               \
    X(l15, CORE)                  \
    X(sm, CORE)
#define COMPONENT_DECLARED(kind, clock) extern const struct component_ops kind##_component;
COMPONENTS(COMPONENT_DECLARED)
