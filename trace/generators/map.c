/* map.c - index maps: expressions become forms; see map.h. */
#include "base/memory/alloc.h"
#include "base/text/text.h"
#include "trace/generators/gen_params.h"
#include "trace/generators/map_parts.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#define UNKNOWN (INT64_C(1) << 62)
enum { MOST_DEPTH = 32, MOST_WORD = 64 };

/* --- numbers --- */

static int64_t add_wrapping(int64_t a, int64_t b)
{
    return (int64_t)((uint64_t)a + (uint64_t)b);
}

static int64_t multiply_wrapping(int64_t a, int64_t b)
{
    return (int64_t)((uint64_t)a * (uint64_t)b);
}

static int64_t remainder_of(int64_t a, int64_t d)
{
    int64_t r = a % d;
    return r < 0 ? r + d : r;
}

static int64_t quotient_of(int64_t a, int64_t d)
{
    return a / d - (a % d < 0);
}

static int64_t clamp_range(__int128 v)
{
    return v > UNKNOWN ? UNKNOWN : v < -UNKNOWN ? -UNKNOWN : (int64_t)v;
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

struct map_range {
    int64_t lo, hi;
};

static struct map_range range_of(const struct index_map *m, const struct map_poly *p)
{
    __int128 lo = p->constant, hi = p->constant;
    for (uint32_t i = 0; i < p->n; i++) {
        const struct map_atom *a = &m->atom[p->term[i].atom];
        __int128 x = (__int128)p->term[i].times * a->lo, y = (__int128)p->term[i].times * a->hi;
        lo += x < y ? x : y;
        hi += x < y ? y : x;
        if (a->lo == -UNKNOWN || a->hi == UNKNOWN) return (struct map_range){-UNKNOWN, UNKNOWN};
    }
    return (struct map_range){clamp_range(lo), clamp_range(hi)};
}

static void refuse_expression(struct index_map *m, const char *expression, const char *what)
{
    struct text t = {0};
    if (m->error) return;
    text_add(&t, "\"%s\": %s", expression, what);
    m->error = t.s;
    m->failed |= t.failed;
}

static void add_term(struct index_map *m, struct map_poly *p, uint64_t atom, int64_t times)
{
    uint32_t i = 0;
    while (i < p->n && p->term[i].atom < atom)
        i++;
    if (i < p->n && p->term[i].atom == atom) {
        p->term[i].times = add_wrapping(p->term[i].times, times);
        if (p->term[i].times == 0)
            memmove(&p->term[i], &p->term[i + 1], (--p->n - i) * sizeof *p->term);
    } else if (p->n == MAP_MOST_TERMS) {
        refuse_expression(m, "", "an expression has too many terms");
    } else if (times) {
        memmove(&p->term[i + 1], &p->term[i], (p->n++ - i) * sizeof *p->term);
        p->term[i] = (struct map_term){atom, times};
    }
}

static void add_poly(struct index_map *m, struct map_poly *to, const struct map_poly *from,
                     int64_t times)
{
    to->constant = add_wrapping(to->constant, multiply_wrapping(from->constant, times));
    for (uint32_t i = 0; i < from->n; i++)
        add_term(m, to, from->term[i].atom, multiply_wrapping(from->term[i].times, times));
}

static struct map_poly poly_of_atom(struct index_map *m, uint32_t atom)
{
    struct map_poly p = {0};
    if (atom < m->n_atoms) add_term(m, &p, atom, 1);
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

enum content { CONTENT_ATOM, CONTENT_VECTOR, CONTENT_FORM };

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
    const struct map_form *a = &m->form[i], *b = &m->form[m->n_forms - 1];
    return a->constant == b->constant && a->vector == b->vector && a->n == b->n &&
           !memcmp(&t[a->first], &t[b->first], a->n * sizeof *t);
}

/* The item that equals the last one of its array, `last`: an earlier one, or itself. */
static uint32_t find_equal(struct index_map *m, enum content kind, uint64_t hash, uint32_t last)
{
    for (hash += kind;; hash += 3) {
        const uint32_t *found = hash_map_get(&m->by_content, hash | 1);
        if (found && equals_last(m, kind, *found)) return *found;
        if (found) continue;
        m->failed |= !hash_map_put(&m->by_content, hash | 1, last);
        return last;
    }
}

static uint32_t keep_atom(struct index_map *m, const struct map_atom *a)
{
    if (a->depth > MOST_DEPTH) refuse_expression(m, "", "too many quotients in one another");
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
        bool is_fixed = a->level < (vector ? LEVEL_CTA : LEVEL_STEP);
        bool wanted = a->vector == vector && p->term[i].atom != MAP_LANE && fixed == is_fixed;
        if (wanted) m->term[m->n_terms + n++] = p->term[i];
    }
    m->n_terms += n;
    return n;
}

