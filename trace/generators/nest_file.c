/* nest_file.c - see nest_file.h. */
#include "trace/generators/nest_file.h"

#include "base/memory/alloc.h"
#include "trace/generators/nest_rows.h"

#include <string.h>

enum { MOST_CHOICES = 16 };

struct nest_file {
    struct generator_ops ops; /* the first member: setup finds the file */
    bool (*prepare)(struct generator *g, struct error *e);
    struct conf *own; /* NULL: the text is the caller's */
    const struct conf_node *root;
    struct gen_param *param;
    const char **choices; /* MOST_CHOICES of each parameter */
};

/* --- the kernel --- */

static bool place_arrays(struct rows_reading *r, const struct conf_node *list)
{
    static const char *const settings[] = {"name", "bytes", "when", NULL};
    double bytes[GEN_MAX_TENSORS];
    if (!list || conf_type(list) != CONF_LIST || conf_count(list) > NEST_ARRAYS)
        return error_input(r->e, "%s: arrays: expected a list of up to %d", r->path, NEST_ARRAYS);
    for (uint32_t i = 0; i < conf_count(list); i++) {
        const struct conf_node *n = conf_child(list, i);
        const struct conf_node *size = conf_type(n) == CONF_GROUP ? conf_find(n, "bytes") : NULL;
        if (!size || !conf_find(n, "name") || !conf_text(conf_find(n, "name")))
            return nest_rows_refuse(r, n, "an array is { name = ...; bytes = ...; }");
        if (!nest_rows_known(n, settings, r->e)) return false;
        bool wanted = !conf_find(n, "when") || nest_rows_hold(r, conf_find(n, "when"));
        double all = nest_rows_product(r, size);
        if (!nest_rows_check(r, n)) return false;
        if (!(all >= 0)) return nest_rows_refuse(r, n, "an array has 0 bytes or more");
        if (!wanted) continue;
        for (uint32_t k = 0; k < r->n_arrays; k++)
            if (!strcmp(conf_text(conf_find(r->array[k], "name")), conf_text(conf_find(n, "name"))))
                return nest_rows_refuse(r, n, "another array has this name");
        bytes[r->n_arrays] = all;
        r->array[r->n_arrays++] = n;
    }
    return gen_place_checked(r->g, r->path, r->n_arrays, bytes, r->e);
}

static bool add_kernel(struct rows_reading *r, const struct conf_node *root)
{
    struct generator *g = r->g;
    int64_t most = r->n_arrays < NEST_ADDRESSES ? r->n_arrays : NEST_ADDRESSES;
    int64_t addresses = nest_rows_number(r, conf_find(root, "addresses"), most);
    int64_t advance = nest_rows_number(r, conf_find(root, "advance"), addresses);
    int64_t shared = nest_rows_number(r, conf_find(root, "shared_bytes"), 0);
    if (!nest_rows_check(r, root)) return false;
    if (shared < 0 || shared > UINT32_MAX)
        return error_input(r->e, "%s: shared_bytes is %lld; the tiles are too large", r->path,
                           (long long)shared);
    if (addresses < 0 || addresses > NEST_ADDRESSES || advance < -1 || advance > NEST_ADDRESSES)
        return error_input(
            r->e, "%s: addresses is %lld, advance %lld; allowed are 0 to %d, and -1 of advance",
            r->path, (long long)addresses, (long long)advance, NEST_ADDRESSES);
    g->shared_bytes = (uint32_t)shared;
    gen_prologue(g, (uint32_t)addresses);
    r->part = ROWS_CODE;
    if (!nest_rows_add(r, conf_find(root, "prologue"))) return false;
    g->n_prologue = g->code.n;
    if (!nest_rows_add(r, conf_find(root, "loop"))) return false;
    g->n_step = g->code.n - g->n_prologue;
    if (advance >= 0) gen_loop_end(g, (uint32_t)advance);
    if (!g->n_step) return error_input(r->e, "%s: loop: a step has no instruction", r->path);
    r->part = ROWS_EPILOGUE;
    if (!nest_rows_add(r, conf_find(root, "epilogue"))) return false;
    gen_only(g, "");
    gen_exit(g);
    return true;
}

