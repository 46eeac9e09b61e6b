/* conf.c - see conf.h. conf_source.c prepares the text; libconfig parses it piece by piece; the
 * settings are copied into a separate tree, later pieces over earlier ones. */
#include "base/text/conf.h"

#include "base/memory/alloc.h"
#include "base/memory/arena.h"
#include "base/text/conf_source.h"
#include "base/text/plain_locale.h"

#include <libconfig.h>
#include <string.h>

struct conf_node {
    const char *name;
    struct conf_origin origin;
    enum conf_type type;
    union {
        bool b;
        int64_t i;
        double d;
        const char *s;
    } value;
    struct conf_node **child;
    uint32_t n, cap;
};

struct conf {
    struct arena arena;
    struct conf_node root;
};

struct build {
    struct conf *c;
    const struct conf_source *s;
};

/* --- building --- */

static struct conf_node *find_member(const struct conf_node *group, const char *name)
{
    for (uint32_t i = 0; i < group->n; i++)
        if (strcmp(group->child[i]->name, name) == 0) return group->child[i];
    return NULL;
}

static struct conf_node *add_child(struct arena *a, struct conf_node *parent, const char *name)
{
    if (parent->n == parent->cap) {
        uint32_t cap = parent->cap ? parent->cap * 2 : 4;
        struct conf_node **child = arena_new(a, cap, sizeof(struct conf_node *));
        if (!child) return NULL;
        if (parent->n) memcpy(child, parent->child, parent->n * sizeof(struct conf_node *));
        parent->child = child;
        parent->cap = cap;
    }
    struct conf_node *node = arena_new(a, 1, sizeof *node);
    if (!node || (name && !(node->name = arena_strdup(a, name)))) return NULL;
    parent->child[parent->n++] = node;
    return node;
}

static bool set_value(struct arena *a, struct conf_node *node, const config_setting_t *from)
{
    switch (config_setting_type(from)) {
    case CONFIG_TYPE_BOOL:
        node->type = CONF_BOOL;
        node->value.b = config_setting_get_bool(from);
        return true;
    case CONFIG_TYPE_INT:
    case CONFIG_TYPE_INT64:
        node->type = CONF_INT;
        node->value.i = config_setting_get_int64(from);
        return true;
    case CONFIG_TYPE_FLOAT:
        node->type = CONF_REAL;
        node->value.d = config_setting_get_float(from);
        return true;
    case CONFIG_TYPE_STRING:
        node->type = CONF_TEXT;
        node->value.s = arena_strdup(a, config_setting_get_string(from));
        return node->value.s != NULL;
    default: node->type = config_setting_is_group(from) ? CONF_GROUP : CONF_LIST; return true;
    }
}

/* Copies `from` into `node`. A group copied over a group preserves the members that it does not
 * name. */
static bool copy_setting(const struct build *b, struct conf_node *node,
                         const config_setting_t *from)
{
    bool overlay = node->type == CONF_GROUP && config_setting_is_group(from);
    if (!overlay) node->n = 0;
    node->origin = conf_source_origin(b->s, config_setting_source_line(from));
    if (!set_value(&b->c->arena, node, from)) return false;
    int n = config_setting_is_aggregate(from) ? config_setting_length(from) : 0;
    for (int i = 0; i < n; i++) {
        const config_setting_t *member = config_setting_get_elem(from, (unsigned)i);
        const char *name = config_setting_name(member);
        struct conf_node *child = overlay ? find_member(node, name) : NULL;
        if (!child) child = add_child(&b->c->arena, node, name);
        if (!child || !copy_setting(b, child, member)) return false;
    }
    return true;
}

static bool syntax_error(const struct conf_source *s, const config_t *cfg, struct error *e)
{
    const char *text = config_error_text(cfg);
    int line = config_error_line(cfg);
    struct conf_origin at = conf_source_origin(s, line > 0 ? (uint32_t)line : 1);
    bool plain = !text || strcmp(text, "syntax error") == 0;
    return error_input(e, "%s:%u: %s%s", at.file, at.line, text ? text : "syntax error",
                       plain ? "; settings are written name = value;" : "");
}

/* libconfig leaves the thread with the locale of the process, whatever it had before. */
static bool read_text(config_t *cfg, const char *text)
{
    PLAIN_LOCALE;
    return config_read_string(cfg, text);
}

static bool add_piece(void *ctx, const struct conf_source *s, struct error *e)
{
    struct build b = {.c = ctx, .s = s};
    struct conf_origin top = b.c->root.origin;
    config_t cfg;
    config_init(&cfg);
    bool ok = read_text(&cfg, text_str(&s->text)) || syntax_error(s, &cfg, e);
    if (ok && !copy_setting(&b, &b.c->root, config_root_setting(&cfg))) ok = error_no_memory(e);
    config_destroy(&cfg);
    b.c->root.origin = top;
    return ok;
}

static struct conf *load_source(const char *path, const char *text, const char *const *include_dirs,
                                struct error *e)
{
    struct conf *c = mem_new(1, sizeof *c);
    if (!c) {
        error_no_memory(e);
        return NULL;
    }
    c->root.type = CONF_GROUP;
    c->root.origin = (struct conf_origin){.file = arena_strdup(&c->arena, path), .line = 1};
    struct conf_source s = {
        .arena = &c->arena, .include_dirs = include_dirs, .piece = add_piece, .ctx = c};
    bool ok = c->root.origin.file || error_no_memory(e);
    ok = ok && (text ? conf_source_text(&s, text, path, e) : conf_source_file(&s, path, e));
    conf_source_fini(&s);
    if (ok) return c;
    conf_free(c);
    return NULL;
}

struct conf *conf_load(const char *path, const char *const *include_dirs, struct error *e)
{
    return load_source(path, NULL, include_dirs, e);
}

struct conf *conf_parse(const char *text, const char *name, struct error *e)
{
    return load_source(name, text, NULL, e);
}

void conf_free(struct conf *c)
{
    if (!c) return;
    arena_fini(&c->arena);
    mem_free(c);
}

/* --- reading --- */

const struct conf_node *conf_root(const struct conf *c)
{
    return &c->root;
}

enum conf_type conf_type(const struct conf_node *n)
{
    return n->type;
}

const char *conf_name(const struct conf_node *n)
{
    return n->name;
}

const char *conf_file(const struct conf_node *n)
{
    return n->origin.file;
}

uint32_t conf_line(const struct conf_node *n)
{
    return n->origin.line;
}

uint32_t conf_count(const struct conf_node *n)
{
    return n->n;
}

const struct conf_node *conf_child(const struct conf_node *n, uint32_t i)
{
    return i < n->n ? n->child[i] : NULL;
}

const struct conf_node *conf_find(const struct conf_node *n, const char *name)
{
    return n->type == CONF_GROUP ? find_member(n, name) : NULL;
}

bool conf_bool(const struct conf_node *n, bool *v)
{
    if (n->type == CONF_BOOL) *v = n->value.b;
    return n->type == CONF_BOOL;
}

bool conf_int(const struct conf_node *n, int64_t *v)
{
    if (n->type == CONF_INT) *v = n->value.i;
    return n->type == CONF_INT;
}

bool conf_real(const struct conf_node *n, double *v)
{
    if (n->type == CONF_INT) *v = (double)n->value.i;
    if (n->type == CONF_REAL) *v = n->value.d;
    return n->type == CONF_INT || n->type == CONF_REAL;
}

const char *conf_text(const struct conf_node *n)
{
    return n->type == CONF_TEXT ? n->value.s : NULL;
}
