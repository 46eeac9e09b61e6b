/* calibrate_apply.c - what a calibration says of an estimate; see calibrate.h. */
#include "calibration/calibrate.h"
#include "calibration/constants.h"
#include "gpu/machine/machine.h"
#include "gpu/machine/tables/parts.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <string.h>

static const double USUAL_LEVEL = 0.95;

static double normal_quantile(double level)
{
    return gsl_cdf_ugaussian_Pinv(0.5 + level / 2);
}

/* --- parameters without a term ---------------------------------------------------------------- */

static bool a_run_had(const struct posterior *p, const struct place *mine, const char *path)
{
    uint32_t k = place_param_index(path);
    for (uint32_t i = 0; p && k != UINT32_MAX && i < p->n; i++)
        if (p->run[i]->place.param[k] == mine->param[k]) return true;
    return false;
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
                                  const struct calibrated *at, const struct explanation *x)
{
    struct param_ref ref;
    for (uint32_t id = 0; x->n_not_modelled && parts_ref_by_id(id, &ref); id++) {
        const struct param *p = ref.param;
        if (range_no_term(x, p) && !is_learned(c, m, p->full_path) &&
            !a_run_had(at->posterior, &at->place, p->full_path))
            return p->full_path;
    }
    return NULL;
}

/* --- ranges ----------------------------------------------------------------------------------- */

static const struct posterior *find_posterior(const struct calibration *c,
                                              const struct digest *program)
{
    for (uint32_t i = 0; program && i < c->programs; i++)
        if (digest_equal(c->program[i].digest, *program)) return &c->program[i].posterior;
    return NULL;
}

/* The usual size of a metric's errors in such an answer, over that of the kernel's. */
static double scale_of(const struct calibration *c, const struct calibrated *at, uint32_t metric)
{
    if (metric == metrics_key_index("cycles")) return 1;
    return range_scale_at(&c->ranges->bare, metric, at->feature) /
           sqrt(error_kernel_variance(&c->kernel));
}

static void put_runs(double feature[RANGE_FEATURES], double doubt, double moved_time,
                     double correction, uint32_t runs, double moved_use)
{
    feature[RANGE_DOUBT] = log(doubt);
    feature[RANGE_MOVED_TIME] = log(NEAR_TIME + fabs(moved_time));
    feature[RANGE_CORRECTION] = log(NEAR_CORRECTION + fabs(correction));
    feature[RANGE_RUNS] = log1p(runs);
    feature[RANGE_MOVED_USE] = moved_use;
}

bool calibrate_features(const struct calibration *c, const struct calibrated *at, uint32_t metric,
                        double *mean, double feature[RANGE_FEATURES])
{
    const struct posterior *p = at->posterior;
    double distance[PLACE_GROUPS];
    *mean = 0;
    if (!p || !c->ranges || !c->ranges->bare.metric[metric].cases ||
        !posterior_mean(p, &at->view, metric, mean))
        return false;
    const struct place *near = &p->run[at->view.nearest]->place;
    double scale = scale_of(c, at, metric),
           doubt = sqrt(at->view.variance) * scale * posterior_stretch(p, metric, scale);
    place_distance(&at->place, near, distance);
    memcpy(feature, at->feature, RANGE_FEATURES * sizeof *feature);
    put_runs(feature, doubt, at->place.estimate - near->estimate, *mean, p->n, distance[PLACE_USE]);
    return true;
}

enum known_error calibrate_metric(const struct calibration *c, const struct calibrated *at,
                                  uint32_t metric, double level, double *mean, double *range)
{
    double feature[RANGE_FEATURES];
    *mean = 0;
    *range = INFINITY;
    if (!c->ranges || !c->ranges->bare.metric[metric].cases) return ERROR_UNKNOWN;
    double bare = range_of_case(&c->ranges->bare, metric, at->feature, level);
    *range = bare;
    if (!calibrate_features(c, at, metric, mean, feature)) return ERROR_OF_OTHERS;
    /* A correction is never less sure than the range around the estimate that it corrects. */
    *range = fmin(range_of_case(&c->ranges->known, metric, feature, level), bare + fabs(*mean));
    return ERROR_OF_RUNS;
}

/* The doubt of samples that do not show the channels comes on top, as a sum of squares. */
static double range_of_cycles(const struct calibration *c, const struct calibrated *at,
                              const struct explanation *x, double level)
{
    double mean, range;
    calibrate_metric(c, at, metrics_key_index("cycles"), level, &mean, &range);
    return hypot(range, normal_quantile(level) * x->channels_doubt);
}

/* The range that one run of the program on this machine would leave, if the estimate is off from
 * the run by the median of such errors. */