static void name_registers(struct generator *g)
{
    static const struct {
        const char *name;
        uint32_t number;
    } names[] = {{"r_count", GEN_R_COUNT}, {"r_own", GEN_R_OWN},         {"r_thread", GEN_R_THREAD},
                 {"r_cta", GEN_R_CTA},     {"r_address", GEN_R_ADDRESS}, {"r_sum", GEN_R_SUM},
                 {"r_data", GEN_R_DATA},   {"r_data2", GEN_R_DATA2},     {"r_index", GEN_R_INDEX}};
    for (uint32_t i = 0; i < sizeof names / sizeof *names; i++)
        gen_set(g, names[i].name, names[i].number);
}

/* zipf()'s law is the parameter `exponent`. */
static void name_draws(struct generator *g)
{
    const struct gen_param *p;
    for (uint32_t i = 0; (p = gen_params_at(g->ops, i)); i++)
        if (p->type == GEN_REAL && strcmp(p->name, "exponent") == 0)
            memcpy(&g->c.exponent, (const char *)&g->c + p->offset, sizeof g->c.exponent);
}

static uint64_t count_steps(const struct generator *g, uint64_t cta)
{
    int64_t n = map_of_cta(g->map, g->steps_form, cta);
    return n < 1 ? 1 : n > g->c.iterations ? (uint64_t)g->c.iterations : (uint64_t)n;
}

static bool setup(struct generator *g, const char *path, struct error *e)
{
    const struct nest_file *f = (const struct nest_file *)g->ops;
    struct rows_reading r = {.g = g, .root = f->root, .path = path, .e = e};
    const struct conf_node *grid = conf_find(f->root, "grid");
    name_registers(g);
    if (!nest_rows_add(&r, conf_find(f->root, "sizes"))) return false;
    if (grid && conf_find(grid, "steps")) {
        char number[NEST_EXPRESSION];
        const struct conf_node *steps = conf_find(grid, "steps");
        g->steps_form = map_form(g->map, nest_rows_expression(&r, steps, number), 1);
        if (!nest_rows_check(&r, grid)) return false;
        if (!map_is_of_ctas(g->map, g->steps_form))
            return nest_rows_refuse(&r, steps, "steps differ by cta alone");
        g->even_ctas = map_is_constant(g->map, g->steps_form) &&
                       count_steps(g, 0) == (uint64_t)g->c.iterations;
    }
    name_draws(g);
    if (f->prepare && !f->prepare(g, e)) return false;
    r.part = ROWS_DEFINE;
    return nest_rows_add(&r, conf_find(f->root, "define")) &&
           place_arrays(&r, conf_find(f->root, "arrays")) && add_kernel(&r, f->root);
}

/* --- the grid --- */

/* Sets ctas, threads and most_steps of the group. */
static bool choose_sizes(struct rows_reading *r, const struct conf_node *grid)
{
    static const char *const settings[] = {"ctas", "threads", "most_steps", "steps", NULL};
    struct gen_config *c = &r->g->c;
    if (!nest_rows_known(grid, settings, r->e)) return false;
    double ctas = conf_find(grid, "ctas") ? nest_rows_product(r, conf_find(grid, "ctas")) : 1;
    c->block_threads = nest_rows_number(r, conf_find(grid, "threads"), 256);
    c->iterations = nest_rows_number(r, conf_find(grid, "most_steps"), 1);
    if (!nest_rows_check(r, grid)) return false;
    if (c->block_threads < 1 || c->block_threads > 2048 || c->iterations < 1)
        return nest_rows_refuse(r, grid, "a CTA has 1 to 2048 threads and a step or more");
    if (!gen_check_ctas(ctas, r->path, r->e)) return false;
    c->ctas = (int64_t)ctas;
    return true;
}

static bool shape(struct generator *g, const char *path, struct error *e)
{
    const struct nest_file *f = (const struct nest_file *)g->ops;
    struct rows_reading r = {.g = g, .root = f->root, .path = path, .e = e};
    g->map = map_new(g);
    if (!g->map) return error_no_memory(e);
    name_registers(g);
    bool ok = nest_rows_add(&r, conf_find(f->root, "sizes")) &&
              choose_sizes(&r, conf_find(f->root, "grid"));
    map_free(g->map);
    g->map = NULL;
    return ok;
}

