/* report_rows.h - how the page's data are written: long columns as one line of JSON each, absent
 * indices as -1, absent numbers as null. */
#ifndef PLUMB_SWEEPS_REPORT_REPORT_ROWS_H
#define PLUMB_SWEEPS_REPORT_REPORT_ROWS_H

#include "base/text/json.h"
#include "base/text/text.h"
#include "sweeps/analyse/results.h"

#include <stdbool.h>
#include <stdint.h>

struct row {
    struct text text;
    bool more;
};
void row_begin(struct row *r);
void row_index(struct row *r, uint32_t v);
void row_number(struct row *r, double v);    /* 7 digits */
void row_exact(struct row *r, double v);     /* all of them, for what is ranked */
void row_end(struct row *r, struct json *j); /* the whole row into j */

void row_member(struct json *j, const char *key, const char *value);
void row_names(struct json *j, const char *key, const char *const *name, uint32_t n);

/* "sweep", "rounds" and "answers" of the page. */
void report_sweep_data(struct json *j, const struct results *r, struct row *row);
/* "peaks": each machine's memory bandwidth.  false: no memory. */
bool report_peaks_data(struct json *j, const struct results *r, struct row *row);

#endif
