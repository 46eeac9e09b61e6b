/* renew.c - see renew.h. */
#include "sweeps/train/renew.h"

#include "base/memory/alloc.h"
#include "gpu/machine/machine.h"
#include "gpu/metrics/model_version.h"
#include "sampler/strata/est_params.h"
#include "sweeps/train/fit_points.h"
#include "sweeps/train/found_programs.h"

#include <math.h>
#include <string.h>

struct renewer {
    const struct calibration *from;
    const struct renew_request *q;
    struct renewal *out;
    struct machine *machine; /* [machines] the different ones of the runs */
    struct digest *digest;   /* [machines] as the file has it */
    uint32_t machines;
    struct found_programs programs;
    struct run_opts opts;
    struct fit_points fit;
    uint32_t points; /* of it in use */
};

/* --- the machines ----------------------------------------------------------------------------- */

static uint32_t machine_of(const struct renewer *r, const struct known_run *run)
{
    uint32_t i = 0;
    while (i < r->machines && !digest_equal(r->digest[i], run->machine))
        i++;
    return i;
}

static bool add_machine(struct renewer *r, const struct known_run *run, size_t *cap,
                        size_t *digests, struct error *e)
{
    struct errors all = {0};
    size_t n = r->machines + (size_t)1;
    if (!mem_grow(&r->machine, cap, n, sizeof *r->machine) ||
        !mem_grow(&r->digest, digests, n, sizeof *r->digest))
        return error_no_memory(e);
    r->digest[r->machines] = run->machine;
    r->machine[r->machines] = *r->q->base;
    bool ok = place_to_machine(&run->place, &r->machine[r->machines++], &all);
    if (!ok)
        error_input(e, "%s: a machine of its runs cannot be built from %s: %.800s", r->q->file,
                    r->q->base->name, all.n ? all.item[0].text : "no memory");
    errors_fini(&all);
    return ok;
}

static bool build_machines(struct renewer *r, struct error *e)
{
    size_t cap = 0, digests = 0;
    for (uint32_t i = 0; i < r->from->n; i++)
        if (machine_of(r, &r->from->run[i]) == r->machines &&
            !add_machine(r, &r->from->run[i], &cap, &digests, e))
            return false;
    for (uint32_t i = 0; i < r->machines; i++)
        if (!found_programs_open(&r->programs, &r->machine[i], e)) return false;
    return true;
}

/* --- the machine that it was made for --- */

/* Files have nine digits of a value. */
static bool is_same_value(double a, double b)
{
    return fabs(a - b) <= 1e-8 * fmax(1, fabs(a));
}

static uint32_t count_moved(const struct place *a, const struct place *b)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < place_params(); i++)
        n += !is_same_value(a->param[i], b->param[i]);
    return n;
}

static void name_moved(struct text *out, const struct place *a, const struct place *b)
{
    uint32_t named = 0;
    for (uint32_t i = 0; i < place_params(); i++)
        if (!is_same_value(a->param[i], b->param[i]))
            text_add(out, "%s%s", named++ ? ", " : "", place_param_name(i));
}

/* Finds whether a run is of the machine as it is now, and else in what the nearest one differs. */
static bool find_moved(struct renewer *r, struct error *e)
{
    struct place *now = mem_new(1, sizeof *now);
    uint32_t least = UINT32_MAX, nearest = 0;
    if (!now) return error_no_memory(e);
    place_of_machine(now, r->q->base);
    for (uint32_t i = 0; i < r->from->n; i++) {
        uint32_t n = count_moved(now, &r->from->run[i].place);
        if (n < least) nearest = i, least = n;
    }
    name_moved(&r->out->moved, now, &r->from->run[nearest].place);
    mem_free(now);
    return true;
}

/* --- the runs --------------------------------------------------------------------------------- */

static void miss(struct renewer *r, uint32_t run)
{
    const struct known_run *all = r->from->run;
    uint32_t k = 0;
    r->out->left_out++;
    while (!digest_equal(all[k].program, all[run].program))
        k++;
    if (k < run) return; /* it is named */
    const char *name = r->from->kept[run].program;
    text_add(&r->out->missing, "%s%s", r->out->n_missing++ ? ", " : "", name[0] ? name : "?");
}

