/* components.h - the kinds of components of a simulation, and what is done with all of them.
 *
 * When each is due stands in one array, the kinds of a clock behind one another. */
#pragma once

#include "detailed/parts/component.h"

#define COMPONENT_CLOCK(kind, clock) [KIND_##kind] = CLOCK_##clock,
static const enum clock_domain component_clock[KIND_N] = {COMPONENTS(COMPONENT_CLOCK)};

struct component {
    const struct component_ops *ops;
    void *all;         /* [n] objects; NULL: the machine has none */
    uint32_t n, steps; /* objects, and what of them is stepped by itself */
    uint64_t *due;     /* [steps] cycle at which each is due, UINT64_MAX: it sleeps */
};

/* All objects as zeros, and all asleep; *due: the array, to be freed behind them. false: no
 * memory. */
bool components_make(struct component c[KIND_N], uint64_t **due, const struct machine *m);
/* Builds the kinds that wire themselves, those above in the memory system first. */
bool components_build(struct component c[KIND_N], struct wiring *w); /* false: no memory */
void components_free(struct component c[KIND_N]);
void components_sleep(struct component c[KIND_N]);
void components_clear(struct component c[KIND_N]);
bool components_launch(struct component c[KIND_N], const struct occupancy *occ, uint64_t now);
uint64_t components_progress(const struct component c[KIND_N]);
void components_add_metrics(const struct component c[KIND_N], const struct clocks *k, uint64_t tick,
                            struct metrics *m);
void components_load(const struct component c[KIND_N], const struct clocks *k, uint64_t tick,
                     const struct warm_state *w);
/* Asserts every invariant; ends: the launch is over. */
void components_check(const struct component c[KIND_N], bool ends);
void components_stuck(const struct component c[KIND_N], struct text *out);
uint64_t components_bytes(const struct machine *m); /* of host memory */
