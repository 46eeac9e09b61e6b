/* rows.h - a record is a list of rows, and JSON, CSV and tables are three forms of that list.
 *
 * One function for each kind of record adds its rows, whichever form is wanted.  A row has a key
 * (its name in JSON and CSV; NULL: in tables only), a head (of the table's column; NULL: in JSON
 * and CSV only) and a value; the key's unit and meaning stand where keys are defined
 * (gpu/metrics/metrics.h for metrics).
 *
 *   JSON   `json` is set: each row is written at once, as a member of the innermost object.
 *   table  `json` is NULL: the rows are collected; cli/print/table.h draws them, a line for each
 *          item, and frees them.
 *   CSV    likewise, by rows_csv_head and rows_csv.
 *
 * A value that is unknown (a NaN, an infinite number, NULL, a part of 0) is left out of JSON, empty
 * in CSV and `unknown` in a table.  How a table shows a number is `show`: a unit ("" for counts,
 * "1" for shares), SHOW_BYTES, or a printf format of one double, which has per cent of the value if
 * it ends in "%%". Ownership: keys, heads and shows outlive the rows; texts are copied. */
#pragma once

#include "base/memory/arena.h"
#include "base/text/json.h"

#define SHOW_BYTES "12.5 KB" /* as this; no unit is called so */
#define SHOW_SHARE "%.1f %%"
#define SHOW_RATIO "%.2f"

struct row_value {
    const char *key, *head, *show; /* show: NULL for a text, and at the beginning of an item */
    const char *text;
    double v, of; /* the value is v / of */
};

struct rows {
    struct json *json;
    bool example;        /* the first item of a table only gives the heads: a table may be empty */
    bool failed;         /* out of memory */
    const char *unknown; /* what a table has for an unknown value; NULL: "-" */
    struct row_value *row;
    size_t n, cap;
    struct arena texts;
};

void rows_fini(struct rows *r);
void rows_clear(struct rows *r); /* for further rows in the same memory */

/* An item is an object of a list in JSON, a line of the table.  Objects and lists with a key are in
 * JSON alone: in tables and CSV, what they hold belongs to the item around them. */
void rows_item(struct rows *r);
void rows_object(struct rows *r, const char *key);
void rows_list(struct rows *r, const char *key);
void rows_end(struct rows *r); /* of the innermost item, object or list */

void rows_text(struct rows *r, const char *key, const char *head, const char *s);
void rows_format(struct rows *r, const char *key, const char *head, const char *fmt, ...)
    PLUMB_PRINTF(4, 5);
void rows_bool(struct rows *r, const char *key, const char *head, bool v); /* "yes", "no" */
void rows_count(struct rows *r, const char *key, const char *head, uint64_t v);
void rows_bytes(struct rows *r, const char *key, const char *head, uint64_t v);
void rows_number(struct rows *r, const char *key, const char *head, const char *show, double v);
/* a / b as "12.5 %", and as "0.13"; unknown unless b > 0. */
void rows_share(struct rows *r, const char *key, const char *head, double a, double b);
void rows_ratio(struct rows *r, const char *key, const char *head, double a, double b);
/* In JSON and CSV the count a, in tables a / b. */
void rows_counted(struct rows *r, const char *key, const char *head, const char *show, uint64_t a,
                  double b);
/* A list of whole numbers, in JSON alone. */
void rows_counts(struct rows *r, const char *key, const uint64_t *v, size_t n);

/* A head or key that lives as long as the rows; "" without memory. */
const char *rows_name(struct rows *r, const char *fmt, ...) PLUMB_PRINTF(2, 3);

/* Add a line of CSV: the keys; the values.  used: which of the rows are columns, NULL for all. */
void rows_csv_head(const struct rows *r, const bool *used, struct text *out);
void rows_csv(const struct rows *r, const bool *used, struct text *out);
/* Sets used[i] for each row that has something to print. */
void rows_csv_use(const struct rows *r, bool *used);
bool rows_is_known(const struct row_value *w);
