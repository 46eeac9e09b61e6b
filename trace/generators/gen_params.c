/* gen_params.c - see gen_params.h. */
#include "trace/generators/gen_params.h"

#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* In the order in which digests hold them. */
enum { CTAS, WARPS, WIDTH, LAUNCHES, ITERATIONS, UNROLL, ELEMENT, REGISTERS, SEED, N_COMMON };
static const struct gen_param common[N_COMMON] = {
    [CTAS] = GEN_PARAM(ctas, GEN_INT, 160, 1, 1 << 24, NULL, "CTAs of a launch"),
    [WARPS] =
        GEN_PARAM(warps_per_cta, GEN_INT, 8, 1, 32, NULL, "warps of a CTA, warp_width lanes each"),
    [WIDTH] =
        GEN_PARAM(warp_width, GEN_CHOICE, 0, 0, 0, NULL, "32 or 64 lanes; absent: the machine's"),
    [LAUNCHES] = GEN_PARAM(launches, GEN_INT, 1, 1, 4096, NULL, "times the kernel is launched"),
    [ITERATIONS] = GEN_PARAM(iterations, GEN_INT, 8, 1, 1 << 24, NULL, "steps of the loop"),
    [UNROLL] = GEN_PARAM(unroll, GEN_INT, 1, 1, GEN_MAX_UNROLL, NULL,
                         "accesses in flight per step before a use"),
    [ELEMENT] = GEN_PARAM(element_bytes, GEN_INT, 4, 1, 16, NULL,
                          "bytes per lane and access: 1, 2, 4, 8, 16"),
    [REGISTERS] = GEN_PARAM(registers, GEN_INT, 0, 0, 255, NULL,
                            "per lane, for occupancy; 0: as many as the code names"),
    [SEED] = GEN_PARAM(seed, GEN_INT, 1, 0, 0x1p53, NULL, "of everything random"),
};
/* Those that generators with a shape take. */
static const uint32_t always[] = {WIDTH, LAUNCHES, REGISTERS, SEED};
enum { N_ALWAYS = sizeof always / sizeof *always, MAX_NAMES = 48 };

/* --- values --- */

/* "4096" or, with a power of 1,024 behind it, "4k", "1M", "2G". */
static bool parse_whole(const char *word, int64_t *v)
{
    static const char prefixes[] = "kKmMgG";
    char *end;
    errno = 0;
    long long whole = strtoll(word, &end, 10);
    const char *prefix = *end ? strchr(prefixes, *end) : NULL;
    if (end == word || errno || (*end && (!prefix || end[1]))) return false;
    int64_t factor = prefix ? (int64_t)1 << 10 * ((prefix - prefixes) / 2 + 1) : 1;
    return !__builtin_mul_overflow((int64_t)whole, factor, v);
}

struct gen_value gen_value_of_setting(const struct conf_node *n)
{
    struct gen_value v = {
        .file = conf_file(n), .line = conf_line(n), .name = conf_name(n), .text = conf_text(n)};
    v.is_whole = v.text ? parse_whole(v.text, &v.whole) : conf_int(n, &v.whole);
    v.is_real = conf_real(n, &v.real);
    return v;
}

struct gen_value gen_value_of_word(const char *file, const char *name, const char *word)
{
    struct gen_value v = {.file = file, .name = name, .text = word};
    char *end;
    v.is_whole = parse_whole(word, &v.whole);
    v.real = strtod(word, &end);
    v.is_real = end != word && !*end;
    return v;
}

bool gen_value_refuse(const struct gen_value *v, const char *what, struct error *e)
{
    if (!v->line) return error_input(e, "%s: %s: %s", v->file, v->name, what);
    return error_input(e, "%s:%u: %s: %s", v->file, v->line, v->name, what);
}

bool gen_setting_refuse(const struct conf_node *n, const char *what, struct error *e)
{
    struct gen_value v = gen_value_of_setting(n);
    if (!v.name) return error_input(e, "%s:%u: %s", v.file, v.line, what);
    return gen_value_refuse(&v, what, e);
}

static bool bad_value(const struct gen_value *v, const char *allowed, struct error *e)
{
    struct text what = {0};
    text_add(&what, "not an allowed value; %s", allowed);
    gen_value_refuse(v, text_str(&what), e);
    text_fini(&what);
    return false;
}

static bool out_of_range(const struct gen_value *v, const struct gen_param *p, struct error *e)
{
    struct text at = {0};
    text_add(&at, v->line ? "%s:%u" : "%s", v->file, v->line);
    error_input(e, "%s: %s is out of range; allowed are %.12g to %.12g (%s)", text_str(&at),
                p->name, p->lo, p->hi, p->meaning);
    text_fini(&at);
    return false;
}

