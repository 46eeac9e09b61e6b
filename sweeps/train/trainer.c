/* trainer.c - the state of a calibration: its points and the requested runs; see
 * train_internal.h. */
#include "sweeps/train/train_internal.h"

#include "gpu/machine/machine.h"
#include "sampler/strata/est_params.h"

/* All inputs but the sampled cycles. */
bool trainer_find_point(struct trainer *t, uint32_t i, uint32_t workload, struct cal_point *out,
                        struct error *e)
{
    const struct machine *m = &t->machine[i];
    const struct program *program = plan_program(t->plan, workload, m);
    struct run_opts o = t->plan->opts;
    o.threads = t->threads;
    const struct profile *profile = profile_pool_get(&t->fit.profiles, program, m, &o, e);
    *out = (struct cal_point){.profile = profile,
                              .params = est_params_of(m),
                              .machine = m,
                              .program = program_digest(program),
                              .name = program_name(program)};
    return profile != NULL;
}

bool trainer_estimate(struct trainer *t, uint32_t i, uint32_t workload, struct known_run *out,
                      struct error *e)
{
    struct cal_point c;
    return trainer_find_point(t, i, workload, &c, e) && calibrate_describe(&c, out, e);
}

bool trainer_add(struct trainer *t, uint32_t point, struct error *e)
{
    t->point[t->n_points] = point;
    return plan_machine(t->plan, point, &t->machine[t->n_points++], e);
}

uint32_t trainer_asked(const struct trainer *t)
{
    uint32_t n = 0;
    for (uint32_t w = 0; w < t->plan->n_workloads; w++)
        n += t->asked[w];
    return n;
}
