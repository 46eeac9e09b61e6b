/* conf_source.h - prepares the text of a configuration file for libconfig (used by conf.c).
 *
 * One pass over the file and its includes
 * - inserts included text and records the origin of each line;
 * - checks every number and rewrites integers as 64-bit decimals ("5000000000" -> "5000000000L"),
 *   which libconfig 1.5 would truncate, and reals so that it reads them ("1e9" -> "1.0e9");
 * - turns [] into (), so that 0 and 0.5 may occur in one array;
 * - checks that brackets match, and removes comments.
 *
 * An @include outside all groups ends a piece: pieces are parsed one by one and merged in order, so
 * that settings after the include override its settings. Inside a group the text simply becomes
 * part of it. */
#pragma once

#include "base/error.h"
#include "base/memory/arena.h"
#include "base/text/text.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

enum { CONF_NESTING_MAX = 64, CONF_INCLUDES_MAX = 16 };

struct conf_origin {
    const char *file;
    uint32_t line;
};

struct conf_source {
    struct arena *arena;             /* owns the file names */
    const char *const *include_dirs; /* NULL-terminated, or NULL */
    /* A piece is complete. */
    bool (*piece)(void *ctx, const struct conf_source *s, struct error *e);
    void *ctx;

    struct text text;           /* the piece */
    struct conf_origin *origin; /* of its lines, origin[0] for line 1 */
    size_t lines, origin_cap;

    struct conf_bracket {
        struct conf_origin at;
        char open;
    } bracket[CONF_NESTING_MAX];
    uint32_t brackets;
    struct conf_open_file {
        dev_t device;
        ino_t inode;
    } open_file[CONF_INCLUDES_MAX];
    uint32_t open_files;
    uint32_t names; /* number of names so far; libconfig compares each with all previous ones */
    /* Of all included files so far: what is included again counts again, and a short file as a
     * page, so that includes of includes end. */
    size_t bytes;
};
enum { CONF_NAMES_MAX = 8192, CONF_BYTES_MAX = 2 << 20, CONF_PAGE_BYTES = 4096 };

/* Both call s->piece for each piece, the last one included; the caller frees with conf_source_fini.
 */
bool conf_source_file(struct conf_source *s, const char *path, struct error *e);
bool conf_source_text(struct conf_source *s, const char *text, const char *name, struct error *e);
/* The origin of line `line` (from 1) of the piece. */
struct conf_origin conf_source_origin(const struct conf_source *s, uint32_t line);
void conf_source_fini(struct conf_source *s);
