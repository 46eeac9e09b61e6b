/* conf.h - a typed, checked interface to libconfig (its only user).
 *
 * Integers have 64 bits, with or without a suffix L, and are refused beyond (libconfig 1.5 alone
 * would silently truncate 5000000000 to 705032704). Arrays may mix types as lists do. @include
 * "FILE" is looked up in the including file's directory, then in the given directories; cycles are
 * refused. Outside all groups it makes the file a base: later settings override its settings,
 * groups member by member, lists and values as a whole; earlier settings are overridden by it.
 * Otherwise a name may occur once in its group.
 *
 * File and line of every setting are recorded. A conf_node is valid as long as its struct conf. */
#pragma once

#include "base/error.h"

#include <stdbool.h>
#include <stdint.h>

struct conf;      /* heap, opaque */
struct conf_node; /* a setting */

enum conf_type {
    /* Arrays are lists. */
    CONF_BOOL,
    CONF_INT,
    CONF_REAL,
    CONF_TEXT,
    CONF_GROUP,
    CONF_LIST
};

/* Loads a file. NULL: *e says file, line and reason. include_dirs: NULL-terminated, searched after
 * the file's own directory. */
struct conf *conf_load(const char *path, const char *const *include_dirs, struct error *e);
/* For --set values and tests. */
struct conf *conf_parse(const char *text, const char *name, struct error *e);
void conf_free(struct conf *c);

const struct conf_node *conf_root(const struct conf *c);
enum conf_type conf_type(const struct conf_node *n);
const char *conf_name(const struct conf_node *n); /* NULL in lists */
const char *conf_file(const struct conf_node *n); /* never NULL */
uint32_t conf_line(const struct conf_node *n);
uint32_t conf_count(const struct conf_node *n); /* children of groups and lists, else 0 */
const struct conf_node *conf_child(const struct conf_node *n, uint32_t i);
/* Direct child of a group. */
const struct conf_node *conf_find(const struct conf_node *n, const char *name);

/* Each returns false if the type does not match (an int also serves as a real). */
bool conf_bool(const struct conf_node *n, bool *v);
bool conf_int(const struct conf_node *n, int64_t *v);
bool conf_real(const struct conf_node *n, double *v);
const char *conf_text(const struct conf_node *n); /* NULL: not a string */
