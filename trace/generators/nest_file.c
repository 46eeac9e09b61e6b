/* nest_file.c - see nest_file.h. */
#include "trace/generators/nest_file.h"

#include "base/memory/alloc.h"

#include <stdio.h>
#include <string.h>

enum {
    MOST_DEPTH = 16,
    MOST_INSTRUCTIONS = 1 << 18,
    MOST_ROWS = 1 << 20,
    MOST_ARRAYS = GEN_MAX_TENSORS
};
enum { ADDRESSES = 4 }; /* registers of arrays' addresses */
enum { EXPRESSION_SIZE = 24, MOST_CHOICES = 16, MOST_SETTINGS = 12 };

struct nest_file {
    struct generator_ops ops; /* the first member: setup finds the file */
    bool (*prepare)(struct generator *g, struct error *e);
    struct conf *own; /* NULL: the text is the caller's */
    const struct conf_node *root;
    struct gen_param *param;
    const char **choices; /* MOST_CHOICES of each parameter */
};

/* A kernel that is being set up. */
struct rows_reading {
    struct generator *g;
    const struct conf_node *root;
    const char *path; /* of checks */
    const struct conf_node *array[MOST_ARRAYS];
    uint32_t n_arrays, depth, rows;
    bool in_epilogue;
    struct error *e;
};

/* --- values --- */

static bool refuse_at(struct rows_reading *r, const struct conf_node *n, const char *what)
{
    struct gen_value v = gen_value_of_setting(n);
    if (!v.name) return error_input(r->e, "%s:%u: %s", v.file, v.line, what);
    return gen_value_refuse(&v, what, r->e);
}

/* The first bad expression of the row n. */
static bool check_expressions(struct rows_reading *r, const struct conf_node *n)
{
    if (map_out_of_memory(r->g->map)) return error_no_memory(r->e);
    return !map_error(r->g->map) || refuse_at(r, n, map_error(r->g->map));
}

/* The text of an expression; a number's is written to `number`. "": there is no such setting. */
static const char *expression_of(const struct conf_node *n, char *number)
{
    int64_t v;
    if (n && conf_text(n)) return conf_text(n);
    if (!n || !conf_int(n, &v)) return "";
    snprintf(number, EXPRESSION_SIZE, "%lld", (long long)v);
    return number;
}

static int64_t number_of(struct rows_reading *r, const struct conf_node *n, int64_t otherwise)
{
    char number[EXPRESSION_SIZE];
    return n ? map_constant(r->g->map, expression_of(n, number)) : otherwise;
}

/* A number, or the product of a list's. */
static double product_of(struct rows_reading *r, const struct conf_node *n)
{
    double v = 1;
    if (conf_type(n) != CONF_LIST) return (double)number_of(r, n, 0);
    for (uint32_t i = 0; i < conf_count(n); i++)
        v *= (double)number_of(r, conf_child(n, i), 1);
    return v;
}

static uint16_t register_of(struct rows_reading *r, const struct conf_node *n)
{
    int64_t v = number_of(r, n, REG_NONE);
    if (!n || (v >= 0 && v < GEN_REGISTERS)) return (uint16_t)v;
    if (!map_error(r->g->map)) map_refuse(r->g->map, "a register is a number from 0 to 511");
    return 0;
}

static bool holds(struct rows_reading *r, const struct conf_node *n)
{
    char number[EXPRESSION_SIZE];
    return map_holds(r->g->map, expression_of(n, number));
}

/* --- rows --- */

typedef bool row_function(struct rows_reading *r, const struct conf_node *n);

/* The number of the array that the setting names. */
static bool find_array(struct rows_reading *r, const struct conf_node *n, int32_t *array)
{
    const char *name = n ? conf_text(n) : NULL;
    for (uint32_t k = 0; name && k < r->n_arrays; k++) {
        const char *at = conf_text(conf_find(r->array[k], "name"));
        if (at && strcmp(at, name) == 0) return *array = (int32_t)k, true;
    }
    int64_t number =
        name && strncmp(name, "array ", 6) == 0 ? map_constant(r->g->map, name + 6) : -1;
    *array = (int32_t)number;
    return number >= 0 && number < r->n_arrays;
}

