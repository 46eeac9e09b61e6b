/* results_internal.h - shared by the files that read results from a database. */
#pragma once

#include "sweeps/analyse/results.h"

#include <sqlite3.h>

struct results_reading {
    struct results *r;
    sqlite3 *db;
    const char *path;
    uint32_t *column; /* [metric, sorted by name]: its index in the results */
    uint64_t counted;
    const char *base_digest, *base_config; /* the sweep's own machine */
    struct error *e;
};

/* Creates the temporary tables last_sweep, machine_i, program_i, label, engine_i, run_i, metric_i,
 * axis_i, level_i, place_i and hardware_i; a column i is an index into the results. */
extern const char results_numbering[];

typedef bool results_row_fn(struct results_reading *x, sqlite3_stmt *q, uint32_t row);

/* Calls fn for every row; false: *x->e is set. */
bool results_each(struct results_reading *x, const char *sql, results_row_fn *fn);
/* The same, after an array of n elements of that size, one for each row, has been allocated in the
 * results' arena; array: where its address goes. Refuses more rows than RESULTS_RUNS_MAX. */
bool results_table(struct results_reading *x, const char *sql, void *array, uint32_t *n,
                   size_t size, results_row_fn *fn);
bool results_count(struct results_reading *x, const char *sql, uint64_t *n);
/* Sets the error to SQLite's message and returns false. */
bool results_refuse(const struct results_reading *x);
/* A copy in the results' arena; NULL: the column is NULL, or there is no memory. */
const char *results_copy(struct results_reading *x, sqlite3_stmt *q, int column);
/* The whole configuration of a row of `machine`, whose column `config` and, behind it, `base` these
 * are; "": the file is not sound. NULL: there is no memory. */
const char *results_config(struct results_reading *x, sqlite3_stmt *q, int column);
static inline uint32_t results_index(sqlite3_stmt *q, int column)
{
    return (uint32_t)sqlite3_column_int64(q, column);
}

/* NaN: the column is NULL. */
double results_number(sqlite3_stmt *q, int column);

/* Reads the sweep, its rounds, answers and own machine; must come last. */
bool results_read_sweep(struct results_reading *x);
