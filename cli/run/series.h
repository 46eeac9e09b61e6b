/* series.h - simulate --every: writes the metrics of each interval of cycles as CSV and as a
 * picture. */
#pragma once

#include "base/error.h"
#include "base/text/text.h"
#include "gpu/metrics/metrics.h"

#include <stdbool.h>
#include <stddef.h>

enum { SERIES_CURVES = 5 };

struct series {
    const char *program; /* the program of the rows that follow */
    struct text csv;
    double *x, *y[SERIES_CURVES]; /* the picture's points; NaN: unknown */
    size_t n, cap[SERIES_CURVES + 1];
    bool failed; /* no memory */
};

/* A run_each_fn; ctx: the series. */
void series_add(double first_cycle, double last_cycle, const struct metrics *m, void *ctx);
/* Either path may be NULL; a picture's name ends in .svg or .png.  false: *e says why. */
bool series_write(struct series *s, const char *csv, const char *picture, struct error *e);
/* Whether the path has a picture's ending. */
bool series_is_picture(const char *path);
void series_fini(struct series *s);