static bool add_point(struct renewer *r, uint32_t run, const struct program *program,
                      const struct machine *m, struct error *e)
{
    const struct known_run *known = &r->from->run[run];
    const struct kept_run *kept = &r->from->kept[run];
    const struct profile *profile = profile_pool_get(&r->fit.profiles, program, m, &r->opts, e);
    double *value = r->fit.value[r->points];
    if (!profile) return false;
    for (uint32_t k = 0; k < METRICS_KEYS_MAX; k++)
        value[k] = NAN;
    for (uint32_t k = 0; k < CALIBRATION_METRICS; k++)
        value[metrics_key_index(calibration_metric[k])] = kept->simulated[k];
    r->fit.at[r->points++] = (struct cal_point){.profile = profile,
                                                .params = est_params_of(m),
                                                .cycles = value[metrics_key_index("cycles")],
                                                .simulated = value,
                                                .log_sd = known->log_sd,
                                                .machine = m,
                                                .program = known->program,
                                                .name = kept->program};
    return true;
}

static bool describe_run(struct renewer *r, uint32_t run, struct error *e)
{
    const struct known_run *known = &r->from->run[run];
    const struct machine *m = &r->machine[machine_of(r, known)];
    const struct program *program =
        found_programs_find(&r->programs, known->program, r->from->kept[run].program, m);
    if (plumb_interrupted) return error_interrupted(e, "calibrating");
    if (program) return add_point(r, run, program, m, e);
    miss(r, run);
    return true;
}

static bool describe_runs(struct renewer *r, struct error *e)
{
    const struct calibration *from = r->from;
    bool ok = fit_points_make_room(&r->fit, from->n, e);
    progress_start(r->q->progress, "runs", from->n);
    for (uint32_t i = 0; ok && i < from->n; i++) {
        ok = describe_run(r, i, e);
        progress_add(r->q->progress, 1);
    }
    progress_finish(r->q->progress);
    return ok;
}

/* --- the calibration -------------------------------------------------------------------------- */

static bool check_source(const struct calibration *from, const struct renew_request *q,
                         struct error *e)
{
    if (from->sim_version != SIM_MODEL_VERSION)
        return error_input(e,
                           "%s: its runs are of cycle model %d, this plumb has %d; calibrate again",
                           q->file, from->sim_version, SIM_MODEL_VERSION);
    return from->n > 0 || error_input(e, "%s: it has no runs", q->file);
}

static bool check_missing(const struct renewer *r, struct error *e)
{
    if (r->out->n_missing == 0 || r->q->leave_out) return true;
    return error_input(e,
                       "%s: programs of %u of its %u runs were not found: %.600s; name their files "
                       "behind it, or leave the runs out in a file of another name: -o OTHER.cal",
                       r->q->file, r->out->left_out, r->from->n, text_str(&r->out->missing));
}

static bool fit(struct renewer *r, struct error *e)
{
    struct calibration *c = &r->out->calibration;
    if (!check_missing(r, e) || !calibrate_fit(r->fit.at, r->points, r->q->ranges, c, NULL, e))
        return false;
    memcpy(c->machine, r->from->machine, sizeof c->machine);
    c->training = r->from->training;
    if (r->out->left_out) c->training = digest_join(c->training, digest_text("in part"));
    return true;
}

bool renew(struct renewal *out, const struct calibration *from, const struct renew_request *q,
           struct error *e)
{
    *out = (struct renewal){.left_out = 0};
    struct renewer r = {.from = from,
                        .q = q,
                        .out = out,
                        .programs = {.word = q->program, .n_words = q->n_programs}};
    run_opts_default(&r.opts);
    r.opts.threads = q->threads;
    fit_points_init(&r.fit);
    bool ok = check_source(from, q, e) && find_moved(&r, e) && build_machines(&r, e) &&
              describe_runs(&r, e) && fit(&r, e);
    fit_points_fini(&r.fit);
    found_programs_fini(&r.programs);
    mem_free(r.machine);
    mem_free(r.digest);
    return ok;
}

void renewal_fini(struct renewal *r)
{
    calibration_fini(&r->calibration);
    text_fini(&r->missing);
    text_fini(&r->moved);
}
