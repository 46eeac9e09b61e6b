/* est_params.h - the machine that an estimate is of: its parts and clocks. */
#pragma once

#include "gpu/machine/part_list.h"

struct est_params {
    MACHINE_PARTS(PART_POINTER) /* the second memory: of 0 channels if there is none */
    struct clocks clocks;
    /* core cycles from an L1's look-up to data of the L2 and of memory, without contention */
    double l2_way, memory_way;
    /* the machine whose caches determine the misses; NULL: this one */
    const struct est_params *caches;
    bool near; /* the profile may be of a machine with other cache sizes: profile_view_near */
};
