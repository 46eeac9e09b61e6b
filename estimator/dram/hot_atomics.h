/* hot_atomics.h - atomics that go one after the other, because they change the same place.
 *
 * A launch takes at least as long as the place that most atomics change serves them, whatever else
 * runs beside it: N atomics at one in k cycles take N k.  Where the L2 performs them the place is a
 * sector, in a bank of its slice.  Where they pass the L2 (cache_levels.h) each reads from memory
 * and writes to it, and the place is an interleaving block, which lies in one row: its column
 * commands follow each other as its bank groups allow.
 *
 * The share of the hottest place is found from the sample of single accesses, which is spread over
 * the whole launch and all SMs however the profile was made. */
#pragma once

#include "estimator/profile/profile_data.h"
#include "gpu/geometry/address_map.h"
#include "gpu/machine/params/dram/dram.h"
#include "gpu/machine/params/l2.h"

struct hot_atomics {
    double share; /* of the launch's atomics that go to the hottest place; 0: there are none */
    double gap;   /* DRAM clocks from one burst there to the next */
};
/* passes: whether atomics pass the L2. */
void hot_atomics_find(struct hot_atomics *h, const struct spread_sample *s, const struct map *map,
                      const struct dram_params *d, bool passes);
/* Core cycles from one atomic of a sector to the next in a slice. */
double hot_atomics_slice_cycles(const struct l2_params *l2, double l2_cycle);
