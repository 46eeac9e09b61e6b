/* stored_rows.h - machines and metrics as a sweep's database holds them (docs/guide/database.md): a
 * configuration whole, or as the lines in which it differs from that of another machine of the
 * file; the metrics of a run in the columns of one row.
 *
 * Errors are SQLite's codes. */
#pragma once

#include "base/text/text.h"

#include <sqlite3.h>
#include <stdbool.h>
#include <stdint.h>

/* Adds the configuration of a row of `machine`, whose columns are given, to *out.  base: NULL: it
 * is whole.  false: the file is not sound, or *rc is an error of SQLite. */
bool stored_machine_add(sqlite3 *db, const char *config, const char *base, struct text *out,
                        int *rc);

struct stored_metrics {
    sqlite3_stmt *get; /* the row of run ?1; NULL: there are no columns */
    uint32_t *key;     /* [n] index of each column's metric; METRICS_KEYS_MAX: another version's */
    uint32_t n;
};

/* Finds the columns; in_rows: up to schema 7, each value is a row. */
int stored_metrics_open(struct stored_metrics *m, sqlite3 *db, bool in_rows);
void stored_metrics_close(struct stored_metrics *m);
/* Puts what the run has where wanted[key], of METRICS_KEYS_MAX + 1 whose last is false, allows it;
 * leaves the rest. */
int stored_metrics_read(const struct stored_metrics *m, int64_t run, const bool *wanted,
                        double *value, bool *has);
/* Prepares the statement that the query's only row holds; SQLITE_CORRUPT: it has none. */
int stored_rows_prepare(sqlite3 *db, const char *query, sqlite3_stmt **q);
/* Executes what the query's only row holds, if there is one. */
int stored_rows_execute(sqlite3 *db, const char *query);
