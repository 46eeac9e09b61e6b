/* map_run.c - the values of forms along a warp's steps; see map.h. A quotient or remainder of a
 * step ago is advanced, and a condition that no lane changes for some steps is left alone for so
 * many. */
#include "base/memory/alloc.h"
#include "trace/generators/map_parts.h"

#include <string.h>

enum { MOST_TABLE = 1 << 24, MOST_VECTORS = 1 << 14 };

/* --- scalars --- */

static int64_t divide_scalar(const struct map_atom *a, struct kept_scalar *k, int64_t v)
{
    int64_t q = v / a->divisor;
    k->rest = v % a->divisor;
    if (k->rest < 0) k->rest += a->divisor, q--;
    return a->operation == ATOM_REMAINDER ? k->rest : q;
}

static int64_t combine_scalars(const struct generator *g, const struct map_atom *a,
                               const int64_t *v)
{
    switch (a->operation) {
    case ATOM_PRODUCT: return (int64_t)((uint64_t)v[0] * (uint64_t)v[1]);
    case ATOM_LESSER: return v[0] < v[1] ? v[0] : v[1];
    case ATOM_XOR: return v[0] ^ v[1];
    default: return (int64_t)a->call(g, (const uint64_t *)v);
    }
}

/* A division whose argument has grown by a step. */
static void advance_scalar(const struct map_atom *a, struct kept_scalar *k)
{
    int64_t more = a->quotient;
    k->rest += a->remainder;
    if (k->rest >= a->divisor) k->rest -= a->divisor, more++;
    k->value = a->operation == ATOM_REMAINDER ? k->rest : k->value + more;
}

static void renew_scalar(struct map_run *r, const struct map_atom *a, struct kept_scalar *k)
{
    if (a->advances && k->time + 1 == r->time) {
        advance_scalar(a, k);
    } else if (a->operation == ATOM_QUOTIENT || a->operation == ATOM_REMAINDER) {
        k->value = divide_scalar(a, k, map_run_scalar(r, a->form[0]));
    } else {
        int64_t v[MAP_MOST_ARGUMENTS];
        for (uint32_t i = 0; i < a->n; i++)
            v[i] = map_run_scalar(r, a->form[i]);
        k->value = combine_scalars(r->m->g, a, v);
    }
    k->time = r->since[a->with];
}

static uint64_t sum_terms(struct map_run *r, const struct map_term *t, uint32_t n, uint64_t sum)
{
    for (uint32_t i = 0; i < n; i++) {
        const struct map_atom *a = &r->m->atom[t[i].atom];
        struct kept_scalar *k = &r->scalar[t[i].atom];
        if (k->time != r->since[a->with]) renew_scalar(r, a, k);
        sum += (uint64_t)t[i].times * (uint64_t)k->value;
    }
    return sum;
}

void map_run_renew_sum(struct map_run *r, uint32_t sum)
{
    const struct map_sum *s = &r->m->sum[sum];
    const struct map_term *t = &r->m->term[s->first];
    struct kept_sum *k = &r->sum[sum];
    if (k->steady_time != r->since[s->steady_with]) {
        k->steady = sum_terms(r, t, s->n_steady, 0);
        k->steady_time = r->since[s->steady_with];
    }
    if (s->linear)
        k->value = k->steady + (uint64_t)s->per_step * (uint64_t)r->scalar[MAP_STEP].value;
    else
        k->value = sum_terms(r, t + s->n_steady, s->n - s->n_steady, k->steady);
    k->time = r->since[s->with];
}

int64_t map_run_scalar(struct map_run *r, uint32_t form)
{
    const struct map_form *f = &r->m->form[form];
    return (int64_t)((uint64_t)f->constant + map_run_sum(r, f->sum));
}

/* --- vectors --- */

static const int64_t *vector_of(struct map_run *r, uint32_t vector);

/* Adds a form's values, `times` them, to those of all lanes. */
static void add_values(struct map_run *r, uint32_t form, int64_t *out)
{
    const struct map_form *f = &r->m->form[form];
    uint32_t lanes = r->m->g->width;
    uint64_t scalar = (uint64_t)map_run_scalar(r, form);
    const int64_t *v = f->vector == MAP_NONE ? NULL : vector_of(r, (uint32_t)f->vector);
    for (uint32_t l = 0; l < lanes; l++)
        out[l] = (int64_t)(scalar + (v ? (uint64_t)v[l] : 0));
}

static void divide_lanes(const struct map_atom *a, int64_t *v, uint32_t lanes)
{
    for (uint32_t l = 0; l < lanes; l++) {
        struct kept_scalar k;
        v[l] = divide_scalar(a, &k, v[l]);
    }
}

/* The values of an operation; `of` has its arguments but number `uneven`, whose lanes are v.
 * Neighbours with equal arguments are computed once. */