/* "64KB", "1.5 MB": binary multiples. */
static bool parse_size(const char *s, double *v)
{
    static const char *const units[] = {"B", "KB", "MB", "GB"};
    char *end;
    *v = strtod(s, &end);
    while (*end == ' ')
        end++;
    for (unsigned i = 0; end != s && i < 4; i++) {
        if (strcmp(end, units[i]) == 0) return true;
        *v *= 1024;
    }
    return false;
}

/* --- reading --- */

static bool read_int(struct gen_config *c, const struct gen_param *p, const struct gen_value *v,
                     struct error *e)
{
    int64_t whole = v->whole;
    double size = 0;
    bool sized = p->type == GEN_SIZE && v->text && !v->is_whole && parse_size(v->text, &size);
    if (!sized && !v->is_whole)
        return bad_value(v,
                         p->type == GEN_SIZE
                             ? "a size such as 65536 or \"64KB\""
                             : "a whole number, such as 4096 or 4k (k, M, G: powers of 1,024)",
                         e);
    if (sized ? !(size >= p->lo && size <= p->hi)
              : ((double)whole < p->lo || (double)whole > p->hi))
        return out_of_range(v, p, e);
    if (sized) whole = (int64_t)size;
    memcpy((char *)c + p->offset, &whole, sizeof whole);
    return true;
}

static bool read_real(struct gen_config *c, const struct gen_param *p, const struct gen_value *v,
                      struct error *e)
{
    if (!v->is_real) return bad_value(v, "a number", e);
    if (!(v->real >= p->lo && v->real <= p->hi)) return out_of_range(v, p, e);
    memcpy((char *)c + p->offset, &v->real, sizeof v->real);
    return true;
}

static bool read_choice(struct gen_config *c, const struct gen_param *p, const struct gen_value *v,
                        struct error *e)
{
    struct text allowed = {0};
    for (int64_t i = 0; p->choices[i]; i++) {
        if (v->text && strcmp(v->text, p->choices[i]) == 0) {
            memcpy((char *)c + p->offset, &i, sizeof i);
            text_fini(&allowed);
            return true;
        }
        text_add(&allowed, "%s\"%s\"", i ? ", " : "allowed are ", p->choices[i]);
    }
    bad_value(v, text_str(&allowed), e);
    text_fini(&allowed);
    return false;
}

static bool read_width(struct gen_config *c, const struct gen_value *v, struct error *e)
{
    c->warp_width = v->whole;
    if (v->is_whole && (v->whole == 32 || v->whole == 64)) return true;
    return bad_value(v, "allowed are 32 and 64", e);
}

const struct gen_param *gen_params_common(const char *name)
{
    for (uint32_t i = 0; i < N_COMMON; i++)
        if (strcmp(common[i].name, name) == 0) return &common[i];
    return NULL;
}

const struct gen_param *gen_params_at(const struct generator_ops *ops, uint32_t i)
{
    if (i < ops->n_params) return &ops->params[i];
    i -= ops->n_params;
    if (ops->shape) return i < N_ALWAYS ? &common[always[i]] : NULL;
    return i < N_COMMON ? &common[i] : NULL;
}

const struct gen_param *gen_params_find(const struct generator_ops *ops, const char *name)
{
    const struct gen_param *p;
    for (uint32_t i = 0; (p = gen_params_at(ops, i)); i++)
        if (strcmp(p->name, name) == 0) return p;
    return NULL;
}

static bool unknown_name(const struct generator_ops *ops, const struct gen_value *v,
                         struct error *e)
{
    const char *names[MAX_NAMES];
    const struct gen_param *p;
    uint32_t k = 0;
    for (uint32_t i = 0; (p = gen_params_at(ops, i)) && k < MAX_NAMES; i++)
        names[k++] = p->name;
    const char *closest = text_closest(v->name, names, k);
    struct text all = {0}, at = {0};
    for (uint32_t i = 0; !closest && i < k; i++)
        text_add(&all, "%s%s", i ? ", " : "", names[i]);
    text_add(&at, v->line ? "%s:%u" : "%s", v->file, v->line);
    error_input(e, "%s: generator %s has no parameter %s; %s%s", text_str(&at), ops->name, v->name,
                closest ? "did you mean " : "allowed are ", closest ? closest : text_str(&all));
    text_fini(&all);
    text_fini(&at);
    return false;
}

