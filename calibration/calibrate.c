/* calibrate.c - see calibrate.h. */
#include "calibration/calibrate.h"

#include "base/memory/alloc.h"
#include "base/run/progress.h"
#include "gpu/machine/machine.h"
#include "gpu/machine/tables/parts.h"
#include "gpu/metrics/model_version.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <string.h>

bool calibrate_describe(const struct cal_point *p, struct residual_point *out, struct error *e)
{
    struct metrics *m = mem_new(1, sizeof(*m));
    struct explanation *x = mem_new(1, sizeof(*x));
    bool ok = m && x ? estimate(p->profile, NULL, &p->params, m, x, e) : error_no_memory(e);
    if (ok && !(m->v[M_cycles] > 0))
        ok = error_run(e, "calibration: a point has no estimated cycles");
    if (ok) {
        *out = (struct residual_point){.machine = p->machine,
                                       .own = p->own,
                                       .program = p->program,
                                       .estimate = log(m->v[M_cycles]),
                                       .y = p->cycles > 0 ? log(p->cycles / m->v[M_cycles]) : 0,
                                       .sd = p->log_sd};
        residual_features(m, x, out->feature);
    }
    mem_free(m);
    mem_free(x);
    return ok;
}

static bool describe_points(const struct cal_point *pts, uint32_t n, struct residual_point *out,
                            struct error *e)
{
    for (uint32_t i = 0; i < n; i++) {
        if (plumb_interrupted) return error_interrupted(e, "calibrating");
        if (!calibrate_describe(&pts[i], &out[i], e)) return false;
    }
    return true;
}

static void summarise_fit(struct calibration *c, const struct residual_point *pts,
                          const double *left_out, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        double error = fabs(left_out[i]);
        c->raw_error += fabs(pts[i].y) / n;
        c->cv_error += error / n;
        c->cv_worst = fmax(c->cv_worst, error);
    }
    c->points = n;
    c->est_version = EST_MODEL_VERSION;
    c->sim_version = SIM_MODEL_VERSION;
}

static bool check_points(const struct cal_point *pts, uint32_t n, struct error *e)
{
    if (n > RESIDUAL_POINTS_MAX)
        return error_input(e, "calibration: %u points are too many; at most %d", n,
                           RESIDUAL_POINTS_MAX);
    if (n < CALIBRATE_POINTS_MIN)
        return error_input(e, "calibration: %u points are too few; at least %d", n,
                           CALIBRATE_POINTS_MIN);
    for (uint32_t i = 0; i < n; i++)
        if (!(pts[i].cycles > 0))
            return error_input(e, "calibration: point %u has %g cycles; must be positive", i,
                               pts[i].cycles);
    return true;
}

bool calibrate_fit(const struct cal_point *pts, uint32_t n, const char *const *path, uint32_t paths,
                   struct calibration *out, double *left_out, struct error *e)
{
    *out = (struct calibration){0};
    if (!check_points(pts, n, e)) return false;
    struct residual_point *described = mem_new(n, sizeof(*described));
    double *errors = mem_new(n, sizeof(*errors));
    bool ok = described && errors ? describe_points(pts, n, described, e) : error_no_memory(e);
    ok = ok && residual_fit(&out->residual, path, paths, described, n, errors, e);
    if (ok) summarise_fit(out, described, errors, n);
    if (ok && left_out) memcpy(left_out, errors, n * sizeof(*errors));
    mem_free(described);
    mem_free(errors);
    return ok;
}

void calibration_fini(struct calibration *c)
{
    residual_fini(&c->residual);
}

struct calibration calibration_bare(const struct range_model *ranges)
{
    return (struct calibration){
        .ranges = ranges, .est_version = EST_MODEL_VERSION, .sim_version = SIM_MODEL_VERSION};
}

/* --- an estimate --- */

static const double USUAL_LEVEL = 0.95;

static bool is_axis(const char *path, const void *residual)
{
    return residual_has_axis(residual, path);
}

static double change_of(const struct residual_value *v, double estimate)
{
    return isfinite(v->own) ? estimate - v->own : 0;
}

/* Where only a constant helps a program, the error on the machine itself says more of machines near
 * it: it is weighed with the constant as the squares of their ranges are. */
static void weigh_own_error(const struct calibration *c, double estimate, struct residual_value *v)
{
    if (v->use == RESIDUAL_PROCESS || !isfinite(v->own) || !c->ranges) return;
    double z = gsl_cdf_ugaussian_Pinv(0.5 + USUAL_LEVEL / 2),
           near = range_of_ratio(c->ranges, change_of(v, estimate), USUAL_LEVEL), far = z * v->sd,
           weight = far > 0 ? far * far / (far * far + near * near) : 0;
    v->mean = weight * v->own_error + (1 - weight) * v->mean;
    v->sd = (weight * near + (1 - weight) * far) / z;
    if (v->use == RESIDUAL_NOTHING) v->use = RESIDUAL_LEVEL;
}

