/* series.h - simulate --every: what happened in each stretch of cycles, as CSV and as a picture. */
#ifndef PLUMB_CLI_RUN_SERIES_H
#define PLUMB_CLI_RUN_SERIES_H

#include "base/error.h"
#include "base/text/text.h"
#include "gpu/metrics/metrics.h"

#include <stdbool.h>
#include <stddef.h>

enum { SERIES_CURVES = 5 };

struct series {
    const char *program; /* of the rows that come next */
    struct text csv;
    double *x, *y[SERIES_CURVES]; /* of the picture; NaN: not known there */
    size_t n, cap[SERIES_CURVES + 1];
    bool failed; /* no memory */
};

/* A run_each_fn; ctx: the series. */
void series_add(double first_cycle, double last_cycle, const struct metrics *m, void *ctx);
/* Either path may be NULL; a picture's name ends in .svg or .png.  Returns false with *e. */
bool series_write(struct series *s, const char *csv, const char *picture, struct error *e);
/* Whether a picture can have that name. */
bool series_is_picture(const char *path);
void series_fini(struct series *s);

#endif
