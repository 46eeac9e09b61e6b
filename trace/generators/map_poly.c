/* map_poly.c - forms and atoms of index maps; see map.h. */
#include "base/memory/alloc.h"
#include "base/text/text.h"
#include "trace/generators/map_parts.h"

#include <string.h>

#define UNKNOWN MAP_UNKNOWN
enum { MOST_DEPTH = 32 };

/* --- numbers --- */

static int64_t remainder_of(int64_t a, int64_t d)
{
    int64_t r = a % d;
    return r < 0 ? r + d : r;
}

static int64_t quotient_of(int64_t a, int64_t d)
{
    return a / d - (a % d < 0);
}

static uint64_t divisor_common(uint64_t a, uint64_t b)
{
    while (b) {
        uint64_t r = a % b;
        a = b;
        b = r;
    }
    return a;
}

/* --- polynomials --- */

void map_poly_refuse(struct index_map *m, const char *what)
{
    struct text t = {0};
    if (m->error) return;
    if (m->reading) text_add(&t, "\"%s\": ", m->reading);
    text_add(&t, "%s", what);
    m->error = t.s;
    m->failed |= t.failed;
}

/* The numbers from lo to hi, which are 0 or unknown if they are beyond. */
static struct map_range range_within(struct index_map *m, __int128 lo, __int128 hi)
{
    if (lo > -UNKNOWN && hi < UNKNOWN) return (struct map_range){(int64_t)lo, (int64_t)hi};
    map_poly_refuse(m, "its value can be beyond 2^62, where it wraps");
    return (struct map_range){-UNKNOWN, UNKNOWN};
}

struct map_range map_poly_range(struct index_map *m, const struct map_poly *p)
{
    const __int128 most = (__int128)1 << 100; /* so that sums do not overflow */
    __int128 lo = p->constant, hi = p->constant;
    for (uint32_t i = 0; i < p->n; i++) {
        const struct map_atom *a = &m->atom[p->term[i].atom];
        __int128 x = (__int128)p->term[i].times * a->lo, y = (__int128)p->term[i].times * a->hi;
        __int128 less = x < y ? x : y, more = x < y ? y : x;
        lo += less < -most ? -most : less;
        hi += more > most ? most : more;
        if (a->lo == -UNKNOWN || a->hi == UNKNOWN) return (struct map_range){-UNKNOWN, UNKNOWN};
    }
    return range_within(m, lo, hi);
}

/* a + b times. */
static int64_t add_times(struct index_map *m, int64_t a, int64_t b, int64_t times)
{
    int64_t v = 0;
    if (__builtin_mul_overflow(b, times, &v) || __builtin_add_overflow(a, v, &v))
        map_poly_refuse(m, "its numbers exceed 64 bits");
    return v;
}

/* Adds `times` `by` an atom. */
static void add_term(struct index_map *m, struct map_poly *p, uint64_t atom, int64_t times,
                     int64_t by)
{
    uint32_t i = 0;
    while (i < p->n && p->term[i].atom < atom)
        i++;
    if (i < p->n && p->term[i].atom == atom) {
        p->term[i].times = add_times(m, p->term[i].times, times, by);
        if (p->term[i].times == 0)
            memmove(&p->term[i], &p->term[i + 1], (--p->n - i) * sizeof *p->term);
    } else if (p->n == MAP_MOST_TERMS) {
        map_poly_refuse(m, "an expression has too many terms");
    } else if (times && by) {
        memmove(&p->term[i + 1], &p->term[i], (p->n++ - i) * sizeof *p->term);
        p->term[i] = (struct map_term){atom, add_times(m, 0, times, by)};
    }
}

void map_poly_add(struct index_map *m, struct map_poly *to, const struct map_poly *from,
                  int64_t times)
{
    to->constant = add_times(m, to->constant, from->constant, times);
    for (uint32_t i = 0; i < from->n; i++)
        add_term(m, to, from->term[i].atom, from->term[i].times, times);
}

struct map_poly map_poly_of_atom(struct index_map *m, uint32_t atom)
{
    struct map_poly p = {0};
    if (atom < m->n_atoms) add_term(m, &p, atom, 1, 1);
    return p;
}

/* --- what is kept once --- */

static uint64_t hash_words(uint64_t h, const void *words, size_t n)
{
    const unsigned char *b = words;
    for (size_t i = 0; i + 8 <= n; i += 8) {
        uint64_t v;
        memcpy(&v, b + i, 8);
        h = (h ^ v) * UINT64_C(0x9e3779b97f4a7c15);
        h ^= h >> 29;
    }
    return h;
}

enum content {
    CONTENT_ATOM,
    CONTENT_SUM,
    CONTENT_VECTOR,
    CONTENT_FORM,
    CONTENT_CONDITION,
    CONTENT_KINDS
};

