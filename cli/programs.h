/* programs.h - the PROGRAM words of a command line, suites unfolded. */
#ifndef PLUMB_CLI_PROGRAMS_H
#define PLUMB_CLI_PROGRAMS_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct programs {
    char **spec; /* owned */
    uint32_t n;
    size_t cap;
};

bool programs_expand(struct programs *p, const char *const *word, uint32_t n, struct error *e);
void programs_fini(struct programs *p);

#endif
