/* gen_layer.c - see gen_layer.h. */
#include "trace/generators/gen_layer.h"

#include "base/memory/alloc.h"
#include "base/text/text.h"
#include "trace/generators/gen_params.h"
#include "trace/program/program_spec.h"

#include <stdio.h>
#include <string.h>

enum { MOST_PARAMS = GEN_LAYER_PARAMS, MOST_ENTRIES = 4096, MOST_ROUNDS = 4096, MOST_DEPTH = 3 };

struct layer_reading {
    struct gen_layer *l;
    const char *where;
    struct gen_value param[MOST_PARAMS];
    uint32_t n_params;
    uint64_t round; /* of the innermost repeated list */
    struct error *e;
};

bool gen_layer_is(const struct conf_node *root)
{
    return conf_find(root, "layer") != NULL;
}

/* --- parameters and values --- */

static struct gen_value *find_param(struct layer_reading *r, const char *name, size_t length)
{
    for (uint32_t i = 0; i < r->n_params; i++)
        if (strlen(r->param[i].name) == length && strncmp(r->param[i].name, name, length) == 0)
            return &r->param[i];
    return NULL;
}

/* Says that there is no parameter of that name, and which is the closest. */
static bool refuse_name(struct layer_reading *r, const struct gen_value *v, const char *name)
{
    const char *names[MOST_PARAMS];
    struct text what = {0};
    for (uint32_t i = 0; i < r->n_params; i++)
        names[i] = r->param[i].name;
    const char *closest = text_closest(name, names, r->n_params);
    text_add(&what, "the layer has no parameter %s; ", name);
    if (closest) text_add(&what, "did you mean %s", closest);
    for (uint32_t i = 0; !closest && i < r->n_params; i++)
        text_add(&what, "%s%s", i ? ", " : "allowed are ", names[i]);
    if (!closest && !r->n_params) text_add(&what, "it declares none");
    gen_value_refuse(v, text_str(&what), r->e);
    text_fini(&what);
    return false;
}

/* Refuses v with a message that ends in a number. */
static bool refuse_beyond(struct layer_reading *r, const struct gen_value *v, const char *what,
                          int most)
{
    char text[80];
    snprintf(text, sizeof text, "%s %d", what, most);
    return gen_value_refuse(v, text, r->e);
}

static bool declare_params(struct layer_reading *r, const struct conf_node *group)
{
    if (group && conf_type(group) != CONF_GROUP)
        return error_input(r->e, "%s:%u: parameters: expected a group such as { batch = 1; }",
                           conf_file(group), conf_line(group));
    for (uint32_t i = 0; group && i < conf_count(group); i++) {
        struct gen_value v = gen_value_of_setting(conf_child(group, i));
        if (!v.text && !v.is_real) return gen_value_refuse(&v, "expected a number or a text", r->e);
        if (r->n_params == MOST_PARAMS)
            return refuse_beyond(r, &v, "the parameters of a layer are at most", MOST_PARAMS);
        r->param[r->n_params++] = v;
    }
    return true;
}

/* Replaces a declared value by one of the same kind. */
static bool replace_param(const char *name, const char *word, void *ctx)
{
    struct layer_reading *r = ctx;
    struct gen_value v = gen_value_of_word(r->where, name, word);
    struct gen_value *declared = find_param(r, name, strlen(name));
    if (!declared) return refuse_name(r, &v, name);
    if (!declared->text && declared->is_whole && !v.is_whole)
        return gen_value_refuse(&v, "not an allowed value; a whole number", r->e);
    if (!declared->text && !v.is_real)
        return gen_value_refuse(&v, "not an allowed value; a number", r->e);
    declared->text = declared->text ? arena_strdup(&r->l->arena, word) : NULL;
    declared->is_whole = v.is_whole;
    declared->whole = v.whole;
    declared->is_real = v.is_real;
    declared->real = v.real;
    return true;
}

static bool keep_params(struct layer_reading *r)
{
    struct gen_layer *l = r->l;
    for (uint32_t i = 0; i < r->n_params; i++) {
        const struct gen_value *v = &r->param[i];
        char number[32];
        if (v->is_whole)
            snprintf(number, sizeof number, "%lld", (long long)v->whole);
        else
            gen_real_show(v->real, number, sizeof number);
        l->param[i].name = arena_strdup(&l->arena, v->name);
        l->param[i].value = arena_strdup(&l->arena, v->text ? v->text : number);
        if (!l->param[i].name || !l->param[i].value) return error_no_memory(r->e);
    }
    l->n_params = r->n_params;
    return true;
}