static void place_access(struct rows_reading *r, const struct conf_node *n, int32_t array,
                         int64_t bytes)
{
    char index[EXPRESSION_SIZE], condition[EXPRESSION_SIZE];
    gen_at(r->g, array, bytes, expression_of(conf_find(n, "at"), index));
    if (conf_find(n, "if")) gen_if(r->g, expression_of(conf_find(n, "if"), condition));
}

static bool find_bytes(struct rows_reading *r, const struct conf_node *n, int64_t *bytes)
{
    *bytes = number_of(r, conf_find(n, "bytes"), r->g->c.element_bytes);
    return (*bytes >= 1 && *bytes <= INST_MAX_WIDTH && !(*bytes & (*bytes - 1))) ||
           refuse_at(r, n, "an access has 1, 2, 4, 8 or 16 bytes");
}

/* load, store, copy. */
static bool add_global(struct rows_reading *r, const struct conf_node *n)
{
    const struct conf_node *load = conf_find(n, "load"), *store = conf_find(n, "store");
    const struct conf_node *copy = conf_find(n, "copy"), *via = conf_find(n, "via");
    int64_t bytes, size;
    int32_t array;
    if (!find_array(r, copy ? copy : conf_find(n, load ? "from" : "to"), &array))
        return refuse_at(r, n, "names no array");
    if (!find_bytes(r, n, &bytes)) return false;
    size = number_of(r, conf_find(n, "apart"), bytes);
    uint16_t buffer = (uint16_t)number_of(r, conf_find(n, "buffer"), array + 1),
             address = (uint16_t)(GEN_R_ADDRESS + 2 * array);
    if (via) address = register_of(r, via);
    if (!via && array >= ADDRESSES) return refuse_at(r, n, "the fifth array on needs via");
    if (load)
        gen_load(r->g, register_of(r, load), address, bytes, buffer);
    else if (store)
        gen_store(r->g, register_of(r, store), address, bytes, buffer);
    else if (conf_find(n, "bypass"))
        gen_copy_past_l1(r->g, address, bytes, buffer);
    else
        gen_copy(r->g, address, bytes, buffer);
    place_access(r, n, array, size);
    return true;
}

/* read, write: of shared memory. */
static bool add_shared(struct rows_reading *r, const struct conf_node *n)
{
    const struct conf_node *read = conf_find(n, "read"), *write = conf_find(n, "write");
    int64_t bytes;
    if (!find_bytes(r, n, &bytes)) return false;
    gen_shared_bytes(r->g, read ? OP_SHARED_LOAD : OP_SHARED_STORE,
                     register_of(r, read ? read : write), bytes);
    place_access(r, n, NEST_SHARED, number_of(r, conf_find(n, "apart"), bytes));
    return true;
}

static const struct {
    const char *name;
    uint8_t cls;
    const char *code, *doubles; /* mnemonics; doubles: of 8-byte elements, where these differ */
} operations[] = {
    {"int", OP_INT, "IADD3", NULL},
    {"add", OP_FP32, "FADD", "DADD"},
    {"fma", OP_FP32, "FFMA", "DFMA"},
    {"mac", OP_FP32, "FFMA", NULL},
    {"sfu", OP_SFU, "MUFU", NULL},
    {"tensor", OP_TENSOR, "", NULL},
    {"branch", OP_BRANCH, "BRA", NULL},
    {"barrier", OP_BARRIER, "BAR.SYNC", NULL},
    {"acquire", OP_ACQUIRE, "LDACQ", NULL},
    {"release", OP_RELEASE, "STREL", NULL},
    {"commit", OP_COPY_COMMIT, "LDGDEPBAR", NULL},
};

/* The k-th of the registers that an operation reads. */
static uint16_t source_of(struct rows_reading *r, const struct conf_node *of, uint32_t k)
{
    if (!of || conf_type(of) != CONF_LIST) return k == 0 ? register_of(r, of) : REG_NONE;
    return k < conf_count(of) ? register_of(r, conf_child(of, k)) : REG_NONE;
}

