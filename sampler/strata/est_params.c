/* est_params.c - see est_params.h. */
#include "sampler/strata/est_params.h"

#include "gpu/machine/machine.h"

#include <assert.h>

struct est_params est_params_of(const struct machine *m)
{
    struct est_params e = {.sm = &m->sm,
                           .l1 = &m->l1,
                           .registers = &m->register_file,
                           .scalar = &m->scalar,
                           .tlb = &m->tlb,
                           .l2 = &m->l2,
                           .l3 = &m->l3,
                           .cpu = &m->cpu,
                           .coherence = &m->coherence,
                           .noc = &m->noc,
                           .pages = &m->pages,
                           .dram = &m->dram,
                           .second_dram = &m->second_dram};
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