static uint32_t level_of(const struct index_map *m, const struct map_term *t, uint32_t n,
                         uint32_t level)
{
    for (uint32_t i = 0; i < n; i++)
        if (m->atom[t[i].atom].level > level) level = m->atom[t[i].atom].level;
    return level;
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
    v.level = level_of(m, &m->term[v.first], v.n, LEVEL_WARP);
    m->vector[m->n_vectors++] = v;
    uint64_t hash = hash_words((uint64_t)v.stride, &m->term[v.first], v.n * sizeof *m->term);
    uint32_t found = find_equal(m, CONTENT_VECTOR, hash, m->n_vectors - 1);
    if (found != m->n_vectors - 1) m->n_vectors--, m->n_terms = v.first;
    return (int32_t)found;
}

static uint32_t keep_form(struct index_map *m, const struct map_poly *p)
{
    struct map_form f = {.constant = p->constant, .vector = keep_vector(m, p)};
    f.first = m->n_terms;
    f.n_steady = keep_terms(m, p, false, true);
    f.n = f.n_steady + keep_terms(m, p, false, false);
    if (!mem_grow(&m->form, &m->form_cap, m->n_forms + 1, sizeof f)) m->failed = true;
    if (m->failed) return 0;
    f.level = level_of(m, &m->term[f.first], f.n, LEVEL_WARP);
    const struct map_term *moving = &m->term[f.first + f.n_steady];
    f.linear = f.n == f.n_steady || (f.n == f.n_steady + 1 && moving->atom == MAP_STEP);
    f.per_step = f.n > f.n_steady ? moving->times : 0;
    if (f.vector != MAP_NONE && m->vector[f.vector].level > f.level)
        f.level = m->vector[f.vector].level;
    for (uint32_t i = 0; i < p->n; i++)
        if (m->atom[p->term[i].atom].depth > f.depth) f.depth = m->atom[p->term[i].atom].depth;
    m->form[m->n_forms++] = f;
    uint64_t hash = hash_words((uint64_t)f.constant ^ (uint64_t)f.vector << 40, &m->term[f.first],
                               f.n * sizeof *m->term);
    uint32_t found = find_equal(m, CONTENT_FORM, hash, m->n_forms - 1);
    if (found != m->n_forms - 1) m->n_forms--, m->n_terms = f.first;
    return found;
}

/* --- atoms --- */

/* The atom of an operation on n forms, whose level and lanes follow from them. */
static struct map_atom atom_of(const struct index_map *m, uint32_t operation, const uint32_t *form,
                               uint32_t n)
{
    struct map_atom a = {.operation = operation, .n = n, .lo = -UNKNOWN, .hi = UNKNOWN};
    for (uint32_t i = 0; i < n && !m->failed; i++) {
        const struct map_form *f = &m->form[form[i]];
        a.form[i] = form[i];
        if (f->level > a.level) a.level = f->level;
        if (f->depth >= a.depth) a.depth = f->depth + 1;
        a.vector |= f->vector != MAP_NONE;
    }
    return a;
}

static struct map_poly poly_of_operation(struct index_map *m, uint32_t operation,
                                         const struct map_poly *x, const struct map_poly *y,
                                         struct map_range r)
{
    uint32_t form[2] = {keep_form(m, x), keep_form(m, y)};
    struct map_atom a = atom_of(m, operation, form, 2);
    a.lo = r.lo;
    a.hi = r.hi;
    return poly_of_atom(m, keep_atom(m, &a));
}

