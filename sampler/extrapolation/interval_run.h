/* interval_run.h - a run of one unit on the cycle model: what an extrapolation is made from. */
#pragma once

#include "gpu/metrics/metrics.h"
#include "sampler/strata/population.h"

struct interval_run {
    const struct sample_unit *unit;
    uint64_t warmup;  /* instructions */
    struct metrics m; /* out: the measured part, scaled to the unit's exact length */
    uint64_t cost;    /* out: instructions issued, warm-up included; 0: it did not run to its end */
};
