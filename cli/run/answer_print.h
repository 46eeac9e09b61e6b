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

void answer_print_table(struct text *out, const struct outcome *o, uint32_t n, bool all);
/* list: an array, even of one outcome. */
void answer_print_json(struct text *out, const struct outcome *o, uint32_t n, bool list);
/* One object: the answer, or program and error. */
void answer_print_outcome_json(const struct outcome *o, struct json *j);
/* By instruction and buffer, if they were counted. */
void answer_print_sites(struct text *out, const struct answer *a);
/* A row for each program, and before it one for each launch that was kept.  Columns: which run it
 * is, as in a sweep's export, then what at least one row knows.  The machine's name and the engine
 * are those of failed programs, too. */
void answer_print_csv(struct text *out, const struct outcome *o, uint32_t n, const char *machine,
                      enum engine engine);

void answer_print_stations(struct text *out, const struct answer *a);
void answer_print_confidence(struct text *out, const struct answer *a);
/* The five that help most, in words.  whom: "", or " B" where there are several. */
void answer_print_causes(struct text *out, const char *whom, const struct causes *c);

#endif