/* One factor of a product, from *s to its end, which is `length` characters behind. */
static bool read_factor(struct layer_reading *r, const struct gen_value *v, const char *s,
                        size_t length, int64_t *factor)
{
    char word[64];
    while (length && *s == ' ')
        s++, length--;
    while (length && s[length - 1] == ' ')
        length--;
    if (length == 0 || length >= sizeof word)
        return gen_value_refuse(v, "expected a product such as \"batch * 32\"", r->e);
    memcpy(word, s, length);
    word[length] = '\0';
    struct gen_value number = gen_value_of_word(v->file, v->name, word);
    const struct gen_value *p = find_param(r, s, length);
    *factor = p ? p->whole : number.whole;
    if (p ? p->is_whole : number.is_whole) return true;
    if (!p) return refuse_name(r, v, word);
    return gen_value_refuse(v, "a product is of whole numbers", r->e);
}

static bool read_product(struct layer_reading *r, struct gen_value *v)
{
    int64_t product = 1, factor = 1;
    const char *s = v->text;
    for (bool more = true; more;) {
        size_t length = strcspn(s, "*");
        if (!read_factor(r, v, s, length, &factor)) return false;
        if (__builtin_mul_overflow(product, factor, &product))
            return gen_value_refuse(v, "the product is too large", r->e);
        more = s[length] == '*';
        s += length + 1;
    }
    v->text = NULL;
    v->is_whole = v->is_real = true;
    v->whole = product;
    v->real = (double)product;
    return true;
}

/* The value of a setting, with parameters and products put in. */
static bool resolve(struct layer_reading *r, const struct conf_node *n, struct gen_value *v)
{
    *v = gen_value_of_setting(n);
    const struct gen_value *p = v->text ? find_param(r, v->text, strlen(v->text)) : NULL;
    if (p) {
        struct gen_value at = *v;
        *v = *p;
        v->file = at.file;
        v->line = at.line;
        v->name = at.name;
        return true;
    }
    return !v->text || !strchr(v->text, '*') || read_product(r, v);
}

/* --- entries --- */

static const struct generator_ops *keep_text(struct gen_layer *l, struct nest_file *f,
                                             struct error *e)
{
    if (!f) return NULL;
    if (mem_grow(&l->text, &l->text_cap, (size_t)l->n_texts + 1, sizeof *l->text))
        return nest_file_ops(l->text[l->n_texts++] = f);
    nest_file_free(f);
    return error_no_memory(e), NULL;
}

const struct generator_ops *gen_layer_generator(struct gen_layer *l, const struct gen_value *v,
                                                struct error *e)
{
    const struct generator_ops *ops = gen_params_generator(v, e);
    return ops && ops->text ? keep_text(l, nest_file_parse(ops, e), e) : ops;
}

const struct generator_ops *gen_layer_own(struct gen_layer *l, const struct conf_node *root,
                                          struct error *e)
{
    return keep_text(l, nest_file_read(root, "kernel", e), e);
}

static bool add_buffer(struct layer_reading *r, const char *name, uint32_t *at)
{
    struct gen_layer *l = r->l;
    if (!mem_grow(&l->buffer, &l->buffer_cap, (size_t)l->n_buffers + 1, sizeof *l->buffer))
        return error_no_memory(r->e);
    l->buffer[l->n_buffers] = name;
    *at = l->n_buffers++;
    return true;
}

/* Finds the buffer of that name, in which the round stands for each #, or adds it. */
static bool find_buffer(struct layer_reading *r, const char *name, uint32_t *at)
{
    struct text full = {0};
    for (const char *s = name; *s; s++) {
        if (*s == '#')
            text_add(&full, "%llu", (unsigned long long)r->round);
        else
            text_add_bytes(&full, s, 1);
    }
    uint32_t i = r->l->n_buffers;
    while (i > 0 && (!r->l->buffer[i - 1] || strcmp(r->l->buffer[i - 1], text_str(&full)) != 0))
        i--;
    const char *kept = i ? NULL : arena_strdup(&r->l->arena, text_str(&full));
    bool ok = i || (kept && !full.failed) || error_no_memory(r->e);
    text_fini(&full);
    *at = i - 1;
    return ok && (i || add_buffer(r, kept, at));
}

