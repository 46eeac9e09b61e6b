/* auto_choose.c - see auto_choose.h. */
#include "sweeps/auto/auto_choose.h"

#include "base/memory/alloc.h"
#include "base/memory/sort.h"
#include "sweeps/constants.h"
#include "sweeps/train/train.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>
#include <math.h>

struct chooser {
    const struct auto_model *model;
    const struct summary *ranked;
    struct choice_set *out;
    bool *taken;     /* [point] simulated, failed or chosen */
    bool *contender; /* [point] no member of the front dominates its optimistic values */
    double *nearest; /* [point] distance to the nearest taken point */
    /* [point] how near to the edge of the best TOP_SHARE it lies, relative to its standard error */
    double *edge;
    double *hope; /* [point] expected improvement, see find_hopes */
};

static bool is_open(const struct auto_model *m, const struct summary *ranked, uint32_t point)
{
    return !ranked->confirmed[point] && !m->failed[point] &&
           !isnan(prediction_at(&m->predictions, point, 0, 0)->value);
}

uint32_t auto_unconfirmed(const struct auto_model *m, const struct summary *ranked)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < ranked->points; i++)
        n += ranked->front[i] && is_open(m, ranked, i);
    return n;
}

/* The distance between two points; each axis has length 1. */
static double point_distance(const struct plan *p, uint32_t a, uint32_t b)
{
    double sum = 0;
    const uint32_t *x = &p->index[(size_t)a * p->n_axes], *y = &p->index[(size_t)b * p->n_axes];
    for (uint32_t i = 0; i < p->n_axes; i++) {
        if (x[i] == y[i]) continue;
        bool whole = x[i] == AXIS_UNSET || y[i] == AXIS_UNSET;
        double d = whole ? 1 : ((double)x[i] - y[i]) / p->axis[i].n;
        sum += d * d;
    }
    return sqrt(sum / p->n_axes);
}

static void take_point(struct chooser *c, uint32_t point)
{
    const struct plan *p = c->model->plan;
    c->taken[point] = true;
    for (uint32_t i = 0; i < plan_points(p); i++)
        c->nearest[i] = fmin(c->nearest[i], point_distance(p, i, point));
}

/* The mean of its programs' standard errors of cycles. */
static double mean_log_sd(const struct auto_model *m, uint32_t point)
{
    double sum = 0;
    for (uint32_t w = 0; w < m->plan->n_workloads; w++)
        sum += prediction_at(&m->predictions, point, w, 0)->log_sd;
    return isnan(sum) ? 1 : sum / m->plan->n_workloads;
}

/* Whether the predicted values of f, a member of the front, dominate the point's optimistic
 * values. */
static bool is_beaten(const struct plan *p, const struct summary *s, uint32_t point, uint32_t f)
{
    bool better = false;
    for (uint32_t k = 0; k < p->n_objectives; k++) {
        size_t a = (size_t)point * p->n_objectives + k, b = (size_t)f * p->n_objectives + k;
        bool least = p->objective[k].goal == GOAL_MIN;
        double hope = least ? s->low[a] : s->high[a];
        if (isnan(hope)) return false;
        double lead = least ? hope - s->value[b] : s->value[b] - hope;
        if (lead < 0) return false;
        better |= lead > 0;
    }
    return better;
}

static void find_contenders(struct chooser *c)
{
    const struct summary *s = c->ranked;
    for (uint32_t i = 0; i < s->points; i++) {
        c->contender[i] = is_open(c->model, s, i);
        for (uint32_t f = 0; f < s->points && c->contender[i]; f++)
            if (s->front[f] && is_beaten(c->model->plan, s, i, f)) c->contender[i] = false;
    }
}

/* The value of the first objective that separates the best share of the points from the rest; NaN:
 * none is known. */
static double edge_of(const struct plan *p, const struct summary *s, double share)
{
    uint32_t n = 0;
    double edge = NAN, *v = mem_new(s->points, sizeof *v);
    for (uint32_t i = 0; i < s->points && v; i++)
        if (s->value[(size_t)i * p->n_objectives] > 0)
            v[n++] = s->value[(size_t)i * p->n_objectives];
    uint32_t at = (uint32_t)ceil(share * n);
    if (v) sort_doubles(v, n);
    if (n) edge = p->objective[0].goal == GOAL_MIN ? v[at - 1] : v[n - at];
    mem_free(v);
    return edge;
}