static bool add_operation(struct rows_reading *r, const struct conf_node *n)
{
    const char *name = conf_text(conf_find(n, "op"));
    const struct conf_node *of = conf_find(n, "of"), *code = conf_find(n, "code");
    int64_t times = number_of(r, conf_find(n, "times"), 1);
    uint32_t k = 0, all = sizeof operations / sizeof *operations;
    while (name && k < all && strcmp(operations[k].name, name) != 0)
        k++;
    if (!name || k == all) return refuse_at(r, conf_find(n, "op"), "no such operation");
    if (times < 0 || times > MOST_INSTRUCTIONS) return refuse_at(r, n, "too many times");
    bool doubles = operations[k].doubles && r->g->c.element_bytes == 8;
    const char *mnemonic = doubles ? operations[k].doubles : operations[k].code;
    if (code && conf_text(code)) mnemonic = conf_text(code);
    uint16_t set = register_of(r, conf_find(n, "set"));
    for (int64_t i = 0; i < times; i++) {
        uint16_t a = source_of(r, of, 0), b = i ? set : source_of(r, of, 1);
        if (operations[k].cls == OP_TENSOR)
            gen_tensor(r->g, set, a, source_of(r, of, 1));
        else if (strcmp(name, "mac") == 0)
            gen_fma(r->g, set, a, source_of(r, of, 1));
        else
            gen_op(r->g, doubles ? OP_FP64 : operations[k].cls, set, a, b, mnemonic);
    }
    return true;
}

static bool add_wait(struct rows_reading *r, const struct conf_node *n)
{
    int64_t open = number_of(r, conf_find(n, "wait"), 0);
    if (open < 0 || open >= INST_COPY_GROUPS) return refuse_at(r, n, "leaves 0 to 63 groups open");
    gen_copy_wait(r->g, (uint32_t)open);
    return true;
}

static bool add_lanes(struct rows_reading *r, const struct conf_node *n)
{
    char number[EXPRESSION_SIZE];
    const struct conf_node *branch = conf_find(n, "branch");
    const char *condition = expression_of(branch ? branch : conf_find(n, "only"), number);
    if (branch && !r->in_epilogue) return refuse_at(r, branch, "branches stand in the epilogue");
    if (branch)
        gen_branch(r->g, condition);
    else
        gen_only(r->g, condition);
    return true;
}

/* A name that is a parameter's sets that, too. */
static void set_param(struct generator *g, const char *name)
{
    const struct gen_param *p;
    for (uint32_t i = 0; (p = gen_params_at(g->ops, i)); i++)
        if (strcmp(p->name, name) == 0) {
            int64_t v = map_constant(g->map, name);
            memcpy((char *)&g->c + p->offset, &v, sizeof v);
        }
}

static bool add_names(struct rows_reading *r, const struct conf_node *n)
{
    const struct conf_node *let = conf_find(n, "let");
    char number[EXPRESSION_SIZE];
    if (conf_type(let) != CONF_GROUP) return refuse_at(r, let, "expected { NAME = ...; }");
    for (uint32_t i = 0; i < conf_count(let); i++) {
        const struct conf_node *v = conf_child(let, i);
        gen_let(r->g, conf_name(v), expression_of(v, number));
        if (!check_expressions(r, v)) return false;
        set_param(r->g, conf_name(v));
    }
    return true;
}

/* Adds a value; of a choice, its word. */
static void add_value(struct rows_reading *r, struct text *t, const char *expression)
{
    const struct gen_param *p;
    int64_t v = map_constant(r->g->map, expression);
    for (uint32_t i = 0; (p = gen_params_at(r->g->ops, i)); i++)
        if (p->choices && strcmp(p->name, expression) == 0) {
            text_add(t, "%s", p->choices[v]);
            return;
        }
    text_add(t, "%lld", (long long)v);
}

/* Adds a text in which {EXPRESSION} stands for a value. */
static void add_filled(struct rows_reading *r, struct text *t, const char *s)
{
    char expression[64];
    while (*s) {
        size_t n = *s == '{' ? strcspn(s, "}") : 0;
        if (n > 1 && n < sizeof expression && s[n]) {
            snprintf(expression, sizeof expression, "%.*s", (int)n - 1, s + 1);
            add_value(r, t, expression);
            s += n + 1;
        } else {
            text_add_bytes(t, s++, 1);
        }
    }
}

