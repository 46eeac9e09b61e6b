/* design.c - see design.h. */
#include "sweeps/plan/design.h"

#include "base/memory/alloc.h"
#include "base/memory/rng.h"
#include "base/memory/sort.h"
#include "sweeps/plan/condition.h"
#include "sweeps/plan/legal_values.h"

#include <gsl/gsl_qrng.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TRIES_PER_POINT = 200 };

const char *const design_name[DESIGN_N] = {
    [DESIGN_GRID] = "grid", [DESIGN_SOBOL] = "sobol", [DESIGN_LHS] = "lhs", [DESIGN_LIST] = "list"};

struct designer {
    struct plan *plan;
    uint32_t dims;
    size_t cap_index, cap_real;
    double *real;   /* [point * n_axes + axis] values of axes with open ranges */
    uint32_t *slot; /* hash table of the points so far: point + 1, 0 = free */
    size_t slots;
    struct error *e;
};

/* --- one point ---------------------------------------------------------------------------------
 */

struct draw {
    uint32_t index[AXES_MAX];
    double real[AXES_MAX];
};

/* Where no axis of a dimension applies, the dimension has one choice only: unset. */
static void unset_conditional(const struct designer *d, struct draw *x)
{
    const struct plan *p = d->plan;
    for (uint32_t i = 0; i < p->n_axes; i++) {
        const struct axis *a = &p->axis[i];
        if (!a->when || condition_holds(p, a->when, x->index, x->real)) continue;
        x->index[i] = AXIS_UNSET;
        x->real[i] = 0;
    }
}

static bool is_admitted(const struct plan *p, const struct draw *x)
{
    for (uint32_t i = 0; i < p->n_constraints; i++)
        if (!condition_holds(p, p->constraint[i], x->index, x->real)) return false;
    return true;
}

static void axis_text(const struct axis *a, const struct draw *x, uint32_t axis, char *out,
                      size_t size)
{
    if (a->open)
        snprintf(out, size, a->whole ? "%.0f" : "%.6g", x->real[axis]);
    else
        snprintf(out, size, "%s", a->value[x->index[axis]]);
}

static bool is_machine(const struct plan *p, const struct draw *x)
{
    char set[AXES_MAX][2 * PARAM_TEXT_MAX + 2], value[PARAM_TEXT_MAX];
    const char *sets[AXES_MAX];
    uint32_t first = p->n_machines > 1, n = 0;
    for (uint32_t i = first; i < p->n_axes; i++) {
        if (x->index[i] == AXIS_UNSET) continue;
        axis_text(&p->axis[i], x, i, value, sizeof value);
        snprintf(set[n], sizeof set[n], "%s=%s", p->axis[i].path, value);
        sets[n] = set[n];
        n++;
    }
    struct machine m = p->base[first ? x->index[0] : 0];
    struct errors found = {0};
    bool ok = machine_set(&m, sets, n, &found);
    errors_fini(&found);
    return ok;
}

static uint64_t hash_of(const struct plan *p, const uint32_t *index, const double *real)
{
    uint64_t h = 0;
    for (uint32_t i = 0; i < p->n_axes; i++) {
        uint64_t bits = 0;
        memcpy(&bits, &real[i], sizeof bits);
        h = rng_splitmix64(h ^ index[i] ^ bits);
    }
    return h;
}

static bool same_point(const struct plan *p, const uint32_t *a, const double *x, const uint32_t *b,
                       const double *y)
{
    for (uint32_t i = 0; i < p->n_axes; i++)
        if (a[i] != b[i] || x[i] != y[i]) return false;
    return true;
}

/* The slot of the point, or the free slot in which to put it. */
static size_t slot_of(const struct designer *d, const uint32_t *index, const double *real)
{
    const struct plan *p = d->plan;
    size_t s = hash_of(p, index, real) & (d->slots - 1);
    while (d->slot[s]) {
        size_t at = (size_t)(d->slot[s] - 1) * p->n_axes;
        if (same_point(p, &p->index[at], &d->real[at], index, real)) break;
        s = (s + 1) & (d->slots - 1);
    }
    return s;
}