/* Whether item `i` of a kind is the wanted one, which is the last one of its array. */
static bool equals_last(const struct index_map *m, enum content kind, uint32_t i)
{
    const struct map_term *t = m->term;
    if (kind == CONTENT_ATOM)
        return !memcmp(&m->atom[i], &m->atom[m->n_atoms - 1], sizeof *m->atom);
    if (kind == CONTENT_VECTOR) {
        const struct map_vector *a = &m->vector[i], *b = &m->vector[m->n_vectors - 1];
        return a->stride == b->stride && a->n_fixed == b->n_fixed && a->n == b->n &&
               !memcmp(&t[a->first], &t[b->first], a->n * sizeof *t);
    }
    if (kind == CONTENT_SUM) {
        const struct map_sum *a = &m->sum[i], *b = &m->sum[m->n_sums - 1];
        return a->n == b->n && !memcmp(&t[a->first], &t[b->first], a->n * sizeof *t);
    }
    if (kind == CONTENT_CONDITION) {
        const struct map_conjunction *a = &m->condition[i], *b = &m->condition[m->n_conditions - 1];
        const struct map_conjunct *c = m->conjunct;
        return a->n == b->n && !memcmp(&c[a->first], &c[b->first], a->n * sizeof *c);
    }
    const struct map_form *a = &m->form[i], *b = &m->form[m->n_forms - 1];
    return a->constant == b->constant && a->vector == b->vector && a->sum == b->sum;
}

/* The item that equals the last one of its array, `last`: an earlier one, or itself. Kinds share
 * the table: a number found there may be one of another kind, and beyond this kind's array. */
static uint32_t find_equal(struct index_map *m, enum content kind, uint64_t hash, uint32_t last)
{
    for (hash = hash * CONTENT_KINDS + kind;; hash += CONTENT_KINDS) {
        const uint32_t *found = hash_map_get(&m->by_content, hash | 1);
        if (found && *found < last && equals_last(m, kind, *found)) return *found;
        if (found) continue;
        m->failed |= !hash_map_put(&m->by_content, hash | 1, last);
        return last;
    }
}

uint32_t map_poly_keep_atom(struct index_map *m, const struct map_atom *a)
{
    if (a->depth > MOST_DEPTH) map_poly_refuse(m, "too many quotients in one another");
    if (!mem_grow(&m->atom, &m->atom_cap, m->n_atoms + 1, sizeof *a)) return m->failed = true, 0;
    m->atom[m->n_atoms++] = *a;
    uint32_t found = find_equal(m, CONTENT_ATOM, hash_words(1, a, sizeof *a), m->n_atoms - 1);
    if (found != m->n_atoms - 1) m->n_atoms--;
    return found;
}

/* Adds the terms of p of that sort; returns how many. fixed: what no step changes and, of vectors,
 * no CTA. */
static uint32_t keep_terms(struct index_map *m, const struct map_poly *p, bool vector, bool fixed)
{
    uint32_t n = 0;
    if (!mem_grow(&m->term, &m->term_cap, m->n_terms + p->n, sizeof *m->term))
        return m->failed = true, 0;
    for (uint32_t i = 0; i < p->n; i++) {
        const struct map_atom *a = &m->atom[p->term[i].atom];
        bool is_fixed = !(a->with & (vector ? WITH_CTA | WITH_STEP : WITH_STEP));
        bool wanted = a->vector == vector && p->term[i].atom != MAP_LANE && fixed == is_fixed;
        if (wanted) m->term[m->n_terms + n++] = p->term[i];
    }
    m->n_terms += n;
    return n;
}

static uint32_t with_of(const struct index_map *m, uint32_t first, uint32_t n)
{
    uint32_t with = 0;
    for (uint32_t i = first; i < first + n; i++)
        with |= m->atom[m->term[i].atom].with;
    return with;
}

static uint32_t keep_sum(struct index_map *m, const struct map_poly *p)
{
    struct map_sum s = {.first = m->n_terms};
    s.n_steady = keep_terms(m, p, false, true);
    s.n = s.n_steady + keep_terms(m, p, false, false);
    if (!mem_grow(&m->sum, &m->sum_cap, m->n_sums + 1, sizeof s)) m->failed = true;
    if (m->failed) return 0;
    const struct map_term *moving = &m->term[s.first + s.n_steady];
    bool moves = s.n > s.n_steady;
    s.linear = !moves || (s.n == s.n_steady + 1 && moving->atom == MAP_STEP);
    s.per_step = moves && s.linear ? moving->times : 0;
    s.steady_with = with_of(m, s.first, s.n_steady);
    s.with = with_of(m, s.first, s.n);
    m->sum[m->n_sums++] = s;
    uint64_t hash = hash_words(s.n, &m->term[s.first], s.n * sizeof *m->term);
    uint32_t found = find_equal(m, CONTENT_SUM, hash, m->n_sums - 1);
    if (found != m->n_sums - 1) m->n_sums--, m->n_terms = s.first;
    return found;
}

