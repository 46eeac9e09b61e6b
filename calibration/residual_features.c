/* residual_features.c - see residual_features.h. */
#include "calibration/residual_features.h"

#include "base/text/text.h"
#include "calibration/constants.h"
#include "gpu/machine/machine.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* --- features of an estimate --- */

static double value_of(const struct metrics *m, const char *key)
{
    double v;
    return metrics_value(m, key, &v) && isfinite(v) ? v : 0;
}

void residual_features(const struct metrics *m, const struct explanation *x,
                       double out[RESIDUAL_FEATURES])
{
    enum { RATES = 3 };
    uint32_t n = x->n < RESIDUAL_FEATURES - RATES ? x->n : RESIDUAL_FEATURES - RATES;
    for (uint32_t i = 0; i < RESIDUAL_FEATURES; i++)
        out[i] = 0;
    for (uint32_t i = 0; i < n; i++)
        out[i] = x->station[i].gain;
    double *rate = out + RESIDUAL_FEATURES - RATES;
    rate[0] = value_of(m, "l1.hit_rate");
    rate[1] = value_of(m, "l2.hit_rate");
    rate[2] = value_of(m, "dram.row_hit_rate");
}

/* --- axes --- */

static bool read_value(const struct machine *m, const char *path, char out[RESIDUAL_TEXT])
{
    struct text t = {0};
    bool ok = machine_get_bare(m, path, &t);
    snprintf(out, RESIDUAL_TEXT, "%s", text_str(&t));
    text_fini(&t);
    return ok;
}

static uint32_t choice_of(const struct residual_axis *a, const char *value)
{
    uint32_t i = 0;
    while (i < a->values && strcmp(a->value[i], value) != 0)
        i++;
    return i;
}

static void see_number(struct residual_axis *a, double v)
{
    if (v <= 0) {
        a->zero = true;
    } else if (a->hi <= 0) {
        a->lo = a->hi = v;
    } else {
        a->lo = fmin(a->lo, v);
        a->hi = fmax(a->hi, v);
    }
}

/* Choices have positions, too, but no distances. */
static bool is_number(const char *path)
{
    const struct param *p = machine_find_param(path, NULL, NULL);
    return p && (p->type == PARAM_INT || p->type == PARAM_REAL || p->type == PARAM_SIZE);
}

static void see_value(struct residual_axis *a, const struct machine *m)
{
    char text[RESIDUAL_TEXT];
    double v;
    if (a->number) {
        if (machine_get_number(m, a->path, &v)) see_number(a, v);
    } else if (read_value(m, a->path, text) && choice_of(a, text) == a->values &&
               a->values < RESIDUAL_VALUES_MAX) {
        snprintf(a->value[a->values++], RESIDUAL_TEXT, "%s", text);
    }
}

static bool axis_varies(const struct residual_axis *a)
{
    return a->number ? a->lo < a->hi || (a->zero && a->hi > 0) : a->values > 1;
}

static uint32_t columns_of(const struct residual_axis *a)
{
    return a->number ? (a->zero ? 2 : 1) : a->values;
}

uint32_t residual_columns(const struct residual *r)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < r->axes; i++)
        n += columns_of(&r->axis[i]);
    return n;
}

uint32_t residual_width(const struct residual *r)
{
    return RESIDUAL_FEATURES + residual_columns(r) + 1;
}

static double within(double v, double lo, double hi)
{
    return fmin(fmax(v, lo), hi);
}

/* Scales a number to -1/2 .. 1/2; beyond what was trained, nothing is extrapolated.  0 means
 * "without bound": it lies at the largest value. */
static void put_number(const struct residual_axis *a, double v, double *out)
{
    double range = a->hi > a->lo ? log(a->hi / a->lo) : 1;
    out[0] = v > 0 && a->lo > 0 ? within(log(v / a->lo) / range, 0, 1) - 0.5 : 0.5;
    if (a->zero) out[1] = v > 0 ? 0 : 0.5;
}

static bool put_axis(const struct residual_axis *a, const struct machine *m, double *out)
{
    static const double APART = 0.70710678118654752; /* puts two choices at distance 1 */
    double v = 0, slack = 1e-9;
    char text[RESIDUAL_TEXT];
    if (a->number) {
        bool known = machine_get_number(m, a->path, &v);
        put_number(a, v, out);
        if (!known) return false;
        return v > 0 ? v >= a->lo * (1 - slack) && v <= a->hi * (1 + slack) : a->zero;
    }
    read_value(m, a->path, text);
    uint32_t mine = choice_of(a, text);
    for (uint32_t i = 0; i < a->values; i++)
        out[i] = i == mine ? APART : 0;
    return mine < a->values;
}

/* Scales the estimate to about 1 over the range of a program's points, and stays near it. */
static double put_estimate(const struct residual *r, int32_t group, double estimate)
{
    if (group < 0 || (uint32_t)group >= r->programs) return 0;
    const struct residual_program *p = &r->program[group];
    double off = p->spread > 0 ? (estimate - p->middle) / p->spread : 0;
    return ESTIMATE_WEIGHT * within(off, -ESTIMATE_REACH, ESTIMATE_REACH);
}

void residual_put_row(const struct residual *r, const struct machine *m, const double *feature,
                      double estimate, int32_t group, double *x, const char **outside)
{
    memcpy(x, feature, RESIDUAL_FEATURES * sizeof(double));
    x += RESIDUAL_FEATURES;
    for (uint32_t i = 0; i < r->axes; i++) {
        if (!put_axis(&r->axis[i], m, x) && outside) *outside = r->axis[i].path;
        x += columns_of(&r->axis[i]);
    }
    *x = put_estimate(r, group, estimate);
}

void residual_find_axes(struct residual *r, const char *const *path, uint32_t paths,
                        const struct residual_point *pts, uint32_t n)
{
    for (uint32_t i = 0; i < paths && r->axes < RESIDUAL_AXES_MAX; i++) {
        struct residual_axis *a = &r->axis[r->axes];
        *a = (struct residual_axis){.number = is_number(path[i])};
        snprintf(a->path, sizeof(a->path), "%s", path[i]);
        for (uint32_t k = 0; k < n; k++)
            see_value(a, pts[k].machine);
        r->axes += axis_varies(a);
    }
}