bool gen_params_read(struct gen_config *c, const struct generator_ops *ops,
                     const struct gen_value *v, struct error *e)
{
    const struct gen_param *p = gen_params_find(ops, v->name);
    if (!p) return unknown_name(ops, v, e);
    switch (p->type) {
    case GEN_INT:
    case GEN_SIZE: return read_int(c, p, v, e);
    case GEN_REAL: return read_real(c, p, v, e);
    case GEN_CHOICE: return p->choices ? read_choice(c, p, v, e) : read_width(c, v, e);
    }
    return false;
}

bool gen_params_set(struct gen_config *c, const struct gen_param *p, const struct gen_value *v,
                    struct error *e)
{
    int64_t n = 0;
    if (p->type == GEN_INT || p->type == GEN_SIZE) return read_int(c, p, v, e);
    while (p->choices && p->choices[n])
        n++;
    if (v->whole < 0 || v->whole >= n)
        return gen_value_refuse(
            v, n ? "this parameter has no such choice" : "this parameter cannot be named again", e);
    memcpy((char *)c + p->offset, &v->whole, sizeof v->whole);
    return true;
}

static void set_defaults(struct gen_config *c, const struct gen_param *params, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        int64_t whole = (int64_t)params[i].def;
        const void *v = params[i].type == GEN_REAL ? (const void *)&params[i].def : &whole;
        memcpy((char *)c + params[i].offset, v, 8);
    }
}

void gen_params_set_defaults(struct gen_config *c, const struct generator_ops *ops)
{
    set_defaults(c, common, N_COMMON);
    set_defaults(c, ops->params, ops->n_params);
}

void gen_params_list_generators(struct text *t)
{
    for (uint32_t i = 0; generator_list[i]; i++)
        text_add(t, "%s\"%s\"", i ? ", " : "", generator_list[i]->name);
}

const struct generator_ops *gen_params_generator(const struct gen_value *v, struct error *e)
{
    struct text what = {0};
    for (uint32_t i = 0; generator_list[i]; i++)
        if (v->text && strcmp(v->text, generator_list[i]->name) == 0) return generator_list[i];
    text_add(&what, "unknown; allowed are ");
    gen_params_list_generators(&what);
    gen_value_refuse(v, text_str(&what), e);
    text_fini(&what);
    return NULL;
}

/* --- describing --- */

static void describe(struct text *t, const struct gen_config *c, const struct gen_param *p)
{
    const char *field = (const char *)c + p->offset;
    int64_t whole;
    double real;
    memcpy(&whole, field, sizeof whole);
    memcpy(&real, field, sizeof real);
    if (p->type == GEN_REAL)
        text_add(t, ";%s=%a", p->name, real);
    else
        text_add(t, ";%s=%lld", p->name, (long long)whole);
}

void gen_params_describe(struct text *t, const struct gen_config *c,
                         const struct generator_ops *ops)
{
    for (uint32_t i = 0; i < N_COMMON; i++)
        describe(t, c, &common[i]);
    for (uint32_t i = 0; i < ops->n_params; i++)
        describe(t, c, &ops->params[i]);
}

void gen_real_show(double v, char *out, size_t size)
{
    int digits = 1;
    do
        snprintf(out, size, "%.*g", digits, v);
    while (strtod(out, NULL) != v && digits++ < DBL_DECIMAL_DIG);
}

void gen_params_show(const struct gen_param *p, const struct gen_config *c, char *value,
                     size_t value_size, char *allowed, size_t allowed_size)
{
    int64_t whole;
    double real;
    memcpy(&whole, (const char *)c + p->offset, sizeof whole);
    memcpy(&real, (const char *)c + p->offset, sizeof real);
    if (p->type == GEN_CHOICE && !p->choices) {
        snprintf(value, value_size, whole ? "%lld" : "machine's", (long long)whole);
        snprintf(allowed, allowed_size, "32, 64");
        return;
    }
    int bits = 0;
    if (p->hi > 0x1p20 && frexp(p->hi, &bits) == 0.5)
        snprintf(allowed, allowed_size, "%.12g to 2^%d", p->lo, bits - 1);
    else
        snprintf(allowed, allowed_size, "%.12g to %.12g", p->lo, p->hi);
    if (p->type == GEN_REAL) gen_real_show(real, value, value_size);
    if (p->type == GEN_INT || p->type == GEN_SIZE)
        snprintf(value, value_size, "%lld", (long long)whole);
    if (p->type != GEN_CHOICE) return;
    snprintf(value, value_size, "%s", p->choices[whole]);
    for (size_t i = 0, at = 0; p->choices[i] && at < allowed_size; i++)
        at +=
            (size_t)snprintf(allowed + at, allowed_size - at, "%s%s", i ? ", " : "", p->choices[i]);
}
