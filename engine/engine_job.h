/* engine_job.h - one machine and program as the engines take them; shared by engine.c and
 * engine_machines.c. */
#pragma once

#include "calibration/calibrate.h"
#include "engine/engine.h"
#include "estimator/profile/profile.h"
#include "gpu/energy/account.h"
#include "sampler/run/sample.h"

#include <math.h>

/* What runs say of an estimate, and the estimate before they corrected it. */
struct engine_said {
    struct calibrated c;
    struct metrics bare; /* with energies */
};

struct engine_job {
    const struct machine *m;
    const struct program *p;
    const struct profile *profile; /* NULL for simulate, which needs none */
    const bool *selected;
    const struct calibration *cal; /* may be NULL */
    struct engine_said *said;      /* estimate with cal: filled in; NULL: of no other */
    struct energy_costs costs;
    const struct run_opts *o;
    bool near; /* estimate: est_params.near */
    /* estimate: the machine whose hits and misses are used; NULL: m */
    const struct machine *caches;
    /* sample: machines to run on the same intervals; NULL: none */
    const struct sample_others *others;
};

/* For profile_detail_for. */
static inline double engine_job_times(const struct run_opts *o)
{
    if (o->exact_profile) return INFINITY;
    return o->in_sweep ? PROFILE_TIMES_SWEEP : PROFILE_TIMES_ONE;
}

/* A profile of the program as the machine sees it, which the caller frees; NULL: *e. */
struct profile *engine_job_profile(const struct machine *m, const struct program *p,
                                   const struct run_opts *o, struct error *e);
/* Fills in the names: engine, machine, program and seed; the digest of the machine if it is 0. */
void engine_job_name(struct answer *a, enum engine e, const struct machine *m,
                     const struct program *p, uint64_t seed);
void engine_job_measure_host(struct answer *a, double since);
/* Check the machine before any work is done, with the same messages for all engines. */
bool engine_job_fits(const struct engine_job *job, struct error *e);
bool engine_job_costs(struct engine_job *job, struct error *e);
/* Adds the energy, which is linear in the counts, so that one function serves all engines. */
void engine_job_energy(const struct engine_job *job, struct answer *a);
/* The sum over the selected launches; *x: the explanation of the longest range; x may be NULL. */
/* The parameters of an estimate of the job's machine; *caches holds those of another machine whose
 * hits and misses are used. */
struct est_params engine_job_params(const struct engine_job *job, struct est_params *caches);
bool engine_job_estimate(const struct engine_job *job, struct metrics *sum, struct explanation *x,
                         struct error *e);
/* What the job's calibration, which must be there, says of an estimate of the job's machine. */
void engine_job_calibrate(const struct engine_job *job, const struct metrics *m,
                          const struct explanation *x, struct calibrated *c);
/* Runs the engine, with a profile if it needs one. */
bool engine_job_run(enum engine e, struct engine_job *job, struct answer *a, struct error *err);
