/* sim_clear.c - brings a simulation back to an empty machine at time 0. */
#include "base/memory/alloc.h"
#include "detailed/core/sim_internal.h"

#include <string.h>

bool sim_clear(struct sim *s, struct error *e)
{
    s->refusals = mem_refusals();
    if (!s->used) return true;
    if (!memory_clear(&s->memory, e) || !memory_clear(&s->second_memory, e)) return false;
    if (memory_side_is_on(&s->memory_side)) memory_side_clear(&s->memory_side);
    if (s->cpu.p) cpu_cluster_clear(&s->cpu);
    if (sim_pages_of(s)) page_table_clear(&s->pages);
    req_pool_clear(&s->reqs);
    shadow_clear(&s->shadow);
    for (uint32_t i = 0; i < NOC_N; i++)
        noc_clear(&s->noc[i]);
    for (uint32_t i = 0; i < s->m.l2.banks; i++)
        l2_clear(&s->slice[i]);
    if (s->links.p) l2_links_clear(&s->links);
    for (uint32_t i = 0; i < s->scalars; i++)
        scalar_clear(&s->scalar[i]);
    if (sim_translates(s)) l2_tlb_clear(&s->l2_tlb);
    for (uint32_t i = 0; i < s->m.sm.count; i++)
        sm_clear(&s->sm[i]);
    for (uint32_t d = 0; d < CLOCK_N; d++) {
        s->domain[d].next = s->domain[d].tick = UINT64_MAX;
        for (uint32_t i = 0; i < s->domain[d].n; i++)
            s->domain[d].due[i] = UINT64_MAX;
    }
    s->tick = 0;
    sim_cores_clear(s);
    sim_watch_afresh(s);
    stall_roots_clear(s);
    register_map_fini(&s->run.registers);
    s->run = (struct launch_run){.dispatch = s->run.dispatch};
    if (sim_locality_of(s)) locality_clear(&s->locality);
    memset(&s->load_latency, 0, sizeof s->load_latency);
    memset(&s->max_latency, 0, sizeof s->max_latency);
    s->used = false;
    s->error = (struct error){0};
    return true;
}
