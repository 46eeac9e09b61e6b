/* range_model.c - see range_model.h. */
#include "calibration/range_model.h"

#include "gpu/machine/machine.h"
#include "gpu/machine/tables/parts.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

const char *const range_feature_name[RANGE_FEATURES] = {[RANGE_BUSY] = "busy",
                                                        [RANGE_ON_CHIP] = "on_chip",
                                                        [RANGE_L2_MIXED] = "l2_mixed",
                                                        [RANGE_L2_CONFLICTS] = "l2_conflicts",
                                                        [RANGE_L1_KNEE] = "l1_knee",
                                                        [RANGE_DOUBT] = "doubt",
                                                        [RANGE_MOVED_TIME] = "moved_time",
                                                        [RANGE_CORRECTION] = "correction",
                                                        [RANGE_RUNS] = "runs",
                                                        [RANGE_MOVED_USE] = "moved_use"};

const double range_levels[RANGE_LEVELS] = {0.5, 0.68, 0.8, 0.9, 0.95, 0.99};

/* --- features --- */

static bool is_on_chip(const char *station)
{
    static const char *const names[] = {"l1_mshr",     "l1_lines",    "vmb",     "noc_request",
                                        "noc_reply",   "l2",          "l2_mshr", "l2_lines",
                                        "l2_requests", "memory_unit", "l1"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(names[i], station) == 0) return true;
    return false;
}

static double value_of(const struct metrics *m, const char *key)
{
    double v;
    return metrics_value(m, key, &v) && isfinite(v) ? v : 0;
}

void range_features_find(const struct metrics *m, const struct explanation *x,
                         double out[RANGE_FEATURES])
{
    double hits = value_of(m, "l2.hit_rate"), busiest = 0, on_chip = 0;
    memset(out, 0, RANGE_FEATURES * sizeof *out);
    for (uint32_t i = 0; i < x->n; i++) {
        busiest = fmax(busiest, x->station[i].utilization);
        if (is_on_chip(x->station[i].name)) on_chip += x->station[i].gain;
    }
    out[RANGE_BUSY] = busiest;
    out[RANGE_ON_CHIP] = on_chip;
    out[RANGE_L2_MIXED] = 4 * hits * (1 - hits);
    out[RANGE_L2_CONFLICTS] = x->l2_conflicts;
    out[RANGE_L1_KNEE] = x->l1_knee;
}

/* --- parameters without a term --- */

static bool is_named(const struct explanation *x, const char *path, size_t length)
{
    for (uint32_t i = 0; i < x->n_not_modelled; i++)
        if (x->no_term[i] && strlen(x->not_modelled[i]) == length &&
            strncmp(x->not_modelled[i], path, length) == 0)
            return true;
    return false;
}

bool range_no_term(const struct explanation *x, const struct param *p)
{
    if (is_named(x, p->full_path, strlen(p->full_path))) return true;
    return p->term == PARAM_SILENT && p->when && is_named(x, p->when, strcspn(p->when, "!="));
}

/* Choices that no case had lie between none. */
static struct range_seen *find_span(struct range_model *r, const struct param *p)
{
    if (p->type == PARAM_ENUM || p->type == PARAM_BOOL) return NULL;
    for (uint32_t i = 0; i < r->n_seen; i++)
        if (strcmp(r->seen[i].path, p->full_path) == 0) return &r->seen[i];
    return NULL;
}

static void see_value(struct range_model *r, const struct param *p, double value)
{
    struct range_seen *s = find_span(r, p);
    if (range_model_saw(r, p->full_path, value)) return;
    if (!s && r->n_seen == RANGE_SEEN_MAX) return;
    if (!s) {
        s = &r->seen[r->n_seen++];
        snprintf(s->path, sizeof s->path, "%s", p->full_path);
        s->lo = s->hi = value;
    }
    s->lo = fmin(s->lo, value);
    s->hi = fmax(s->hi, value);
}

void range_model_see(struct range_model *r, const struct machine *m, const struct explanation *x)
{
    struct param_ref ref;
    double value;
    for (uint32_t id = 0; x->n_not_modelled && parts_ref_by_id(id, &ref); id++)
        if (range_no_term(x, ref.param) && machine_get_number(m, ref.param->full_path, &value))
            see_value(r, ref.param, value);
}

bool range_model_saw(const struct range_model *r, const char *path, double value)
{
    for (uint32_t i = 0; i < r->n_seen; i++) {
        const struct range_seen *s = &r->seen[i];
        if (strcmp(s->path, path) == 0 && value >= s->lo && value <= s->hi) return true;
    }
    return false;
}

/* --- ranges --- */

static const double SCALE_MOST = 50; /* a logarithm: beyond it nothing is said any more */

double range_scale_at(const struct range_table *t, uint32_t metric,
                      const double feature[RANGE_FEATURES])
{
    const struct range_scale *s = &t->metric[metric];
    double sum = s->base, wider = 1;
    for (uint32_t i = 0; i < RANGE_FEATURES; i++) {
        double inside = fmin(fmax(feature[i], t->lo[i]), t->hi[i]), span = t->hi[i] - t->lo[i];
        sum += s->weight[i] * inside;
        double beyond = span > 0 ? fabs(feature[i] - inside) / span : 0;
        wider *= 1 + beyond / (1 + beyond);
    }
    return wider * exp(fmin(sum, SCALE_MOST));
}

static double normal_quantile(double level)
{
    return gsl_cdf_ugaussian_Pinv(0.5 + level / 2);
}

double range_quantile(const double quantile[RANGE_LEVELS], double level)
{
    double z = normal_quantile(level), z_below = 0, below = 0;
    for (uint32_t i = 0; i < RANGE_LEVELS; i++) {
        double z_above = normal_quantile(range_levels[i]);
        if (z <= z_above)
            return below + (quantile[i] - below) * (z - z_below) / (z_above - z_below);
        z_below = z_above;
        below = quantile[i];
    }
    return below * z / z_below;
}

double range_of_case(const struct range_table *t, uint32_t metric,
                     const double feature[RANGE_FEATURES], double level)
{
    const struct range_scale *s = &t->metric[metric];
    if (!s->cases) return INFINITY;
    return range_quantile(s->quantile, level) * range_scale_at(t, metric, feature);
}
