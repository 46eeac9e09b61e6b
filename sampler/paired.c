/* paired.c - see paired.h. */
#include "sampler/paired.h"

#include "base/mem.h"

#include <math.h>

static bool run_on_second(struct sampling *s, const struct sample_second *second,
                          struct window_run *run, struct error *e)
{
    uint32_t n = (uint32_t)s->r.runs;
    for (uint32_t i = 0; i < n; i++)
        run[i] = (struct window_run){.unit = s->r.run[i].unit, .warmup = s->r.run[i].warmup};
    sampling_turn_to(s, second->m, second->costs);
    s->r.expected = n;
    if (s->o->progress) progress_start(s->o->progress, "intervals, once more", n);
    bool ok = s->r.source(run, n, s->r.ctx, e);
    if (s->o->progress) progress_finish(s->o->progress);
    return ok;
}

static void fill(const struct sampling *s, const struct window_run *run, struct answer *a)
{
    for (size_t i = 0; i < s->r.runs; i++) {
        a->simulated_instructions += run[i].cost;
        a->warmup_instructions += run[i].warmup;
    }
    a->has_confidence = true;
    a->level = s->o->confidence;
    a->simulated_share = (double)a->simulated_instructions / (double)s->pop.instructions;
}

bool paired_run(struct sampling *s, const struct sample_second *second, struct error *e)
{
    struct extrapolation x = {0};
    struct answer_paired *p = &second->a->paired;
    struct window_run *run = mem_new(s->r.runs, sizeof *run);
    if (!run) return error_no_memory(e);
    bool ok =
        run_on_second(s, second, run, e) &&
        extrapolate(&x, &s->pop, s->r.run, (uint32_t)s->r.runs, s->o->confidence, s->r.plain, e);
    if (ok) {
        double first = x.half_width;
        p->ratio = extrapolation_ratio(&x, run, &p->half_width);
        ok = extrapolation_other(&x, run, e);
        p->apart = hypot(first, x.half_width);
        p->known = true;
    }
    if (ok) {
        x.placing = s->r.placing;
        extrapolation_metrics(&x, second->a);
        fill(s, run, second->a);
        double placing = p->ratio * s->r.placing / PLACING_ERROR * PLACING_OF_RATIO;
        p->half_width = hypot(p->half_width, placing);
        p->apart = p->ratio * hypot(p->apart, sqrt(2) * s->r.placing);
    }
    extrapolation_fini(&x);
    mem_free(run);
    return ok;
}

void paired_exact(const struct answer *first, struct answer *second)
{
    second->paired = (struct answer_paired){.known = true,
                                            .ratio = second->m.v[M_cycles] / first->m.v[M_cycles]};
}
