/* param.c - one row of a parameter table: reading, checking and printing a value; see param.h. */
#include "gpu/machine/rows/param.h"

#include "base/text/conf.h"

#include <assert.h>
#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A value as it was read, before the row has checked it. */
enum kind { KIND_BOOL, KIND_INT, KIND_REAL, KIND_TEXT, KIND_LIST, KIND_GROUP };

struct value {
    enum kind kind;
    bool b;
    int64_t i;
    double r; /* also set for whole numbers */
    const char *text;
    uint32_t n; /* elements of the list, possibly more than fit */
    bool whole; /* a list of whole numbers */
    int64_t list[PARAM_LIST_MAX];
};

static const char *const kind_names[] = {
    [KIND_BOOL] = "a truth value", [KIND_INT] = "a whole number", [KIND_REAL] = "a real number",
    [KIND_TEXT] = "a text",        [KIND_LIST] = "a list",        [KIND_GROUP] = "a group",
};

/* --- where values come from ---------------------------------------------------------------- */

static struct value list_from_conf(const struct conf_node *n)
{
    struct value v = {.kind = KIND_LIST, .n = conf_count(n), .whole = true};
    for (uint32_t i = 0; i < v.n && i < PARAM_LIST_MAX; i++)
        v.whole &= conf_int(conf_child(n, i), &v.list[i]);
    return v;
}

static struct value value_from_conf(const struct conf_node *n)
{
    struct value v = {.kind = KIND_GROUP};
    switch (conf_type(n)) {
    case CONF_BOOL:
        v.kind = KIND_BOOL;
        conf_bool(n, &v.b);
        break;
    case CONF_INT:
        v.kind = KIND_INT;
        conf_int(n, &v.i);
        v.r = (double)v.i;
        break;
    case CONF_REAL:
        v.kind = KIND_REAL;
        conf_real(n, &v.r);
        break;
    case CONF_TEXT:
        v.kind = KIND_TEXT;
        v.text = conf_text(n);
        break;
    case CONF_LIST: return list_from_conf(n);
    case CONF_GROUP: break;
    }
    return v;
}

static bool whole_from_text(const char *s, char **end, int64_t *v)
{
    const char *digits = s + (*s == '-' || *s == '+');
    int base = digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X') ? 16 : 10;
    if (!isdigit((unsigned char)*digits)) return false;
    *v = strtoll(s, end, base);
    return true;
}

static struct value number_from_text(const char *s)
{
    char *end;
    struct value v = {.kind = KIND_TEXT, .text = s};
    if (whole_from_text(s, &end, &v.i) && *end == '\0') {
        v.kind = KIND_INT;
        v.r = (double)v.i;
        return v;
    }
    v.r = strtod(s, &end);
    if (end != s && *end == '\0') v.kind = KIND_REAL;
    return v;
}

static struct value bool_from_text(const char *s)
{
    struct value v = number_from_text(s);
    v.b = strcmp(s, "true") == 0;
    if (v.b || strcmp(s, "false") == 0) v.kind = KIND_BOOL;
    return v;
}

/* Parses "0, 8, 16", in brackets or not. */
static struct value list_from_text(const char *s)
{
    struct value v = {.kind = KIND_LIST, .whole = true};
    char *end;
    bool bracket = *s == '[';
    s += bracket;
    s += strspn(s, " ");
    while (*s && *s != ']') {
        int64_t element;
        if (!whole_from_text(s, &end, &element)) break;
        if (v.n < PARAM_LIST_MAX) v.list[v.n] = element;
        v.n++;
        s = end + strspn(end, " ");
        if (*s != ',') break;
        s += 1 + strspn(s + 1, " ");
    }
    v.whole = strcmp(s, bracket ? "]" : "") == 0;
    return v;
}

/* --- what a row makes of them -------------------------------------------------------------- */

static void *field_of(const struct param *p, void *part)
{
    return (char *)part + p->offset;
}
static const void *field_const(const struct param *p, const void *part)
{
    return (const char *)part + p->offset;
}

