/* answer_print.h - answers as a table for people, as the contract's JSON, as CSV. */
#ifndef PLUMB_CLI_RUN_ANSWER_PRINT_H
#define PLUMB_CLI_RUN_ANSWER_PRINT_H

#include "base/text/json.h"
#include "base/text/text.h"
#include "engine/engine.h"

/* One program's outcome. */
struct outcome {
    const char *program; /* as the user named it */
    bool run;            /* to its end, or until it failed */
    bool ok;
    struct answer a; /* if ok */
    struct error e;  /* else; of kind ERROR_INTERRUPTED in either case */
};

void report_table(struct text *out, const struct outcome *o, uint32_t n, bool all);
/* list: an array, even of one outcome. */
void report_json(struct text *out, const struct outcome *o, uint32_t n, bool list);
/* One object: the answer, or program and error. */
void report_outcome_json(const struct outcome *o, struct json *j);
/* By instruction and buffer, if they were counted. */
void report_sites(struct text *out, const struct answer *a);
/* A row for each program, and before it one for each launch that was kept.  Columns: which run it
 * is, as in a sweep's export, then what at least one row knows.  The machine's name and the engine
 * are those of failed programs, too. */
void report_csv(struct text *out, const struct outcome *o, uint32_t n, const char *machine,
                enum engine engine);

void report_stations(struct text *out, const struct answer *a);
void report_confidence(struct text *out, const struct answer *a);
/* The five that help most, in words.  whom: "", or " B" where there are several. */
void report_causes(struct text *out, const char *whom, const struct causes *c);

#endif
