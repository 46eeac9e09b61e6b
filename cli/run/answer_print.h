/* answer_print.h - prints answers as a table, as JSON (engine/answer_schema.h), as CSV. */
#pragma once

#include "base/text/rows.h"
#include "base/text/text.h"
#include "engine/engine.h"
#include "gpu/machine/machine.h"

/* One program's outcome. */
struct outcome {
    const char *program; /* as the user named it */
    bool run;            /* it ran to its end, or until it failed */
    bool ok;
    struct answer a; /* if ok */
    struct error e;  /* if not ok; its kind is ERROR_INTERRUPTED after any interrupt */
};

/* Prints for each program how long it takes, how sure that is, what binds and what would help, then
 * the metrics side by side.  machine: as the user named m; all: every metric and every station. */
void answer_print_table(struct text *out, const struct outcome *o, uint32_t n,
                        const struct machine *m, const char *machine, bool all);
/* list: prints an array, even of one outcome. */
void answer_print_json(struct text *out, const struct outcome *o, uint32_t n, bool list);
/* Prints one object: the answer, or program and error. */
void answer_print_outcome_json(const struct outcome *o, struct json *j);
/* Prints a row for each program, and before it one for each launch that has metrics.  Columns:
 * those that identify the run, as in a sweep's export, then those that at least one row has.
 * Failed programs also have the machine's name and the engine. */
void answer_print_csv(struct text *out, const struct outcome *o, uint32_t n, const char *machine,
                      enum engine engine);
/* Adds a row for each metric that there is: columns of CSV.  m: NULL, all are unknown. */
void answer_print_metrics(struct rows *r, const struct metrics *m);

/* Prints the five causes that help most, in words.  whom: "", or " B" if there are several
 * machines. */
void answer_print_causes(struct text *out, const char *whom, const struct causes *c);