static void add_unit(const struct param *p, struct text *out)
{
    if (p->unit[0]) text_add(out, " (%s)", p->unit);
}

static void param_allowed(const struct param *p, struct text *out)
{
    switch (p->type) {
    case PARAM_BOOL: text_add(out, "true or false"); break;
    case PARAM_INT: text_add(out, "a whole number from %.0f to %.0f", p->lo, p->hi); break;
    case PARAM_REAL: text_add(out, "a number from %g to %g", p->lo, p->hi); break;
    case PARAM_SIZE:
        text_add(out, "from %.0f to %.0f bytes, as a number or like \"32KB\"", p->lo, p->hi);
        return;
    case PARAM_ENUM:
        for (const struct choice *c = p->choices; c->name; c++)
            text_add(out, "%s\"%s\"", c == p->choices ? "" : ", ", c->name);
        break;
    case PARAM_TEXT:
    case PARAM_FRAGMENT:
        text_add(out, "a text of at most %d printable characters without quotes or backslashes",
                 PARAM_TEXT_MAX - 1);
        break;
    case PARAM_LIST:
        text_add(out, "a list of at most %d whole numbers from %.0f to %.0f", PARAM_LIST_MAX, p->lo,
                 p->hi);
        break;
    }
    add_unit(p, out);
}

static bool refuse_value(const struct param *p, const char *what, struct text *why)
{
    text_add(why, "%s; allowed: ", what);
    param_allowed(p, why);
    return false;
}

/* Whether a number carries a unit, as in "10ns". */
static bool carries_unit(const struct param *p, const char *text)
{
    char *end;
    strtod(text, &end);
    return (p->type == PARAM_INT || p->type == PARAM_REAL) && end != text && *end;
}

static bool refuse_kind(const struct param *p, const struct value *v, struct text *why)
{
    char what[160];
    if (v->kind == KIND_TEXT && carries_unit(p, v->text))
        snprintf(what, sizeof what,
                 "\"%.40s\" is no plain number; it is written without a unit%s%.40s", v->text,
                 p->unit[0] ? ", in " : "", p->unit);
    else if (v->kind == KIND_TEXT)
        snprintf(what, sizeof what, "\"%.100s\" is a text", v->text);
    else
        snprintf(what, sizeof what, "%s stands here", kind_names[v->kind]);
    return refuse_value(p, what, why);
}

/* false for NaN, too. */
static bool in_range(const struct param *p, double v, struct text *why)
{
    char what[64];
    if (v >= p->lo && v <= p->hi) return true;
    snprintf(what, sizeof what, "%.15g is out of range", v);
    return refuse_value(p, what, why);
}

static bool store_size(const struct param *p, uint64_t *to, const struct value *v, struct text *why)
{
    static const struct {
        const char *suffix;
        double factor;
    } units[] = {{"", 1}, {"B", 1}, {"KB", 1024}, {"MB", 1048576}, {"GB", 1073741824}};
    char *end;
    int64_t n = v->i;
    double factor = 1;
    if (v->kind == KIND_TEXT) {
        if (!whole_from_text(v->text, &end, &n)) return refuse_kind(p, v, why);
        factor = 0;
        for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
            if (strcmp(end, units[i].suffix) == 0) factor = units[i].factor;
        if (factor == 0) return refuse_kind(p, v, why);
    } else if (v->kind != KIND_INT) {
        return refuse_kind(p, v, why);
    }
    if (!in_range(p, (double)n * factor, why)) return false;
    *to = (uint64_t)n * (uint64_t)factor;
    return true;
}

static bool store_choice(const struct param *p, int *to, const struct value *v, struct text *why)
{
    enum { CHOICES_MAX = 32 };
    const char *names[CHOICES_MAX];
    char what[160];
    size_t n = 0;
    if (v->kind != KIND_TEXT) return refuse_kind(p, v, why);
    for (const struct choice *c = p->choices; c->name; c++) {
        if (n < CHOICES_MAX) names[n++] = c->name;
        if (strcmp(c->name, v->text) != 0) continue;
        *to = c->value;
        return true;
    }
    const char *closest = text_closest(v->text, names, n);
    snprintf(what, sizeof what, "\"%.60s\" is not there%s%.60s%s", v->text,
             closest ? ", the closest is \"" : "", closest ? closest : "", closest ? "\"" : "");
    return refuse_value(p, what, why);
}

