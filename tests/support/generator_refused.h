/* generator_refused.h - generators' files that must be refused, each with what must be said. */
#pragma once

#include "tests/support/trace_support.h"

/* A generator's file, and what must be said of it. */
struct refused {
    const char *text, *said;
};

/* Opens each of the n files: it must be refused as wrong input, with that text and its own name. */
void check_refused(const struct refused *wrong, size_t n);
