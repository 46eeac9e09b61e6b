/* sm_site_counters.c - an SM's part of the counts by instruction and buffer:
 * detailed/counters/site_counters.h. */
#include "detailed/counters/site_counters.h"

#include "base/memory/alloc.h"
#include "base/memory/popcount.h"
#include "detailed/sm/sm.h"
#include "gpu/geometry/coalesce.h"

void sm_site_issued(struct sm *s, const struct warp_inst *inst, const struct txn *t, uint32_t n)
{
    struct site *x = &s->sites->now[inst->code];
    x->executions++;
    x->lanes += popcount(inst->mask);
    x->accesses += n;
    for (uint32_t k = 0; k < n; k++)
        site_counters_access(s->sites, t[k].addr, inst->si->cls);
}

bool sm_site_place(struct sm *s, uint64_t addr, uint64_t physical)
{
    return site_counters_place(s->sites, addr, physical);
}

bool sm_site_begins(struct sm *s, uint32_t vinst, uint32_t code)
{
    if (!mem_grow(&s->site_of, &s->site_cap, s->vinst_cap, sizeof *s->site_of)) return false;
    s->site_of[vinst] = code;
    return true;
}

void sm_site_done(struct sm *s, uint32_t vinst, uint64_t latency)
{
    struct site *x = &s->sites->now[s->site_of[vinst]];
    x->latency += latency;
    if (latency > x->longest) x->longest = latency;
}