/* The quotient or the remainder of a form with no multiples of d in it. */
static struct map_poly divide_atom(struct index_map *m, const struct map_poly *p, int64_t d,
                                   bool rest)
{
    struct map_range r = range_of(m, p);
    uint32_t form = keep_form(m, p);
    struct map_atom a = atom_of(m, rest ? ATOM_REMAINDER : ATOM_QUOTIENT, &form, 1);
    int64_t per_step = 0;
    a.divisor = d;
    a.advances = a.level == LEVEL_STEP && !a.vector;
    for (uint32_t i = 0; i < p->n; i++) {
        if (p->term[i].atom == MAP_STEP) per_step = p->term[i].times;
        a.advances &= p->term[i].atom == MAP_STEP || m->atom[p->term[i].atom].level < LEVEL_STEP;
    }
    a.quotient = quotient_of(per_step, d);
    a.remainder = remainder_of(per_step, d);
    a.lo = rest ? 0 : r.lo == -UNKNOWN ? r.lo : quotient_of(r.lo, d);
    a.hi = r.hi == UNKNOWN ? r.hi : quotient_of(r.hi, d);
    if (rest) a.hi = r.lo >= 0 && r.hi < d ? r.hi : d - 1;
    return poly_of_atom(m, keep_atom(m, &a));
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
            add_term(m, whole, p->term[i].atom, times / d);
        else
            add_term(m, rest, p->term[i].atom, times);
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
            add_term(m, few, p->term[i].atom, p->term[i].times);
        else
            add_term(m, many, p->term[i].atom, p->term[i].times / (int64_t)unit);
    struct map_range r = range_of(m, few);
    return r.lo >= 0 && r.hi < (int64_t)unit ? (int64_t)unit : 1;
}

static struct map_poly divide_poly(struct index_map *m, const struct map_poly *p, int64_t d,
                                   bool want_rest)
{
    struct map_poly whole, rest, many, few;
    split_multiples(m, p, d, &whole, &rest);
    struct map_range r = range_of(m, &rest);
    if (r.lo >= 0 && r.hi < d) return want_rest ? rest : whole;
    int64_t unit = split_lanes(m, &rest, d, &many, &few);
    struct map_poly part =
        unit > 1 ? divide_poly(m, &many, d / unit, want_rest) : divide_atom(m, &rest, d, want_rest);
    if (!want_rest) add_poly(m, &part, &whole, 1);
    if (!want_rest || unit == 1) return part;
    add_poly(m, &few, &part, unit);
    return few;
}

static struct map_poly multiply_poly(struct index_map *m, const struct map_poly *a,
                                     const struct map_poly *b)
{
    struct map_poly p = {0};
    if (a->n && b->n) {
        struct map_range x = range_of(m, a), y = range_of(m, b), r = {-UNKNOWN, UNKNOWN};
        if (x.lo >= 0 && y.lo >= 0 && x.hi < UNKNOWN && y.hi < UNKNOWN)
            r = (struct map_range){0, clamp_range((__int128)x.hi * y.hi)};
        return poly_of_operation(m, ATOM_PRODUCT, a, b, r);
    }
    add_poly(m, &p, a->n ? a : b, a->n ? b->constant : a->constant);
    return p;
}

/* --- expressions --- */

struct parser {
    struct index_map *m;
    const char *expression, *at;
    uint32_t depth;
};

static struct map_poly parse_sum(struct parser *p);

static struct map_poly refuse_here(struct parser *p, const char *what)
{
    refuse_expression(p->m, p->expression, what);
    p->at += strlen(p->at);
    return (struct map_poly){0};
}

static bool take_text(struct parser *p, const char *text)
{
    while (isspace((unsigned char)*p->at))
        p->at++;
    if (strncmp(p->at, text, strlen(text)) != 0) return false;
    p->at += strlen(text);
    return true;
}

static const struct map_name *find_name(const struct index_map *m, const char *name)
{
    for (uint32_t i = 0; i < m->n_names; i++)
        if (strcmp(m->name[i].name, name) == 0) return &m->name[i];
    return NULL;
}

static uint64_t hash_below(const struct generator *g, const uint64_t *v)
{
    return gen_hash_below(g, v[0], v[1]);
}

static uint64_t permute_below(const struct generator *g, const uint64_t *v)
{
    return v[0] < v[1] ? gen_permuted(g, v[0], v[1]) : v[0];
}

static uint64_t draw_item(const struct generator *g, const uint64_t *v)
{
    return gen_zipf_item(g, v[0], v[1], g->c.exponent);
}

static struct map_poly lesser_poly(struct index_map *m, const struct map_poly *a,
                                   const struct map_poly *b)
{
    struct map_range x = range_of(m, a), y = range_of(m, b);
    if (x.hi <= y.lo) return *a;
    if (y.hi <= x.lo) return *b;
    struct map_range r = {x.lo < y.lo ? x.lo : y.lo, x.hi < y.hi ? x.hi : y.hi};
    return poly_of_operation(m, ATOM_LESSER, a, b, r);
}

