/* launch_solve.c - see launch_solve.h. */
#include "estimator/model/launch_solve.h"

#include "base/memory/thread_block.h"
#include "estimator/math_util.h"
#include "estimator/model/explain.h"
#include "estimator/model/launch_metrics.h"

static bool same_view(const struct profile *p, const struct est_params *e, struct error *err)
{
    struct profile_view v = profile_view_of(e);
    return profile_view_equal(&v, &p->view) || (e->near && profile_view_near(&v, &p->view)) ||
           error_run(err, "the profile was made for another view of the program");
}

bool launch_solver_init(struct launch_solver *s, const struct profile *p,
                        const struct est_params *e, struct error *err)
{
    *s = (struct launch_solver){.p = p, .e = e};
    bool ok = (thread_blocks_reserve() || error_no_memory(err)) && same_view(p, e, err) &&
              map_init(&s->map, e->l2, e->dram, err);
    if (!ok || !pages_are_placed(e->pages)) return ok;
    s->map.second = dram_is_there(e->second_dram);
    s->pages = placed_pages_new(e, &s->map, err);
    return s->pages != NULL;
}

void launch_solver_fini(struct launch_solver *s)
{
    placed_pages_free(s->pages);
}

static void add_metrics(const struct launch_answer *a, const struct launch_model *m, double weight)
{
    struct metrics part;
    struct rows_left rows[PAGE_MEMORIES];
    launch_model_metrics(m, &part, rows);
    metrics_accumulate(a->m, &part, weight);
    for (uint32_t i = 0; i < PAGE_MEMORIES; i++) {
        a->rows[i].added_mj += weight * rows[i].added_mj;
        a->rows[i].opened += weight * rows[i].opened;
        a->rows[i].kept += weight * rows[i].kept;
    }
}

bool launch_solve(const struct launch_solver *s, uint32_t launch, const struct launch_answer *a,
                  struct error *err)
{
    struct launch_model all, copy;
    struct phase phase[PHASES];
    if (!launch_model_init(&all, s->p, launch, s->e, &s->map, s->pages, err)) return false;
    uint32_t n = launch_model_phases(&all, phase);
    for (uint32_t i = 0; i < n; i++) {
        bool last = i + 1 == n;
        struct launch_model *m = last ? &all : &copy;
        if (!last) copy = all;
        launch_model_solve(m, &phase[i]);
        all.wave.near = m->result.throughput;
        if (a->m) add_metrics(a, m, 1.0 / n);
        if (a->x) explain_add(a->x, m, 1.0 / n);
        if (a->cycles) *a->cycles += m->cycles.all / n;
    }
    return true;
}

double launch_filled_lines(const struct profile *p, uint32_t launch, const struct l2_params *l2)
{
    double lines = (double)l2->banks * l2->cache.sets * l2->cache.ways;
    if (l2->miss_management != MISS_CONVENTIONAL && l2->inclusion != INCLUSION_FULL) return 0;
    return math_smaller(lines, p->place[launch].lines_before);
}
