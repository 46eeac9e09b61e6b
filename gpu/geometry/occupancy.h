/* occupancy.h - how many CTAs of a launch fit on an SM, and how the unified memory is split.
 * Source: Khairy II (adaptive split). */
#pragma once

#include "base/text/text.h"
#include "gpu/machine/params/l1.h"
#include "gpu/machine/params/sm.h"
#include "trace/program/program.h"

enum occupancy_limit {
    LIMIT_WARPS,
    LIMIT_CTAS,
    LIMIT_REGISTERS,
    LIMIT_SHARED,
    LIMIT_RESIDENT /* the launch's own resident_warps; never less than one CTA */
};

struct occupancy {
    uint32_t ctas;              /* per SM; 0: a CTA does not fit at all */
    enum occupancy_limit limit; /* the limiting resource */
    uint32_t shared_kb;         /* chosen capacity of shared memory (adaptive split) */
    uint32_t l1_kb;             /* the rest of the unified memory, for the L1 */
};

/* Registers are allocated per warp in units of sm.register_unit per lane. */
struct occupancy occupancy(const struct sm_params *sm, const struct l1_params *l1,
                           const struct launch *l);
/* If no CTA fits, describes the resource that it lacks and the parameter that limits it. */
void occupancy_refusal(const struct sm_params *sm, const struct l1_params *l1,
                       const struct launch *l, struct text *out);
