/* interval_csv.h - sample --intervals: writes the intervals that were run, with their weights, as
 * CSV. */
#pragma once

#include "base/text/text.h"
#include "engine/engine.h"

struct interval_csv {
    const char *program; /* the program of the rows that follow */
    struct text csv;
};

/* A sampled_interval_fn; ctx: the struct interval_csv. */
void interval_csv_add(const struct sampled_interval *i, void *ctx);
/* The whole file: only the heading if nothing was sampled. */
const struct text *interval_csv_text(struct interval_csv *s);
void interval_csv_fini(struct interval_csv *s);