static bool store_text(const struct param *p, char *to, const struct value *v, struct text *why)
{
    if (v->kind != KIND_TEXT) return refuse_kind(p, v, why);
    size_t n = strlen(v->text);
    bool plain = true;
    for (size_t i = 0; i < n; i++)
        plain &= isprint((unsigned char)v->text[i]) && !strchr("\"\\", v->text[i]);
    if (!plain) return refuse_value(p, "this text holds other characters", why);
    if (n >= PARAM_TEXT_MAX) return refuse_value(p, "this text is too long", why);
    memset(to, 0, PARAM_TEXT_MAX);
    memcpy(to, v->text, n);
    return true;
}

static bool store_list(const struct param *p, struct param_list *to, const struct value *v,
                       struct text *why)
{
    if (v->kind != KIND_LIST) return refuse_kind(p, v, why);
    if (!v->whole) return refuse_value(p, "this list holds something else", why);
    if (v->n > PARAM_LIST_MAX) return refuse_value(p, "this list is too long", why);
    for (uint32_t i = 0; i < v->n; i++)
        if (!in_range(p, (double)v->list[i], why)) return false;
    *to = (struct param_list){.n = v->n};
    for (uint32_t i = 0; i < v->n; i++)
        to->v[i] = (uint32_t)v->list[i];
    return true;
}

static bool store_value(const struct param *p, void *part, const struct value *v, struct text *why)
{
    void *to = field_of(p, part);
    switch (p->type) {
    case PARAM_BOOL:
        if (v->kind != KIND_BOOL) return refuse_kind(p, v, why);
        *(bool *)to = v->b;
        return true;
    case PARAM_INT:
        if (v->kind != KIND_INT) return refuse_kind(p, v, why);
        if (!in_range(p, v->r, why)) return false;
        *(uint32_t *)to = (uint32_t)v->i;
        return true;
    case PARAM_REAL:
        if (v->kind != KIND_INT && v->kind != KIND_REAL) return refuse_kind(p, v, why);
        if (!in_range(p, v->r, why)) return false;
        *(double *)to = v->r;
        return true;
    case PARAM_SIZE: return store_size(p, to, v, why);
    case PARAM_ENUM: return store_choice(p, to, v, why);
    case PARAM_TEXT:
    case PARAM_FRAGMENT: return store_text(p, to, v, why);
    case PARAM_LIST: return store_list(p, to, v, why);
    }
    return false;
}

bool param_from_conf(const struct param *p, void *part, const struct conf_node *n, struct text *why)
{
    struct value v = value_from_conf(n);
    return store_value(p, part, &v, why);
}

/* Stores a text without its quotes, if any; a text that is cut off here is too long anyway. */
static bool store_unquoted(const struct param *p, void *part, const char *s, struct text *why)
{
    char inner[4 * PARAM_TEXT_MAX];
    size_t n = strlen(s);
    bool quoted = n >= 2 && s[0] == '"' && s[n - 1] == '"';
    n -= 2 * quoted;
    snprintf(inner, sizeof inner, "%.*s", (int)(n < sizeof inner ? n : sizeof inner - 1),
             s + quoted);
    struct value v = {.kind = KIND_TEXT, .text = inner};
    return store_value(p, part, &v, why);
}

bool param_from_text(const struct param *p, void *part, const char *s, struct text *why)
{
    struct value v = {0};
    switch (p->type) {
    case PARAM_ENUM:
    case PARAM_TEXT:
    case PARAM_FRAGMENT: return store_unquoted(p, part, s, why);
    case PARAM_BOOL: v = bool_from_text(s); break;
    case PARAM_INT:
    case PARAM_REAL:
    case PARAM_SIZE: v = number_from_text(s); break;
    case PARAM_LIST: v = list_from_text(s); break;
    }
    return store_value(p, part, &v, why);
}