static bool more_slots(struct designer *d)
{
    const struct plan *p = d->plan;
    if (p->n_points < d->slots / 2) return true;
    mem_free(d->slot);
    d->slots = d->slots ? 2 * d->slots : 1024;
    d->slot = mem_new(d->slots, sizeof *d->slot);
    if (!d->slot) return error_no_memory(d->e);
    for (uint32_t i = 0; i < p->n_points; i++) {
        size_t at = (size_t)i * p->n_axes;
        d->slot[slot_of(d, &p->index[at], &d->real[at])] = i + 1;
    }
    return true;
}

/* Adds the point unless a constraint, an earlier equal point or, in a redraw, the machine forbids
 * it. */
static bool add_point(struct designer *d, struct draw *x)
{
    struct plan *p = d->plan;
    unset_conditional(d, x);
    if (!is_admitted(p, x)) {
        p->excluded++;
        return true;
    }
    if (p->redraws && !is_machine(p, x)) return true; /* another draw replaces it */
    if (!more_slots(d)) return false;
    size_t s = slot_of(d, x->index, x->real), at = (size_t)p->n_points * p->n_axes;
    if (d->slot[s]) return true;
    if (p->n_points == POINTS_MAX)
        return error_input(d->e, "more than %d points; take fewer values", POINTS_MAX);
    if (!mem_grow(&p->index, &d->cap_index, at + p->n_axes, sizeof *p->index) ||
        !mem_grow(&d->real, &d->cap_real, at + p->n_axes, sizeof *d->real))
        return error_no_memory(d->e);
    memcpy(&p->index[at], x->index, p->n_axes * sizeof *x->index);
    memcpy(&d->real[at], x->real, p->n_axes * sizeof *x->real);
    d->slot[s] = ++p->n_points;
    return true;
}

/* --- grid and list -----------------------------------------------------------------------------
 */

static uint32_t levels_of(const struct plan *p, uint32_t dim)
{
    for (uint32_t i = 0; i < p->n_axes; i++)
        if (p->axis[i].dim == dim) return p->axis[i].n;
    return 1;
}

static bool next_combination(const struct designer *d, uint32_t *level)
{
    for (uint32_t k = d->dims; k-- > 0;) {
        if (++level[k] < levels_of(d->plan, k)) return true;
        level[k] = 0;
    }
    return false;
}

static bool make_grid(struct designer *d)
{
    const struct plan *p = d->plan;
    uint32_t level[AXES_MAX] = {0};
    do {
        struct draw x = {0};
        for (uint32_t i = 0; i < p->n_axes; i++)
            x.index[i] = level[p->axis[i].dim];
        if (!add_point(d, &x)) return false;
    } while (next_combination(d, level));
    return true;
}

/* --- drawn designs -----------------------------------------------------------------------------
 */

/* The value at t in 0..1 of an open range, rounded as it will be printed, so that equal texts are
 * equal values.  Each whole number gets the part of the range that rounds to it; the ends, which
 * would get only half of that, also get half a step outside the range. */
static double value_at(const struct axis *a, double t)
{
    char digits[40];
    double half = a->whole ? 0.5 : 0, lo = a->lo - half, hi = a->hi + half;
    double v = a->log2 ? lo * pow(hi / lo, t) : lo + t * (hi - lo);
    if (a->n_legal) return legal_value_at(a, t);
    if (a->whole) return fmin(fmax(round(v), a->lo), a->hi) + 0.0; /* + 0.0 turns -0 into 0 */
    if (a->rounded)
        v = fmin(fmax(round(v * pow(10, a->decimals)) / pow(10, a->decimals), a->lo), a->hi);
    snprintf(digits, sizeof digits, "%.6g", v);
    return strtod(digits, NULL);
}

/* u[dim] lies in 0..1. */
static struct draw place_point(const struct designer *d, const double *u)
{
    const struct plan *p = d->plan;
    struct draw x = {0};
    for (uint32_t i = 0; i < p->n_axes; i++) {
        const struct axis *a = &p->axis[i];
        double t = u[a->dim];
        if (a->open)
            x.real[i] = value_at(a, t);
        else
            x.index[i] = (uint32_t)fmin(t * a->n, a->n - 1.0);
    }
    return x;
}

