/* locality.h - classifies load hits and misses by who accessed the block last (Mao 4.1, figures 21,
 * 25, 26).
 *
 * In an L1: the same warp, another warp of its CTA, another CTA. A block that this SM has not
 * accessed in this launch counts as another CTA's if a CTA on another SM has accessed it (a miss
 * that dispatch could have made a hit), else as cold. In the L2: the same SM, another one, or cold.
 * Loads that merge into a fill count as hits. Only loads count as accesses; a launch begins without
 * a history, so that a hit on data of the previous launch counts as another CTA's or SM's.
 *
 * Units: blocks are line numbers. Memory: grows with the blocks accessed. */
#pragma once

#include "base/memory/hash_map.h"

enum locality_class { LOCALITY_WARP, LOCALITY_CTA, LOCALITY_OTHERS, LOCALITY_COLD, LOCALITY_N };
/* The distance between the numbers of the two CTAs of a LOCALITY_OTHERS access. */
enum { DISTANCE_1, DISTANCE_2_TO_8, DISTANCE_9_TO_64, DISTANCE_MORE, DISTANCE_N };

struct locality_stats {
    uint64_t l1[2][LOCALITY_N], l2[2][LOCALITY_N]; /* [hit]; l2: LOCALITY_CTA stays 0 */
    uint64_t distance[DISTANCE_N];
};

struct locality {
    struct hash_map *of_sm; /* [sms] block -> warp (number in the launch) that accessed it last */
    struct hash_map all;    /* block -> warp that accessed it last on any SM */
    struct hash_map l2;     /* block -> SM */
    uint32_t sms, warps_per_cta;
    struct locality_stats s;
};

struct locality_load {
    uint64_t block, cta;
    uint32_t warp; /* number of the warp in its CTA */
    bool hit;
};

bool locality_init(struct locality *l, uint32_t sms); /* false: no memory */
void locality_fini(struct locality *l);
void locality_clear(struct locality *l);
void locality_launch(struct locality *l, uint32_t warps_per_cta);
void locality_l1(struct locality *l, uint32_t sm, const struct locality_load *a);
void locality_l2(struct locality *l, uint32_t sm, uint64_t block, bool hit);
