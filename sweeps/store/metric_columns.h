/* metric_columns.h - the columns of the table `metrics`, one for each metric that a run in the file
 * has ever had: added when a run brings a new one, listed in the table `metric_name` in the order
 * of the columns.  The view `metric` shows them as rows of names and values.
 *
 * Errors are SQLite's codes.  Whoever adds columns or copies rows has begun a transaction. */
#pragma once

#include "calibration/bank/stored_rows.h"
#include "gpu/metrics/metrics.h"

#include <sqlite3.h>
#include <stdbool.h>
#include <stdint.h>

struct metric_columns {
    struct stored_metrics stored;
    bool has[METRICS_KEYS_MAX + 1]; /* the last: any of another version */
    sqlite3_stmt *put;              /* all columns of a run, behind its number */
};

void metric_columns_forget(struct metric_columns *c); /* also its only end */
/* Reads which there are. */
int metric_columns_read(struct metric_columns *c, sqlite3 *db);
/* Adds a column for each of the metrics that has none. */
int metric_columns_add(struct metric_columns *c, sqlite3 *db, const bool wanted[METRICS_KEYS_MAX]);
/* The table `metric` of schema 7, one row a value, becomes columns. */
int metric_columns_take_rows(sqlite3 *db);
/* Copies the rows of the runs that the table `fresh` lists from the database attached as `shard`.
 */
int metric_columns_copy(sqlite3 *db);
