/* cpu_cluster.c - the CPUs behind the L3: a cache of the blocks that the host has written, and
 * agents that use the memory while kernels run.
 *
 * Supplies leave one after another, one per supply_cycles. An agent's requests have geometric
 * distances with mean 1000 / rate cycles; its next block is the one behind the last (locality) or
 * drawn from its footprint. Agents have memory of their own and no cache; who executes programs is
 * detailed/cpu. Source: Hechtman et al. 2014 (QuickRelease), 2.4, 5.1; the agents: [A]. */
#include "detailed/memory_side/cpu_cluster.h"

/* Where the agents' memory begins: above what programs use. */
#define AGENT_BASE (UINT64_C(1) << 46)

static void reset_agents(struct cpu_cluster *u)
{
    rng_seed(&u->rng, 1, 0);
    for (uint32_t i = 0; i < u->p->agents; i++) {
        uint64_t base = AGENT_BASE + (uint64_t)i * u->p->footprint_kb * 1024;
        u->agent[i] = (struct cpu_agent){base, base, 1 + i};
    }
}

bool cpu_cluster_init(struct cpu_cluster *u, const struct cpu_params *p, struct memory_side *l3)
{
    *u = (struct cpu_cluster){.p = p, .l3 = l3};
    if (!cache_init(&u->c, &p->cache, 1, 0, false)) return false;
    reset_agents(u);
    return true;
}

void cpu_cluster_fini(struct cpu_cluster *u)
{
    cache_fini(&u->c);
}

void cpu_cluster_clear(struct cpu_cluster *u)
{
    cache_clear(&u->c);
    u->port_free = 0;
    u->s = (struct cpu_stats){0};
    reset_agents(u);
}

void cpu_cluster_write(struct cpu_cluster *u, uint64_t addr)
{
    struct access a = {.addr = addr, .kind = ACCESS_READ};
    struct victim v;
    cache_touch(&u->c, &a, &v);
}

uint64_t cpu_cluster_supply(struct cpu_cluster *u, uint64_t now)
{
    uint64_t start = now > u->port_free ? now : u->port_free;
    u->port_free = start + u->p->supply_cycles;
    u->s.supplies++;
    return start + u->p->probe_latency;
}

void cpu_cluster_give_up(struct cpu_cluster *u, uint64_t addr)
{
    cache_drop(&u->c, cache_find(&u->c, cache_tag(&u->c, addr)));
}

/* --- agents --- */

uint64_t cpu_cluster_due(const struct cpu_cluster *u)
{
    uint64_t due = UINT64_MAX;
    for (uint32_t i = 0; i < u->p->agents; i++)
        if (u->agent[i].next < due) due = u->agent[i].next;
    return due;
}

static bool is_drawn(struct cpu_cluster *u, uint32_t percent)
{
    return rng_below(&u->rng, 100) < percent;
}

/* Times between requests are geometric, with a mean of 1000 / rate cycles. */
static uint64_t draw_gap(struct cpu_cluster *u)
{
    uint64_t gap = 1;
    while (rng_below(&u->rng, 1000) >= u->p->rate)
        gap++;
    return gap;
}

bool cpu_cluster_request(struct cpu_cluster *u, uint64_t now, struct cpu_request *r)
{
    uint32_t line = u->p->cache.line_bytes, i = 0;
    while (i < u->p->agents && u->agent[i].next > now)
        i++;
    if (i == u->p->agents) return false;
    struct cpu_agent *a = &u->agent[i];
    uint64_t blocks = (uint64_t)u->p->footprint_kb * 1024 / line;
    uint64_t at =
        is_drawn(u, u->p->locality) ? (a->last - a->base) / line + 1 : rng_below(&u->rng, blocks);
    a->last = a->base + at % blocks * line;
    a->next = now + draw_gap(u);
    u->s.requests++;
    *r = (struct cpu_request){a->last, is_drawn(u, u->p->write_share)};
    return true;
}