/* --- printing ------------------------------------------------------------------------------ */

/* Prints the fewest digits that read back exactly, with a point so that files read it as a real. */
static void print_word(const char *word, struct text *out)
{
    text_add_bytes(out, word, strlen(word));
}

static void print_whole(uint64_t v, struct text *out)
{
    char digits[20];
    size_t at = sizeof digits;
    do
        digits[--at] = (char)('0' + v % 10);
    while ((v /= 10) > 0);
    text_add_bytes(out, digits + at, sizeof digits - at);
}

static void print_real(double v, struct text *out)
{
    static const double DIGITS_15 = 1e15;
    char digits[40];
    if (v > 0 && v < DIGITS_15 && v == floor(v)) {
        print_whole((uint64_t)v, out);
        print_word(".0", out);
        return;
    }
    for (int n = 15; n <= 17; n++) {
        snprintf(digits, sizeof digits, "%.*g", n, v);
        if (strtod(digits, NULL) == v) break;
    }
    print_word(digits, out);
    print_word(strpbrk(digits, ".e") ? "" : ".0", out);
}

static void print_list(const struct param_list *list, struct text *out)
{
    text_add(out, "[");
    for (uint32_t i = 0; i < list->n; i++)
        text_add(out, "%s%" PRIu32, i ? ", " : "", list->v[i]);
    text_add(out, "]");
}

static const char *choice_name(const struct param *p, int value)
{
    const struct choice *c = p->choices;
    while (c->name && c->value != value)
        c++;
    assert(c->name && "an enum holds one of its choices");
    return c->name ? c->name : "?";
}

void param_print_bare(const struct param *p, const void *part, struct text *out)
{
    const void *from = field_const(p, part);
    switch (p->type) {
    case PARAM_BOOL: print_word(*(const bool *)from ? "true" : "false", out); break;
    case PARAM_INT: print_whole(*(const uint32_t *)from, out); break;
    case PARAM_REAL: print_real(*(const double *)from, out); break;
    case PARAM_SIZE: print_whole(*(const uint64_t *)from, out); break;
    case PARAM_ENUM: print_word(choice_name(p, *(const int *)from), out); break;
    case PARAM_TEXT:
    case PARAM_FRAGMENT: print_word(from, out); break;
    case PARAM_LIST: print_list(from, out); break;
    }
}

void param_print(const struct param *p, const void *part, struct text *out)
{
    bool quoted = p->type == PARAM_ENUM || p->type == PARAM_TEXT || p->type == PARAM_FRAGMENT;
    print_word(quoted ? "\"" : "", out);
    param_print_bare(p, part, out);
    /* libconfig accepts larger whole numbers only with an L. */
    bool large = p->type == PARAM_SIZE && *(const uint64_t *)field_const(p, part) > INT32_MAX;
    print_word(quoted ? "\"" : large ? "L" : "", out);
}

bool param_is(const struct param *p, const void *part, const char *value)
{
    const void *from = field_const(p, part);
    double v;
    if (p->type == PARAM_ENUM) return strcmp(choice_name(p, *(const int *)from), value) == 0;
    if (p->type == PARAM_TEXT || p->type == PARAM_FRAGMENT)
        return strcmp((const char *)from, value) == 0;
    if (p->type == PARAM_BOOL) return *(const bool *)from == (strcmp(value, "true") == 0);
    return param_number(p, part, &v) && v == strtod(value, NULL);
}

bool param_number(const struct param *p, const void *part, double *v)
{
    const void *from = field_const(p, part);
    switch (p->type) {
    case PARAM_BOOL: *v = *(const bool *)from; return true;
    case PARAM_INT: *v = *(const uint32_t *)from; return true;
    case PARAM_REAL: *v = *(const double *)from; return true;
    case PARAM_SIZE: *v = (double)*(const uint64_t *)from; return true;
    case PARAM_ENUM: *v = *(const int *)from; return true;
    case PARAM_TEXT:
    case PARAM_FRAGMENT:
    case PARAM_LIST: break;
    }
    return false;
}
