/* expr.c - see expr.h.  A recursive-descent parser by precedence; DEPTH_MAX bounds its
 * recursion. */
#include "sweeps/plan/expr.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEPTH_MAX = 64, NODES_MAX = 1000, NAME_MAX_CHARS = 96 };

enum expr_kind { K_NUMBER, K_TEXT, K_NAME, K_OR, K_AND, K_EQ, K_NE, K_CALC };
typedef double calc_fn(double a, double b); /* functions of one argument ignore b */

struct expr {
    enum expr_kind kind;
    bool is_text;
    double number;
    const char *text;
    uint32_t id;
    calc_fn *calc;
    const struct expr *a, *b;
};

static double less_equal(double a, double b)
{
    return a <= b;
}
static double more_equal(double a, double b)
{
    return a >= b;
}
static double less(double a, double b)
{
    return a < b;
}
static double more(double a, double b)
{
    return a > b;
}
static double plus(double a, double b)
{
    return a + b;
}
static double minus(double a, double b)
{
    return a - b;
}
static double times(double a, double b)
{
    return a * b;
}
static double over(double a, double b)
{
    return a / b;
}
static double negative(double a, double b)
{
    return (void)b, -a;
}
static double not(double a, double b)
{
    return (void)b, a == 0;
}
static double absolute(double a, double b)
{
    return (void)b, fabs(a);
}
static double root(double a, double b)
{
    return (void)b, sqrt(a);
}
static double binary_log(double a, double b)
{
    return (void)b, log2(a);
}
static double down(double a, double b)
{
    return (void)b, floor(a);
}
static double up(double a, double b)
{
    return (void)b, ceil(a);
}

struct expr_reader {
    const char *text, *at;
    expr_find *find;
    void *ctx;
    struct arena *arena;
    struct error *e;
    int depth, nodes;
};

static const struct expr *read_or(struct expr_reader *r);

static const struct expr *refuse(struct expr_reader *r, const char *at, const char *what)
{
    error_input(r->e, "column %d: %s", (int)(at - r->text) + 1, what);
    return NULL;
}

static struct expr *new_node(struct expr_reader *r, struct expr x)
{
    if (++r->nodes > NODES_MAX) {
        refuse(r, r->at, "too long");
        return NULL;
    }
    struct expr *n = arena_new(r->arena, 1, sizeof *n);
    if (n)
        *n = x;
    else
        error_no_memory(r->e);
    return n;
}

static void skip_blanks(struct expr_reader *r)
{
    while (*r->at == ' ' || *r->at == '\t' || *r->at == '\n')
        r->at++;
}

static bool take_symbol(struct expr_reader *r, const char *symbol)
{
    skip_blanks(r);
    size_t n = strlen(symbol);
    if (strncmp(r->at, symbol, n) != 0) return false;
    r->at += n;
    return true;
}

/* --- primary expressions ---------------------------------------------------------------------- */

static const struct expr *read_number(struct expr_reader *r)
{
    char *end;
    const char *at = r->at;
    struct expr x = {.kind = K_NUMBER, .number = strtod(at, &end)};
    if (end == at || !isfinite(x.number)) return refuse(r, at, "expected a number");
    r->at = end;
    return new_node(r, x);
}

static const struct expr *read_quoted(struct expr_reader *r)
{
    const char *at = r->at, *end = strchr(at + 1, *at);
    if (!end) return refuse(r, at, "a text without its closing quote");
    char *copy = arena_new(r->arena, (size_t)(end - at), 1);
    if (!copy) {
        error_no_memory(r->e);
        return NULL;
    }
    memcpy(copy, at + 1, (size_t)(end - at - 1));
    r->at = end + 1;
    return new_node(r, (struct expr){.kind = K_TEXT, .is_text = true, .text = copy});
}

