/* train_choose.c - which design points a calibration samples; see train.h. */
#include "sweeps/trainer.h"

#include "base/mem.h"
#include "base/rng.h"
#include "machine/machine.h"

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

/* Of a point from a place in the unit cube, each axis's values spread evenly over 0..1. */
static double distance(const struct plan *p, uint32_t point, const double *u)
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

/* The nearest legal point that is not among out[n]; UINT32_MAX: there is none. */
static uint32_t nearest(const struct plan *p, const double *u, const bool *taken)
{
    uint32_t best = UINT32_MAX;
    double least = INFINITY;
    for (uint32_t i = 0; i < plan_points(p); i++) {
        if (taken[i]) continue;
        double d = distance(p, i, u);
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
        uint32_t point = nearest(p, u, taken);
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

/* --- by chance ---------------------------------------------------------------------------------
 */

static bool is_chosen(const struct trainer *t, uint32_t point)
{
    for (uint32_t i = 0; i < t->n_points; i++)
        if (t->point[i] == point) return true;
    return false;
}

/* Gives up where hardly a point is legal. */
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

static bool first_spread(struct trainer *t, uint32_t count, struct error *e)
{
    uint32_t *point = mem_new(count, sizeof *point);
    if (!point) return error_no_memory(e);
    bool ok = true;
    uint32_t n = train_points(t->plan, count, train_own_point(t->plan), point);
    for (uint32_t i = 0; i < n && ok; i++)
        ok = trainer_add(t, point[i], e);
    mem_free(point);
    return ok;
}

/* Enough to fit at all, and a third of what there may be. */
static uint32_t first_of_active(const struct trainer *t)
{
    uint32_t least = (CALIBRATE_POINTS_MIN + t->plan->n_workloads - 1) / t->plan->n_workloads;
    uint32_t n = t->room / 3 > least + 1 ? t->room / 3 : least + 1;
    return n < t->room ? n : t->room;
}

bool trainer_first(struct trainer *t, const struct train_request *q, struct error *e)
{
    switch (q->choose) {
    case TRAIN_SPREAD: return first_spread(t, t->room, e);
    case TRAIN_RANDOM: return first_by_chance(t, q->seed, e);
    case TRAIN_ACTIVE: break;
    }
    return first_spread(t, first_of_active(t), e);
}

/* --- by what they teach ------------------------------------------------------------------------
 */

/* Stand for the whole grid: candidates, and what the variance is summed over.  At least so many,
 * and as many as may be chosen, so that there is always one left. */
enum { CANDIDATES = 64 };

struct candidates {
    uint32_t *point, n;
    struct machine *machine;   /* [n] */
    struct residual_point *at; /* [n x workloads], what the estimator says there */
    double *gain;
};

static bool describe(struct trainer *t, struct candidates *c, uint32_t i, struct error *e)
{
    const struct machine *m = &c->machine[i];
    if (!plan_machine(t->plan, c->point[i], &c->machine[i], e)) return false;
    for (uint32_t w = 0; w < t->plan->n_workloads; w++) {
        struct cal_point cal = {.profile = profiles_get(&t->profiles, t->plan, m, w, t->threads, e),
                                .params = engine_est_params(m),
                                .machine = m,
                                .program =
                                    program_digest(plan_program(t->plan, w, m->sm.warp_width))};
        struct residual_point *at = &c->at[i * t->plan->n_workloads + w];
        if (!cal.profile || !calibrate_describe(&cal, &t->out->calibration.correction, at, e))
            return false;
    }
    return true;
}

static bool find_gains(struct trainer *t, struct candidates *c, struct error *e)
{
    uint32_t workloads = t->plan->n_workloads, n = t->room > CANDIDATES ? t->room : CANDIDATES;
    c->point = mem_new(n, sizeof *c->point);
    if (!c->point) return error_no_memory(e);
    c->n = train_points(t->plan, n, UINT32_MAX, c->point);
    c->machine = mem_new(c->n, sizeof *c->machine);
    c->at = mem_new((size_t)c->n * workloads, sizeof *c->at);
    c->gain = mem_new((size_t)c->n * workloads, sizeof *c->gain);
    bool ok = (c->machine && c->at && c->gain) || error_no_memory(e);
    for (uint32_t i = 0; i < c->n && ok; i++)
        ok = describe(t, c, i, e);
    return ok && residual_gain(&t->out->calibration.residual, c->at, c->n * workloads, c->gain, e);
}

/* All of a point's runs together; UINT32_MAX: every candidate was chosen. */
static uint32_t best_of(const struct trainer *t, const struct candidates *c)
{
    uint32_t best = UINT32_MAX, workloads = t->plan->n_workloads;
    double most = -1;
    for (uint32_t i = 0; i < c->n; i++) {
        double gain = 0;
        for (uint32_t w = 0; w < workloads; w++)
            gain += c->gain[i * workloads + w];
        if (gain <= most || is_chosen(t, c->point[i])) continue;
        most = gain;
        best = c->point[i];
    }
    return best;
}

/* The next of the evenly spread points, where too many runs failed to fit anything yet. */
static bool next_spread(const struct trainer *t, uint32_t *next, struct error *e)
{
    uint32_t *point = mem_new(t->room, sizeof *point);
    if (!point) return error_no_memory(e);
    uint32_t i = 0, n = train_points(t->plan, t->room, train_own_point(t->plan), point);
    while (i < n && is_chosen(t, point[i]))
        i++;
    *next = i < n ? point[i] : UINT32_MAX;
    mem_free(point);
    return true;
}

bool trainer_next(struct trainer *t, bool *none, struct error *e)
{
    struct candidates c = {0};
    uint32_t best = UINT32_MAX;
    bool ok = true;
    if (t->out->n >= CALIBRATE_POINTS_MIN) {
        ok = trainer_fit(t, e) && find_gains(t, &c, e);
        if (ok) best = best_of(t, &c);
        calibration_fini(&t->out->calibration);
    } else {
        ok = next_spread(t, &best, e);
    }
    *none = best == UINT32_MAX;
    mem_free(c.point);
    mem_free(c.machine);
    mem_free(c.at);
    mem_free(c.gain);
    return ok && (*none || trainer_add(t, best, e));
}