static struct map_poly call_operation(struct parser *p, const char *name,
                                      const struct map_poly *argument, uint32_t n)
{
    struct map_range all = {-UNKNOWN, UNKNOWN};
    uint32_t form[MAP_MOST_ARGUMENTS];
    if (n == 2 && strcmp(name, "min") == 0) return lesser_poly(p->m, &argument[0], &argument[1]);
    if (n == 2 && strcmp(name, "max") == 0) {
        struct map_poly less = lesser_poly(p->m, &argument[0], &argument[1]), v = argument[0];
        add_poly(p->m, &v, &argument[1], 1);
        add_poly(p->m, &v, &less, -1);
        return v;
    }
    if (n == 2 && strcmp(name, "zipf") == 0 && !argument[1].n && argument[1].constant > 0)
        p->m->g->jump = gen_golden_jump((uint64_t)argument[1].constant);
    if (n == 1 && strcmp(name, "power") == 0 && !argument->n) {
        uint64_t v = (uint64_t)argument->constant;
        return (struct map_poly){.constant = v && !(v & (v - 1))};
    }
    if (n == 2 && strcmp(name, "xor") == 0)
        return poly_of_operation(p->m, ATOM_XOR, &argument[0], &argument[1], all);
    const struct map_name *f = find_name(p->m, name);
    map_function *call = strcmp(name, "below") == 0      ? hash_below
                         : strcmp(name, "zipf") == 0     ? draw_item
                         : strcmp(name, "permuted") == 0 ? permute_below
                         : f                             ? f->call
                                                         : NULL;
    if (!call || n != (f ? f->arguments : 2)) return refuse_here(p, "no such function");
    for (uint32_t i = 0; i < n; i++)
        form[i] = keep_form(p->m, &argument[i]);
    struct map_atom a = atom_of(p->m, ATOM_CALL, form, n);
    a.call = call;
    return poly_of_atom(p->m, keep_atom(p->m, &a));
}

static struct map_poly parse_call(struct parser *p, const char *name)
{
    struct map_poly argument[MAP_MOST_ARGUMENTS];
    uint32_t n = 0;
    do {
        if (n == MAP_MOST_ARGUMENTS) return refuse_here(p, "too many arguments");
        argument[n++] = parse_sum(p);
    } while (take_text(p, ","));
    if (!take_text(p, ")")) return refuse_here(p, "expected )");
    return call_operation(p, name, argument, n);
}

/* A size or a parameter of that name. */
static bool find_size(const struct generator *g, const char *name, int64_t *v)
{
    const struct {
        const char *name;
        uint64_t value;
    } size[] = {{"lanes", g->width},     {"warps", g->warps}, {"ctas", (uint64_t)g->c.ctas},
                {"threads", g->threads}, {"items", g->items}, {"cta_threads", g->cta_threads}};
    const struct gen_param *p;
    for (uint32_t i = 0; i < sizeof size / sizeof *size; i++)
        if (strcmp(size[i].name, name) == 0) return *v = (int64_t)size[i].value, true;
    for (uint32_t i = 0; (p = gen_params_at(g->ops, i)); i++)
        if (strcmp(p->name, name) == 0 && p->type != GEN_REAL)
            return memcpy(v, (const char *)&g->c + p->offset, sizeof *v), true;
    return false;
}

static struct map_poly parse_name(struct parser *p)
{
    char word[MOST_WORD], what[MOST_WORD + 32];
    uint32_t n = 0;
    struct map_poly v = {0};
    while ((isalnum((unsigned char)p->at[n]) || p->at[n] == '_') && n < MOST_WORD - 1)
        word[n] = p->at[n], n++;
    word[n] = '\0';
    p->at += n;
    if (take_text(p, "(")) return parse_call(p, word);
    const struct map_name *known = find_name(p->m, word);
    if (known && !known->call) return known->value;
    if (find_size(p->m->g, word, &v.constant)) return v;
    snprintf(what, sizeof what, "there is no name %s", word);
    return refuse_here(p, what);
}

/* 'WORD': which of a parameter's choices it is. */
static struct map_poly parse_choice(struct parser *p)
{
    const struct generator *g = p->m->g;
    const struct gen_param *x;
    size_t n = strcspn(p->at, "'");
    struct map_poly v = {0};
    for (uint32_t i = 0; p->at[n] && (x = gen_params_at(g->ops, i)); i++)
        for (v.constant = 0; x->choices && x->choices[v.constant]; v.constant++)
            if (strlen(x->choices[v.constant]) == n && !strncmp(x->choices[v.constant], p->at, n))
                return p->at += n + 1, v;
    return refuse_here(p, "no parameter has that choice");
}

