/* nest_rows.c - see nest_rows.h. */
#include "trace/generators/nest_rows.h"

#include <stdio.h>
#include <string.h>

enum { MOST_DEPTH = 16, MOST_INSTRUCTIONS = 1 << 18, MOST_ROWS = 1 << 20, MOST_SETTINGS = 12 };

/* --- values --- */

bool nest_rows_refuse(struct rows_reading *r, const struct conf_node *n, const char *what)
{
    return gen_setting_refuse(n, what, r->e);
}

/* The first bad expression of the row n. */
bool nest_rows_check(struct rows_reading *r, const struct conf_node *n)
{
    if (map_out_of_memory(r->g->map)) return error_no_memory(r->e);
    return !map_error(r->g->map) || nest_rows_refuse(r, n, map_error(r->g->map));
}

bool nest_rows_known(const struct conf_node *group, const char *const *names, struct error *e)
{
    for (uint32_t i = 0; i < conf_count(group); i++) {
        struct gen_value v = gen_value_of_setting(conf_child(group, i));
        struct text allowed = {0};
        uint32_t k = 0;
        while (names[k] && strcmp(names[k], v.name) != 0)
            k++;
        if (names[k]) continue;
        for (k = 0; names[k]; k++)
            text_add(&allowed, "%s%s", k ? ", " : "no such setting here; allowed are ", names[k]);
        gen_value_refuse(&v, text_str(&allowed), e);
        text_fini(&allowed);
        return false;
    }
    return true;
}

const char *nest_rows_expression(struct rows_reading *r, const struct conf_node *n, char *number)
{
    int64_t v;
    if (!n) return "";
    if (conf_text(n)) return conf_text(n);
    if (!conf_int(n, &v)) {
        map_refuse(r->g->map, "expected an expression in quotes or a whole number");
        return "0";
    }
    snprintf(number, NEST_EXPRESSION, "%lld", (long long)v);
    return number;
}

bool nest_rows_flag(struct rows_reading *r, const struct conf_node *n)
{
    bool v = false;
    if (n && !conf_bool(n, &v)) map_refuse(r->g->map, "expected true or false");
    return v;
}

int64_t nest_rows_number(struct rows_reading *r, const struct conf_node *n, int64_t otherwise)
{
    char number[NEST_EXPRESSION];
    return n ? map_constant(r->g->map, nest_rows_expression(r, n, number)) : otherwise;
}

/* A number, or the product of a list's. */
double nest_rows_product(struct rows_reading *r, const struct conf_node *n)
{
    double v = 1;
    if (conf_type(n) != CONF_LIST) return (double)nest_rows_number(r, n, 0);
    for (uint32_t i = 0; i < conf_count(n); i++)
        v *= (double)nest_rows_number(r, conf_child(n, i), 1);
    return v;
}

static uint16_t register_of(struct rows_reading *r, const struct conf_node *n)
{
    int64_t v = nest_rows_number(r, n, REG_NONE);
    if (!n || (v >= 0 && v < GEN_REGISTERS)) return (uint16_t)v;
    if (!map_error(r->g->map)) map_refuse(r->g->map, "a register is a number from 0 to 511");
    return 0;
}

bool nest_rows_hold(struct rows_reading *r, const struct conf_node *n)
{
    char number[NEST_EXPRESSION];
    return map_holds(r->g->map, nest_rows_expression(r, n, number));
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
    char index[NEST_EXPRESSION], condition[NEST_EXPRESSION];
    const struct conf_node *at = conf_find(n, "at"), *lanes = conf_find(n, "if");
    if (!at) map_refuse(r->g->map, "an access needs at = INDEX");
    gen_at(r->g, array, bytes, at ? nest_rows_expression(r, at, index) : "0");
    if (lanes) gen_if(r->g, nest_rows_expression(r, lanes, condition));
}

