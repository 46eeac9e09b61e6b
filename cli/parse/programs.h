/* programs.h - the PROGRAM words of a command line, with suites expanded. */
#pragma once

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct programs {
    char **spec; /* owned */
    uint32_t n;
    bool suite; /* a suite was among the words */
    size_t cap;
};

bool programs_expand(struct programs *p, const char *const *word, uint32_t n, struct error *e);
/* Whether the JSON document is an array: there are several programs, or a suite of any size. */
bool programs_are_list(const struct programs *p);
void programs_fini(struct programs *p);