/* The place of a name among the operator's tensors, or their number. */
static uint32_t find_tensor(const struct generator_ops *ops, const char *name)
{
    uint32_t k = 0;
    while (ops->tensors[k] && strcmp(ops->tensors[k], name) != 0)
        k++;
    return k;
}

static bool read_setting(struct layer_reading *r, struct gen_entry *x, const struct conf_node *n,
                         const char **buffer)
{
    struct gen_value v;
    uint32_t tensor = find_tensor(x->ops, conf_name(n));
    if (tensor < x->n_tensors) {
        buffer[tensor] = conf_text(n);
        if (buffer[tensor] && *buffer[tensor]) return true;
        v = gen_value_of_setting(n);
        return gen_value_refuse(&v, "expected the name of a buffer in quotes", r->e);
    }
    if (!resolve(r, n, &v)) return false;
    if (strcmp(v.name, "warp_width") == 0)
        return gen_value_refuse(&v, "the operators of a layer have the machine's width", r->e);
    if (strcmp(v.name, "times") == 0) v.name = "launches";
    return gen_params_read(&x->c, x->ops, &v, r->e);
}

static bool choose_operator(struct layer_reading *r, const struct conf_node *n, struct gen_entry *x)
{
    const struct conf_node *op = conf_find(n, "op"), *name = conf_find(n, "name");
    if (!op)
        return error_input(r->e, "%s:%u: an operator of a layer has op = NAME", conf_file(n),
                           conf_line(n));
    struct gen_value v = gen_value_of_setting(op);
    x->ops = gen_layer_generator(r->l, &v, r->e);
    if (!x->ops) return false;
    if (!x->ops->tensors)
        return gen_value_refuse(&v, "this generator has no named tensors that a layer could place",
                                r->e);
    while (x->ops->tensors[x->n_tensors])
        x->n_tensors++;
    x->name = arena_strdup(&r->l->arena, name && conf_text(name) ? conf_text(name) : x->ops->name);
    struct text where = {0};
    text_add(&where, "%s:%u: %s", conf_file(n), conf_line(n), x->name ? x->name : "");
    x->where = arena_strdup(&r->l->arena, text_str(&where));
    text_fini(&where);
    gen_params_set_defaults(&x->c, x->ops);
    return (x->name && x->where) || error_no_memory(r->e);
}

static bool read_entry(struct layer_reading *r, const struct conf_node *n)
{
    struct gen_layer *l = r->l;
    const char *buffer[GEN_MAX_TENSORS] = {0};
    struct gen_entry x = {0};
    if (!choose_operator(r, n, &x)) return false;
    for (uint32_t i = 0; i < conf_count(n); i++) {
        const struct conf_node *s = conf_child(n, i);
        bool own = strcmp(conf_name(s), "op") == 0 || strcmp(conf_name(s), "name") == 0;
        if (!own && !read_setting(r, &x, s, buffer)) return false;
    }
    for (uint32_t k = 0; k < x.n_tensors; k++)
        if (buffer[k] ? !find_buffer(r, buffer[k], &x.buffer[k])
                      : !add_buffer(r, NULL, &x.buffer[k]))
            return false;
    if (l->n == MOST_ENTRIES)
        return error_input(r->e, "%s:%u: a layer has at most %d operators", conf_file(n),
                           conf_line(n), MOST_ENTRIES);
    if (!mem_grow(&l->entry, &l->entry_cap, (size_t)l->n + 1, sizeof *l->entry))
        return error_no_memory(r->e);
    l->entry[l->n++] = x;
    return true;
}

static bool read_list(struct layer_reading *r, const struct conf_node *list, uint32_t depth);

static bool read_repeated(struct layer_reading *r, const struct conf_node *n, uint32_t depth)
{
    const struct conf_node *inner = conf_find(n, "layer");
    struct gen_value v;
    if (!resolve(r, conf_find(n, "repeat"), &v)) return false;
    if (!v.is_whole || v.whole < 0 || v.whole > MOST_ROUNDS)
        return refuse_beyond(r, &v, "expected a whole number from 0 to", MOST_ROUNDS);
    if (!inner || conf_count(n) != 2 || depth == MOST_DEPTH)
        return error_input(r->e,
                           "%s:%u: expected { repeat = N; layer = ( ... ); }, at most %d within "
                           "one another",
                           conf_file(n), conf_line(n), MOST_DEPTH);
    uint64_t outer = r->round;
    bool ok = true;
    for (r->round = 0; ok && r->round < (uint64_t)v.whole; r->round++)
        ok = read_list(r, inner, depth + 1);
    r->round = outer;
    return ok;
}