static const struct function {
    const char *name;
    calc_fn *calc;
    int arguments;
} functions[] = {
    {"min", fmin, 2},        {"max", fmax, 2},   {"abs", absolute, 1}, {"sqrt", root, 1},
    {"log2", binary_log, 1}, {"floor", down, 1}, {"ceil", up, 1},
};
enum { FUNCTIONS = sizeof functions / sizeof functions[0] };

static const struct expr *read_argument(struct expr_reader *r)
{
    skip_blanks(r);
    const char *at = r->at;
    const struct expr *x = read_or(r);
    if (x && x->is_text) return refuse(r, at, "a function of a text; expected a number");
    return x;
}

static const struct expr *read_call(struct expr_reader *r, const struct function *f)
{
    struct expr x = {.kind = K_CALC, .calc = f->calc};
    x.a = read_argument(r);
    if (!x.a) return NULL;
    if (f->arguments == 2) {
        if (!take_symbol(r, ",")) return refuse(r, r->at, "expected ',' and a second argument");
        x.b = read_argument(r);
        if (!x.b) return NULL;
    }
    return take_symbol(r, ")") ? new_node(r, x) : refuse(r, r->at, "expected ')'");
}

static const struct expr *read_known(struct expr_reader *r, const char *at, const char *name)
{
    struct error why = {0};
    struct expr x = {.kind = K_NAME};
    if (take_symbol(r, "(")) {
        for (int i = 0; i < FUNCTIONS; i++)
            if (strcmp(functions[i].name, name) == 0) return read_call(r, &functions[i]);
        return refuse(r, at, "no such function; there are min, max, abs, sqrt, log2, floor, ceil");
    }
    if (strcmp(name, "true") == 0 || strcmp(name, "false") == 0)
        return new_node(r, (struct expr){.kind = K_NUMBER, .number = name[0] == 't'});
    if (r->find(r->ctx, name, &x.id, &x.is_text, &why)) return new_node(r, x);
    return refuse(r, at, why.text);
}

static const struct expr *read_name(struct expr_reader *r)
{
    char name[NAME_MAX_CHARS];
    const char *at = r->at;
    size_t n = 0;
    while (isalnum((unsigned char)at[n]) || at[n] == '_' || at[n] == '.' || at[n] == '[' ||
           at[n] == ']')
        n++;
    if (n == 0) return refuse(r, at, "expected a number, a parameter, a text or '('");
    if (n >= sizeof name) return refuse(r, at, "a name that is too long");
    memcpy(name, at, n);
    name[n] = '\0';
    r->at += n;
    return read_known(r, at, name);
}

static const struct expr *read_primary(struct expr_reader *r)
{
    skip_blanks(r);
    if (isdigit((unsigned char)*r->at) || *r->at == '.') return read_number(r);
    if (*r->at == '\'' || *r->at == '"') return read_quoted(r);
    if (!take_symbol(r, "(")) return read_name(r);
    const struct expr *x = read_or(r);
    if (!x) return NULL;
    return take_symbol(r, ")") ? x : refuse(r, r->at, "expected ')'");
}

/* --- operators ---------------------------------------------------------------------------------
 */

static const struct expr *read_unary(struct expr_reader *r)
{
    skip_blanks(r);
    const char *at = r->at;
    if (*at != '-' && *at != '!') return read_primary(r);
    if (++r->depth > DEPTH_MAX) return refuse(r, at, "nested too deeply");
    r->at++;
    const struct expr *a = read_unary(r);
    r->depth--;
    if (!a) return NULL;
    if (a->is_text) return refuse(r, at, "'-' and '!' need a number");
    return new_node(r, (struct expr){.kind = K_CALC, .calc = *at == '-' ? negative : not, .a = a});
}

