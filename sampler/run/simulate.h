/* simulate.h - runs the cycle model over the selected launches, one after another. */
#pragma once

#include "answer/answer.h"

struct energy_costs;
struct machine;

/* Fills a->m and, with o->per_kernel, a->kernel; of the energy metrics, only peak power. */
bool simulate_run(const struct machine *m, const struct program *p, const bool *selected,
                  const struct energy_costs *costs, const struct run_opts *o, struct answer *a,
                  struct error *e);