static bool check_sizes(struct rows_reading *r, const struct conf_node *n)
{
    const struct conf_node *otherwise = conf_find(n, "else");
    struct text what = {0};
    if (holds(r, conf_find(n, "check")) || map_error(r->g->map)) return true;
    if (!otherwise || !conf_text(otherwise)) return refuse_at(r, n, "does not hold");
    add_filled(r, &what, conf_text(otherwise));
    error_input(r->e, "%s: %s", r->path, text_str(&what));
    text_fini(&what);
    return false;
}

static bool add_rows(struct rows_reading *r, const struct conf_node *list);

static bool add_rounds(struct rows_reading *r, const struct conf_node *n)
{
    const char *name = conf_text(conf_find(n, "for"));
    int64_t from = number_of(r, conf_find(n, "from"), 0), to = number_of(r, conf_find(n, "to"), 0);
    if (!name) return refuse_at(r, n, "for: expected a name in quotes");
    for (int64_t i = from; i < to; i++) {
        if (r->rows++ == MOST_ROWS) return refuse_at(r, n, "too many rows");
        gen_set(r->g, name, (uint64_t)i);
        if (!add_rows(r, conf_find(n, "rows"))) return false;
    }
    return true;
}

static bool add_some(struct rows_reading *r, const struct conf_node *n)
{
    return add_rows(r, conf_find(n, "rows"));
}

/* The rows of a list of the file. */
static bool add_part(struct rows_reading *r, const struct conf_node *n)
{
    const char *name = conf_text(conf_find(n, "use"));
    const struct conf_node *part = name ? conf_find(r->root, name) : NULL;
    return part ? add_rows(r, part) : refuse_at(r, conf_find(n, "use"), "no such list of rows");
}

/* What a row is, by the first of its settings that stands here; every row may have `when`. */
static const struct row_kind {
    const char *name;
    row_function *add;
    const char *settings[MOST_SETTINGS]; /* that it may have */
} kinds[] = {
    {"load", add_global, {"from", "at", "if", "bytes", "apart", "via", "buffer"}},
    {"store", add_global, {"to", "at", "if", "bytes", "apart", "via", "buffer"}},
    {"copy", add_global, {"at", "if", "bytes", "apart", "via", "bypass"}},
    {"read", add_shared, {"at", "if", "bytes", "apart"}},
    {"write", add_shared, {"at", "if", "bytes", "apart"}},
    {"op", add_operation, {"set", "of", "times", "code"}},
    {"wait", add_wait, {NULL}},
    {"only", add_lanes, {NULL}},
    {"branch", add_lanes, {NULL}},
    {"let", add_names, {NULL}},
    {"check", check_sizes, {"else"}},
    {"for", add_rounds, {"from", "to", "rows"}},
    {"rows", add_some, {NULL}},
    {"use", add_part, {NULL}},
};

