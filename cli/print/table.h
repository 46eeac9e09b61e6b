/* table.h - prints the metrics of several runs side by side. */
#pragma once

#include "base/text/rows.h"
#include "base/text/text.h"
#include "gpu/metrics/metrics.h"

#include <stdbool.h>
#include <stdint.h>

struct column {
    const char *head;
    const struct metrics *m;
};

/* One row per metric that at least one column has; all = false: only the main ones.  ratio: adds a
 * last column with the second column over the first. */
void table_metrics(struct text *out, const char *corner, const struct column *c, uint32_t n,
                   bool all, bool ratio);

/* Draws collected rows and frees them: a line for each item below one of heads, right-aligned cells
 * in columns as wide as needed.  The first column is left-aligned, and so is the last if it holds
 * words.  Columns that do not fit on the terminal go into further blocks below, each after the
 * first column.  All items have the same heads; no item: nothing is drawn. */
void table_rows(struct text *out, struct rows *r);
/* Adds a cell of bars: n values between 0 and `most`; a value of 0 is a blank. */
void table_spark(struct rows *r, const char *head, const double *v, uint32_t n, double most);

enum { NUMBER_MAX = 32 };
/* "1,234,567", "0.8125", "63.2 %" for shares (unit "1"). */
void table_number_text(double v, const char *unit, char out[NUMBER_MAX]);
void table_bytes_text(double bytes, char out[NUMBER_MAX]);  /* "12.5 KB" */
void table_time_text(double seconds, char out[NUMBER_MAX]); /* "3.2 s", "4 min", "2.5 h" */
