/* interval_csv.h - sample --intervals: what was run, with the weights of the estimate, as CSV. */
#ifndef PLUMB_CLI_RUN_INTERVAL_CSV_H
#define PLUMB_CLI_RUN_INTERVAL_CSV_H

#include "base/text/text.h"
#include "engine/engine.h"

struct intervals {
    const char *program; /* of the rows that come next */
    struct text csv;
};

/* A sampled_interval_fn; ctx: the intervals. */
void intervals_add(const struct sampled_interval *i, void *ctx);
/* The head alone where nothing was sampled.  Returns false with *e. */
bool intervals_write(struct intervals *s, const char *path, struct error *e);
void intervals_fini(struct intervals *s);

#endif