static const struct row_kind *kind_of(const struct conf_node *n)
{
    for (uint32_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        if (conf_find(n, kinds[k].name)) return &kinds[k];
    return NULL;
}

static bool check_settings(struct rows_reading *r, const struct conf_node *n,
                           const struct row_kind *kind)
{
    for (uint32_t i = 0; i < conf_count(n); i++) {
        const char *name = conf_name(conf_child(n, i));
        bool known = strcmp(name, kind->name) == 0 || strcmp(name, "when") == 0;
        for (uint32_t k = 0; !known && kind->settings[k]; k++)
            known = strcmp(name, kind->settings[k]) == 0;
        if (!known) return refuse_at(r, conf_child(n, i), "a row of this kind has no such setting");
    }
    return true;
}

static bool add_row(struct rows_reading *r, const struct conf_node *n)
{
    const struct row_kind *kind = conf_type(n) == CONF_GROUP ? kind_of(n) : NULL;
    if (!kind)
        return refuse_at(r, n,
                         "expected a row such as { load = ...; }; rows are load, store, copy, "
                         "read, write, op, wait, only, branch, let, check, for, rows and use");
    if (r->rows++ == MOST_ROWS) return refuse_at(r, n, "too many rows");
    if (!check_settings(r, n, kind)) return false;
    bool wanted = !conf_find(n, "when") || holds(r, conf_find(n, "when"));
    if (!check_expressions(r, n)) return false;
    if (wanted && !kind->add(r, n)) return false;
    if (r->g->code.n > MOST_INSTRUCTIONS) return refuse_at(r, n, "more than 262144 instructions");
    return check_expressions(r, n);
}

static bool add_rows(struct rows_reading *r, const struct conf_node *list)
{
    bool ok =
        !list || conf_type(list) == CONF_LIST || refuse_at(r, list, "expected a list of rows");
    if (ok && r->depth == MOST_DEPTH) return refuse_at(r, list, "too deep; at most 16 lists");
    r->depth++;
    for (uint32_t i = 0; ok && list && i < conf_count(list); i++)
        ok = add_row(r, conf_child(list, i));
    r->depth--;
    return ok;
}

/* --- the kernel --- */

static bool place_arrays(struct rows_reading *r, const struct conf_node *list)
{
    double bytes[GEN_MAX_TENSORS];
    if (!list || conf_type(list) != CONF_LIST || conf_count(list) > MOST_ARRAYS)
        return error_input(r->e, "%s: arrays: expected a list of up to %d", r->path, MOST_ARRAYS);
    for (uint32_t i = 0; i < conf_count(list); i++) {
        const struct conf_node *n = conf_child(list, i);
        const struct conf_node *size = conf_type(n) == CONF_GROUP ? conf_find(n, "bytes") : NULL;
        if (!size || !conf_find(n, "name") || !conf_text(conf_find(n, "name")))
            return refuse_at(r, n, "an array is { name = ...; bytes = ...; }");
        bool wanted = !conf_find(n, "when") || holds(r, conf_find(n, "when"));
        double all = product_of(r, size);
        if (!check_expressions(r, n)) return false;
        if (!(all >= 0)) return refuse_at(r, n, "an array has 0 bytes or more");
        if (!wanted) continue;
        bytes[r->n_arrays] = all;
        r->array[r->n_arrays++] = n;
    }
    return gen_place_checked(r->g, r->path, r->n_arrays, bytes, r->e);
}

static bool add_kernel(struct rows_reading *r, const struct conf_node *root)
{
    struct generator *g = r->g;
    int64_t most = r->n_arrays < ADDRESSES ? r->n_arrays : ADDRESSES;
    int64_t addresses = number_of(r, conf_find(root, "addresses"), most);
    int64_t advance = number_of(r, conf_find(root, "advance"), addresses);
    int64_t shared = number_of(r, conf_find(root, "shared_bytes"), 0);
    if (!check_expressions(r, root)) return false;
    if (shared < 0 || shared > UINT32_MAX || advance < -1 || advance > ADDRESSES || addresses < 0 ||
        addresses > ADDRESSES)
        return error_input(r->e, "%s: the tiles or the matrices are too large", r->path);
    g->shared_bytes = (uint32_t)shared;
    gen_prologue(g, (uint32_t)addresses);
    if (!add_rows(r, conf_find(root, "prologue"))) return false;
    g->n_prologue = g->code.n;
    if (!add_rows(r, conf_find(root, "loop"))) return false;
    g->n_step = g->code.n - g->n_prologue;
    if (advance >= 0) gen_loop_end(g, (uint32_t)advance);
    r->in_epilogue = true;
    if (!add_rows(r, conf_find(root, "epilogue"))) return false;
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

static bool setup(struct generator *g, const char *path, struct error *e)
{
    const struct nest_file *f = (const struct nest_file *)g->ops;
    struct rows_reading r = {.g = g, .root = f->root, .path = path, .e = e};
    const struct conf_node *grid = conf_find(f->root, "grid");
    name_registers(g);
    if (!add_rows(&r, conf_find(f->root, "sizes"))) return false;
    if (grid && conf_find(grid, "steps")) {
        char number[EXPRESSION_SIZE];
        g->steps_form = map_form(g->map, expression_of(conf_find(grid, "steps"), number), 1);
        g->even_ctas = map_is_constant(g->map, g->steps_form);
    }
    name_draws(g);
    if (f->prepare && !f->prepare(g, e)) return false;
    return add_rows(&r, conf_find(f->root, "define")) &&
           place_arrays(&r, conf_find(f->root, "arrays")) && add_kernel(&r, f->root);
}

/* --- the grid --- */

static uint64_t count_steps(const struct generator *g, uint64_t cta)
{
    int64_t n = map_of_cta(g->map, g->steps_form, cta);
    return n < 1 ? 1 : n > g->c.iterations ? (uint64_t)g->c.iterations : (uint64_t)n;
}

/* Sets ctas, threads and most_steps of the group. */
static bool choose_sizes(struct rows_reading *r, const struct conf_node *grid)
{
    struct gen_config *c = &r->g->c;
    double ctas = conf_find(grid, "ctas") ? product_of(r, conf_find(grid, "ctas")) : 1;
    c->block_threads = number_of(r, conf_find(grid, "threads"), 256);
    c->iterations = number_of(r, conf_find(grid, "most_steps"), 1);
    if (!check_expressions(r, grid)) return false;
    if (c->block_threads < 1 || c->block_threads > 2048 || c->iterations < 1)
        return refuse_at(r, grid, "a CTA has 1 to 2048 threads and a step or more");
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
    bool ok =
        add_rows(&r, conf_find(f->root, "sizes")) && choose_sizes(&r, conf_find(f->root, "grid"));
    map_free(g->map);
    g->map = NULL;
    return ok;
}

/* --- parameters --- */

static bool refuse_param(const struct conf_node *n, const char *what, struct error *e)
{
    return error_input(e, "%s:%u: %s", conf_file(n), conf_line(n), what);
}

static bool read_bound(const struct conf_node *n, const char *name, double *v, struct error *e)
{
    const struct conf_node *at = conf_find(n, name);
    return !at || conf_real(at, v) || refuse_param(at, "expected a number", e);
}

static bool read_choices(const struct conf_node *n, struct gen_param *p, const char **choices,
                         struct error *e)
{
    const struct conf_node *list = conf_find(n, "choices"), *def = conf_find(n, "value");
    uint32_t count = conf_count(list);
    if (count == 0 || count >= MOST_CHOICES) return refuse_param(list, "expected 1 to 15 words", e);
    p->type = GEN_CHOICE;
    p->choices = choices;
    for (uint32_t i = 0; i < count; i++) {
        choices[i] = conf_text(conf_child(list, i));
        if (!choices[i]) return refuse_param(list, "expected words in quotes", e);
        if (def && conf_text(def) && strcmp(conf_text(def), choices[i]) == 0) p->def = i;
    }
    return true;
}

static bool read_param(struct nest_file *f, uint32_t i, const struct conf_node *n, struct error *e)
{
    struct gen_param *p = &f->param[i];
    const char *name = conf_name(n), *meaning;
    const struct gen_param *common = gen_params_common(name);
    *p = (struct gen_param){.name = name, .meaning = "", .type = GEN_INT, .hi = 0x1p40};
    p->offset = common ? common->offset : offsetof(struct gen_config, own) + i * sizeof(int64_t);
    if (strcmp(name, "block_threads") == 0) p->offset = offsetof(struct gen_config, block_threads);
    if (conf_type(n) != CONF_GROUP)
        return conf_real(n, &p->def) || refuse_param(n, "expected a number or a group", e);
    bool word = conf_find(n, "choices");
    if (!word && !read_bound(n, "value", &p->def, e)) return false;
    if (!read_bound(n, "least", &p->lo, e) || !read_bound(n, "most", &p->hi, e)) return false;
    if (conf_find(n, "size")) p->type = GEN_SIZE;
    if (conf_find(n, "real")) p->type = GEN_REAL;
    meaning = conf_find(n, "meaning") ? conf_text(conf_find(n, "meaning")) : NULL;
    if (meaning) p->meaning = meaning;
    return !word || read_choices(n, p, &f->choices[i * MOST_CHOICES], e);
}

static bool read_params(struct nest_file *f, struct error *e)
{
    const struct conf_node *group = conf_find(f->root, "parameters");
    uint32_t n = group ? conf_count(group) : 0;
    if (n > GEN_MAX_OWN || (group && conf_type(group) != CONF_GROUP))
        return refuse_param(group, "parameters: expected a group of up to 16", e);
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
        refuse_param(grid, "grid: expected a group such as { ctas = 8; threads = 256; }", e);
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
