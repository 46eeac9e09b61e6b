/* train_choose.c - chooses the design points that a calibration samples; see train.h. */
#include "sweeps/train/train_internal.h"

#include "base/memory/alloc.h"
#include "base/memory/rng.h"
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

/* --- by what is least certain ------------------------------------------------------------------
 */

static struct error_kernel kernel_of(const struct trainer *t)
{
    const struct range_model *r = t->plan->calibrations.ranges;
    return r ? r->kernel : error_kernel_usual();
}

/* The candidate of which the chosen ones say least; *doubt: the variance that they leave. */
static uint32_t least_certain(const struct posterior *p, const struct known_run *at, uint32_t n,
                              const bool *taken, double *doubt)
{
    struct posterior_view v;
    uint32_t best = UINT32_MAX;
    *doubt = -1;
    for (uint32_t i = 0; i < n; i++) {
        if (taken[i]) continue;
        posterior_look(p, &at[i].place, &v);
        if (v.variance <= *doubt) continue;
        *doubt = v.variance;
        best = i;
    }
    return best;
}

/* Orders a program's candidates: the machine's own point, if there is one, then always the one of
 * which the earlier ones say least.  Those on which the program does not fit come last. */
static bool order_points(struct trainer *t, uint32_t workload, const struct known_run *at,
                         bool *taken, uint32_t first, struct error *e)
{
    uint32_t n = t->n_points, chosen = 0, *order = t->order + (size_t)workload * t->room;
    double *doubt = t->doubt + (size_t)workload * t->room;
    const struct known_run *of[POSTERIOR_RUNS_MAX];
    const struct error_kernel k = kernel_of(t);
    for (; chosen < n && chosen < POSTERIOR_RUNS_MAX; chosen++) {
        struct posterior p;
        if (!posterior_make(&p, &k, of, chosen, e)) return false;
        uint32_t next = least_certain(&p, at, n, taken, &doubt[chosen]);
        if (chosen == 0 && first != UINT32_MAX && !taken[first]) next = first;
        posterior_fini(&p);
        if (next == UINT32_MAX) break;
        taken[next] = true;
        of[chosen] = &at[next];
        order[chosen] = next;
    }
    for (uint32_t i = 0; i < n; i++) {
        uint32_t j = 0;
        while (j < chosen && order[j] != i)
            j++;
        if (j == chosen) order[chosen++] = i;
    }
    return true;
}

static bool order_program(struct trainer *t, uint32_t workload, struct known_run *at, bool *taken,
                          struct error *e)
{
    uint32_t first = train_own_point(t->plan) != UINT32_MAX ? 0 : UINT32_MAX;
    for (uint32_t i = 0; i < t->n_points; i++) {
        taken[i] = !trainer_estimate(t, i, workload, &at[i], e);
        if (taken[i] && e->kind != ERROR_INPUT) return false;
    }
    return order_points(t, workload, at, taken, first, e);
}

static bool first_active(struct trainer *t, struct error *e)
{
    if (!first_spread(t, e)) return false;
    struct known_run *at = mem_new(t->n_points, sizeof *at);
    bool *taken = mem_new(t->n_points, sizeof *taken);
    bool ok = (at && taken) || error_no_memory(e);
    for (uint32_t w = 0; ok && w < t->plan->n_workloads; w++)
        ok = order_program(t, w, at, taken, e);
    mem_free(at);
    mem_free(taken);
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

/* How much larger a program's errors are than those of others, squared: as posterior_stretch, of
 * runs that say nothing of each other.  0: all its runs failed, and more would, too. */
static double size_of_errors(const struct trainer *t, uint32_t workload)
{
    const struct error_kernel k = kernel_of(t);
    double n = 0, squares = 0, usual = error_kernel_variance(&k);
    for (uint32_t i = 0; i < t->out->n; i++) {
        const struct train_row *row = &t->out->row[i];
        if (row->workload != workload) continue;
        double y = log(row->sampled / row->raw);
        squares += y * y / usual;
        n++;
    }
    return n > 0 ? (k.tail - 2 + squares) / (k.tail - 2 + n) : 0;
}

static uint32_t next_program(const struct trainer *t, const double *size)
{
    uint32_t best = UINT32_MAX;
    double most = -1;
    for (uint32_t w = 0; w < t->plan->n_workloads; w++) {
        if (t->asked[w] == t->n_points) continue;
        double worth = size[w] * t->doubt[(size_t)w * t->room + t->asked[w]];
        if (worth <= most) continue;
        most = worth;
        best = w;
    }
    return best;
}

bool trainer_next(struct trainer *t, uint32_t runs, uint32_t *asked, struct error *e)
{
    uint32_t width = t->plan->n_workloads, next;
    double *size = mem_new(width, sizeof *size);
    if (!size) return error_no_memory(e);
    for (uint32_t w = 0; w < width; w++)
        size[w] = size_of_errors(t, w);
    for (*asked = 0; *asked < runs && (next = next_program(t, size)) != UINT32_MAX; ++*asked)
        t->asked[next]++;
    mem_free(size);
    return true;
}
