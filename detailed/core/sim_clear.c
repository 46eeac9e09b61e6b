/* sim_clear.c - brings a simulation back to an empty machine at time 0. */
#include "base/memory/alloc.h"
#include "detailed/core/sim_internal.h"

#include <string.h>

bool sim_clear(struct sim *s, struct error *e)
{
    s->refusals = mem_refusals();
    s->refusals_before = *s->refusals;
    if (!s->used) return true;
    components_clear(s->kind);
    req_pool_clear(&s->reqs);
    shadow_clear(&s->shadow);
    for (uint32_t d = 0; d < CLOCK_N; d++)
        s->domain[d].next = s->domain[d].tick = UINT64_MAX;
    s->tick = 0;
    s->held = 0;
    sim_watch_afresh(s);
    stall_roots_clear(s);
    register_map_fini(&s->run.registers);
    s->run = (struct launch_run){.dispatch = s->run.dispatch};
    if (sim_locality_of(s)) locality_clear(&s->locality);
    memset(&s->load_latency, 0, sizeof s->load_latency);
    memset(&s->max_latency, 0, sizeof s->max_latency);
    if (s->threads) sim_threads_clear(s);
    s->used = false;
    s->error = (struct error){0};
    return *s->refusals == s->refusals_before || error_no_memory(e);
}