static void combine_along(const struct map_run *r, const struct map_atom *a, int64_t *of,
                          uint32_t uneven, const int64_t *v, int64_t *out)
{
    const struct generator *g = r->m->g;
    for (uint32_t l = 0; l < g->width; l++) {
        bool same = l > 0 && v[l] == of[uneven];
        of[uneven] = v[l];
        out[l] = same                        ? out[l - 1]
                 : a->operation == ATOM_CALL ? (int64_t)a->call(g, (const uint64_t *)of)
                                             : combine_scalars(g, a, of);
    }
}

static void combine_lanes(struct map_run *r, const struct map_atom *a, int64_t *out)
{
    int64_t v[MAP_MOST_ARGUMENTS][WARP_MAX_LANES], of[MAP_MOST_ARGUMENTS];
    uint32_t uneven = 0, n = 0;
    for (uint32_t i = 0; i < a->n; i++) {
        of[i] = map_run_scalar(r, a->form[i]);
        if (r->m->form[a->form[i]].vector != MAP_NONE) uneven = i, n++;
    }
    for (uint32_t i = 0; i < a->n; i++)
        if (n > 1 || i == uneven) add_values(r, a->form[i], v[i]);
    if (n == 1) {
        combine_along(r, a, of, uneven, v[uneven], out);
        return;
    }
    for (uint32_t l = 0; l < r->m->g->width; l++) {
        for (uint32_t i = 0; i < a->n; i++)
            of[i] = v[i][l];
        out[l] = combine_scalars(r->m->g, a, of);
    }
}

static void atom_values(struct map_run *r, const struct map_atom *a, int64_t *out)
{
    if (a->operation != ATOM_QUOTIENT && a->operation != ATOM_REMAINDER) {
        combine_lanes(r, a, out);
        return;
    }
    add_values(r, a->form[0], out);
    divide_lanes(a, out, r->m->g->width);
}

static void add_terms(struct map_run *r, const struct map_term *t, uint32_t n, int64_t *sum)
{
    int64_t values[WARP_MAX_LANES];
    for (uint32_t i = 0; i < n; i++) {
        atom_values(r, &r->m->atom[t[i].atom], values);
        for (uint32_t l = 0; l < r->m->g->width; l++)
            sum[l] = (int64_t)((uint64_t)sum[l] + (uint64_t)t[i].times * (uint64_t)values[l]);
    }
}

static const int64_t *table_row(const struct map_run *r, const struct map_vector *v)
{
    return r->m->table + v->table + (uint64_t)r->warp * r->m->g->width;
}

static void start_ramp(const struct map_run *r, const struct map_vector *v, int64_t *sum)
{
    if (!v->stride) memset(sum, 0, r->m->g->width * sizeof *sum);
    if (!v->stride) return;
    for (uint32_t l = 0; l < r->m->g->width; l++)
        sum[l] = (int64_t)((uint64_t)v->stride * l);
}

static const int64_t *vector_of(struct map_run *r, uint32_t vector)
{
    const struct map_vector *v = &r->m->vector[vector];
    int64_t *sum = r->vector + v->kept * WARP_MAX_LANES;
    if (v->n_fixed && v->n_fixed == v->n) return table_row(r, v);
    if (r->vector_time[vector] == r->since[v->with]) return sum;
    if (v->n_fixed)
        for (uint32_t l = 0; l < r->m->g->width; l++)
            sum[l] = table_row(r, v)[l];
    else
        start_ramp(r, v, sum);
    add_terms(r, &r->m->term[v->first + v->n_fixed], v->n - v->n_fixed, sum);
    r->vector_time[vector] = r->since[v->with];
    return sum;
}

const int64_t *map_run_vector(struct map_run *r, uint32_t form, int64_t *stride)
{
    if (map_is_even(r->m, form, stride)) return NULL;
    return vector_of(r, (uint32_t)r->m->form[form].vector);
}

/* --- conditions --- */

/* The lanes l for which scalar + l stride is at least 0. */
static uint64_t lanes_along(int64_t scalar, int64_t stride, uint64_t all)
{
    if (stride == 0) return scalar >= 0 ? all : 0;
    if (stride < 0) {
        if (scalar < 0) return 0;
        uint64_t n = (uint64_t)scalar / -(uint64_t)stride + 1;
        return n < WARP_MAX_LANES ? all & ((UINT64_C(1) << n) - 1) : all;
    }
    if (scalar >= 0) return all;
    uint64_t skipped = (-(uint64_t)scalar + (uint64_t)stride - 1) / (uint64_t)stride;
    return skipped < WARP_MAX_LANES ? all & UINT64_MAX << skipped : 0;
}

