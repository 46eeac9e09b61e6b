/* calibrate.c - makes calibrations from runs; see calibrate.h.  What they say of an estimate:
 * calibrate_apply.c. */
#include "calibration/calibrate.h"

#include "base/memory/alloc.h"
#include "base/run/progress.h"
#include "calibration/constants.h"
#include "gpu/machine/machine.h"
#include "gpu/metrics/model_version.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* --- a run ------------------------------------------------------------------------------------ */

void calibrate_errors(struct known_run *out, const double estimated[METRICS_KEYS_MAX],
                      const double simulated[METRICS_KEYS_MAX])
{
    for (uint32_t i = 0; metrics_key(i); i++) {
        uint32_t in = range_unit(i);
        out->has[i] = range_error(i, in < METRICS_KEYS_MAX ? estimated[in] : 1, simulated[i],
                                  estimated[i], &out->error[i]);
    }
}

void calibrate_know(struct known_run *out, const struct machine *m, const struct metrics *estimated,
                    const struct explanation *x, const double simulated[METRICS_KEYS_MAX])
{
    double values[METRICS_KEYS_MAX];
    for (uint32_t i = 0; i < METRICS_KEYS_MAX; i++)
        if (!metrics_key(i) || !metrics_at(estimated, i, &values[i])) values[i] = NAN;
    place_of_machine(&out->place, m);
    place_of_estimate(&out->place, estimated, x);
    calibrate_errors(out, values, simulated);
}

static void fill_values(const struct cal_point *p, double out[METRICS_KEYS_MAX])
{
    for (uint32_t i = 0; i < METRICS_KEYS_MAX; i++)
        out[i] = p->simulated ? p->simulated[i] : NAN;
    out[metrics_key_index("cycles")] = p->cycles > 0 ? p->cycles : NAN;
}

bool calibrate_describe(const struct cal_point *p, struct known_run *out, struct error *e)
{
    double values[METRICS_KEYS_MAX];
    struct metrics *m = mem_new(1, sizeof(*m));
    struct explanation *x = mem_new(1, sizeof(*x));
    bool ok = m && x ? estimate(p->profile, NULL, &p->params, m, x, e) : error_no_memory(e);
    if (ok && !(m->v[M_cycles] > 0))
        ok = error_run(e, "calibration: a point has no estimated cycles");
    if (ok) {
        *out = (struct known_run){
            .program = p->program, .machine = machine_digest(p->machine), .log_sd = p->log_sd};
        fill_values(p, values);
        calibrate_know(out, p->machine, m, x, values);
    }
    mem_free(m);
    mem_free(x);
    return ok;
}

/* --- the programs ----------------------------------------------------------------------------- */

bool calibration_knows(const struct calibration *c, struct digest program)
{
    for (uint32_t i = 0; i < c->programs; i++)
        if (digest_equal(c->program[i].digest, program)) return true;
    return false;
}

static bool add_program(struct calibration *c, const struct digest *program,
                        const struct known_run **room, struct error *e)
{
    uint32_t n = 0;
    struct calibrated_program *p = &c->program[c->programs++];
    p->digest = *program;
    for (uint32_t i = 0; i < c->n; i++)
        if (digest_equal(c->run[i].program, *program)) room[n++] = &c->run[i];
    return posterior_make(&p->posterior, &c->kernel, room, n, e);
}

static void free_programs(struct calibration *c)
{
    for (uint32_t i = 0; i < c->programs; i++)
        posterior_fini(&c->program[i].posterior);
    mem_free(c->program);
    c->program = NULL;
    c->programs = 0;
}

bool calibration_prepare(struct calibration *c, const struct range_model *ranges, struct error *e)
{
    free_programs(c);
    c->ranges = ranges;
    c->kernel = ranges ? ranges->kernel : error_kernel_usual();
    if (!c->n) return true;
    c->program = mem_new(c->n, sizeof *c->program);
    const struct known_run **room = mem_new(c->n, sizeof *room);
    bool ok = (c->program && room) || error_no_memory(e);
    for (uint32_t i = 0; ok && i < c->n; i++)
        ok = calibration_knows(c, c->run[i].program) || add_program(c, &c->run[i].program, room, e);
    mem_free(room);
    return ok;
}

/* --- the fit ---------------------------------------------------------------------------------- */

static bool describe_points(const struct cal_point *pts, struct calibration *c, struct error *e)
{
    for (uint32_t i = 0; i < c->n; i++) {
        if (plumb_interrupted) return error_interrupted(e, "calibrating");
        if (!calibrate_describe(&pts[i], &c->run[i], e)) return false;
    }
    return true;
}

/* What p leaves of the error of a run's cycles. */
static double left_by(const struct posterior *p, const struct known_run *run)
{
    const uint32_t cycles = metrics_key_index("cycles");
    struct posterior_view view;
    double mean = 0;
    posterior_look(p, &run->place, &view);
    posterior_mean(p, &view, cycles, &mean);
    return run->error[cycles] - mean;
}

/* What a program's other runs leave of the error of its run number i. */
static bool leave_out(const struct posterior *p, uint32_t i, double *left, struct error *e)
{
    const struct known_run *other[POSTERIOR_RUNS_MAX];
    struct posterior part;
    uint32_t n = 0;
    for (uint32_t j = 0; j < p->n; j++)
        if (j != i) other[n++] = p->run[j];
    bool ok = posterior_make(&part, &p->kernel, other, n, e);
    if (ok) *left = left_by(&part, p->run[i]);
    posterior_fini(&part);
    return ok;
}