static bool has_enough(const struct designer *d)
{
    const struct plan *p = d->plan;
    return p->n_points == p->draws ||
           error_input(d->e,
                       "%" PRIu32 " points asked for, %" PRIu32
                       " different ones found%s%s; ask for fewer or %s",
                       p->draws, p->n_points, p->redraws ? " that are legal machines" : "",
                       !p->n_constraints ? ""
                       : p->redraws      ? " and meet the constraints"
                                         : " that meet the constraints",
                       p->n_constraints ? "loosen the constraints" : "widen the ranges");
}

static bool make_sobol(struct designer *d)
{
    const struct plan *p = d->plan;
    double u[AXES_MAX], shift[AXES_MAX];
    struct rng rng;
    rng_seed(&rng, p->opts.seed, 0);
    for (uint32_t k = 0; k < d->dims; k++)
        shift[k] = rng_unit(&rng);
    gsl_qrng *sobol = gsl_qrng_alloc(gsl_qrng_sobol, d->dims);
    if (!sobol) return error_no_memory(d->e);
    bool ok = true;
    for (uint64_t i = 0; ok && p->n_points < p->draws && i < (uint64_t)p->draws * TRIES_PER_POINT;
         i++) {
        gsl_qrng_get(sobol, u);
        for (uint32_t k = 0; k < d->dims; k++)
            u[k] = fmod(u[k] + shift[k], 1);
        struct draw x = place_point(d, u);
        ok = add_point(d, &x);
    }
    gsl_qrng_free(sobol);
    return ok && has_enough(d);
}

static void shuffle(uint32_t *order, uint32_t n, struct rng *rng)
{
    for (uint32_t i = 0; i < n; i++)
        order[i] = i;
    for (uint32_t i = n; i > 1; i--) {
        uint32_t k = (uint32_t)rng_below(rng, i), kept = order[i - 1];
        order[i - 1] = order[k];
        order[k] = kept;
    }
}

/* Adds one hypercube of `draws` points. */
static bool add_hypercube(struct designer *d, uint32_t *order, struct rng *rng)
{
    const struct plan *p = d->plan;
    for (uint32_t k = 0; k < d->dims; k++)
        shuffle(order + (size_t)k * p->draws, p->draws, rng);
    for (uint32_t i = 0; i < p->draws && p->n_points < p->draws; i++) {
        double u[AXES_MAX];
        for (uint32_t k = 0; k < d->dims; k++)
            u[k] = (order[(size_t)k * p->draws + i] + rng_unit(rng)) / p->draws;
        struct draw x = place_point(d, u);
        if (!add_point(d, &x)) return false;
    }
    return true;
}

static bool make_lhs(struct designer *d)
{
    const struct plan *p = d->plan;
    struct rng rng;
    rng_seed(&rng, p->opts.seed, 0);
    uint32_t *order = mem_new((size_t)p->draws * d->dims, sizeof *order);
    if (!order) return error_no_memory(d->e);
    bool ok = true;
    for (int i = 0; ok && p->n_points < p->draws && i < TRIES_PER_POINT; i++)
        ok = add_hypercube(d, order, &rng);
    mem_free(order);
    return ok && has_enough(d);
}

/* --- values of open ranges ---------------------------------------------------------------------
 */

/* Makes the values drawn the axis's own, in ascending order, and sets the points' indices. */
static bool close_axis(struct designer *d, uint32_t axis, double *space)
{
    struct plan *p = d->plan;
    struct axis *a = &p->axis[axis];
    uint32_t n = 0, used = 0;
    for (uint32_t i = 0; i < p->n_points; i++)
        if (p->index[(size_t)i * p->n_axes + axis] != AXIS_UNSET)
            space[used++] = d->real[(size_t)i * p->n_axes + axis];
    sort_doubles(space, used);
    for (uint32_t i = 0; i < used; i++)
        if (n == 0 || space[i] != space[n - 1]) space[n++] = space[i];
    const char **value = arena_new(&p->arena, n ? n : 1, sizeof *value);
    for (uint32_t i = 0; i < n && value; i++) {
        char digits[40];
        snprintf(digits, sizeof digits, a->whole ? "%.0f" : "%.6g", space[i]);
        value[i] = arena_strdup(&p->arena, digits);
        if (!value[i]) value = NULL;
    }
    if (!value) return error_no_memory(d->e);
    for (uint32_t i = 0; i < p->n_points; i++) {
        size_t at = (size_t)i * p->n_axes + axis;
        if (p->index[at] == AXIS_UNSET) continue;
        const double *found = bsearch(&d->real[at], space, n, sizeof *space, sort_ascending);
        p->index[at] = (uint32_t)(found - space);
    }
    a->value = value;
    a->n = n;
    a->open = false;
    return true;
}

