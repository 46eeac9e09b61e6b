/* crossbar_contention.h - how much a crossbar's heads hold up: by chance, or by what the launch's
 * own accesses do when they are sent through one. */
#ifndef PLUMB_ESTIMATOR_NETWORK_CROSSBAR_CONTENTION_H
#define PLUMB_ESTIMATOR_NETWORK_CROSSBAR_CONTENTION_H

#include "estimator/model/launch_model.h"

/* Packets wait in their inputs for those ahead of them: outputs can be kept busy only so much, and
 * the narrower side carries so many times less than its ports (>= 1). Saturated inputs' heads are a
 * closed network over the outputs (Karol et al. 1987, infinite switch), here with both sides
 * finite and every output as likely as any other.
 */
double crossbar_slowdown_by_chance(double inputs, double outputs);
/* Sends the samples through the machine's crossbar.  Answers are kept, some per thread. */
void crossbar_contention_find(struct launch_model *m, const struct launch_samples *samples,
                              const struct map *map);
/* As crossbar_slowdown_by_chance, for this launch. */
double crossbar_slowdown(const struct launch_model *m, double inputs, double outputs);

#endif
