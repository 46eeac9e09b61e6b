/* bank_recall.c - see bank_recall.h. */
#include "engine/bank_recall.h"

#include "base/io/file.h"
#include "base/memory/alloc.h"
#include "calibration/constants.h"
#include "engine/engine.h"
#include "estimator/profile/profile.h"
#include "gpu/machine/machine.h"
#include "gpu/metrics/model_version.h"
#include "sampler/strata/est_params.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { NEW_PROFILES = 1 };

struct recall {
    struct bank *b;
    const struct program *p;
    const struct run_opts *o;
    struct profile_view view; /* of the machine that is asked about */
    struct place place;       /* its parameters */
    uint32_t profiles;        /* made for runs of other views */
    char estimator[32];       /* the version of estimates */
    struct calibration *out;
    size_t room;
};

static bool add_run(struct recall *r, const struct known_run *run, struct error *e)
{
    if (!mem_grow(&r->out->run, &r->room, r->out->n + 1, sizeof *run)) return error_no_memory(e);
    r->out->run[r->out->n++] = *run;
    return true;
}

/* --- an estimate of a run's machine ----------------------------------------------------------- */

static bool is_kept(const struct recall *r, const struct profile_view *view)
{
    enum profile_detail detail = profile_detail_for(r->p, view, PROFILE_TIMES_ONE);
    char *path = profile_cache_path(r->p, view, detail);
    bool kept = path && access(path, R_OK) == 0;
    mem_free(path);
    return kept;
}

/* Whether an estimate of that machine costs no profile, or one that may be made. */
static bool may_estimate(struct recall *r, const struct machine *m)
{
    struct profile_view view = est_view_of(m);
    if (profile_view_equal(&view, &r->view) || is_kept(r, &view)) return true;
    return r->profiles++ < NEW_PROFILES;
}

static bool keep_estimate(struct recall *r, const struct bank_run *run, const struct answer *a,
                          const struct known_run *known)
{
    double values[METRICS_KEYS_MAX];
    bank_values(&a->m, values);
    const struct bank_estimate item = {.run = run->id,
                                       .estimated = values,
                                       .feature = known->place.feature,
                                       .features = PLACE_FEATURES};
    return bank_put_estimates(r->b, r->estimator, &item, 1, NULL);
}

/* *made: whether there is one now; a machine that cannot be estimated is passed over. */
static bool estimate_run(struct recall *r, const struct bank_run *run, const struct machine *m,
                         struct known_run *known, bool *made, struct error *e)
{
    struct error why;
    struct answer *a = mem_new(1, sizeof *a);
    struct run_opts o = *r->o;
    if (!a) return error_no_memory(e);
    o.bank = NULL;
    o.causes = o.per_kernel = false;
    *made = may_estimate(r, m) && engine_run(ENGINE_ESTIMATE, m, r->p, NULL, NULL, &o, a, &why);
    if (*made) {
        calibrate_know(known, m, &a->m, &a->x, run->simulated);
        keep_estimate(r, run, a, known);
    }
    answer_fini(a);
    mem_free(a);
    return true;
}

/* From an estimate that the bank has. */
static bool take_estimate(const struct bank_run *run, const struct machine *m,
                          struct known_run *known)
{
    double cycles = run->estimated[metrics_key_index("cycles")];
    if (run->features != PLACE_FEATURES || !(cycles > 0)) return false;
    place_of_machine(&known->place, m);
    memcpy(known->place.feature, run->feature, sizeof known->place.feature);
    known->place.estimate = log(cycles);
    calibrate_errors(known, run->estimated, run->simulated);
    return true;
}

static bool is_similar(const struct recall *r, const struct machine *m, struct place *room)
{
    double distance[PLACE_GROUPS];
    place_of_machine(room, m);
    place_distance(&r->place, room, distance);
    return distance[PLACE_MACHINE] <= SIMILAR_MACHINES;
}

static bool recall_run(struct recall *r, const struct bank_run *run, struct error *e)
{
    const uint32_t cycles = metrics_key_index("cycles");
    struct errors errors = {0};
    struct machine *m = mem_new(1, sizeof *m);
    struct known_run *known = mem_new(1, sizeof *known);
    bool ok = (m && known) || error_no_memory(e), made = false;
    if (ok && machine_parse(m, run->config, run->machine_name, NULL, 0, &errors) &&
        digest_equal(machine_digest(m), run->machine) && is_similar(r, m, &known->place)) {
        *known = (struct known_run){.program = program_digest(r->p),
                                    .machine = run->machine,
                                    .log_sd = run->log_sd,
                                    .banked = true};
        if (run->estimated)
            made = take_estimate(run, m, known);
        else
            ok = estimate_run(r, run, m, known, &made, e);
    }
    ok = ok && (!made || !known->has[cycles] || add_run(r, known, e));
    errors_fini(&errors);
    mem_free(m);
    mem_free(known);
    return ok;
}

/* --- a program -------------------------------------------------------------------------------- */

static bool recall_program(struct recall *r, const struct calibration *from, struct error *e)
{
    struct bank_runs runs;
    const struct digest program = program_digest(r->p);
    bool ok = true;
    for (uint32_t i = 0; ok && from && i < from->n; i++)
        if (digest_equal(from->run[i].program, program)) ok = add_run(r, &from->run[i], e);
    if (ok && bank_find(r->b, program, r->estimator, POSTERIOR_RUNS_MAX, &runs, NULL)) {
        for (size_t i = runs.n; ok && i-- > 0;) /* the newest last */
            ok = recall_run(r, &runs.run[i], e);
        bank_runs_fini(&runs);
    }
    return ok;
}

bool bank_recall(struct bank *b, const struct calibration *from, const struct range_model *ranges,
                 const struct machine *m, const struct program *const *program, uint32_t programs,
                 const struct run_opts *o, struct calibration *out, bool *ready, struct error *e)
{
    bool ok = true;
    struct recall r = {.b = b, .o = o, .view = est_view_of(m), .out = out};
    *out = calibration_bare(ranges);
    *ready = false;
    if (from) {
        snprintf(out->machine, sizeof out->machine, "%s", from->machine);
        snprintf(out->file, sizeof out->file, "%s", from->file);
        out->base = from->base;
    }
    place_of_machine(&r.place, m);
    snprintf(r.estimator, sizeof r.estimator, "%d.%d", EST_MODEL_VERSION, PROFILE_VERSION);
    for (uint32_t i = 0; ok && i < programs; i++) {
        r.p = program[i];
        ok = recall_program(&r, from, e);
    }
    ok = ok && calibration_prepare(out, ranges, e);
    *ready = ok && out->n > 0;
    return ok;
}
