/* paired_difference.c - see paired_difference.h. */
#include "sampler/run/paired_difference.h"

#include "sampler/constants.h"

#include <math.h>

static void fill_answer(const struct sampling *s, const struct interval_run *run, struct answer *a)
{
    for (size_t i = 0; i < s->r.runs; i++) {
        a->simulated_instructions += run[i].cost;
        a->warmup_instructions += run[i].warmup;
    }
    a->has_confidence = true;
    a->level = s->o->confidence;
    a->simulated_share = (double)a->simulated_instructions / (double)s->pop.instructions;
}

bool paired_fill(const struct sampling *s, const struct interval_run *run, struct answer *a,
                 struct error *e)
{
    struct extrapolation x;
    struct answer_paired *p = &a->paired;
    if (!extrapolate(&x, &s->pop, s->r.run, (uint32_t)s->r.runs, s->o->confidence, s->r.doubt,
                     s->r.plain, e))
        return false;
    double first = x.half_width;
    p->ratio = extrapolation_ratio(&x, run, &p->half_width);
    bool ok = extrapolation_other(&x, run, e);
    if (ok) {
        extrapolation_metrics(&x, a);
        fill_answer(s, run, a);
        /* accesses that the weights miss are missed on both machines */
        double doubt = extrapolation_doubt(&x);
        if (doubt <= stratified_half_width_at(PLACED_ERROR, x.confidence))
            doubt = stratified_half_width_at(PLACING_ERROR, x.confidence);
        double placing = p->ratio * doubt / PLACING_ERROR * PLACING_OF_RATIO;
        /* the two machines' distributions of last CTAs are independent */
        placing = hypot(placing, p->ratio * sqrt(2) * x.drained);
        p->half_width = hypot(p->half_width, placing);
        p->apart = p->ratio * hypot(hypot(first, x.half_width), sqrt(2) * x.placing);
        p->known = true;
    }
    extrapolation_fini(&x);
    return ok;
}

void paired_exact(const struct answer *first, struct answer *second)
{
    second->paired = (struct answer_paired){.known = true,
                                            .ratio = second->m.v[M_cycles] / first->m.v[M_cycles]};
}