static int32_t keep_vector(struct index_map *m, const struct map_poly *p)
{
    struct map_vector v = {.first = m->n_terms};
    for (uint32_t i = 0; i < p->n; i++)
        if (p->term[i].atom == MAP_LANE) v.stride = p->term[i].times;
    v.n_fixed = keep_terms(m, p, true, true);
    v.n = v.n_fixed + keep_terms(m, p, true, false);
    if (!v.n && !v.stride) return MAP_NONE;
    if (!mem_grow(&m->vector, &m->vector_cap, m->n_vectors + 1, sizeof v)) m->failed = true;
    if (m->failed) return MAP_NONE;
    v.with = with_of(m, v.first, v.n);
    m->vector[m->n_vectors++] = v;
    uint64_t hash = hash_words((uint64_t)v.stride, &m->term[v.first], v.n * sizeof *m->term);
    uint32_t found = find_equal(m, CONTENT_VECTOR, hash, m->n_vectors - 1);
    if (found != m->n_vectors - 1) m->n_vectors--, m->n_terms = v.first;
    return (int32_t)found;
}

uint32_t map_poly_keep(struct index_map *m, const struct map_poly *p)
{
    struct map_form f = {
        .constant = p->constant, .sum = keep_sum(m, p), .vector = keep_vector(m, p)};
    if (!mem_grow(&m->form, &m->form_cap, m->n_forms + 1, sizeof f)) m->failed = true;
    if (m->failed) return 0;
    f.with = m->sum[f.sum].with | (f.vector == MAP_NONE ? 0 : m->vector[f.vector].with);
    for (uint32_t i = 0; i < p->n; i++)
        if (m->atom[p->term[i].atom].depth > f.depth) f.depth = m->atom[p->term[i].atom].depth;
    m->form[m->n_forms++] = f;
    int64_t words[] = {f.constant, f.vector, f.sum};
    uint32_t found =
        find_equal(m, CONTENT_FORM, hash_words(2, words, sizeof words), m->n_forms - 1);
    if (found != m->n_forms - 1) m->n_forms--;
    return found;
}

uint32_t map_poly_keep_condition(struct index_map *m, uint32_t n)
{
    struct map_conjunction c = {.first = m->n_conjuncts - n, .n = n, .table = MAP_NONE};
    if (!mem_grow(&m->condition, &m->condition_cap, m->n_conditions + 1, sizeof c))
        m->failed = true;
    if (m->failed) return 0;
    for (uint32_t i = 0; i < n; i++)
        c.with |= m->form[m->conjunct[c.first + i].form].with;
    c.since = c.with & WITH_STEP ? WITH_WARP : c.with;
    m->condition[m->n_conditions++] = c;
    uint64_t hash = hash_words(3, &m->conjunct[c.first], n * sizeof *m->conjunct);
    uint32_t found = find_equal(m, CONTENT_CONDITION, hash, m->n_conditions - 1);
    if (found != m->n_conditions - 1) m->n_conditions--, m->n_conjuncts = c.first;
    return found;
}

/* --- atoms --- */

/* The atom of an operation on n forms, whose bits and lanes follow from them. */
struct map_atom map_poly_atom(const struct index_map *m, uint32_t operation, const uint32_t *form,
                              uint32_t n)
{
    struct map_atom a = {.operation = operation, .n = n, .lo = -UNKNOWN, .hi = UNKNOWN};
    for (uint32_t i = 0; i < n && !m->failed; i++) {
        const struct map_form *f = &m->form[form[i]];
        a.form[i] = form[i];
        a.with |= f->with;
        if (f->depth >= a.depth) a.depth = f->depth + 1;
        a.vector |= f->vector != MAP_NONE;
    }
    return a;
}

struct map_poly map_poly_combine(struct index_map *m, uint32_t operation, const struct map_poly *x,
                                 const struct map_poly *y, struct map_range r)
{
    uint32_t form[2] = {map_poly_keep(m, x), map_poly_keep(m, y)};
    struct map_atom a = map_poly_atom(m, operation, form, 2);
    a.lo = r.lo;
    a.hi = r.hi;
    return map_poly_of_atom(m, map_poly_keep_atom(m, &a));
}

