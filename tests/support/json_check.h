/* json_check.h - for tests: reads JSON into a tree and validates it against the part of JSON Schema
 * 2020-12 that `plumb metrics --schema` uses (type, enum, required, properties,
 * additionalProperties (false or a schema), items, minimum, maximum, oneOf, local $ref). */
#pragma once

#include "base/memory/arena.h"

#include <stdbool.h>

enum node_type { NODE_NULL, NODE_BOOL, NODE_NUMBER, NODE_STRING, NODE_ARRAY, NODE_OBJECT };

/* A value; child, next: of arrays and objects. */
struct node {
    enum node_type type;
    double number;
    char *text; /* of strings */
    char *key;  /* inside an object */
    struct node *child, *next;
};

/* Starts with all zero; arena_fini frees the trees that it read. */
struct json_reader {
    const char *at;
    struct arena arena;
    bool bad;
};

/* Reads a text.  NULL: no JSON, or something after it. */
struct node *json_read(struct json_reader *r, const char *s);

/* The object's value of that key; NULL: there is none, or n is NULL. */
const struct node *node_get(const struct node *n, const char *key);

/* Follows keys with the separator between; NULL: one is not there. */
const struct node *node_path(const struct node *n, const char *path, char separator);

/* Whether v is valid under the schema s; root: the whole schema, for references.  *why, empty
 * before: the first fault. */
bool schema_valid(const struct node *root, const struct node *s, const struct node *v, char *why,
                  size_t n);
