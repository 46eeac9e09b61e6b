/* cache_levels.h - hit rates: where the transactions of a launch end, for one machine.
 *
 * L1: the profile's curve under the L1's own geometry.  The L2's curves are interpolated between
 * the profiled L1 capacities whose hits lie around these, so that what reaches the L2 is what
 * missed. L2: its curves under its own geometry; slices and sets together are one set index. All
 * counts are transactions (sectors) of the whole launch. */
#ifndef PLUMB_ESTIMATOR_CACHE_CACHE_LEVELS_H
#define PLUMB_ESTIMATOR_CACHE_CACHE_LEVELS_H

#include "estimator/profile/profile_data.h"
#include "gpu/machine/params/l1.h"
#include "gpu/machine/params/l2.h"

struct level_hits {
    double reads, read_hits; /* hits by stack distance: merges are among them */
    double writes, write_hits;
    double effective_lines;
};
struct directory_traffic { /* with a directory: directory_model.h; of the whole launch */
    double misses;  /* stores and atomics whose block comes to the L1: among the L2's reads */
    double puts;    /* dirty blocks that leave an L1: the L2's writes */
    double asked;   /* of the misses, those for which copies are asked */
    double hottest; /* ... of the line that has most */
    double notices; /* clean ones, by a message each way */
};
struct cache_levels {
    struct level_hits l1, l2;                    /* l2: atomics are reads and writes */
    double l1_bypassed;                          /* reads that never looked */
    double wait_misses;                          /* share of waits with at least one L1 miss */
    double fetches, writebacks, written_through; /* sectors between L2 and memory */
    struct directory_traffic directory;          /* 0 without one */
    uint32_t variant;                            /* L2 curves taken between this L1 capacity ... */
    double blend;                                /* ... (weight 1 - blend) and the next (blend) */
};

void cache_levels_find(struct cache_levels *v, const struct launch_profile *p,
                       const struct profile_view *view, const struct l1_params *l1, double l1_lines,
                       double sms, const struct l2_params *l2); /* sms: with work */
/* The levels in a phase of the launch, as if all of it were like that. */
void cache_levels_in_phase(struct cache_levels *v, const struct phase *phase);
/* Reads that found their sector's fetch still under way, when a fetch takes `age` accesses of that
 * level; *mean: how many of them had passed. */
double cache_levels_l1_merges(const struct launch_profile *p, double age, double *mean);
double cache_levels_l2_merges(const struct launch_profile *p, const struct cache_levels *v,
                              double age);

#endif
