/* unmodelled_caches.h - caches that lie outside of what profiles follow: estimates say so by name.
 *
 * Ways beyond those of which distances in a set are kept: hits are then as if lines met their sets
 * by chance.  Capacities beyond the bound of the reuse that is followed: what lies farther counts
 * as missed. */
#ifndef PLUMB_ESTIMATOR_MODEL_UNMODELLED_CACHES_H
#define PLUMB_ESTIMATOR_MODEL_UNMODELLED_CACHES_H

#include "base/text/text.h"
#include "gpu/machine/params/l1.h"
#include "gpu/machine/params/l2.h"

/* A sentence each in *why; false: the profile knows the cache. */
bool unmodelled_l1(const struct l1_params *l1, struct text *why);
bool unmodelled_l2(const struct l2_params *l2, struct text *why);

#endif
