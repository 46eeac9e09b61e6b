/* compare.c - see compare.h. */
#include "cards/probe/compare.h"

#include "base/memory/alloc.h"
#include "base/memory/sort.h"
#include "cards/constants.h"
#include "cards/probe/features.h"

#include <math.h>

const char *const probe_feature_name[PROBE_FEATURES] = {[PROBE_PLATEAU] = "plateau",
                                                        [PROBE_KNEE] = "knee",
                                                        [PROBE_SATURATED] = "saturated",
                                                        [PROBE_RISING] = "ramp",
                                                        [PROBE_STRIDES] = "strides"};

enum { LEVEL_POINTS = 128 };

struct feature_pair {
    enum probe_id id;
    const struct probe_curve *measured, *ours;
    struct probe_comparison *out;
};

static double target_of(enum probe_id id, enum probe_feature f)
{
    static const double targets[PROBE_FEATURES] = {[PROBE_PLATEAU] = 0.10,
                                                   [PROBE_KNEE] = 0.20,
                                                   [PROBE_SATURATED] = 0.08,
                                                   [PROBE_RISING] = 0.20,
                                                   [PROBE_STRIDES] = 0.10};
    static const double bandwidth = 0.15; /* of a plateau of cached reads */
    bool cached = f == PROBE_PLATEAU && probe_experiments[id].kind == PROBE_CACHE;
    return cached ? bandwidth : targets[f];
}

static bool add_error(const struct feature_pair *p, enum probe_feature f, double x, double measured,
                      double ours, double error)
{
    struct probe_comparison *c = p->out;
    if (!mem_grow(&c->error, &c->cap, c->n + 1, sizeof *c->error)) return false;
    c->error[c->n++] = (struct probe_error){.id = p->id,
                                            .feature = f,
                                            .x = x,
                                            .measured = measured,
                                            .ours = ours,
                                            .error = error,
                                            .target = target_of(p->id, f)};
    return true;
}

/* The median of the curve's points inside a plateau's x's; without one, its value in the middle. */
static double level_in(const struct probe_curve *c, const struct probe_plateau *p)
{
    double v[LEVEL_POINTS];
    size_t n = 0;
    for (size_t i = 0; i < c->n && n < LEVEL_POINTS; i++)
        if (c->point[i].x >= p->low && c->point[i].x <= p->high) v[n++] = c->point[i].value;
    if (!n) return probe_curve_at(c, probe_middle(p));
    sort_doubles(v, n);
    return n % 2 ? v[n / 2] : (v[n / 2 - 1] + v[n / 2]) / 2;
}

static bool compare_knee(const struct feature_pair *p, const struct probe_plateau *a,
                         const struct probe_plateau *b)
{
    double ours = NAN, from = probe_middle(a), to = probe_middle(b);
    double la = level_in(p->ours, a), lb = level_in(p->ours, b);
    double at = probe_crossing(p->measured, from, to, sqrt(a->value * b->value));
    if (fabs(log(lb / la)) > PROBE_FLAT) ours = probe_crossing(p->ours, from, to, sqrt(la * lb));
    return isnan(at) || add_error(p, PROBE_KNEE, at, at, ours, ours / at - 1);
}

static bool compare_plateaus(const struct feature_pair *p)
{
    struct probe_plateau plateau[PROBE_PLATEAUS];
    uint32_t n = probe_plateaus(p->measured, plateau);
    bool ok = true;
    for (uint32_t i = 0; i < n && ok; i++) {
        double ours = level_in(p->ours, &plateau[i]);
        ok = add_error(p, PROBE_PLATEAU, probe_middle(&plateau[i]), plateau[i].value, ours,
                       ours / plateau[i].value - 1);
    }
    for (uint32_t i = 0; i + 1 < n && ok; i++)
        ok = compare_knee(p, &plateau[i], &plateau[i + 1]);
    return ok;
}

/* The mean size of the errors of our points whose measured value is below `below`, and the worst of
 * them. */
static bool compare_points(const struct feature_pair *p, enum probe_feature f, double below)
{
    struct probe_point worst = {0};
    double sum = 0, largest = -1, there = 0;
    uint32_t n = 0;
    for (size_t i = 0; i < p->ours->n; i++) {
        const struct probe_point *pt = &p->ours->point[i];
        double measured = probe_curve_at(p->measured, pt->x);
        double error = fabs(pt->value / measured - 1);
        if (isnan(measured) || measured >= below) continue;
        sum += error;
        n++;
        if (error <= largest) continue;
        largest = error;
        worst = *pt;
        there = measured;
    }
    return !n || add_error(p, f, worst.x, there, worst.value, sum / n);
}

static bool compare_stream(const struct feature_pair *p)
{
    double third = probe_last_third(p->measured), saturated = probe_mean_from(p->measured, third);
    /* The machine's number of SMs may differ from the card's, and its threads with it. */
    double ours = probe_mean_from(p->ours, third * (1 - PROBE_FLAT));
    return add_error(p, PROBE_SATURATED, third, saturated, ours, ours / saturated - 1) &&
           compare_points(p, PROBE_RISING, PROBE_RAMP * saturated);
}

static bool compare_curve(const struct feature_pair *p)
{
    switch (probe_experiments[p->id].kind) {
    case PROBE_LATENCY:
    case PROBE_CACHE: return compare_plateaus(p);
    case PROBE_STREAM: return compare_stream(p);
    case PROBE_STRIDE: return compare_points(p, PROBE_STRIDES, INFINITY);
    }
    return true;
}

bool probe_compare(const struct probe_curves *measured, const struct probe_curves *ours,
                   struct probe_comparison *out, struct error *e)
{
    *out = (struct probe_comparison){0};
    for (uint32_t k = 0; k < PROBE_N; k++) {
        struct feature_pair p = {k, &measured->of[k], &ours->of[k], out};
        if (p.measured->n && p.ours->n && !compare_curve(&p)) return error_no_memory(e);
    }
    return true;
}

void probe_comparison_fini(struct probe_comparison *c)
{
    mem_free(c->error);
    *c = (struct probe_comparison){0};
}

bool probe_error_passes(const struct probe_error *x)
{
    return fabs(x->error) <= x->target;
}

static double excess(const struct probe_error *x)
{
    return isnan(x->error) ? INFINITY : fabs(x->error) / x->target;
}

const struct probe_error *probe_worst(const struct probe_comparison *c)
{
    const struct probe_error *worst = NULL;
    for (size_t i = 0; i < c->n; i++)
        if (!worst || excess(&c->error[i]) > excess(worst)) worst = &c->error[i];
    return worst;
}
