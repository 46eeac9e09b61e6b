#include "tests/support/json_check.h"

#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static inline struct node *json_value(struct json_reader *r);

static void json_space(struct json_reader *r)
{
    while (isspace((unsigned char)*r->at))
        r->at++;
}

static bool json_take(struct json_reader *r, char c)
{
    json_space(r);
    if (*r->at != c) return false;
    r->at++;
    return true;
}

/* Escapes are kept as they stand: names and texts of these documents have none that matter. */
static char *json_text(struct json_reader *r)
{
    json_space(r);
    const char *from = ++r->at;
    while (*r->at && *r->at != '"')
        r->at += *r->at == '\\' ? 2 : 1;
    size_t n = (size_t)(r->at - from);
    char *s = arena_new(&r->arena, n + 1, 1);
    memcpy(s, from, n);
    r->bad |= *r->at != '"';
    r->at++;
    return s;
}

static void json_children(struct json_reader *r, struct node *n, char end)
{
    struct node **tail = &n->child;
    if (json_take(r, end)) return;
    do {
        char *key = NULL;
        json_space(r);
        if (n->type == NODE_OBJECT) {
            if (*r->at != '"') r->bad = true;
            if (r->bad) return;
            key = json_text(r);
            r->bad |= !json_take(r, ':');
        }
        *tail = json_value(r);
        (*tail)->key = key;
        tail = &(*tail)->next;
    } while (!r->bad && json_take(r, ','));
    r->bad |= !json_take(r, end);
}

static void json_word(struct json_reader *r, struct node *n)
{
    static const char *const word[] = {"null", "false", "true"};
    for (int i = 0; i < 3; i++) {
        if (strncmp(r->at, word[i], strlen(word[i])) != 0) continue;
        r->at += strlen(word[i]);
        n->type = i ? NODE_BOOL : NODE_NULL;
        n->number = i == 2;
        return;
    }
    char *end;
    n->type = NODE_NUMBER;
    n->number = strtod(r->at, &end);
    r->bad |= end == r->at;
    r->at = end;
}

static struct node *json_value(struct json_reader *r)
{
    struct node *n = arena_new(&r->arena, 1, sizeof(*n));
    json_space(r);
    if (*r->at == '"') {
        n->type = NODE_STRING;
        n->text = json_text(r);
    } else if (json_take(r, '{')) {
        n->type = NODE_OBJECT;
        json_children(r, n, '}');
    } else if (json_take(r, '[')) {
        n->type = NODE_ARRAY;
        json_children(r, n, ']');
    } else {
        json_word(r, n);
    }
    return n;
}

struct node *json_read(struct json_reader *r, const char *s)
{
    r->at = s;
    struct node *n = json_value(r);
    json_space(r);
    return r->bad || *r->at ? NULL : n;
}

const struct node *node_get(const struct node *n, const char *key)
{
    for (n = n ? n->child : NULL; n; n = n->next)
        if (n->key && strcmp(n->key, key) == 0) return n;
    return NULL;
}

const struct node *node_path(const struct node *n, const char *path, char separator)
{
    char part[128];
    while (n && *path) {
        size_t len = strcspn(path, (const char[]){separator, 0});
        snprintf(part, sizeof(part), "%.*s", (int)len, path);
        n = node_get(n, part);
        path += len + (path[len] != 0);
    }
    return n;
}

static bool schema_type(const char *type, const struct node *v)
{
    static const char *const name[] = {"null", "boolean", "number", "string", "array", "object"};
    if (strcmp(type, "integer") == 0)
        return v->type == NODE_NUMBER && v->number == (double)(long long)v->number;
    return strcmp(type, name[v->type]) == 0;
}

static bool schema_fault(char *why, size_t n, const struct node *v, const char *what)
{
    if (!*why) snprintf(why, n, "%s: %s", v->key ? v->key : "(item)", what);
    return false;
}

static bool schema_object(const struct node *root, const struct node *s, const struct node *v,
                          char *why, size_t n)
{
    const struct node *required = node_get(s, "required"),
                      *closed = node_get(s, "additionalProperties");
    for (const struct node *r = required ? required->child : NULL; r; r = r->next)
        if (!node_get(v, r->text)) return schema_fault(why, n, v, r->text);
    for (const struct node *c = v->child; c; c = c->next) {
        for (const struct node *d = c->next; d; d = d->next)
            if (strcmp(c->key, d->key) == 0) return schema_fault(why, n, c, "stands twice");
        const struct node *p = node_get(node_get(s, "properties"), c->key);
        if (!p && closed && closed->child) p = closed; /* a schema for all others */
        if (!p && closed && closed->number == 0) return schema_fault(why, n, c, "unknown key");
        if (p && !schema_valid(root, p, c, why, n)) return false;
    }
    return true;
}

static bool schema_one_of(const struct node *root, const struct node *one, const struct node *v,
                          char *why, size_t n)
{
    uint32_t fit = 0;
    char last[256] = "";
    for (const struct node *c = one->child; c; c = c->next) {
        char own[256] = "";
        fit += schema_valid(root, c, v, own, sizeof(own));
        if (!*last) memcpy(last, own, sizeof(last));
    }
    return fit == 1 || schema_fault(why, n, v, fit ? "fits several" : last);
}

static bool schema_value(const struct node *s, const struct node *v, char *why, size_t n)
{
    const struct node *lo = node_get(s, "minimum"), *hi = node_get(s, "maximum"),
                      *any = node_get(s, "enum");
    if (lo && v->number < lo->number) return schema_fault(why, n, v, "below the minimum");
    if (hi && v->number > hi->number) return schema_fault(why, n, v, "above the maximum");
    if (!any) return true;
    for (const struct node *c = any->child; c; c = c->next)
        if (v->type == NODE_STRING && strcmp(c->text, v->text) == 0) return true;
    return schema_fault(why, n, v, "not one of the allowed");
}

bool schema_valid(const struct node *root, const struct node *s, const struct node *v, char *why,
                  size_t n)
{
    const struct node *ref = node_get(s, "$ref"), *one = node_get(s, "oneOf"),
                      *type = node_get(s, "type");
    if (ref) return schema_valid(root, node_path(root, ref->text + 2, '/'), v, why, n);
    if (one) return schema_one_of(root, one, v, why, n);
    if (type && !schema_type(type->text, v)) return schema_fault(why, n, v, "wrong type");
    if (v->type == NODE_OBJECT && !schema_object(root, s, v, why, n)) return false;
    const struct node *items = node_get(s, "items");
    for (const struct node *c = v->type == NODE_ARRAY && items ? v->child : NULL; c; c = c->next)
        if (!schema_valid(root, items, c, why, n)) return false;
    return schema_value(s, v, why, n);
}