/* --- parameters --- */

static bool read_bound(const struct conf_node *n, const char *name, double *v, struct error *e)
{
    const struct conf_node *at = conf_find(n, name);
    return !at || conf_real(at, v) || gen_setting_refuse(at, "expected a number", e);
}

static bool read_choices(const struct conf_node *n, struct gen_param *p, const char **choices,
                         struct error *e)
{
    const struct conf_node *list = conf_find(n, "choices"), *def = conf_find(n, "value");
    uint32_t count = conf_type(list) == CONF_LIST ? conf_count(list) : 0;
    bool found = !def;
    if (count == 0 || count >= MOST_CHOICES)
        return gen_setting_refuse(list, "expected 1 to 15 words", e);
    p->type = GEN_CHOICE;
    p->choices = choices;
    for (uint32_t i = 0; i < count; i++) {
        choices[i] = conf_text(conf_child(list, i));
        if (!choices[i]) return gen_setting_refuse(list, "expected words in quotes", e);
        if (!def || !conf_text(def) || strcmp(conf_text(def), choices[i]) != 0) continue;
        p->def = i;
        found = true;
    }
    return found || gen_setting_refuse(def, "expected one of the choices", e);
}

static bool read_flag(const struct conf_node *n, const char *name, bool *v, struct error *e)
{
    const struct conf_node *at = conf_find(n, name);
    *v = false;
    return !at || conf_bool(at, v) || gen_setting_refuse(at, "expected true or false", e);
}

static bool read_param(struct nest_file *f, uint32_t i, const struct conf_node *n, struct error *e)
{
    struct gen_param *p = &f->param[i];
    static const char *const settings[] = {"value", "least",   "most",    "size",
                                           "real",  "choices", "meaning", NULL};
    const char *name = conf_name(n), *meaning;
    bool size, real;
    const struct gen_param *common = gen_params_common(name);
    if (!common && map_reserves(name))
        return gen_setting_refuse(n, "all kernels have a value of this name; choose another one",
                                  e);
    *p = (struct gen_param){.name = name, .meaning = "", .type = GEN_INT, .hi = 0x1p40};
    if (common) *p = *common;
    p->offset = common ? common->offset : offsetof(struct gen_config, own) + i * sizeof(int64_t);
    if (strcmp(name, "block_threads") == 0) p->offset = offsetof(struct gen_config, block_threads);
    if (conf_type(n) != CONF_GROUP)
        return (conf_real(n, &p->def) && p->def >= p->lo && p->def <= p->hi &&
                !(common && common->type != GEN_INT)) ||
               gen_setting_refuse(n, "expected a group or a number from 0 to 2^40", e);
    if (!nest_rows_known(n, settings, e)) return false;
    bool word = conf_find(n, "choices");
    if (common && (word || common->type != GEN_INT))
        return gen_setting_refuse(n, "this parameter of all generators cannot be changed", e);
    if (!word && !read_bound(n, "value", &p->def, e)) return false;
    if (!read_bound(n, "least", &p->lo, e) || !read_bound(n, "most", &p->hi, e)) return false;
    if (common && (p->lo < common->lo || p->hi > common->hi))
        return gen_setting_refuse(n, "this parameter of all generators has narrower bounds", e);
    if (!word && !(p->lo >= -0x1p62 && p->def >= p->lo && p->def <= p->hi && p->hi <= 0x1p62))
        return gen_setting_refuse(n, "its value is not between least and most", e);
    if (!read_flag(n, "size", &size, e) || !read_flag(n, "real", &real, e)) return false;
    if (size) p->type = GEN_SIZE;
    if (real) p->type = GEN_REAL;
    meaning = conf_find(n, "meaning") ? conf_text(conf_find(n, "meaning")) : NULL;
    if (meaning) p->meaning = meaning;
    return !word || read_choices(n, p, &f->choices[i * MOST_CHOICES], e);
}

