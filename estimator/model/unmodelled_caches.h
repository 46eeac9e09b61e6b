/* unmodelled_caches.h - caches beyond the range of profiles; estimates list them as not modelled.
 *
 * If a cache has more ways than the profile records distances inside a set for, its hits are
 * computed as if lines chose their sets at random.  If its capacity exceeds the profile's bound on
 * reuse, reuse at larger distances counts as a miss. */
#pragma once

#include "base/text/text.h"
#include "gpu/machine/params/l1.h"
#include "gpu/machine/params/l2.h"

/* Each writes a sentence to *why; false: the profile covers the cache. */
bool unmodelled_l1(const struct l1_params *l1, struct text *why);
bool unmodelled_l2(const struct l2_params *l2, struct text *why);
