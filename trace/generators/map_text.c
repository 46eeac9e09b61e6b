/* map_text.c - the texts of index maps become polynomials, forms and conditions; see map.h.
 * Operators bind as in C. An expression that is wrong is noted once, and its value is then 0. */
#include "base/memory/alloc.h"
#include "base/text/text.h"
#include "trace/generators/gen_params.h"
#include "trace/generators/map_parts.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#define UNKNOWN MAP_UNKNOWN
enum { MOST_DEPTH = 32, MOST_WORD = 64 };

struct parser {
    struct index_map *m;
    const char *at;
    uint32_t depth;
};

static struct map_poly parse_sum(struct parser *p);

static struct map_poly refuse_here(struct parser *p, const char *what)
{
    map_poly_refuse(p->m, what);
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

static uint64_t hash_below(const struct generator *g, const uint64_t *v)
{
    return gen_hash_below(g, v[0], v[1]);
}

static uint64_t permute_below(const struct generator *g, const uint64_t *v)
{
    return v[0] < v[1] ? gen_permuted(g, v[0], v[1]) : v[0];
}

/* v[2]: the step between ranks. */
static uint64_t draw_item(const struct generator *g, const uint64_t *v)
{
    return gen_zipf_item(g, v[0], v[1], g->c.exponent, v[2]);
}

static struct map_poly greater_of(struct index_map *m, const struct map_poly *a,
                                  const struct map_poly *b)
{
    struct map_poly less = map_poly_lesser(m, a, b), v = *a;
    map_poly_add(m, &v, b, 1);
    map_poly_add(m, &v, &less, -1);
    return v;
}

/* Of as many items as argument 1 says; the third argument is the step between ranks. */
static struct map_poly draw_by_zipf(struct parser *p, const struct map_poly *argument)
{
    const struct gen_param *law = gen_params_find(p->m->g->ops, "exponent");
    if (argument[1].n || argument[1].constant <= 0)
        return refuse_here(p, "zipf takes a constant number of items, one or more");
    if (!law || law->type != GEN_REAL)
        return refuse_here(p, "zipf needs a parameter exponent = { real = true; ... }");
    struct map_poly jump = {.constant = (int64_t)gen_golden_jump((uint64_t)argument[1].constant)};
    uint32_t form[] = {map_poly_keep(p->m, &argument[0]), map_poly_keep(p->m, &argument[1]),
                       map_poly_keep(p->m, &jump)};
    struct map_atom a = map_poly_atom(p->m, ATOM_CALL, form, 3);
    a.call = draw_item;
    return map_poly_of_atom(p->m, map_poly_keep_atom(p->m, &a));
}

static struct map_poly call_function(struct parser *p, const char *name,
                                     const struct map_poly *argument, uint32_t n)
{
    uint32_t form[MAP_MOST_ARGUMENTS];
    const struct map_name *f = map_find_name(p->m, name);
    map_function *call = strcmp(name, "below") == 0      ? hash_below
                         : strcmp(name, "permuted") == 0 ? permute_below
                         : f                             ? f->call
                                                         : NULL;
    if (!call) return refuse_here(p, "no such function");
    if (n != (f ? f->arguments : 2)) return refuse_here(p, "a function has other arguments");
    for (uint32_t i = 0; i < n; i++)
        form[i] = map_poly_keep(p->m, &argument[i]);
    struct map_atom a = map_poly_atom(p->m, ATOM_CALL, form, n);
    a.call = call;
    return map_poly_of_atom(p->m, map_poly_keep_atom(p->m, &a));
}

static struct map_poly call_operation(struct parser *p, const char *name,
                                      const struct map_poly *argument, uint32_t n)
{
    struct map_range all = {-UNKNOWN, UNKNOWN};
    if (n == 2 && strcmp(name, "min") == 0)
        return map_poly_lesser(p->m, &argument[0], &argument[1]);
    if (n == 2 && strcmp(name, "max") == 0) return greater_of(p->m, &argument[0], &argument[1]);
    if (n == 2 && strcmp(name, "zipf") == 0) return draw_by_zipf(p, argument);
    if (n == 1 && strcmp(name, "power") == 0 && !argument->n) {
        uint64_t v = (uint64_t)argument->constant;
        return (struct map_poly){.constant = v && !(v & (v - 1))};
    }
    if (n == 2 && strcmp(name, "xor") == 0)
        return map_poly_combine(p->m, ATOM_XOR, &argument[0], &argument[1], all);
    return call_function(p, name, argument, n);
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

/* A parameter of that name. */
static bool find_param(const struct generator *g, const char *name, int64_t *v)
{
    const struct gen_param *p = gen_params_find(g->ops, name);
    if (!p || p->type == GEN_REAL) return false;
    memcpy(v, (const char *)&g->c + p->offset, sizeof *v);
    return true;
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
    const struct map_name *known = map_find_name(p->m, word);
    if (known && !known->call) return known->value;
    if (find_param(p->m->g, word, &v.constant)) return v;
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
        map_poly_add(p->m, &v, &of, -1);
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
        refuse_here(p, *p->at ? "expected a number, a name or ("
                              : "it ends too early; expected a number, a name or (");
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
            v = map_poly_multiply(p->m, &v, &by);
        else if (by.n || by.constant < 1 || by.constant > UNKNOWN)
            return refuse_here(p, "a divisor is a constant above 0, and at most 2^62");
        else
            v = map_poly_divide(p->m, &v, by.constant, !over);
    }
}

static struct map_poly parse_sum(struct parser *p)
{
    struct map_poly v = parse_product(p);
    for (;;) {
        bool plus = take_text(p, "+");
        if (!plus && !take_text(p, "-")) return v;
        struct map_poly more = parse_product(p);
        map_poly_add(p->m, &v, &more, plus ? 1 : -1);
    }
}

static struct parser begin_reading(struct index_map *m, const char *expression)
{
    m->reading = expression;
    return (struct parser){.m = m, .at = expression};
}

struct map_poly map_parse(struct index_map *m, const char *expression)
{
    struct parser p = begin_reading(m, expression);
    struct map_poly v = parse_sum(&p);
    if (!take_text(&p, "") || *p.at) refuse_here(&p, "expected an operator");
    return v;
}

/* Adds that `more` is at least `less` and, above: more than that. */
static void add_conjunct(struct index_map *m, const struct map_poly *less,
                         const struct map_poly *more, bool above)
{
    struct map_poly d = *more, one = {.constant = 1};
    map_poly_add(m, &d, less, -1);
    if (above) map_poly_add(m, &d, &one, -1);
    struct map_conjunct c = {map_poly_keep(m, &d), map_poly_range(m, &d).lo >= 0};
    if (!mem_grow(&m->conjunct, &m->conjunct_cap, m->n_conjuncts + 1, sizeof c))
        m->failed = true;
    else
        m->conjunct[m->n_conjuncts++] = c;
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
    if (at_most || below || equal) add_conjunct(p->m, &a, &b, below);
    if (at_least || above || equal) add_conjunct(p->m, &b, &a, above);
}

uint32_t map_condition(struct index_map *m, const char *expression)
{
    struct parser p = begin_reading(m, expression);
    uint32_t first = m->n_conjuncts;
    do
        parse_comparison(&p);
    while (take_text(&p, "&&"));
    if (*p.at) refuse_here(&p, "expected && or an operator");
    uint32_t condition = map_poly_keep_condition(m, m->n_conjuncts - first);
    m->reading = NULL;
    return condition;
}

bool map_holds(struct index_map *m, const char *expression)
{
    uint32_t condition = map_condition(m, expression);
    bool all = true;
    m->reading = expression;
    for (uint32_t i = 0; !m->failed && i < m->condition[condition].n; i++) {
        uint32_t form = m->conjunct[m->condition[condition].first + i].form;
        if (!map_is_constant(m, form)) map_poly_refuse(m, "expected constants");
        all &= m->form[form].constant >= 0;
    }
    m->reading = NULL;
    return all;
}

void map_refuse(struct index_map *m, const char *what)
{
    map_poly_refuse(m, what);
}

uint32_t map_form(struct index_map *m, const char *expression, int64_t size)
{
    struct map_poly v = map_parse(m, expression), scaled = {0};
    map_poly_add(m, &scaled, &v, size);
    uint32_t form = map_poly_keep(m, &scaled);
    m->reading = NULL;
    return form;
}

int64_t map_constant(struct index_map *m, const char *expression)
{
    struct map_poly v = map_parse(m, expression);
    if (v.n) map_poly_refuse(m, "expected a constant");
    m->reading = NULL;
    return v.constant;
}