/* Of a program that was trained.  Beyond what was varied, the range of the ratio to the estimate
 * on the machine itself comes on top of the process's. */
static double known_range(const struct calibration *c, const struct residual_value *v,
                          double estimate, bool beyond, double level)
{
    double range = gsl_cdf_ugaussian_Pinv(0.5 + level / 2) * v->sd;
    if (!beyond) return range;
    if (!c->ranges) return INFINITY;
    return hypot(range, range_of_ratio(c->ranges, change_of(v, estimate), level));
}

/* What is said of an estimate without the calibration. */
static double bare_range(const struct calibration *c, const struct metrics *m,
                         const struct explanation *x, double level)
{
    double feature[RANGE_FEATURES];
    if (!c->ranges) return INFINITY;
    const struct range_scale *s = &c->ranges->metric[metrics_key_index("cycles")];
    range_features_find(m, x, feature);
    return range_quantile(s->quantile, level) * range_scale_at(c->ranges, s, feature);
}

struct estimate_case {
    const struct metrics *m;
    const struct explanation *x;
    double estimate; /* logarithm of the cycles */
    bool beyond;     /* the machine differs in what was not varied, or farther than it was */
};

/* A correction is never less sure than the range around the estimate that it corrects. */
static double learned_range(const struct calibration *c, const struct residual_value *v,
                            const struct estimate_case *at, double level)
{
    double bare = bare_range(c, at->m, at->x, level);
    if (v->stranger) return bare;
    return fmin(known_range(c, v, at->estimate, at->beyond, level), bare + fabs(v->mean));
}

/* What was learned is of estimates whose samples show the channels; the doubt of others comes on
 * top, as a sum of squares. */
static double range_of(const struct calibration *c, const struct residual_value *v,
                       const struct estimate_case *at, double level)
{
    double z = gsl_cdf_ugaussian_Pinv(0.5 + level / 2);
    return hypot(learned_range(c, v, at, level), z * at->x->channels_doubt);
}

static bool is_learned(const struct calibration *c, const struct machine *m, const char *path)
{
    double value = 0, base;
    if (!machine_get_number(m, path, &value)) return false;
    if (c->base && machine_get_number(c->base, path, &base) && value == base) return true;
    return c->ranges && range_model_saw(c->ranges, path, value);
}

/* The first parameter without a term that leaves what was learned from; NULL: none. */
static const char *find_unlearned(const struct calibration *c, const struct machine *m,
                                  const struct explanation *x)
{
    struct param_ref ref;
    for (uint32_t id = 0; x->n_not_modelled && parts_ref_by_id(id, &ref); id++) {
        const struct param *p = ref.param;
        if (range_no_term(x, p) && !is_learned(c, m, p->full_path)) return p->full_path;
    }
    return NULL;
}

bool calibrate_apply(const struct calibration *c, const struct machine *m,
                     const struct digest *program, const struct metrics *estimated,
                     const struct explanation *x, double level, struct calibrated *out,
                     struct error *e)
{
    double feature[RESIDUAL_FEATURES], estimate = log(estimated->v[M_cycles]);
    struct residual_value v = {.use = RESIDUAL_NOTHING, .stranger = true, .mean = 0, .own = NAN};
    residual_features(estimated, x, feature);
    if (c->residual.gp.n > 0 &&
        !residual_predict(&c->residual, m, program, feature, estimate, &v, e))
        return false;
    weigh_own_error(c, estimate, &v);
    *out = (struct calibrated){.factor = exp(v.mean),
                               .use = v.use,
                               .worse_order = v.worse_order,
                               .stranger = v.stranger,
                               .outside = v.outside};
    if (c->base) out->changed = machine_difference(m, c->base, is_axis, &c->residual);
    const struct estimate_case at = {
        .m = estimated, .x = x, .estimate = estimate, .beyond = out->outside || out->changed};
    out->no_term = find_unlearned(c, m, x);
    out->range = out->no_term ? INFINITY : range_of(c, &v, &at, level);
    out->log_sd = range_of(c, &v, &at, USUAL_LEVEL) / gsl_cdf_ugaussian_Pinv(0.5 + USUAL_LEVEL / 2);
    return true;
}

/* Whether m is of its machine family: the preset itself, or built on it. */
static bool is_for(const struct calibration *c, const struct machine *m)
{
    return strcmp(c->machine, m->name) == 0 || strcmp(c->machine, m->preset) == 0;
}

bool calibration_fits(const struct calibration *c, const struct machine *m, struct error *e)
{
    if (!is_for(c, m))
        return error_input(e, "the calibration was made for %s, not for %s", c->machine, m->name);
    if (c->est_version != EST_MODEL_VERSION)
        return error_input(
            e, "the calibration was made for estimator model %d; this is %d: calibrate again",
            c->est_version, EST_MODEL_VERSION);
    if (c->sim_version != SIM_MODEL_VERSION)
        return error_input(
            e, "the calibration was made with cycle model %d; this is %d: calibrate again",
            c->sim_version, SIM_MODEL_VERSION);
    return true;
}
