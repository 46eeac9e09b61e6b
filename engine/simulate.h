/* simulate.h - the cycle model over the selected launches, one after another. */
#ifndef PLUMB_ENGINE_SIMULATE_H
#define PLUMB_ENGINE_SIMULATE_H

#include "engine/engine.h"

struct energy_costs;

/* Fills a->m and, with o->per_kernel, a->kernel; of energy, peak power alone. */
bool simulate_run(const struct machine *m, const struct program *p, const bool *selected,
                  const struct energy_costs *costs, const struct run_opts *o, struct answer *a,
                  struct error *e);

/* Room for per-launch metrics of the selected launches, named; false: no memory. */
bool answer_kernels(struct answer *a, const struct program *p, const bool *selected,
                    struct error *e);
/* The record of a launch; NULL: none kept. */
struct answer_kernel *answer_kernel(struct answer *a, uint32_t launch);

#endif