static bool close_axes(struct designer *d)
{
    struct plan *p = d->plan;
    double *space = mem_new(p->n_points ? p->n_points : 1, sizeof *space);
    bool ok = space || error_no_memory(d->e);
    for (uint32_t i = 0; i < p->n_axes && ok; i++)
        if (p->axis[i].open) ok = close_axis(d, i, space);
    mem_free(space);
    return ok;
}

/* --- values of a list --------------------------------------------------------------------------
 */

/* The number that s holds; infinity: s is no number. */
static double number_in(const char *s)
{
    char *end;
    double v = strtod(s, &end);
    return end != s && !*end && isfinite(v) ? v : INFINITY;
}

/* Sorts numbers by size, then texts. */
static int by_value(const void *a, const void *b)
{
    const char *s = *(const char *const *)a, *t = *(const char *const *)b;
    double x = number_in(s), y = number_in(t);
    return x < y ? -1 : x > y ? 1 : strcmp(s, t);
}

/* So far each row has values of its own.  Merges equal values and sorts them, because the distance
 * between two points is computed from their indices. */
static bool sort_axis(struct designer *d, uint32_t axis, const char **value)
{
    struct plan *p = d->plan;
    struct axis *a = &p->axis[axis];
    uint32_t rows = a->n, n = 0;
    if (!value) return error_no_memory(d->e);
    memcpy(value, a->value, rows * sizeof *value);
    qsort(value, rows, sizeof *value, by_value);
    for (uint32_t i = 0; i < rows; i++)
        if (n == 0 || strcmp(value[i], value[n - 1]) != 0) value[n++] = value[i];
    for (uint32_t i = 0; i < p->n_points; i++) {
        uint32_t *at = &p->index[(size_t)i * p->n_axes + axis];
        if (*at == AXIS_UNSET) continue;
        const char *const *found = bsearch(&a->value[*at], value, n, sizeof *value, by_value);
        *at = (uint32_t)(found - (const char *const *)value);
    }
    a->value = value;
    a->n = n;
    a->dim = axis;
    return true;
}

static bool sort_list(struct designer *d)
{
    struct plan *p = d->plan;
    bool ok = true;
    for (uint32_t i = p->n_machines > 1; i < p->n_axes && ok; i++)
        ok = sort_axis(d, i, arena_new(&p->arena, p->axis[i].n, sizeof *p->axis[i].value));
    return ok;
}

static bool (*const makers[DESIGN_N])(struct designer *) = {[DESIGN_GRID] = make_grid,
                                                            [DESIGN_SOBOL] = make_sobol,
                                                            [DESIGN_LHS] = make_lhs,
                                                            [DESIGN_LIST] = make_grid};

bool design_make(struct plan *p, struct error *e)
{
    struct designer d = {.plan = p, .e = e};
    for (uint32_t i = 0; i < p->n_axes; i++)
        if (p->axis[i].dim >= d.dims) d.dims = p->axis[i].dim + 1;
    bool ok = makers[p->design](&d) && close_axes(&d);
    if (p->design == DESIGN_LIST) ok = ok && sort_list(&d);
    if (ok && p->n_points == 0) ok = error_input(e, "no point meets the constraints");
    mem_free(d.real);
    mem_free(d.slot);
    return ok;
}

bool design_redraw(struct plan *p, struct error *e)
{
    mem_free(p->index);
    p->index = NULL;
    p->n_points = p->excluded = 0;
    p->redraws = true;
    for (uint32_t i = 0; i < p->n_axes; i++) {
        struct axis *a = &p->axis[i];
        if (!(a->lo < a->hi)) continue;
        a->open = true;
        a->value = NULL;
        a->n = 0;
    }
    return design_make(p, e);
}

void design_keep(struct plan *p, const bool *keep)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < p->n_points; i++) {
        if (!keep[i]) continue;
        memmove(&p->index[(size_t)kept++ * p->n_axes], &p->index[(size_t)i * p->n_axes],
                p->n_axes * sizeof *p->index);
    }
    p->n_points = kept;
}
