/* row_rounds.h - how the CTA of a row goes over it: threads, elements of an access, rounds. */
#pragma once

#include "trace/generators/ml/row_reduction.h"

/* The rounds of a pass: by vectors, then by elements. */
struct row_rounds {
    uint64_t vectors, elements; /* of the row that are taken so */
    uint64_t by_vector, all;
};
struct row_rounds row_rounds_of(const struct generator *g);

/* Sets `vector` and `block_threads` where they are 0; false: what was asked for does not fit. */
bool row_rounds_choose(struct generator *g, const char *path, struct error *e);
