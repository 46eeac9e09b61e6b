/* results_internal.h - what the files that read results share. */
#ifndef PLUMB_SWEEPS_RESULTS_INTERNAL_H
#define PLUMB_SWEEPS_RESULTS_INTERNAL_H

#include "sweeps/results.h"

#include <sqlite3.h>

struct reading {
    struct results *r;
    sqlite3 *db;
    const char *path;
    uint32_t *place;  /* [machine by digest]: its index in the results */
    uint32_t *column; /* [metric by name]: likewise */
    struct error *e;
};

typedef bool results_row_fn(struct reading *x, sqlite3_stmt *q, uint32_t row);

/* Calls fn for every row; false: *x->e is set. */
bool results_each(struct reading *x, const char *sql, results_row_fn *fn);
/* In the results' arena; NULL: SQL's NULL, or no memory. */
const char *results_copy(struct reading *x, sqlite3_stmt *q, int column);
static inline uint32_t results_index(sqlite3_stmt *q, int column)
{
    return (uint32_t)sqlite3_column_int64(q, column);
}

bool results_read_axes(struct reading *x);
/* By their values on the axes, which have been read; fills x->place. */
bool results_order_machines(struct reading *x);

#endif
