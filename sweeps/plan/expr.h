/* expr.h - conditions of a sweep file: `l2.bank_kb * l2.banks <= 8192 && l2.replacement != 'lru'`.
 *
 * Operators, loosest first: || ; && ; == != < <= > >= ; + - ; * / % ; unary - and ! ; parentheses;
 * the functions min max (two arguments), abs, sqrt, log2, floor, ceil.  Names are parameter paths;
 * texts stand in single or double quotes and can only be compared with == and !=; true and false
 * are 1 and 0, and so is a comparison.  Types are checked when the text is read: what is read can
 * be evaluated for any values.
 *
 * Memory: everything lives in the arena.  Immutable after reading: several threads may evaluate. */
#pragma once

#include "base/error.h"
#include "base/memory/arena.h"

#include <stdbool.h>
#include <stdint.h>

struct expr; /* opaque */

struct expr_value {
    bool is_text;
    double number;
    const char *text;
};

/* Looks up a name: its number, which expr_look takes, and whether it is a text.  false: *e says
 * why. */
typedef bool expr_find(void *ctx, const char *name, uint32_t *id, bool *is_text, struct error *e);
/* The current value of the name with that number, of the type that expr_find stated. */
typedef struct expr_value expr_look(void *ctx, uint32_t id);

/* NULL: *e says the column and what was expected there. */
const struct expr *expr_read(const char *text, expr_find *find, void *ctx, struct arena *arena,
                             struct error *e);
/* x is a number or a truth value; expr_read refuses expressions that are texts. */
double expr_eval(const struct expr *x, expr_look *look, void *ctx);
bool expr_true(const struct expr *x, expr_look *look, void *ctx); /* not 0 and not NaN */
