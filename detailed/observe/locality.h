/* locality.h - whose data loads find, or have lost: classes of hits and misses by who touched the
 * block last (Mao 4.1, figures 21, 25, 26).
 *
 * In an L1: the same warp, another warp of its CTA, another CTA.  A block that this SM has not had
 * in this launch counts as another CTA's if a CTA elsewhere has touched it (a miss that dispatch
 * could have made a hit), else as cold.  In the L2: the same SM, another one, or cold.  Loads that
 * join a fill count as hits.  Only loads touch; a launch begins with no memory of the last one, so
 * that a hit on what that one left counts as another CTA's or SM's.
 *
 * Units:  blocks are line numbers.  Memory: grows with the blocks touched. */
#ifndef PLUMB_DETAILED_OBSERVE_LOCALITY_H
#define PLUMB_DETAILED_OBSERVE_LOCALITY_H

#include "base/memory/hash_map.h"

enum locality_class { LOCALITY_WARP, LOCALITY_CTA, LOCALITY_OTHERS, LOCALITY_COLD, LOCALITY_N };
/* How far apart the CTAs of LOCALITY_OTHERS are. */
enum { DISTANCE_1, DISTANCE_2_TO_8, DISTANCE_9_TO_64, DISTANCE_MORE, DISTANCE_N };

struct locality_stats {
    uint64_t l1[2][LOCALITY_N], l2[2][LOCALITY_N]; /* [hit]; l2: LOCALITY_CTA stays 0 */
    uint64_t distance[DISTANCE_N];
};

struct locality {
    struct hash_map *of_sm; /* [sms] block -> warp (number in the launch) that touched it last */
    struct hash_map all;    /* the same on any SM */
    struct hash_map l2;     /* block -> SM */
    uint32_t sms, warps_per_cta;
    struct locality_stats s;
    bool no_memory;
};

struct locality_load {
    uint64_t block, cta;
    uint32_t warp; /* of its CTA */
    bool hit;
};

bool locality_init(struct locality *l, uint32_t sms); /* false: no memory */
void locality_fini(struct locality *l);
void locality_clear(struct locality *l);
void locality_launch(struct locality *l, uint32_t warps_per_cta);
void locality_l1(struct locality *l, uint32_t sm, const struct locality_load *a);
void locality_l2(struct locality *l, uint32_t sm, uint64_t block, bool hit);

#endif
