/* results_internal.h - what the files that read results share. */
#ifndef PLUMB_SWEEPS_ANALYSE_RESULTS_INTERNAL_H
#define PLUMB_SWEEPS_ANALYSE_RESULTS_INTERNAL_H

#include "sweeps/analyse/results.h"

#include <sqlite3.h>

struct results_reading {
    struct results *r;
    sqlite3 *db;
    const char *path;
    uint32_t *place;                       /* [machine by digest]: its index in the results */
    uint32_t *column;                      /* [metric by name]: likewise */
    const char *base_digest, *base_config; /* of the sweep's own machine */
    struct error *e;
};

/* Temporary tables: last_sweep, machine_i, program_i, label, engine_i, run_i, metric_i, axis_i,
 * place_i, hardware_i; the i are indices of the results. */
extern const char results_numbering[];

typedef bool results_row_fn(struct results_reading *x, sqlite3_stmt *q, uint32_t row);

/* Calls fn for every row; false: *x->e is set. */
bool results_each(struct results_reading *x, const char *sql, results_row_fn *fn);
/* What SQLite said; false. */
bool results_refuse(const struct results_reading *x);
/* In the results' arena; NULL: SQL's NULL, or no memory. */
const char *results_copy(struct results_reading *x, sqlite3_stmt *q, int column);
static inline uint32_t results_index(sqlite3_stmt *q, int column)
{
    return (uint32_t)sqlite3_column_int64(q, column);
}

/* NaN: NULL. */
double results_number(sqlite3_stmt *q, int column);

bool results_read_axes(struct results_reading *x);
/* By their values on the axes, which have been read; fills x->place. */
bool results_order_machines(struct results_reading *x);
/* The sweep, its rounds, answers and own machine, behind everything else. */
bool results_read_sweep(struct results_reading *x);

#endif