/* Standard deviation of the logarithm of a point's first objective.  The residuals of different
 * programs after estimate and surrogate are weakly correlated (-0.2 to 0.3), so the programs count
 * as independent here; the intervals shown to users assume full correlation. */
static double doubt_of_value(const struct chooser *c, uint32_t point)
{
    double squares = 0;
    uint32_t n = c->model->plan->n_workloads;
    if (c->model->plan->objective[0].parameter) return 0;
    for (uint32_t w = 0; w < n; w++) {
        double sd = prediction_at(&c->model->predictions, point, w, 1)->log_sd;
        squares += sd * sd;
    }
    return sqrt(squares) / n;
}

/* Fills c->edge for points whose interval contains the edge; 0 for all others and where there is no
 * interval. */
static void find_edge(struct chooser *c)
{
    const struct summary *s = c->ranked;
    double edge = edge_of(c->model->plan, s, TOP_SHARE);
    for (uint32_t i = 0; i < s->points; i++) {
        size_t at = (size_t)i * c->model->plan->n_objectives;
        double z = log(s->value[at] / edge) / doubt_of_value(c, i);
        c->edge[i] = fabs(z) < BELIEF_Z_95 ? exp(-z * z / 2) : 0;
    }
}

/* The open point of that kind with the largest weighted product of standard error and distance;
 * UINT32_MAX: there is none. */
static uint32_t best_of(const struct chooser *c, const bool *kind, const double *weight)
{
    uint32_t best = UINT32_MAX;
    double most = -1;
    for (uint32_t i = 0; i < c->ranked->points; i++) {
        if (c->taken[i] || (kind && !kind[i])) continue;
        if (weight && !(weight[i] > 0)) continue;
        double worth = mean_log_sd(c->model, i) * fmin(c->nearest[i], 1) * (weight ? weight[i] : 1);
        if (worth <= most) continue;
        most = worth;
        best = i;
    }
    return best;
}

/* Chooses up to `limit` points.  kind NULL: all points; weight NULL: equal weights. */
static uint32_t choose_kind(struct chooser *c, const bool *kind, const double *weight,
                            uint32_t limit)
{
    uint32_t n = 0, point;
    for (; n < limit && (point = best_of(c, kind, weight)) != UINT32_MAX; n++) {
        c->out->point[c->out->n++] = point;
        take_point(c, point);
    }
    return n;
}

/* The expected improvement of each open point over the best simulated one, by the first objective
 * (Jones 1998); 0 everywhere if none is simulated. */
static void find_hopes(struct chooser *c)
{
    const struct summary *s = c->ranked;
    const struct plan *p = c->model->plan;
    double sign = p->objective[0].goal == GOAL_MIN ? 1 : -1, best = NAN;
    for (uint32_t i = 0; i < s->points; i++)
        if (s->confirmed[i]) best = fmin(best, sign * log(s->value[(size_t)i * p->n_objectives]));
    for (uint32_t i = 0; i < s->points; i++) {
        size_t at = (size_t)i * p->n_objectives;
        double sd = doubt_of_value(c, i), z = (best - sign * log(s->value[at])) / sd;
        double hope = sd * (z * gsl_cdf_ugaussian_P(z) + gsl_ran_ugaussian_pdf(z));
        c->hope[i] = sd > 0 && hope > 0 && is_open(c->model, s, i) ? hope : 0;
    }
}

/* Chooses the point with the greatest expected improvement, if any exceeds HOPE_LEAST. */
static void choose_hope(struct chooser *c)
{
    uint32_t best = 0;
    find_hopes(c);
    for (uint32_t i = 1; i < c->ranked->points; i++)
        if (!c->taken[i] && (c->taken[best] || c->hope[i] > c->hope[best])) best = i;
    if (c->taken[best] || !(c->hope[best] > HOPE_LEAST)) return;
    c->out->point[c->out->n++] = best;
    take_point(c, best);
}

