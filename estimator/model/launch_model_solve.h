/* launch_model_solve.h - lets the terms find the model of one launch, and solves it.
 *
 * Full waves of CTAs run with the full population, the remaining CTAs as a smaller population.
 * Quantities that depend on the solution itself are found in a few passes. */
#pragma once

#include "estimator/launch/launch_model.h"

/* map: the machine's; pages: NULL where none are placed.  false: a CTA does not fit on an SM. */
bool launch_model_init(struct launch_model *m, const struct profile *f, uint32_t launch,
                       const struct est_params *e, const struct map *map,
                       struct placed_pages *pages, struct error *err);
/* Phases of the launch with equal work but different misses per access: returns their number;
 * phase[] has their misses over the mean.  Each is solved on a copy of the model and has the weight
 * 1 / n. */
uint32_t launch_model_phases(const struct launch_model *m, struct phase phase[PHASES]);
/* launch_model_part: one of the parts with equally many accesses, in order; returns its share of
 * them. */
double launch_model_part(const struct launch_model *m, uint32_t part, struct phase *out);
void launch_model_solve(struct launch_model *m, const struct phase *phase);
/* cycles[i]: those if the stations in without[i] (bits) were infinitely fast, for n such sets. */
void launch_model_cycles_without(const struct launch_model *m, const uint32_t *without, uint32_t n,
                                 double *cycles);
