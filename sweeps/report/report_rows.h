/* report_rows.h - writes the page's data: each long column as one line of JSON, absent indices as
 * -1, absent numbers as null. */
#pragma once

#include "base/text/json.h"
#include "base/text/text.h"
#include "sweeps/analyse/results.h"

#include <stdbool.h>
#include <stdint.h>

struct report_row {
    struct text text;
    bool more;
};
void report_row_begin(struct report_row *r);
void report_row_index(struct report_row *r, uint32_t v);
void report_row_number(struct report_row *r, double v); /* 7 digits */
void report_row_exact(struct report_row *r, double v); /* every digit, for values that are ranked */
void report_row_end(struct report_row *r, struct json *j); /* writes the whole row to j */

void report_row_names(struct json *j, const char *key, const char *const *name, uint32_t n);

/* Writes "sweep", "rounds" and "answers" of the page. */
void report_sweep_data(struct json *j, const struct results *r, struct report_row *row);
/* Writes "peaks": each machine's memory bandwidth.  false: no memory. */
bool report_peaks_data(struct json *j, const struct results *r, struct report_row *row);
