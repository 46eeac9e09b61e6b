/* report_drawing.h - shared by the two files that draw the report's figures (report_figures.c,
 * report_grids.c). */
#pragma once

#include "base/text/text.h"
#include "sweeps/report/report_figures.h"

enum { FIGURE_NAME = 300 };

struct figures {
    const struct results *r;
    enum chart_format format;
    const char *folder;
    uint32_t *written;
    const char *y_name, *x_name; /* the objectives; x_name: NULL if there is only one */
    bool y_more, x_more;
    double *y, *x;     /* [machine] means over the programs; NaN: unknown */
    bool *front;       /* [machine] it is on the Pareto front */
    struct text named; /* the names that the pictures have so far, each between line ends */
    struct error *e;
};

/* "FOLDER/NAME.svg", or NAME-2 if another picture has that name; NULL: out of memory, *f->e is
 * set. */
char *report_figure_path(struct figures *f, const char *name);
/* Such as "cycles (core cycles)". */
void report_figure_title(const char *quantity, char out[FIGURE_NAME]);
/* The geometric or the arithmetic mean; NaN if a value is unknown. */
double report_figure_mean(const double *v, uint32_t n, bool geometric);

/* Draws which axis matters, parallel coordinates, and programs by each axis. */
bool report_figure_grids(struct figures *f);
