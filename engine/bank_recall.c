/* bank_recall.c - see bank_recall.h. */
#include "engine/bank_recall.h"

#include "base/io/file.h"
#include "base/memory/alloc.h"
#include "calibration/constants.h"
#include "engine/engine_job.h"
#include "estimator/profile/profile.h"
#include "gpu/machine/machine.h"
#include "gpu/metrics/model_version.h"
#include "sampler/strata/est_params.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { NEW_PROFILES = 1, ESTIMATOR_NAME = 48 };

struct recall {
    struct bank *b;
    const struct program *p;
    const struct run_opts *o;
    struct profile_view view; /* of the machine that is asked about */
    struct place place;       /* its parameters */
    uint32_t profiles;        /* made for runs of other views */
    char estimator[ESTIMATOR_NAME];
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
    enum profile_detail detail = profile_detail_for(r->p, view, engine_job_times(r->o));
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

/* A place as numbers: its features, then its parameters. */
enum { PLACE_NUMBERS_MAX = PLACE_FEATURES + PLACE_PARAMS_MAX };

static uint32_t place_numbers(void)
{
    return PLACE_FEATURES + place_params();
}

static void pack_place(const struct place *p, double out[PLACE_NUMBERS_MAX])
{
    memcpy(out, p->feature, sizeof p->feature);
    memcpy(out + PLACE_FEATURES, p->param, place_params() * sizeof *out);
}

static void unpack_place(const double *v, struct place *p)
{
    memcpy(p->feature, v, sizeof p->feature);
    memcpy(p->param, v + PLACE_FEATURES, place_params() * sizeof *v);
}

/* Keeps a run's place, and the estimate of its machine; m: NULL: none was made. */
static void keep_estimate(struct recall *r, const struct bank_run *run, const struct metrics *m,
                          const struct known_run *known)
{
    double values[METRICS_KEYS_MAX], place[PLACE_NUMBERS_MAX];
    for (uint32_t i = 0; i < METRICS_KEYS_MAX; i++)
        values[i] = NAN;
    if (m) bank_values(m, values);
    pack_place(&known->place, place);
    const struct bank_estimate item = {
        .run = run->id, .estimated = values, .feature = place, .features = place_numbers()};
    bank_put_estimates(r->b, r->estimator, &item, 1, NULL);
}

static bool is_similar(const struct recall *r, const struct place *p)
{
    double distance[PLACE_GROUPS];
    place_distance(&r->place, p, distance);
    return distance[PLACE_MACHINE] <= SIMILAR_MACHINES;
}

/* *made: whether there is one now; a machine that cannot be estimated, or is unlike the one that is
 * asked about, is passed over. */
static bool estimate_run(struct recall *r, const struct bank_run *run, struct known_run *known,
                         bool *made, struct error *e)
{
    struct error why;
    struct errors errors = {0};
    struct machine *m = mem_new(1, sizeof *m);
    struct answer *a = mem_new(1, sizeof *a);
    struct run_opts o = *r->o;
    bool ok = (m && a) || error_no_memory(e);
    o.bank = NULL;
    o.causes = o.per_kernel = false;
    bool sound = ok && machine_parse(m, run->config, run->machine_name, NULL, 0, &errors) &&
                 digest_equal(machine_digest(m), run->machine);
    if (sound) place_of_machine(&known->place, m);
    bool near = sound && is_similar(r, &known->place);
    *made =
        near && may_estimate(r, m) && engine_run(ENGINE_ESTIMATE, m, r->p, NULL, NULL, &o, a, &why);
    if (*made) calibrate_know(known, m, &a->m, &a->x, run->simulated);
    if (sound && (*made || !run->estimated)) keep_estimate(r, run, *made ? &a->m : NULL, known);
    errors_fini(&errors);
    if (a) answer_fini(a);
    mem_free(a);
    mem_free(m);
    return ok;
}

/* From what the bank has.  *made: the estimate is there; false: it is to be made. */
static bool take_estimate(const struct recall *r, const struct bank_run *run,
                          struct known_run *known, bool *made)
{
    *made = false;
    if (!run->estimated || run->features != place_numbers()) return false;
    double cycles = run->estimated[metrics_key_index("cycles")];
    unpack_place(run->feature, &known->place);
    if (!is_similar(r, &known->place)) return true;
    if (!(cycles > 0)) return false;
    known->place.estimate = log(cycles);
    calibrate_errors(known, run->estimated, run->simulated);
    *made = true;
    return true;
}

static bool recall_run(struct recall *r, const struct bank_run *run, struct error *e)
{
    const uint32_t cycles = metrics_key_index("cycles");
    struct known_run *known = mem_new(1, sizeof *known);
    bool ok = known || error_no_memory(e), made = false;
    if (ok) {
        *known = (struct known_run){.program = program_digest(r->p),
                                    .machine = run->machine,
                                    .log_sd = run->log_sd,
                                    .banked = true};
        if (!take_estimate(r, run, known, &made)) ok = estimate_run(r, run, known, &made, e);
    }
    ok = ok && (!made || !known->has[cycles] || add_run(r, known, e));
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

/* The version of estimates: of the models, of the parameters that a place has, and of how the
 * profiles are made: an exact profile's estimate says nothing of a sampled one's error. */
static void name_estimator(const struct run_opts *o, char out[ESTIMATOR_NAME])
{
    struct digest names = digest_text("place");
    for (uint32_t i = 0; i < place_params(); i++)
        names = digest_join(names, digest_text(place_param_name(i)));
    snprintf(out, ESTIMATOR_NAME, "%d.%d.%016" PRIx64 ".%g", EST_MODEL_VERSION, PROFILE_VERSION,
             names.lo, engine_job_times(o));
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
    name_estimator(o, r.estimator);
    for (uint32_t i = 0; ok && i < programs; i++) {
        r.p = program[i];
        ok = recall_program(&r, from, e);
    }
    ok = ok && calibration_prepare(out, ranges, e);
    *ready = ok && out->n > 0;
    return ok;
}
