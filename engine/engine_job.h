/* engine_job.h - one machine and program as the engines take them: between engine.c and
 * engine_machines.c. */
#ifndef PLUMB_ENGINE_ENGINE_JOB_H
#define PLUMB_ENGINE_ENGINE_JOB_H

#include "engine/engine.h"
#include "gpu/energy/account.h"
#include "sampler/calibration/calibrate.h"
#include "sampler/run/sample.h"

struct engine_job {
    const struct machine *m;
    const struct program *p;
    const struct profile *profile; /* NULL: simulate needs none */
    const bool *selected;
    struct correction correction;
    const struct calibration *cal; /* may be NULL */
    struct energy_costs costs;
    const struct run_opts *o;
    bool near;                          /* estimate: est_params.near */
    const struct machine *caches;       /* estimate: whose hits and misses; NULL: m's */
    const struct sample_others *others; /* sample: run on the same intervals; NULL: none */
};

/* Whose answer it is. */
void engine_job_name(struct answer *a, enum engine e, const struct machine *m,
                     const struct program *p, uint64_t seed);
void engine_job_measure_host(struct answer *a, double since);
/* Said before any work is done, in the same words by all engines. */
bool engine_job_fits(const struct engine_job *job, struct error *e);
bool engine_job_costs(struct engine_job *job, struct error *e);
/* Energy is linear in the counts: one account serves whatever engine counted. */
void engine_job_energy(const struct engine_job *job, struct answer *a);
/* The sum over the selected launches; *x: of the longest range, may be NULL. */
bool engine_job_estimate(const struct engine_job *job, struct metrics *sum, struct explanation *x,
                         struct error *e);
/* Runs the engine, with a profile where it needs one. */
bool engine_job_run(enum engine e, struct engine_job *job, struct answer *a, struct error *err);

#endif
