/* csv.h - reads comma-separated values (RFC 4180: quotes, doubled quotes, line ends inside them).
 *
 * Empty lines and lines that begin with "==" (messages of nvprof and ncu) are skipped. Memory:
 * fields live in the arena. */
#pragma once

#include "base/error.h"
#include "base/memory/arena.h"

#include <stdbool.h>
#include <stdint.h>

struct csv_row {
    const char **field;
    uint32_t n, line; /* line: where the row begins, from 1 */
};
struct csv {
    struct csv_row *row;
    size_t n, cap;
};

/* Reading changes `text`, which must outlive the rows.  false: *e names file and line. */
bool csv_read(struct csv *c, const char *file, char *text, struct arena *arena, struct error *e);
void csv_fini(struct csv *c);