static bool read_params(struct nest_file *f, struct error *e)
{
    const struct conf_node *group = conf_find(f->root, "parameters");
    uint32_t n = group ? conf_count(group) : 0;
    if (n > GEN_MAX_OWN || (group && conf_type(group) != CONF_GROUP))
        return gen_setting_refuse(group, "expected a group of up to 16", e);
    f->param = mem_new(n + 1, sizeof *f->param);
    f->choices = mem_new((n + 1) * MOST_CHOICES, sizeof *f->choices);
    if (!f->param || !f->choices) return error_no_memory(e);
    for (uint32_t i = 0; i < n; i++)
        if (!read_param(f, i, conf_child(group, i), e)) return false;
    f->ops.params = f->param;
    f->ops.n_params = n;
    return true;
}

/* --- files --- */

static bool check_root(const struct conf_node *root, struct error *e)
{
    static const char *const known[] = {"parameters", "sizes",     "grid",         "define",
                                        "arrays",     "prologue",  "loop",         "epilogue",
                                        "advance",    "addresses", "shared_bytes", NULL};
    for (uint32_t i = 0; i < conf_count(root); i++) {
        struct gen_value v = gen_value_of_setting(conf_child(root, i));
        uint32_t k = 0;
        while (known[k] && strcmp(known[k], v.name) != 0)
            k++;
        if (!known[k] && conf_type(conf_child(root, i)) != CONF_LIST)
            return gen_value_refuse(&v,
                                    "a kernel has parameters, sizes, grid, define, arrays, "
                                    "shared_bytes, addresses, advance, prologue, loop, epilogue "
                                    "and lists of rows of its own",
                                    e);
    }
    return true;
}

bool nest_file_is(const struct conf_node *root)
{
    return conf_find(root, "loop") != NULL;
}

struct nest_file *nest_file_read(const struct conf_node *root, const char *name, struct error *e)
{
    struct nest_file *f = mem_new(1, sizeof *f);
    if (!f) return error_no_memory(e), NULL;
    f->root = root;
    f->ops = (struct generator_ops){.name = name, .setup = setup};
    const struct conf_node *grid = conf_find(root, "grid");
    if (grid && conf_type(grid) != CONF_GROUP) {
        gen_setting_refuse(grid, "expected a group such as { ctas = 8; threads = 256; }", e);
        return nest_file_free(f), NULL;
    }
    if (grid) f->ops.shape = shape;
    if (grid && conf_find(grid, "steps")) f->ops.cta_steps = count_steps;
    if (check_root(root, e) && read_params(f, e)) return f;
    nest_file_free(f);
    return NULL;
}

struct nest_file *nest_file_parse(const struct generator_ops *of, struct error *e)
{
    struct text all = {0};
    text_add(&all, "%s\n%s", of->text, of->parts ? of->parts : "");
    struct conf *c = all.failed ? NULL : conf_parse(all.s, of->name, e);
    if (all.failed) error_no_memory(e);
    text_fini(&all);
    struct nest_file *f = c ? nest_file_read(conf_root(c), of->name, e) : NULL;
    if (!f) return conf_free(c), NULL;
    f->own = c;
    f->prepare = of->prepare;
    f->ops.tensors = of->tensors;
    if (of->shape) f->ops.shape = of->shape;
    f->ops.warp_steps = of->warp_steps;
    if (of->params) f->ops.params = of->params, f->ops.n_params = of->n_params;
    return f;
}

void nest_file_free(struct nest_file *f)
{
    if (!f) return;
    conf_free(f->own);
    mem_free(f->param);
    mem_free(f->choices);
    mem_free(f);
}

const struct generator_ops *nest_file_ops(const struct nest_file *f)
{
    return &f->ops;
}

void nest_file_describe(struct text *t, const struct conf_node *root)
{
    int64_t whole;
    double real;
    text_add(t, ";%s=", conf_name(root) ? conf_name(root) : "");
    if (conf_text(root))
        text_add(t, "%s", conf_text(root));
    else if (conf_int(root, &whole))
        text_add(t, "%lld", (long long)whole);
    else if (conf_real(root, &real))
        text_add(t, "%a", real);
    for (uint32_t i = 0; i < conf_count(root); i++)
        nest_file_describe(t, conf_child(root, i));
    text_add(t, ";");
}
