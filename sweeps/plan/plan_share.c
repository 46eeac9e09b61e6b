/* plan_share.c - decides which points of a sampled sweep share their intervals.
 *
 * The unchanged first machine leads if it is one of the points, else the first point does.  Points
 * that cannot use the leader's intervals (engine_shares) follow the first point among them that can
 * lead.  A program that is simulated whole has no intervals.  All this depends only on the sweep
 * file, so that a resumed sweep, or a shard of it, decides the same. */
#include "sweeps/plan/plan_reader.h"

#include "base/memory/alloc.h"
#include "engine/engine.h"
#include "gpu/machine/machine.h"

/* UINT32_MAX: no point is the unchanged first machine. */
static uint32_t find_base_point(const struct plan *p)
{
    struct machine m;
    struct error e;
    struct digest own = machine_digest(&p->base[0]);
    for (uint32_t i = 0; i < p->n_points; i++)
        if (plan_machine(p, i, &m, &e) && digest_equal(plan_digest(p, i, &m), own)) return i;
    return UINT32_MAX;
}

/* Lets all points without a leader follow `leader`, if they can. */
static void share_with_leader(const struct plan *p, uint32_t workload, uint32_t leader,
                              uint32_t *base)
{
    struct machine first, m;
    struct error e;
    if (!plan_machine(p, leader, &first, &e)) return;
    const struct program *program = plan_program(p, workload, &first);
    if (!engine_may_sample(&first, program, &p->opts) || !engine_shares(&first, &first, program))
        return;
    for (uint32_t i = 0; i < p->n_points; i++)
        if (base[i] == PLAN_ALONE && plan_machine(p, i, &m, &e) &&
            plan_program(p, workload, &m) == program && engine_shares(&first, &m, program))
            base[i] = leader;
}

void plan_share_samples(struct loading *l)
{
    struct plan *p = l->plan;
    size_t runs = (size_t)p->n_points * p->n_workloads;
    if (p->engine != ENGINE_SAMPLE || p->automatic) return;
    p->sample_base = mem_new(runs, sizeof *p->sample_base);
    if (!p->sample_base) {
        errors_add(l->all, "out of memory");
        return;
    }
    uint32_t own = find_base_point(p);
    for (size_t i = 0; i < runs; i++)
        p->sample_base[i] = PLAN_ALONE;
    for (uint32_t w = 0; w < p->n_workloads; w++) {
        uint32_t *base = p->sample_base + (size_t)w * p->n_points;
        if (own != UINT32_MAX) share_with_leader(p, w, own, base);
        for (uint32_t i = 0; i < p->n_points; i++)
            if (base[i] == PLAN_ALONE) share_with_leader(p, w, i, base);
    }
}
