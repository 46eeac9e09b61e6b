/* interval_csv.h - sample --intervals: what was run, with the weights of the estimate, as CSV. */
#ifndef PLUMB_CLI_RUN_INTERVAL_CSV_H
#define PLUMB_CLI_RUN_INTERVAL_CSV_H

#include "base/text/text.h"
#include "engine/engine.h"

struct interval_csv {
    const char *program; /* of the rows that come next */
    struct text csv;
};

/* A sampled_interval_fn; ctx: the intervals. */
void interval_csv_add(const struct sampled_interval *i, void *ctx);
/* The head alone where nothing was sampled.  Returns false with *e. */
bool interval_csv_write(struct interval_csv *s, const char *path, struct error *e);
void interval_csv_fini(struct interval_csv *s);

#endif
