/* report.h - answers as a table for people, as the contract's JSON, as CSV. */
#ifndef PLUMB_CLI_REPORT_H
#define PLUMB_CLI_REPORT_H

#include "base/json.h"
#include "base/text.h"
#include "sampler/engine.h"

/* One program's outcome. */
struct outcome {
    const char *program; /* as the user named it */
    bool ok;
    struct answer a; /* if ok */
    struct error e;  /* else */
};

void report_table(struct text *out, const struct outcome *o, uint32_t n, bool all);
/* An object for one outcome, an array for several. */
void report_json(struct text *out, const struct outcome *o, uint32_t n);
void report_csv(struct text *out, const struct outcome *o, uint32_t n);

void report_stations(struct text *out, const struct answer *a);
void report_confidence(struct text *out, const struct answer *a);

#endif
