/* grid.h - a table that is filled cell by cell, then printed at once. */
#pragma once

#include "base/text/text.h"

#include <stddef.h>
#include <stdint.h>

enum { GRID_CELL = 144 };

struct grid {
    char (*cell)[GRID_CELL];
    size_t n, cap;
    uint32_t columns;
    bool failed;
};

/* heads: the columns' headings, separated by '|'. */
void grid_start(struct grid *g, const char *heads);
void grid_add(struct grid *g, const char *fmt, ...) PLUMB_PRINTF(2, 3);
void grid_count(struct grid *g, double v);           /* "1,234" */
void grid_share(struct grid *g, double a, double b); /* a / b in per cent; "-" without b */
void grid_ratio(struct grid *g, double a, double b); /* a / b with two decimals; "-" without b */
void grid_bytes(struct grid *g, double v);           /* "12.5 KB" */
/* Draws bars of n values between 0 and `most`; a value of 0 is a blank. */
void grid_spark(struct grid *g, const double *v, uint32_t n, double most);
/* Appends the table to `out` and frees it; a lack of memory marks `out` as failed. */
void grid_print(struct grid *g, struct text *out);