static struct map_poly parse_factor(struct parser *p)
{
    struct map_poly v = {0};
    uint64_t number;
    if (p->depth++ > MOST_DEPTH) return refuse_here(p, "too deep");
    if (take_text(p, "(")) {
        v = parse_sum(p);
        if (!take_text(p, ")")) refuse_here(p, "expected )");
    } else if (take_text(p, "-")) {
        struct map_poly of = parse_factor(p);
        add_poly(p->m, &v, &of, -1);
    } else if (isdigit((unsigned char)*p->at)) {
        if (!text_whole(&p->at, 10, &number) || number >> 62)
            refuse_here(p, "a number is too large");
        else
            v.constant = (int64_t)number;
    } else if (isalpha((unsigned char)*p->at)) {
        v = parse_name(p);
    } else if (take_text(p, "'")) {
        v = parse_choice(p);
    } else {
        refuse_here(p, *p->at ? "expected a number, a name or (" : "it ends too early");
    }
    p->depth--;
    return v;
}

static struct map_poly parse_product(struct parser *p)
{
    struct map_poly v = parse_factor(p);
    for (;;) {
        bool times = take_text(p, "*"), over = !times && take_text(p, "/");
        if (!times && !over && !take_text(p, "%")) return v;
        struct map_poly by = parse_factor(p);
        if (times)
            v = multiply_poly(p->m, &v, &by);
        else if (by.n || by.constant < 1)
            return refuse_here(p, "a divisor is a constant above 0");
        else
            v = divide_poly(p->m, &v, by.constant, !over);
    }
}

static struct map_poly parse_sum(struct parser *p)
{
    struct map_poly v = parse_product(p);
    for (;;) {
        bool plus = take_text(p, "+");
        if (!plus && !take_text(p, "-")) return v;
        struct map_poly more = parse_product(p);
        add_poly(p->m, &v, &more, plus ? 1 : -1);
    }
}

static struct map_poly parse_all(struct index_map *m, const char *expression)
{
    struct parser p = {.m = m, .expression = expression, .at = expression};
    struct map_poly v = parse_sum(&p);
    if (!take_text(&p, "") || *p.at) refuse_here(&p, "expected an operator");
    return v;
}

/* Adds the form that is at least 0 where `less` and what is more by `more` are in that order. */
static void add_conjunct(struct index_map *m, const struct map_poly *less,
                         const struct map_poly *more, int64_t constant)
{
    struct map_poly d = *more;
    add_poly(m, &d, less, -1);
    d.constant = add_wrapping(d.constant, constant);
    uint32_t form = keep_form(m, &d);
    if (!mem_grow(&m->conjunct, &m->conjunct_cap, m->n_conjuncts + 1, sizeof form))
        m->failed = true;
    else
        m->conjunct[m->n_conjuncts++] = form;
}

static void parse_comparison(struct parser *p)
{
    struct map_poly a = parse_sum(p);
    bool at_most = take_text(p, "<="), below = !at_most && take_text(p, "<");
    bool at_least = take_text(p, ">="), above = !at_least && take_text(p, ">");
    bool equal = take_text(p, "==");
    if (!(at_most || below || at_least || above || equal)) {
        refuse_here(p, "expected <, <=, >, >= or ==");
        return;
    }
    struct map_poly b = parse_sum(p);
    if (at_most || below || equal) add_conjunct(p->m, &a, &b, below ? -1 : 0);
    if (at_least || above || equal) add_conjunct(p->m, &b, &a, above ? -1 : 0);
}

uint32_t map_condition(struct index_map *m, const char *expression)
{
    struct parser p = {.m = m, .expression = expression, .at = expression};
    struct map_conjunction c = {.first = m->n_conjuncts};
    do
        parse_comparison(&p);
    while (take_text(&p, "&&"));
    if (*p.at) refuse_here(&p, "expected && or an operator");
    if (!mem_grow(&m->condition, &m->condition_cap, m->n_conditions + 1, sizeof c))
        m->failed = true;
    if (m->failed) return 0;
    c.n = m->n_conjuncts - c.first;
    for (uint32_t i = 0; i < c.n; i++) {
        uint32_t level = m->form[m->conjunct[c.first + i]].level;
        if (level > c.level) c.level = level;
    }
    for (uint32_t k = 0; k < m->n_conditions; k++) {
        const struct map_conjunction *d = &m->condition[k];
        if (d->n == c.n &&
            !memcmp(&m->conjunct[d->first], &m->conjunct[c.first], c.n * sizeof *m->conjunct))
            return m->n_conjuncts = c.first, k;
    }
    m->condition[m->n_conditions] = c;
    return m->n_conditions++;
}

