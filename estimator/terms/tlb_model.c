/* tlb_model.c - hits of the TLBs from curves of page reuse, the mean cost of a walk, and the
 * stations of walkers and waiting pages.
 *
 * Hits within a TLB's reach come from the SM's own distances, those of the shared TLB and the walk
 * cache from the distances among all SMs, as shares of what is accessed again. Waits of warps have
 * curves of their own. Source: docs/models/translation.md; what is left out: tlb_model.h. */
#include "estimator/terms/tlb_model.h"

#include "estimator/math_util.h"
#include "estimator/terms/loaded_latency.h"
#include "estimator/terms/stations.h"
#include "gpu/machine/params/translation/tlb.h"

/* The share of a curve's accesses that hit in a TLB whose reach is `pages`, in sets of `ways`; 0
 * sets: any number, 1 = fully associative. */
static double hits_within(const struct curve *c, double pages, double sets)
{
    struct hit_law law;
    hit_law_init(&law, &(struct geometry_view){.lines = pages, .sets = sets, .org = ORG_NONE});
    return math_over(curve_hits(c, &law), (double)c->total);
}

struct page_shares { /* of the accesses, or waits, of a curve */
    double misses, walks, reads, cold;
};

enum { PAGE_ENTRY_BYTES = 8 };

/* Pages whose entries are read from the page table with one sector. */
static double pages_of_sector(const struct tlb_params *p)
{
    return math_larger(1, p->walk_cache.sector_bytes / (double)PAGE_ENTRY_BYTES);
}

/* Of what an SM's TLB misses, the other SMs have brought the share that is near among all. */
static struct page_shares shares_of(const struct launch_model *m, const struct curve *c)
{
    const struct tlb_params *p = m->e->tlb;
    const struct cache_params *w = &p->walk_cache;
    const struct curve *all = &m->p->page_shared;
    double entries = w->line_bytes / 8.0, reach = (double)w->sets * w->ways * entries;
    struct page_shares s = {.misses = 1 - hits_within(c, p->l1_entries, p->l1.sets)};
    double again = 1 - math_over((double)all->far, (double)all->total);
    double near = hits_within(all, p->l2_entries, p->l2.sets);
    double missed = 1 - hits_within(&m->p->page_reuse, p->l1_entries, p->l1.sets);
    double fresh = math_over(m->p->new_pages, missed * (double)m->p->page_reuse.total);
    s.cold = s.misses * math_smaller(1, fresh);
    s.walks = (s.misses - s.cold) * (again > 0 ? 1 - near / again : 0) + s.cold;
    s.reads = (s.misses - s.cold) *
              (again > 0 ? 1 - math_larger(near, hits_within(all, reach, 1)) / again : 0);
    s.cold /= pages_of_sector(p);
    return s;
}

/* A read of the page table that memory answers, unloaded. */
static double memory_read(const struct launch_model *m)
{
    return m->latency.memory - m->latency.hit + 1;
}

/* The mean cycles of a walk's levels and reads, over all accesses, or waits. */
static double walk_cycles(const struct launch_model *m, const struct page_shares *s,
                          const struct read_waits *w)
{
    const struct tlb_params *p = m->e->tlb;
    double l2 = m->latency.l2 - m->latency.hit + 1 + w->l2;
    return s->walks * p->levels * p->walk_cache_latency + s->reads * l2 +
           s->cold * (memory_read(m) + w->memory);
}

double tlb_model_start_cycles(const struct launch_model *m)
{
    const struct tlb_params *p = m->e->tlb;
    if (!tlb_is_on(p) || m->p->new_pages <= 0) return 0;
    double reads = m->p->pages_are_first > 0 ? p->levels : 1 / pages_of_sector(p);
    return p->l2_latency + p->levels * p->walk_cache_latency + reads * memory_read(m);
}

void tlb_model_find(struct launch_model *m)
{
    m->tlb = (struct tlb_costs){0};
    if (!tlb_is_on(m->e->tlb) || m->p->page_reuse.total <= 0) return;
    struct page_shares access = shares_of(m, &m->p->page_reuse),
                       wait = shares_of(m, &m->p->page_waits);
    double accesses = (double)m->p->page_reuse.total;
    struct read_waits w;
    loaded_latency_read_waits(m, &w);
    m->tlb.misses = access.misses * accesses;
    m->tlb.walks = access.walks * accesses;
    m->tlb.reads = (access.reads + access.cold) * accesses;
    m->tlb.walk_cycles = walk_cycles(m, &access, &w) * accesses;
    m->tlb.late = access.misses * m->e->tlb->l2_latency + walk_cycles(m, &access, &w);
    double tables = m->p->pages_are_first * (m->e->tlb->levels - 1); /* above the last, once */
    m->tlb.reads += tables;
    m->tlb.walk_cycles += tables * memory_read(m);
    m->tlb.late_wait = wait.misses * m->e->tlb->l2_latency + walk_cycles(m, &wait, &w);
}

void tlb_model_put(struct launch_model *m)
{
    const struct tlb_params *p = m->e->tlb;
    double walks = m->tlb.walks / m->r.rounds, pages = m->tlb.misses / m->r.rounds;
    double walk = math_over(m->tlb.walk_cycles, m->tlb.walks);
    double waits = p->l2_latency + math_over(walks, pages) * walk;
    stations_put(m, AT_TLB_PORTS, "tlb_ports", pages, 1.0 / p->l2_ports, 1);
    stations_put(m, AT_WALKERS, "page_walkers", walks, walk / p->walkers, 1);
    struct network_station *s = stations_put(m, AT_TLB_PAGES, "tlb", pages, waits, m->wave.sms);
    s->rivals = stations_rivals(m->wave.warps_per_sm, pages);
    s->pool = p->l1_misses;
    s->c = 1;
    s->holds = 1u << AT_TLB_PORTS | 1u << AT_WALKERS;
    s->times = math_over(walks, pages);
}

void tlb_model_metrics(const struct launch_model *m, struct metrics *out)
{
    if (!tlb_is_on(m->e->tlb)) return;
    metrics_set(out, M_tlb_l1_lookups, m->p->loads + m->p->stores + m->p->atomics);
    metrics_set(out, M_tlb_l2_lookups, m->tlb.misses);
    metrics_set(out, M_tlb_walks, m->tlb.walks);
    metrics_set(out, M_tlb_walk_reads, m->tlb.reads);
    metrics_set(out, M_tlb_walk_cycles, m->tlb.walk_cycles);
}