/* A run that is none of the posterior's, which takes POSTERIOR_RUNS_MAX, needs none left out. */
static bool leave_out_run(const struct calibration *c, const struct known_run *run, double *left,
                          struct error *e)
{
    const struct posterior *p = NULL;
    for (uint32_t i = 0; i < c->programs && !p; i++)
        if (digest_equal(c->program[i].digest, run->program)) p = &c->program[i].posterior;
    for (uint32_t i = 0; p && i < p->n; i++)
        if (p->run[i] == run) return leave_out(p, i, left, e);
    if (p) *left = left_by(p, run);
    return true;
}

static bool leave_out_all(const struct calibration *c, double *left_out, struct error *e)
{
    for (uint32_t i = 0; i < c->n; i++)
        if (!leave_out_run(c, &c->run[i], &left_out[i], e)) return false;
    return true;
}

static void keep_runs(struct calibration *c, const struct cal_point *pts)
{
    double simulated[METRICS_KEYS_MAX];
    for (uint32_t i = 0; i < c->n; i++) {
        struct kept_run *k = &c->kept[i];
        fill_values(&pts[i], simulated);
        snprintf(k->program, sizeof k->program, "%s", pts[i].name ? pts[i].name : "");
        for (uint32_t m = 0; m < CALIBRATION_METRICS; m++)
            k->simulated[m] = simulated[metrics_key_index(calibration_metric[m])];
    }
}

static void summarise_fit(struct calibration *c, const double *left_out)
{
    const uint32_t cycles = metrics_key_index("cycles");
    for (uint32_t i = 0; i < c->n; i++) {
        double error = fabs(left_out[i]);
        c->raw_error += fabs(c->run[i].error[cycles]) / c->n;
        c->cv_error += error / c->n;
        c->cv_worst = fmax(c->cv_worst, error);
    }
    c->est_version = EST_MODEL_VERSION;
    c->sim_version = SIM_MODEL_VERSION;
}

static bool check_points(const struct cal_point *pts, uint32_t n, struct error *e)
{
    if (n > CALIBRATE_POINTS_MAX)
        return error_input(e, "calibration: %u points are too many; at most %d", n,
                           CALIBRATE_POINTS_MAX);
    if (n < CALIBRATE_POINTS_MIN)
        return error_input(e, "calibration: %u points are too few; at least %d", n,
                           CALIBRATE_POINTS_MIN);
    for (uint32_t i = 0; i < n; i++)
        if (!(pts[i].cycles > 0))
            return error_input(e, "calibration: point %u has %g cycles; must be positive", i,
                               pts[i].cycles);
    return true;
}

bool calibrate_fit(const struct cal_point *pts, uint32_t n, const struct range_model *ranges,
                   struct calibration *out, double *left_out, struct error *e)
{
    *out = (struct calibration){.n = n};
    if (!check_points(pts, n, e)) return false;
    out->run = mem_new(n, sizeof *out->run);
    out->kept = mem_new(n, sizeof *out->kept);
    double *errors = mem_new(n, sizeof(*errors));
    bool ok = (out->run && out->kept && errors) || error_no_memory(e);
    if (!ok) out->n = 0;
    ok = ok && describe_points(pts, out, e) && calibration_prepare(out, ranges, e);
    ok = ok && leave_out_all(out, errors, e);
    if (ok) keep_runs(out, pts);
    if (ok) summarise_fit(out, errors);
    if (ok && left_out) memcpy(left_out, errors, n * sizeof(*errors));
    mem_free(errors);
    return ok;
}

void calibration_fini(struct calibration *c)
{
    free_programs(c);
    mem_free(c->run);
    mem_free(c->kept);
    *c = (struct calibration){.n = 0};
}

struct calibration calibration_bare(const struct range_model *ranges)
{
    return (struct calibration){.ranges = ranges,
                                .kernel = ranges ? ranges->kernel : error_kernel_usual(),
                                .est_version = EST_MODEL_VERSION,
                                .sim_version = SIM_MODEL_VERSION};
}

/* --- for which machines ----------------------------------------------------------------------- */

/* Whether m is of its machine family: the preset itself, or built on it. */
static bool is_for(const struct calibration *c, const struct machine *m)
{
    return strcmp(c->machine, m->name) == 0 || strcmp(c->machine, m->preset) == 0;
}

bool calibration_fits(const struct calibration *c, const struct machine *m, struct error *e)
{
    if (!is_for(c, m))
        return error_input(e, "the calibration was made for %s, not for %s", c->machine, m->name);
    if (c->sim_version == SIM_MODEL_VERSION && c->est_version != EST_MODEL_VERSION)
        return error_input(e,
                           "the calibration was made for estimator model %d; this is %d: 'plumb "
                           "calibrate --renew' makes it anew without a simulation",
                           c->est_version, EST_MODEL_VERSION);
    if (c->sim_version != SIM_MODEL_VERSION)
        return error_input(
            e, "the calibration was made with cycle model %d; this is %d: calibrate again",
            c->sim_version, SIM_MODEL_VERSION);
    return true;
}