bool map_holds(struct index_map *m, const char *expression)
{
    uint32_t condition = map_condition(m, expression);
    bool all = true;
    for (uint32_t i = 0; !m->failed && i < m->condition[condition].n; i++) {
        const struct map_form *f = &m->form[m->conjunct[m->condition[condition].first + i]];
        if (f->n || f->vector != MAP_NONE) refuse_expression(m, expression, "expected constants");
        all &= f->constant >= 0;
    }
    return all;
}

void map_refuse(struct index_map *m, const char *what)
{
    refuse_expression(m, "", what);
}

uint32_t map_form(struct index_map *m, const char *expression, int64_t size)
{
    struct map_poly v = parse_all(m, expression), scaled = {0};
    add_poly(m, &scaled, &v, size);
    return keep_form(m, &scaled);
}

int64_t map_constant(struct index_map *m, const char *expression)
{
    struct map_poly v = parse_all(m, expression);
    if (v.n) refuse_expression(m, expression, "expected a constant");
    return v.constant;
}

/* --- names --- */

static void keep_name(struct index_map *m, const struct map_name *n)
{
    struct map_name *old = (struct map_name *)find_name(m, n->name);
    if (!old && !mem_grow(&m->name, &m->name_cap, m->n_names + 1, sizeof *n)) {
        m->failed = true;
        return;
    }
    *(old ? old : &m->name[m->n_names++]) = *n;
}

void map_let(struct index_map *m, const char *name, const char *expression)
{
    struct map_name n = {.name = name, .value = parse_all(m, expression)};
    keep_name(m, &n);
}

void map_set(struct index_map *m, const char *name, int64_t value)
{
    keep_name(m, &(struct map_name){.name = name, .value.constant = value});
}

void map_define(struct index_map *m, const char *name, map_function *f, uint32_t arguments)
{
    keep_name(m, &(struct map_name){.name = name, .call = f, .arguments = arguments});
}

bool map_is_even(const struct index_map *m, uint32_t form, int64_t *stride)
{
    int32_t vector = m->form[form].vector;
    *stride = vector == MAP_NONE ? 0 : m->vector[vector].stride;
    return vector == MAP_NONE || !m->vector[vector].n;
}

bool map_is_of_warps(const struct index_map *m, uint32_t condition)
{
    return m->condition[condition].level == LEVEL_WARP;
}

const char *map_error(const struct index_map *m)
{
    return m->error;
}

bool map_out_of_memory(const struct index_map *m)
{
    return m->failed;
}

/* --- life --- */

static void add_variables(struct index_map *m)
{
    const struct generator *g = m->g;
    static const char *const names[] = {"cta", "warp", "step", "lane"};
    const int64_t end[] = {g->c.ctas, g->warps, g->c.iterations, g->width};
    for (uint32_t i = 0; i < MAP_VARIABLES; i++) {
        struct map_atom a = {.operation = ATOM_VARIABLE, .hi = end[i] - 1};
        a.vector = i == MAP_LANE;
        a.level = i == MAP_CTA ? LEVEL_CTA : i == MAP_STEP ? LEVEL_STEP : LEVEL_WARP;
        a.divisor = i; /* no two are equal */
        keep_atom(m, &a);
        keep_name(m, &(struct map_name){.name = names[i], .value = poly_of_atom(m, i)});
    }
    map_let(m, "thread", "warp * lanes + lane");
    map_let(m, "first", "cta * cta_threads + warp * lanes");
}

struct index_map *map_new(struct generator *g)
{
    struct index_map *m = mem_new(1, sizeof *m);
    if (!m) return NULL;
    m->g = g;
    m->failed = !hash_map_init(&m->by_content, 256);
    if (!m->failed) add_variables(m);
    return m;
}

void map_free(struct index_map *m)
{
    if (!m) return;
    mem_free(m->atom);
    mem_free(m->term);
    mem_free(m->vector);
    mem_free(m->form);
    mem_free(m->condition);
    mem_free(m->conjunct);
    mem_free(m->name);
    mem_free(m->table);
    mem_free(m->error);
    hash_map_fini(&m->by_content);
    mem_free(m);
}
