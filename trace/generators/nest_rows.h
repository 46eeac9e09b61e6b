/* nest_rows.h - the rows of kernels that are written as text: each adds its instructions, with
 * where they go, or names values. */
#pragma once

#include "base/text/conf.h"
#include "trace/generators/gen_params.h"
#include "trace/generators/nest.h"

enum { NEST_ARRAYS = GEN_MAX_TENSORS, NEST_ADDRESSES = 4 /* registers of arrays' addresses */ };
enum { NEST_EXPRESSION = 24 /* bytes of a number as an expression */ };

/* Where rows stand; a row may stand in its first part and in what follows. */
enum rows_part { ROWS_SIZES, ROWS_DEFINE, ROWS_CODE, ROWS_EPILOGUE };

/* A kernel that is being set up. */
struct rows_reading {
    struct generator *g;
    const struct conf_node *root;
    const char *path; /* of checks */
    const struct conf_node *array[NEST_ARRAYS];
    uint32_t n_arrays, depth, rows;
    enum rows_part part;
    struct error *e;
};

/* Adds a list of rows; NULL: none. false: *r->e, which names the row. */
bool nest_rows_add(struct rows_reading *r, const struct conf_node *list);
/* false, and what is wrong with a setting. */
bool nest_rows_refuse(struct rows_reading *r, const struct conf_node *n, const char *what);
/* Whether all expressions up to the setting n were right. */
bool nest_rows_check(struct rows_reading *r, const struct conf_node *n);
/* The text of an expression; a number's is written to `number`. "": there is no such setting.
 * Anything else is noted as wrong. */
const char *nest_rows_expression(struct rows_reading *r, const struct conf_node *n, char *number);
/* A setting that is true or false; false if it is not there. */
bool nest_rows_flag(struct rows_reading *r, const struct conf_node *n);
/* Refuses settings of a group that are not among the NULL-terminated names. */
bool nest_rows_known(const struct conf_node *group, const char *const *names, struct error *e);
int64_t nest_rows_number(struct rows_reading *r, const struct conf_node *n, int64_t otherwise);
/* A number, or the product of a list's. */
double nest_rows_product(struct rows_reading *r, const struct conf_node *n);
bool nest_rows_hold(struct rows_reading *r, const struct conf_node *n);