static bool find_bytes(struct rows_reading *r, const struct conf_node *n, int64_t *bytes)
{
    *bytes = nest_rows_number(r, conf_find(n, "bytes"), r->g->c.element_bytes);
    return (*bytes >= 1 && *bytes <= INST_MAX_WIDTH && !(*bytes & (*bytes - 1))) ||
           nest_rows_refuse(r, n, "an access has 1, 2, 4, 8 or 16 bytes");
}

/* load, store, copy. */
static bool add_global(struct rows_reading *r, const struct conf_node *n)
{
    const struct conf_node *load = conf_find(n, "load"), *store = conf_find(n, "store");
    const struct conf_node *copy = conf_find(n, "copy"), *via = conf_find(n, "via");
    int64_t bytes, size;
    int32_t array;
    if (!find_array(r, copy ? copy : conf_find(n, load ? "from" : "to"), &array))
        return nest_rows_refuse(
            r, n, "names no array; an access has from, to or copy = the name of an array");
    if (!find_bytes(r, n, &bytes)) return false;
    size = nest_rows_number(r, conf_find(n, "apart"), bytes);
    int64_t buffer = nest_rows_number(r, conf_find(n, "buffer"), array + 1);
    uint16_t address = (uint16_t)(GEN_R_ADDRESS + 2 * array);
    if (buffer < 0 || buffer > NEST_ARRAYS)
        return nest_rows_refuse(r, n, "buffer is a number from 0 to 16");
    if (via) address = register_of(r, via);
    if (!via && array >= NEST_ADDRESSES)
        return nest_rows_refuse(r, n, "the fifth array on needs via");
    if (load)
        gen_load(r->g, register_of(r, load), address, bytes, (uint16_t)buffer);
    else if (store)
        gen_store(r->g, register_of(r, store), address, bytes, (uint16_t)buffer);
    else if (nest_rows_flag(r, conf_find(n, "bypass")))
        gen_copy_past_l1(r->g, address, bytes, (uint16_t)buffer);
    else
        gen_copy(r->g, address, bytes, (uint16_t)buffer);
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
    place_access(r, n, NEST_SHARED, nest_rows_number(r, conf_find(n, "apart"), bytes));
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
    {"wgmma", OP_WGMMA, "", NULL},
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
    int64_t times = nest_rows_number(r, conf_find(n, "times"), 1);
    uint32_t k = 0, all = sizeof operations / sizeof *operations;
    while (name && k < all && strcmp(operations[k].name, name) != 0)
        k++;
    if (!name || k == all) return nest_rows_refuse(r, conf_find(n, "op"), "no such operation");
    if (times < 0 || times > MOST_INSTRUCTIONS)
        return nest_rows_refuse(r, n, "times is a number from 0 to 262144");
    if (of && conf_type(of) == CONF_LIST && conf_count(of) > 2)
        return nest_rows_refuse(r, of, "an operation reads up to two registers");
    if (code && !conf_text(code)) return nest_rows_refuse(r, code, "expected a mnemonic in quotes");
    bool doubles = operations[k].doubles && r->g->c.element_bytes == 8;
    const char *mnemonic = doubles ? operations[k].doubles : operations[k].code;
    if (code && conf_text(code)) mnemonic = conf_text(code);
    uint16_t set = register_of(r, conf_find(n, "set"));
    for (int64_t i = 0; i < times; i++) {
        uint16_t a = source_of(r, of, 0), b = i ? set : source_of(r, of, 1);
        if (inst_op_is_matrix(operations[k].cls))
            gen_matrix(r->g, operations[k].cls, set, a, source_of(r, of, 1));
        else if (strcmp(name, "mac") == 0)
            gen_fma(r->g, set, a, source_of(r, of, 1));
        else
            gen_op(r->g, doubles ? OP_FP64 : operations[k].cls, set, a, b, mnemonic);
    }
    return true;
}

static bool add_wait(struct rows_reading *r, const struct conf_node *n)
{
    int64_t open = nest_rows_number(r, conf_find(n, "wait"), 0);
    if (open < 0 || open >= INST_COPY_GROUPS)
        return nest_rows_refuse(r, n, "leaves 0 to 63 groups open");
    gen_copy_wait(r->g, (uint32_t)open);
    return true;
}

