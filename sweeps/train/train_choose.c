/* train_choose.c - chooses the design points that a calibration samples; see train.h. */
#include "sweeps/train/train_internal.h"

#include "base/memory/alloc.h"
#include "base/memory/rng.h"
#include "calibration/active_choice.h"
#include "gpu/machine/machine.h"

#include <gsl/gsl_qrng.h>
#include <math.h>

/* --- spread evenly -----------------------------------------------------------------------------
 */

static bool is_legal(const struct plan *p, uint32_t point)
{
    struct machine m;
    struct error e;
    return plan_machine(p, point, &m, &e);
}

/* The distance of a point from a place in the unit cube; an axis's values divide 0..1 evenly. */
static double point_distance(const struct plan *p, uint32_t point, const double *u)
{
    double sum = 0;
    const uint32_t *index = &p->index[(size_t)point * p->n_axes];
    for (uint32_t i = 0; i < p->n_axes; i++) {
        if (index[i] == AXIS_UNSET) continue;
        double d = (index[i] + 0.5) / p->axis[i].n - u[p->axis[i].dim];
        sum += d * d;
    }
    return sum;
}

/* The nearest legal point that is not taken; UINT32_MAX: there is none. */
static uint32_t nearest_point(const struct plan *p, const double *u, const bool *taken)
{
    uint32_t best = UINT32_MAX;
    double least = INFINITY;
    for (uint32_t i = 0; i < plan_points(p); i++) {
        if (taken[i]) continue;
        double d = point_distance(p, i, u);
        if (d >= least || !is_legal(p, i)) continue;
        least = d;
        best = i;
    }
    return best;
}

uint32_t train_points_among(const struct plan *p, uint32_t skip, uint32_t count, bool *taken,
                            uint32_t *out)
{
    double u[AXES_MAX];
    uint32_t n = 0, dims = p->axis[p->n_axes - 1].dim + 1;
    gsl_qrng *sobol = gsl_qrng_alloc(gsl_qrng_sobol, dims);
    for (uint32_t i = 0; sobol && i < skip; i++)
        gsl_qrng_get(sobol, u);
    while (sobol && n < count) {
        gsl_qrng_get(sobol, u);
        uint32_t point = nearest_point(p, u, taken);
        if (point == UINT32_MAX) break;
        taken[point] = true;
        out[n++] = point;
    }
    if (sobol) gsl_qrng_free(sobol);
    return n;
}

uint32_t train_points(const struct plan *p, uint32_t count, uint32_t first, uint32_t *out)
{
    uint32_t n = 0;
    bool *taken = mem_new(plan_points(p), sizeof *taken);
    if (!taken) return 0;
    if (first != UINT32_MAX && count) {
        taken[first] = true;
        out[n++] = first;
    }
    n += train_points_among(p, 0, count - n, taken, out + n);
    mem_free(taken);
    return n;
}

static bool has_own_value(const struct plan *p, uint32_t axis, uint32_t index)
{
    const struct axis *a = &p->axis[axis];
    if (axis == 0 && p->n_machines > 1) return index == 0;
    return machine_is(p->base, a->path, a->value[index]);
}

uint32_t train_own_point(const struct plan *p)
{
    bool own[AXES_MAX][AXIS_VALUES_MAX];
    for (uint32_t k = 0; k < p->n_axes; k++)
        for (uint32_t v = 0; v < p->axis[k].n && v < AXIS_VALUES_MAX; v++)
            own[k][v] = has_own_value(p, k, v);
    for (uint32_t i = 0; i < plan_points(p); i++) {
        const uint32_t *index = &p->index[(size_t)i * p->n_axes];
        uint32_t k = 0;
        while (k < p->n_axes &&
               (index[k] == AXIS_UNSET || (index[k] < AXIS_VALUES_MAX && own[k][index[k]])))
            k++;
        if (k == p->n_axes) return i;
    }
    return UINT32_MAX;
}

/* --- at random -------------------------------------------------------------------------------- */

static bool is_chosen(const struct trainer *t, uint32_t point)
{
    for (uint32_t i = 0; i < t->n_points; i++)
        if (t->point[i] == point) return true;
    return false;
}

/* Gives up where hardly any point is legal. */
static bool first_by_chance(struct trainer *t, uint64_t seed, struct error *e)
{
    enum { TRIES = 100000 };
    struct rng r;
    bool ok = true;
    rng_seed(&r, seed, 0);
    for (uint32_t i = 0; i < TRIES && ok && t->n_points < t->room; i++) {
        uint32_t point = (uint32_t)rng_below(&r, plan_points(t->plan));
        if (!is_chosen(t, point) && is_legal(t->plan, point)) ok = trainer_add(t, point, e);
    }
    return ok;
}