/* The quotient or the remainder of a form with no multiples of d in it. */
static struct map_poly divide_atom(struct index_map *m, const struct map_poly *p, int64_t d,
                                   bool rest)
{
    struct map_range r = map_poly_range(m, p);
    uint32_t form = map_poly_keep(m, p);
    struct map_atom a = map_poly_atom(m, rest ? ATOM_REMAINDER : ATOM_QUOTIENT, &form, 1);
    int64_t per_step = 0;
    a.divisor = d;
    a.advances = (a.with & WITH_STEP) && !a.vector;
    for (uint32_t i = 0; i < p->n; i++) {
        if (p->term[i].atom == MAP_STEP) per_step = p->term[i].times;
        a.advances &= p->term[i].atom == MAP_STEP || !(m->atom[p->term[i].atom].with & WITH_STEP);
    }
    a.quotient = quotient_of(per_step, d);
    a.remainder = remainder_of(per_step, d);
    a.lo = rest ? 0 : r.lo == -UNKNOWN ? r.lo : quotient_of(r.lo, d);
    a.hi = r.hi == UNKNOWN ? r.hi : quotient_of(r.hi, d);
    if (rest) a.hi = r.lo >= 0 && r.hi < d ? r.hi : d - 1;
    return map_poly_of_atom(m, map_poly_keep_atom(m, &a));
}

/* Splits p = d whole + rest. */
static void split_multiples(struct index_map *m, const struct map_poly *p, int64_t d,
                            struct map_poly *whole, struct map_poly *rest)
{
    *whole = (struct map_poly){.constant = quotient_of(p->constant, d)};
    *rest = (struct map_poly){.constant = remainder_of(p->constant, d)};
    for (uint32_t i = 0; i < p->n; i++) {
        int64_t times = p->term[i].times;
        if (times % d == 0)
            add_term(m, whole, p->term[i].atom, times / d, 1);
        else
            add_term(m, rest, p->term[i].atom, times, 1);
    }
}

/* Splits p = unit many + few, where few (what differs from lane to lane) is at least 0 and less
 * than the unit, a divisor of d; the unit is 1 if it cannot be done. */
static int64_t split_lanes(struct index_map *m, const struct map_poly *p, int64_t d,
                           struct map_poly *many, struct map_poly *few)
{
    uint64_t unit = (uint64_t)d;
    *many = *few = (struct map_poly){0};
    for (uint32_t i = 0; i < p->n; i++) {
        const struct map_term *t = &p->term[i];
        uint64_t times = t->times < 0 ? -(uint64_t)t->times : (uint64_t)t->times;
        if (!m->atom[t->atom].vector) unit = divisor_common(unit, times);
    }
    few->constant = remainder_of(p->constant, (int64_t)unit);
    many->constant = quotient_of(p->constant, (int64_t)unit);
    for (uint32_t i = 0; i < p->n; i++)
        if (m->atom[p->term[i].atom].vector)
            add_term(m, few, p->term[i].atom, p->term[i].times, 1);
        else
            add_term(m, many, p->term[i].atom, p->term[i].times / (int64_t)unit, 1);
    struct map_range r = map_poly_range(m, few);
    return r.lo >= 0 && r.hi < (int64_t)unit ? (int64_t)unit : 1;
}

struct map_poly map_poly_divide(struct index_map *m, const struct map_poly *p, int64_t d,
                                bool want_rest)
{
    struct map_poly whole, rest, many, few;
    split_multiples(m, p, d, &whole, &rest);
    struct map_range r = map_poly_range(m, &rest);
    if (r.lo >= 0 && r.hi < d) return want_rest ? rest : whole;
    int64_t unit = split_lanes(m, &rest, d, &many, &few);
    struct map_poly part = unit > 1 ? map_poly_divide(m, &many, d / unit, want_rest)
                                    : divide_atom(m, &rest, d, want_rest);
    if (!want_rest) map_poly_add(m, &part, &whole, 1);
    if (!want_rest || unit == 1) return part;
    map_poly_add(m, &few, &part, unit);
    return few;
}

struct map_poly map_poly_multiply(struct index_map *m, const struct map_poly *a,
                                  const struct map_poly *b)
{
    struct map_poly p = {0};
    if (a->n && b->n) {
        struct map_range x = map_poly_range(m, a), y = map_poly_range(m, b),
                         r = {-UNKNOWN, UNKNOWN};
        if (x.lo >= 0 && y.lo >= 0 && x.hi < UNKNOWN && y.hi < UNKNOWN)
            r = range_within(m, 0, (__int128)x.hi * y.hi);
        return map_poly_combine(m, ATOM_PRODUCT, a, b, r);
    }
    map_poly_add(m, &p, a->n ? a : b, a->n ? b->constant : a->constant);
    return p;
}

struct map_poly map_poly_lesser(struct index_map *m, const struct map_poly *a,
                                const struct map_poly *b)
{
    struct map_range x = map_poly_range(m, a), y = map_poly_range(m, b);
    if (x.hi <= y.lo) return *a;
    if (y.hi <= x.lo) return *b;
    struct map_range r = {x.lo < y.lo ? x.lo : y.lo, x.hi < y.hi ? x.hi : y.hi};
    return map_poly_combine(m, ATOM_LESSER, a, b, r);
}