static bool read_list(struct layer_reading *r, const struct conf_node *list, uint32_t depth)
{
    bool ok = conf_type(list) == CONF_LIST && conf_count(list) > 0;
    for (uint32_t i = 0; ok && i < conf_count(list); i++)
        ok = conf_type(conf_child(list, i)) == CONF_GROUP;
    if (!ok)
        return error_input(r->e,
                           "%s:%u: layer: expected a list of operators such as ( { op = "
                           "\"gemm\"; ... } )",
                           conf_file(list), conf_line(list));
    for (uint32_t i = 0; i < conf_count(list); i++) {
        const struct conf_node *n = conf_child(list, i);
        if (conf_find(n, "repeat") ? !read_repeated(r, n, depth) : !read_entry(r, n)) return false;
    }
    return true;
}

bool gen_layer_read(struct gen_layer *l, const struct conf_node *root, const char *params,
                    const char *where, struct error *e)
{
    struct layer_reading r = {.l = l, .where = where, .e = e};
    for (uint32_t i = 0; i < conf_count(root); i++) {
        struct gen_value v = gen_value_of_setting(conf_child(root, i));
        if (strcmp(v.name, "layer") != 0 && strcmp(v.name, "parameters") != 0)
            return gen_value_refuse(&v, "a layer file has layer and parameters", e);
    }
    return declare_params(&r, conf_find(root, "parameters")) &&
           program_spec_each(params, replace_param, &r, e) && keep_params(&r) &&
           read_list(&r, conf_find(root, "layer"), 1) &&
           (l->n ||
            error_input(e, "%s: every list is repeated 0 times; a layer runs at least one operator",
                        where));
}

/* --- placing --- */

/* Reports know the k-th tensor of a generator as buffer k + 1; in a layer, by the layer's buffer.
 */
static void number_buffers(struct generator *g, const struct gen_entry *x)
{
    for (uint32_t i = 0; i < g->code.n; i++) {
        uint16_t *buffer = &g->code.si[i].buffer;
        uint32_t own = *buffer && *buffer <= x->n_tensors ? x->buffer[*buffer - 1] + 1 : 0;
        *buffer = own <= UINT16_MAX ? (uint16_t)own : 0;
    }
}

bool gen_layer_place(const struct gen_layer *l, struct generator *const *g, const char *where,
                     struct error *e)
{
    uint64_t *bytes = mem_new((size_t)l->n_buffers + 1, sizeof *bytes), at = GEN_BASE;
    if (!bytes) return error_no_memory(e);
    for (uint32_t i = 0; i < l->n; i++)
        for (uint32_t k = 0; k < l->entry[i].n_tensors; k++) {
            uint64_t *most = &bytes[l->entry[i].buffer[k]];
            if (g[i]->tensor_bytes[k] > *most) *most = g[i]->tensor_bytes[k];
        }
    for (uint32_t b = 0; b < l->n_buffers; b++) {
        uint64_t size = (bytes[b] + GEN_ALIGN - 1) / GEN_ALIGN * GEN_ALIGN;
        bytes[b] = at; /* from here on: where it begins */
        at += size;
    }
    if (at > GEN_MAX_PLACED) {
        mem_free(bytes);
        return error_input(e, "%s: its tensors take %.3g bytes; at most %.3g", where,
                           (double)(at - GEN_BASE), (double)GEN_MAX_PLACED);
    }
    for (uint32_t i = 0; i < l->n; i++) {
        g[i]->n_tensors = l->entry[i].n_tensors;
        for (uint32_t k = 0; k < l->entry[i].n_tensors; k++)
            g[i]->array_at[k] = bytes[l->entry[i].buffer[k]];
        number_buffers(g[i], &l->entry[i]);
    }
    mem_free(bytes);
    return true;
}

void gen_layer_fini(struct gen_layer *l)
{
    arena_fini(&l->arena);
    for (uint32_t i = 0; i < l->n_texts; i++)
        nest_file_free(l->text[i]);
    mem_free(l->text);
    mem_free(l->entry);
    mem_free(l->buffer);
}