/* How many steps a value of at least 0 remains so, or one below 0, if it grows by so much. */
static uint64_t steps_until(int64_t value, int64_t per_step)
{
    if (value >= 0) return per_step >= 0 ? UINT64_MAX : (uint64_t)value / -(uint64_t)per_step;
    return per_step <= 0 ? UINT64_MAX : (uint64_t)(-1 - value) / (uint64_t)per_step;
}

/* The lanes for which a form is at least 0; *steps: for how many steps more they are the same. */
static uint64_t lanes_not_below(struct map_run *r, uint32_t form, uint64_t *steps)
{
    const struct map_form *f = &r->m->form[form];
    const struct map_sum *s = &r->m->sum[f->sum];
    int64_t stride, scalar = map_run_scalar(r, form), last;
    const int64_t *v = map_run_vector(r, form, &stride);
    uint64_t lanes = 0;
    *steps = f->with & WITH_STEP ? 0 : UINT64_MAX;
    if (!v) {
        bool overflows = __builtin_mul_overflow(stride, (int64_t)r->m->g->width - 1, &last) ||
                         __builtin_add_overflow(last, scalar, &last);
        bool same = !overflows && (scalar < 0) == (last < 0);
        if (same && s->linear && *steps == 0)
            *steps = steps_until((scalar < last) == (scalar >= 0) ? scalar : last, s->per_step);
        if (same) return scalar >= 0 ? UINT64_MAX : 0;
        return lanes_along(scalar, stride, UINT64_MAX);
    }
    for (uint32_t l = 0; l < r->m->g->width; l++)
        lanes |= (uint64_t)((int64_t)((uint64_t)scalar + (uint64_t)v[l]) >= 0) << l;
    return lanes;
}

static uint64_t conjoin_lanes(struct map_run *r, const struct map_conjunction *c, uint64_t *least)
{
    uint64_t all = UINT64_MAX, steps;
    *least = UINT64_MAX;
    for (uint32_t i = 0; i < c->n && all; i++) {
        uint64_t lanes = lanes_not_below(r, r->m->conjunct[c->first + i].form, &steps);
        all &= lanes;
        *least = !lanes || steps < *least ? steps : *least;
    }
    return all;
}

uint64_t map_run_renew_lanes(struct map_run *r, uint32_t condition)
{
    const struct map_conjunction *c = &r->m->condition[condition];
    struct kept_lanes *k = &r->lanes[condition];
    uint64_t least = UINT64_MAX;
    k->mask = c->table == MAP_NONE ? conjoin_lanes(r, c, &least) : r->m->lanes[c->table + r->warp];
    k->time = r->since[c->since];
    k->until = least < UINT64_MAX - r->time ? r->time + least : UINT64_MAX;
    return k->mask;
}

/* --- walks --- */

void map_run_warp(struct map_run *r, uint64_t cta, uint32_t warp, uint64_t step)
{
    bool same = r->since[WITH_CTA] && (uint64_t)r->scalar[MAP_CTA].value == cta;
    r->time += 2; /* no step follows another warp's */
    r->warp = warp;
    if (!same) r->since[WITH_CTA] = r->time;
    for (uint32_t with = 1; with < WITH_KINDS; with++)
        if (with != WITH_CTA) r->since[with] = r->time;
    r->scalar[MAP_CTA] = (struct kept_scalar){r->since[WITH_CTA], (int64_t)cta, 0};
    r->scalar[MAP_WARP] = (struct kept_scalar){r->time, warp, 0};
    r->scalar[MAP_STEP] = (struct kept_scalar){r->time, (int64_t)step, 0};
}

void map_run_step(struct map_run *r)
{
    r->time++;
    for (uint32_t with = WITH_STEP; with < WITH_KINDS; with++)
        r->since[with] = r->time;
    r->scalar[MAP_STEP].value++;
    r->scalar[MAP_STEP].time = r->time;
}

/* All but the vectors in one piece. */
struct map_run *map_run_new(const struct index_map *m)
{
    size_t scalars = m->n_atoms * sizeof(struct kept_scalar);
    size_t sums = m->n_sums * sizeof(struct kept_sum);
    size_t lanes = m->n_conditions * sizeof(struct kept_lanes);
    struct map_run *r =
        mem_new(1, sizeof *r + scalars + sums + lanes + m->n_vectors * sizeof(uint64_t));
    if (!r) return NULL;
    r->m = m;
    r->time = r->since[0] = 1;
    r->scalar = (struct kept_scalar *)(r + 1);
    r->sum = (struct kept_sum *)((char *)r->scalar + scalars);
    r->lanes = (struct kept_lanes *)((char *)r->sum + sums);
    r->vector_time = (uint64_t *)((char *)r->lanes + lanes);
    if (!m->n_kept) return r;
    r->vector = mem_new_unset((uint64_t)m->n_kept * WARP_MAX_LANES, sizeof *r->vector);
    if (r->vector) return r;
    mem_free(r);
    return NULL;
}