static double range_with_run(const struct calibration *c, const struct calibrated *at,
                             const struct explanation *x, double level)
{
    const uint32_t cycles = metrics_key_index("cycles");
    struct known_run run = {.place = at->place};
    const struct known_run *one = &run;
    struct calibrated with = *at;
    struct posterior p;
    struct error e;
    double range = 0;
    if (!c->ranges || at->runs) return 0;
    run.has[cycles] = true;
    run.error[cycles] = range_of_case(&c->ranges->bare, cycles, at->feature, 0.5);
    if (posterior_make(&p, &c->kernel, &one, 1, &e)) {
        with.posterior = &p;
        posterior_look(&p, &with.place, &with.view);
        range = range_of_cycles(c, &with, x, level);
    }
    posterior_fini(&p);
    return range;
}

static void note_nearest(struct calibrated *out)
{
    const struct place *near = &out->posterior->run[out->view.nearest]->place;
    uint32_t most[BEYOND_MAX];
    out->runs = out->posterior->n;
    for (uint32_t i = 0; i < out->runs; i++)
        out->banked += out->posterior->run[i]->banked;
    out->apart = place_differences(&out->place, near, most, BEYOND_MAX);
    for (uint32_t i = 0; i < out->apart && i < BEYOND_MAX; i++) {
        const double mine = out->place.param[most[i]], its = near->param[most[i]];
        out->beyond[i] = (struct answer_apart){.param = place_param_name(most[i]),
                                               .mine = place_value(most[i], mine),
                                               .its = place_value(most[i], its),
                                               .mine_name = place_choice_name(most[i], mine),
                                               .its_name = place_choice_name(most[i], its)};
    }
}

static struct digest digest_of(const struct posterior *p)
{
    struct digest d = digest_text("runs");
    const uint32_t cycles = metrics_key_index("cycles");
    for (uint32_t i = 0; i < p->n; i++) {
        d = digest_join(d, p->run[i]->machine);
        d = digest_join(d, digest_bytes(&p->run[i]->error[cycles], sizeof(double)));
    }
    return d;
}

void calibrate_place(const struct calibration *c, const struct digest *program,
                     struct calibrated *out)
{
    double mean = 0;
    out->posterior = find_posterior(c, program);
    if (out->posterior) {
        posterior_look(out->posterior, &out->place, &out->view);
        posterior_mean(out->posterior, &out->view, metrics_key_index("cycles"), &mean);
        note_nearest(out);
        out->digest = digest_of(out->posterior);
    }
    out->factor = exp(mean);
}

void calibrate_apply(const struct calibration *c, const struct machine *m,
                     const struct digest *program, const struct metrics *estimated,
                     const struct explanation *x, double level, struct calibrated *out)
{
    *out = (struct calibrated){.runs = 0};
    range_features_find(estimated, x, out->feature);
    place_of_machine(&out->place, m);
    place_of_estimate(&out->place, estimated, x);
    calibrate_place(c, program, out);
    out->no_term = find_unlearned(c, m, out, x);
    out->range = out->no_term ? INFINITY : range_of_cycles(c, out, x, level);
    out->range_with_run = range_with_run(c, out, x, level);
    out->log_sd = range_of_cycles(c, out, x, USUAL_LEVEL) / normal_quantile(USUAL_LEVEL);
}

/* --- ratios ----------------------------------------------------------------------------------- */

double calibrate_ratio_features(const struct calibration *c, const struct calibrated_pair *pair,
                                double feature[RANGE_FEATURES])
{
    const struct posterior *known = find_posterior(c, &pair->program),
                           none = {.kernel = c->kernel, .n = 0}, *p = known ? known : &none;
    const uint32_t cycles = metrics_key_index("cycles");
    struct posterior_view va, vb;
    double distance[PLACE_GROUPS], ma, mb;
    posterior_look(p, pair->a, &va);
    posterior_look(p, pair->b, &vb);
    posterior_mean(p, &va, cycles, &ma);
    posterior_mean(p, &vb, cycles, &mb);
    for (uint32_t i = 0; i < RANGE_FEATURES; i++)
        feature[i] = (pair->feature_a[i] + pair->feature_b[i]) / 2;
    place_distance(pair->a, pair->b, distance);
    double variance = posterior_difference(p, pair->a, &va, pair->b, &vb);
    put_runs(feature, sqrt(variance) * posterior_stretch(p, cycles, 1),
             pair->a->estimate - pair->b->estimate, mb - ma, p->n, distance[PLACE_USE]);
    return mb - ma;
}

double calibrate_ratio(const struct calibration *c, const struct calibrated_pair *pair,
                       double level)
{
    double feature[RANGE_FEATURES];
    if (!c->ranges) return INFINITY;
    calibrate_ratio_features(c, pair, feature);
    return range_of_case(&c->ranges->ratio, metrics_key_index("cycles"), feature, level);
}
