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
    return e;
}

struct profile_view est_view_of(const struct machine *m)
{
    return profile_view_of(&m->sm, &m->l1, &m->l2, &m->coherence, &m->pages, &m->dram,
                           &m->second_dram);
}