void map_run_free(struct map_run *r)
{
    if (!r) return;
    mem_free(r->vector);
    mem_free(r);
}

int64_t map_of_cta(const struct index_map *m, uint32_t form, uint64_t cta)
{
    const struct map_sum *s = &m->sum[m->form[form].sum];
    uint64_t sum = (uint64_t)m->form[form].constant;
    for (uint32_t i = 0; i < s->n; i++) {
        const struct map_term *t = &m->term[s->first + i];
        const struct map_atom *a = &m->atom[t->atom];
        int64_t v[MAP_MOST_ARGUMENTS] = {(int64_t)cta};
        struct kept_scalar k;
        for (uint32_t x = 0; x < a->n; x++)
            v[x] = map_of_cta(m, a->form[x], cta);
        if (a->operation == ATOM_QUOTIENT || a->operation == ATOM_REMAINDER)
            v[0] = divide_scalar(a, &k, v[0]);
        else if (a->operation != ATOM_VARIABLE)
            v[0] = combine_scalars(m->g, a, v);
        sum += (uint64_t)t->times * (uint64_t)v[0];
    }
    return (int64_t)sum;
}

bool map_is_of_ctas(const struct index_map *m, uint32_t form)
{
    return m->form[form].vector == MAP_NONE && !(m->form[form].with & ~(uint32_t)WITH_CTA);
}

bool map_is_constant(const struct index_map *m, uint32_t form)
{
    return m->sum[m->form[form].sum].n == 0 && m->form[form].vector == MAP_NONE;
}

/* --- tables --- */

/* A vector's table stands behind those of the vectors that it is made of, and conditions' behind
 * all of these. */
static void fill_tables(struct map_run *r, struct index_map *m)
{
    for (uint32_t warp = 0; warp < m->g->warps; warp++) {
        map_run_warp(r, 0, warp, 0);
        for (uint32_t i = 0; i < m->n_vectors; i++) {
            const struct map_vector *v = &m->vector[i];
            int64_t *row = m->table + v->table + (uint64_t)warp * m->g->width;
            if (!v->n_fixed) continue;
            start_ramp(r, v, row);
            add_terms(r, &m->term[v->first], v->n_fixed, row);
        }
        for (uint32_t i = 0; i < m->n_conditions; i++) {
            const struct map_conjunction *c = &m->condition[i];
            uint64_t unused;
            if (c->table != MAP_NONE)
                m->lanes[(uint32_t)c->table + warp] = conjoin_lanes(r, c, &unused);
        }
    }
}

/* Leaves out what a condition need not ask for. */
static void drop_sure_conjuncts(struct index_map *m, struct map_conjunction *c)
{
    uint32_t n = 0;
    c->with = 0;
    for (uint32_t i = 0; i < c->n; i++) {
        struct map_conjunct j = m->conjunct[c->first + i];
        if (j.sure) continue;
        m->conjunct[c->first + n++] = j;
        c->with |= m->form[j.form].with;
    }
    c->n = n;
    c->since = c->with & WITH_STEP ? WITH_WARP : c->with;
}

bool map_is_sure(const struct index_map *m, uint32_t condition)
{
    return m->condition[condition].n == 0;
}

/* Places the tables; returns the values of vectors' ones. */
static size_t place_tables(struct index_map *m)
{
    size_t n = 0;
    m->n_lanes = m->n_kept = 0;
    for (uint32_t i = 0; i < m->n_vectors; i++) {
        struct map_vector *v = &m->vector[i];
        v->table = n;
        if (v->n_fixed) n += (size_t)m->g->warps * m->g->width;
        v->kept = m->n_kept;
        if (!v->n_fixed || v->n > v->n_fixed) m->n_kept++;
    }
    for (uint32_t i = 0; i < m->n_conditions; i++) {
        struct map_conjunction *c = &m->condition[i];
        drop_sure_conjuncts(m, c);
        if (c->with & (WITH_CTA | WITH_STEP) || m->n_lanes >= MOST_TABLE) continue;
        c->table = (int32_t)m->n_lanes;
        m->n_lanes += m->g->warps;
    }
    return n;
}

bool map_finish(struct index_map *m)
{
    size_t n = place_tables(m);
    if (n > MOST_TABLE || m->n_vectors > MOST_VECTORS)
        return map_refuse(m, "too many different vectors of lanes"), false;
    m->table = mem_new(n + 1, sizeof *m->table);
    m->lanes = mem_new(m->n_lanes + 1, sizeof *m->lanes);
    struct map_run *r = m->table && m->lanes ? map_run_new(m) : NULL;
    if (r) fill_tables(r, m);
    map_run_free(r);
    return r != NULL && !m->failed;
}
