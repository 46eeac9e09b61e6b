/* conf.h - libconfig behind a typed, checked face (the only user of libconfig).
 *
 * Integers have 64 bits, with or without a suffix L, and are refused beyond (libconfig 1.5 alone
 * would truncate 5000000000 to 705032704 silently).  Arrays may mix types as lists do.
 *
 * @include "FILE" looks beside the including file, then in the directories given; cycles are
 * refused.  Outside all groups it makes a base to build on: settings after it override what it set,
 * groups member by member, lists and values as a whole; settings before it are overridden by it.
 * Otherwise a name may stand once in its group.
 *
 * File and line of every setting are kept.  A conf_node is valid as long as its struct conf. */
#ifndef PLUMB_BASE_TEXT_CONF_H
#define PLUMB_BASE_TEXT_CONF_H

#include "base/error.h"

#include <stdbool.h>
#include <stdint.h>

struct conf;      /* heap, opaque */
struct conf_node; /* a setting */

enum conf_type {
    CONF_BOOL,
    CONF_INT,
    CONF_REAL,
    CONF_TEXT,
    CONF_GROUP,
    CONF_LIST
}; /* arrays are lists */

/* NULL: *e says file, line and why.  include_dirs: NULL-terminated, searched after the file's own.
 */
struct conf *conf_load(const char *path, const char *const *include_dirs, struct error *e);
struct conf *conf_parse(const char *text, const char *name,
                        struct error *e); /* for --set values and tests */
void conf_free(struct conf *c);

const struct conf_node *conf_root(const struct conf *c);
enum conf_type conf_type(const struct conf_node *n);
const char *conf_name(const struct conf_node *n); /* NULL in lists */
const char *conf_file(const struct conf_node *n); /* never NULL */
uint32_t conf_line(const struct conf_node *n);
uint32_t conf_count(const struct conf_node *n); /* children of groups and lists, else 0 */
const struct conf_node *conf_child(const struct conf_node *n, uint32_t i);
const struct conf_node *conf_find(const struct conf_node *n,
                                  const char *name); /* direct child of a group */

/* Each returns false when the type does not fit (an int serves as a real). */
bool conf_bool(const struct conf_node *n, bool *v);
bool conf_int(const struct conf_node *n, int64_t *v);
bool conf_real(const struct conf_node *n, double *v);
const char *conf_text(const struct conf_node *n); /* NULL: not a string */

#endif