static bool first_spread(struct trainer *t, struct error *e)
{
    uint32_t *point = mem_new(t->room, sizeof *point);
    if (!point) return error_no_memory(e);
    bool ok = true;
    uint32_t n = train_points(t->plan, t->room, train_own_point(t->plan), point);
    for (uint32_t i = 0; i < n && ok; i++)
        ok = trainer_add(t, point[i], e);
    mem_free(point);
    return ok;
}

/* --- by expected reduction of the variance (calibration/active_choice.h) -------------- */

/* A machine on which the program does not fit gets the mean of the others, so that it resembles
 * none. */
static void fill_gaps(double *column, uint32_t n)
{
    double sum = 0;
    uint32_t known = 0;
    for (uint32_t i = 0; i < n; i++) {
        double v = column[(size_t)i * ACTIVE_CHOICE_COLUMNS];
        if (isnan(v)) continue;
        sum += v;
        known++;
    }
    for (uint32_t i = 0; i < n; i++) {
        double *v = &column[(size_t)i * ACTIVE_CHOICE_COLUMNS];
        if (isnan(*v)) *v = known ? sum / known : 0;
    }
}

/* x[n_points][ACTIVE_CHOICE_COLUMNS] */
static bool place_points(struct trainer *t, uint32_t workload, double *x, struct error *e)
{
    for (uint32_t i = 0; i < t->n_points; i++) {
        double *row = x + (size_t)i * ACTIVE_CHOICE_COLUMNS;
        struct residual_point p;
        bool ok = trainer_estimate(t, i, workload, &p, e);
        if (!ok && e->kind != ERROR_INPUT) return false;
        if (ok) active_choice_features(&p, row);
        for (uint32_t k = 0; !ok && k < ACTIVE_CHOICE_COLUMNS; k++)
            row[k] = NAN;
    }
    for (uint32_t k = 0; k < ACTIVE_CHOICE_COLUMNS; k++)
        fill_gaps(x + k, t->n_points);
    return true;
}

/* Sorts the spread points for each program by expected reduction of the variance; the machine's own
 * point is the first. */
static bool first_active(struct trainer *t, struct error *e)
{
    if (!first_spread(t, e)) return false;
    uint32_t first = train_own_point(t->plan) != UINT32_MAX ? 0 : UINT32_MAX;
    double *x = mem_new((size_t)t->n_points * ACTIVE_CHOICE_COLUMNS, sizeof *x);
    bool ok = x || error_no_memory(e);
    for (uint32_t w = 0; ok && w < t->plan->n_workloads; w++) {
        ok = place_points(t, w, x, e) &&
             active_choice_order(x, t->n_points, ACTIVE_CHOICE_COLUMNS, first, t->n_points,
                                 t->order + (size_t)w * t->room, e);
    }
    mem_free(x);
    return ok;
}

/* All programs use the points in the given order. */
static void keep_order(struct trainer *t)
{
    for (uint32_t w = 0; w < t->plan->n_workloads; w++)
        for (uint32_t i = 0; i < t->n_points; i++)
            t->order[(size_t)w * t->room + i] = i;
}

/* A third of the runs, but at least two of each program. */
static uint32_t first_asked(const struct trainer *t, const struct train_request *q)
{
    uint32_t each = t->runs / t->plan->n_workloads, third = (each + 1) / 3 > 2 ? (each + 1) / 3 : 2;
    return q->choose == TRAIN_ACTIVE && third < each ? third : each;
}

bool trainer_first(struct trainer *t, const struct train_request *q, struct error *e)
{
    bool ok = false;
    switch (q->choose) {
    case TRAIN_SPREAD: ok = first_spread(t, e); break;
    case TRAIN_RANDOM: ok = first_by_chance(t, q->seed, e); break;
    case TRAIN_ACTIVE: ok = first_active(t, e); break;
    }
    if (q->choose != TRAIN_ACTIVE) keep_order(t);
    uint32_t each = first_asked(t, q);
    for (uint32_t w = 0; w < t->plan->n_workloads; w++)
        t->asked[w] = each < t->n_points ? each : t->n_points;
    return ok;
}

bool trainer_next(struct trainer *t, uint32_t runs, uint32_t *asked, struct error *e)
{
    uint32_t width = t->plan->n_workloads, next;
    struct active_program *p = mem_new(width, sizeof *p);
    if (!p) return error_no_memory(e);
    for (uint32_t w = 0; w < width; w++)
        p[w] = (struct active_program){.runs = t->asked[w], .room = t->n_points};
    for (uint32_t i = 0; i < t->out->n; i++) {
        const struct train_row *row = &t->out->row[i];
        active_program_note(&p[row->workload], log(row->sampled / row->raw));
    }
    active_program_find_spreads(p, width);
    for (*asked = 0; *asked < runs && (next = active_program_next(p, width)) != UINT32_MAX;
         ++*asked)
        t->asked[next] = ++p[next].runs;
    mem_free(p);
    return true;
}
