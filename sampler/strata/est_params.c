/* est_params.c - see est_params.h. */
#include "sampler/strata/est_params.h"

#include "gpu/machine/machine.h"

#include <assert.h>

struct est_params est_params_of(const struct machine *m)
{
    struct est_params e = {MACHINE_PARTS(PART_POINTER_IN_M)};
    bool ok = machine_clocks(m, &e.clocks);
    assert(ok && "a loaded machine has clocks");
    (void)ok;
    double hit = machine_derived_value(m, "l1_hit_cycles");
    e.l2_way = machine_derived_value(m, "l2_hit_cycles") - hit;
    e.memory_way = machine_derived_value(m, "memory_cycles") - hit;
    return e;
}

struct profile_view est_view_of(const struct machine *m)
{
    struct est_params e = est_params_of(m);
    return profile_view_of(&e);
}