static bool add_lanes(struct rows_reading *r, const struct conf_node *n)
{
    char number[NEST_EXPRESSION];
    const struct conf_node *branch = conf_find(n, "branch");
    const char *condition = nest_rows_expression(r, branch ? branch : conf_find(n, "only"), number);
    if (branch)
        gen_branch(r->g, condition);
    else
        gen_only(r->g, condition);
    return true;
}

/* Refuses names that all kernels have, and those of parameters that the grid follows from. */
static bool check_name(struct rows_reading *r, const struct conf_node *n, const char *name)
{
    const struct gen_param *p = gen_params_find(r->g->ops, name);
    if (map_reserves(name))
        return nest_rows_refuse(r, n, "all kernels have this name; choose another one");
    bool common = p && (gen_params_common(name) || strcmp(name, "block_threads") == 0);
    return !common ||
           nest_rows_refuse(r, n, "the grid follows from this parameter; choose another name");
}

/* A name that is a parameter's sets that, too, to what it allows. */
static bool set_param(struct rows_reading *r, const struct conf_node *n)
{
    struct generator *g = r->g;
    const struct gen_param *p = gen_params_find(g->ops, conf_name(n));
    if (!p) return true;
    struct gen_value v = gen_value_of_setting(n);
    v.whole = map_constant(g->map, v.name);
    v.text = NULL;
    v.is_whole = true;
    return nest_rows_check(r, n) && gen_params_set(&g->c, p, &v, r->e);
}

static bool add_names(struct rows_reading *r, const struct conf_node *n)
{
    const struct conf_node *let = conf_find(n, "let");
    char number[NEST_EXPRESSION];
    if (conf_type(let) != CONF_GROUP) return nest_rows_refuse(r, let, "expected { NAME = ...; }");
    for (uint32_t i = 0; i < conf_count(let); i++) {
        const struct conf_node *v = conf_child(let, i);
        if (!check_name(r, v, conf_name(v))) return false;
        gen_let(r->g, conf_name(v), nest_rows_expression(r, v, number));
        if (!nest_rows_check(r, v) || !set_param(r, v)) return false;
    }
    return true;
}

/* Adds a value; of a choice, its word. */
static void add_value(struct rows_reading *r, struct text *t, const char *expression)
{
    const struct gen_param *p;
    int64_t v = map_constant(r->g->map, expression);
    const char *word = NULL;
    for (uint32_t i = 0; (p = gen_params_at(r->g->ops, i)); i++)
        if (p->choices && strcmp(p->name, expression) == 0)
            for (int64_t k = 0; p->choices[k]; k++)
                if (k == v) word = p->choices[k];
    if (word)
        text_add(t, "%s", word);
    else
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
    if (nest_rows_hold(r, conf_find(n, "check")) || map_error(r->g->map)) return true;
    if (!otherwise || !conf_text(otherwise)) return nest_rows_refuse(r, n, "does not hold");
    add_filled(r, &what, conf_text(otherwise));
    error_input(r->e, "%s: %s", r->path, text_str(&what));
    text_fini(&what);
    return false;
}

static bool add_rounds(struct rows_reading *r, const struct conf_node *n)
{
    const char *name = conf_text(conf_find(n, "for"));
    int64_t from = nest_rows_number(r, conf_find(n, "from"), 0),
            to = nest_rows_number(r, conf_find(n, "to"), 0);
    if (!name) return nest_rows_refuse(r, n, "for: expected a name in quotes");
    if (!check_name(r, conf_find(n, "for"), name)) return false;
    if (!conf_find(n, "to")) return nest_rows_refuse(r, n, "for needs to = NUMBER");
    for (int64_t i = from; i < to; i++) {
        if (r->rows++ == MOST_ROWS) return nest_rows_refuse(r, n, "too many rows");
        gen_set(r->g, name, (uint64_t)i);
        if (!nest_rows_add(r, conf_find(n, "rows"))) return false;
    }
    return true;
}