static void start_round(struct chooser *c)
{
    const struct summary *s = c->ranked;
    for (uint32_t i = 0; i < s->points; i++)
        c->nearest[i] = 1;
    for (uint32_t i = 0; i < s->points; i++) {
        if (is_open(c->model, s, i)) continue;
        if (s->confirmed[i])
            take_point(c, i);
        else
            c->taken[i] = true; /* failed: says nothing about its neighbours */
    }
}

/* The first element of the Sobol sequence to use; it depends on the seed. */
static uint32_t first_place(const struct plan *p)
{
    enum { APART = 64, BEGINNINGS = 1024 };
    return p->opts.seed ? (uint32_t)((p->opts.seed - 1) % BEGINNINGS) * APART : 0;
}

/* Draws the elements of the sequence that follow those of the earlier even points. */
static void choose_even(struct chooser *c, uint32_t count)
{
    uint32_t before = 0;
    for (uint32_t i = 0; i < c->ranked->points; i++)
        before += c->model->even[i];
    struct choice_set *out = c->out;
    out->n = out->even = train_points_among(c->model->plan, first_place(c->model->plan) + before,
                                            count, c->taken, out->point);
    for (uint32_t i = 0; i < out->n; i++)
        take_point(c, out->point[i]);
}

/* Whether an open point may be on the front, or on the other side of the edge of the best. */
static bool has_doubt(const struct chooser *c)
{
    bool any = auto_unconfirmed(c->model, c->ranked) > 0;
    for (uint32_t i = 0; i < c->ranked->points && !any; i++)
        any = c->contender[i] || (c->edge[i] > 0 && !c->taken[i]);
    return any;
}

static void choose_all(struct chooser *c, const struct choice_wish *wish)
{
    uint32_t left = wish->count;
    struct choice_set *out = c->out;
    start_round(c);
    find_edge(c);
    find_contenders(c);
    out->certain = wish->until_certain && !has_doubt(c);
    if (out->certain) return;
    choose_even(c, wish->even < left ? wish->even : left);
    left -= out->n;
    out->confirming =
        choose_kind(c, c->ranked->front, NULL, wish->confirm < left ? wish->confirm : left);
    if (out->n < wish->count) choose_hope(c);
    choose_kind(c, NULL, c->edge, wish->count - out->n);
    choose_kind(c, c->contender, NULL, wish->count - out->n);
    choose_kind(c, NULL, NULL, wish->count - out->n);
}

bool auto_choose(const struct auto_model *m, const struct summary *ranked,
                 const struct choice_wish *wish, struct choice_set *out, struct error *e)
{
    uint32_t n = ranked->points;
    struct chooser c = {.model = m, .ranked = ranked, .out = out};
    out->n = out->even = out->confirming = 0;
    out->certain = false;
    c.taken = mem_new(n, sizeof *c.taken);
    c.contender = mem_new(n, sizeof *c.contender);
    c.nearest = mem_new(n, sizeof *c.nearest);
    c.edge = mem_new(n, sizeof *c.edge);
    c.hope = mem_new(n, sizeof *c.hope);
    bool ok = (c.taken && c.contender && c.nearest && c.edge && c.hope) || error_no_memory(e);
    if (ok) choose_all(&c, wish);
    mem_free(c.taken);
    mem_free(c.contender);
    mem_free(c.nearest);
    mem_free(c.edge);
    mem_free(c.hope);
    return ok;
}

bool auto_spread(const struct plan *p, const struct summary *ranked, uint32_t count,
                 struct choice_set *out, struct error *e)
{
    bool *taken = mem_new(ranked->points, sizeof *taken);
    if (!taken) return error_no_memory(e);
    out->confirming = 0;
    out->n = out->even = train_points_among(p, first_place(p), (uint32_t)ceil(SPREAD_ALL * count),
                                            taken, out->point);
    double edge = edge_of(p, ranked, SPREAD_BEST);
    for (uint32_t i = 0; i < ranked->points; i++) {
        double v = ranked->value[(size_t)i * p->n_objectives];
        taken[i] |= p->objective[0].goal == GOAL_MIN ? v > edge : v < edge;
    }
    out->n += train_points_among(p, first_place(p), count - out->n, taken, out->point + out->n);
    mem_free(taken);
    return true;
}