struct binary {
    const char *symbol;
    enum expr_kind kind;
    calc_fn *calc;
};
/* A longer symbol comes before its prefixes. */
static const struct binary levels[][7] = {
    {{"||", K_OR, NULL}},
    {{"&&", K_AND, NULL}},
    {{"==", K_EQ, NULL},
     {"!=", K_NE, NULL},
     {"<=", K_CALC, less_equal},
     {">=", K_CALC, more_equal},
     {"<", K_CALC, less},
     {">", K_CALC, more}},
    {{"+", K_CALC, plus}, {"-", K_CALC, minus}},
    {{"*", K_CALC, times}, {"/", K_CALC, over}, {"%", K_CALC, fmod}},
};
enum { LEVELS = sizeof levels / sizeof levels[0] };

static const struct binary *take_operator(struct expr_reader *r, int level)
{
    for (const struct binary *b = levels[level]; b->symbol; b++)
        if (take_symbol(r, b->symbol)) return b;
    return NULL;
}

static const struct expr *combine(struct expr_reader *r, const char *at, const struct binary *o,
                                  const struct expr *a, const struct expr *b)
{
    bool equality = o->kind == K_EQ || o->kind == K_NE;
    if (equality && a->is_text != b->is_text)
        return refuse(r, at, "a text is compared with a number");
    if (!equality && (a->is_text || b->is_text))
        return refuse(r, at, "texts can only be compared with == and !=");
    return new_node(r, (struct expr){.kind = o->kind, .calc = o->calc, .a = a, .b = b});
}

static const struct expr *read_level(struct expr_reader *r, int level)
{
    const struct binary *b;
    if (level == LEVELS) return read_unary(r);
    const struct expr *left = read_level(r, level + 1);
    while (left) {
        skip_blanks(r);
        const char *at = r->at;
        if (!(b = take_operator(r, level))) break;
        const struct expr *right = read_level(r, level + 1);
        left = right ? combine(r, at, b, left, right) : NULL;
    }
    return left;
}

static const struct expr *read_or(struct expr_reader *r)
{
    if (++r->depth > DEPTH_MAX) return refuse(r, r->at, "nested too deeply");
    const struct expr *x = read_level(r, 0);
    r->depth--;
    return x;
}

const struct expr *expr_read(const char *text, expr_find *find, void *ctx, struct arena *arena,
                             struct error *e)
{
    struct expr_reader r = {.text = text, .at = text, .find = find, .ctx = ctx};
    r.arena = arena;
    r.e = e;
    const struct expr *x = read_or(&r);
    if (!x) return NULL;
    skip_blanks(&r);
    if (*r.at) return refuse(&r, r.at, "expected an operator or the end");
    if (x->is_text) return refuse(&r, text, "a text alone says nothing; compare it");
    return x;
}

/* --- evaluation --------------------------------------------------------------------------------
 */

static bool equal(const struct expr *x, expr_look *look, void *ctx)
{
    if (!x->a->is_text) return expr_eval(x->a, look, ctx) == expr_eval(x->b, look, ctx);
    const char *a = x->a->kind == K_TEXT ? x->a->text : look(ctx, x->a->id).text;
    const char *b = x->b->kind == K_TEXT ? x->b->text : look(ctx, x->b->id).text;
    return strcmp(a, b) == 0;
}

double expr_eval(const struct expr *x, expr_look *look, void *ctx)
{
    switch (x->kind) {
    case K_NUMBER: return x->number;
    case K_NAME: return look(ctx, x->id).number;
    case K_OR: return expr_true(x->a, look, ctx) || expr_true(x->b, look, ctx);
    case K_AND: return expr_true(x->a, look, ctx) && expr_true(x->b, look, ctx);
    case K_EQ: return equal(x, look, ctx);
    case K_NE: return !equal(x, look, ctx);
    case K_CALC: return x->calc(expr_eval(x->a, look, ctx), x->b ? expr_eval(x->b, look, ctx) : 0);
    case K_TEXT: break; /* only equal() meets texts */
    }
    return NAN;
}

bool expr_true(const struct expr *x, expr_look *look, void *ctx)
{
    double v = expr_eval(x, look, ctx);
    return v != 0 && !isnan(v);
}