static bool add_some(struct rows_reading *r, const struct conf_node *n)
{
    return nest_rows_add(r, conf_find(n, "rows"));
}

/* The rows of a list of the file. */
static bool add_part(struct rows_reading *r, const struct conf_node *n)
{
    const char *name = conf_text(conf_find(n, "use"));
    const struct conf_node *part = name ? conf_find(r->root, name) : NULL;
    return part ? nest_rows_add(r, part)
                : nest_rows_refuse(r, conf_find(n, "use"), "no such list of rows");
}

/* What a row is, by the first of its settings that stands here; every row may have `when`. */
static const struct row_kind {
    const char *name;
    enum rows_part first; /* part in which it may stand */
    row_function *add;
    const char *settings[MOST_SETTINGS]; /* that it may have */
} kinds[] = {
    {"load", ROWS_CODE, add_global, {"from", "at", "if", "bytes", "apart", "via", "buffer"}},
    {"store", ROWS_CODE, add_global, {"to", "at", "if", "bytes", "apart", "via", "buffer"}},
    {"copy", ROWS_CODE, add_global, {"at", "if", "bytes", "apart", "via", "buffer", "bypass"}},
    {"read", ROWS_CODE, add_shared, {"at", "if", "bytes", "apart"}},
    {"write", ROWS_CODE, add_shared, {"at", "if", "bytes", "apart"}},
    {"op", ROWS_CODE, add_operation, {"set", "of", "times", "code"}},
    {"wait", ROWS_CODE, add_wait, {NULL}},
    {"only", ROWS_DEFINE, add_lanes, {NULL}},
    {"branch", ROWS_EPILOGUE, add_lanes, {NULL}},
    {"let", ROWS_SIZES, add_names, {NULL}},
    {"check", ROWS_SIZES, check_sizes, {"else"}},
    {"for", ROWS_SIZES, add_rounds, {"from", "to", "rows"}},
    {"rows", ROWS_SIZES, add_some, {NULL}},
    {"use", ROWS_SIZES, add_part, {NULL}},
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
        if (!known)
            return nest_rows_refuse(r, conf_child(n, i), "a row of this kind has no such setting");
    }
    return true;
}

static bool add_row(struct rows_reading *r, const struct conf_node *n)
{
    static const char *const misplaced[] = {
        [ROWS_DEFINE] = "lanes are chosen in define, prologue, loop and epilogue",
        [ROWS_CODE] = "instructions stand in prologue, loop and epilogue",
        [ROWS_EPILOGUE] = "branches stand in the epilogue"};
    const struct row_kind *kind = conf_type(n) == CONF_GROUP ? kind_of(n) : NULL;
    if (!kind)
        return nest_rows_refuse(
            r, n,
            "expected a row such as { load = ...; }; rows are load, store, copy, "
            "read, write, op, wait, only, branch, let, check, for, rows and use");
    if (r->rows++ == MOST_ROWS) return nest_rows_refuse(r, n, "too many rows");
    if (kind->first > r->part) return nest_rows_refuse(r, n, misplaced[kind->first]);
    if (!check_settings(r, n, kind)) return false;
    bool wanted = !conf_find(n, "when") || nest_rows_hold(r, conf_find(n, "when"));
    if (!nest_rows_check(r, n)) return false;
    if (wanted && !kind->add(r, n)) return false;
    if (r->g->code.n > MOST_INSTRUCTIONS)
        return nest_rows_refuse(r, n, "more than 262144 instructions");
    return nest_rows_check(r, n);
}

bool nest_rows_add(struct rows_reading *r, const struct conf_node *list)
{
    bool ok = !list || conf_type(list) == CONF_LIST ||
              nest_rows_refuse(r, list, "expected a list of rows");
    if (ok && r->depth == MOST_DEPTH)
        return nest_rows_refuse(r, list, "too deep; at most 16 lists");
    r->depth++;
    for (uint32_t i = 0; ok && list && i < conf_count(list); i++)
        ok = add_row(r, conf_child(list, i));
    r->depth--;
    return ok;
}
