/* found_programs.h - finds programs by what they do: by the digest and the name that a calibration
 * has of them. */
#pragma once

#include "engine/program_opts.h"

struct found_programs {
    const char *const *word; /* [n_words] programs of the command line; borrowed */
    uint32_t n_words;
    struct program **program; /* [n] open ones, with different digests */
    uint32_t n;
    size_t cap;
};

void found_programs_fini(struct found_programs *f);
/* Opens the words as that machine reads them. */
bool found_programs_open(struct found_programs *f, const struct machine *m, struct error *e);
/* Looks among the open ones, then among the programs and suites of that name that come with plumb.
 * NULL: it is not found, or there is no memory. */
const struct program *found_programs_find(struct found_programs *f, struct digest digest,
                                          const char *name, const struct machine *m);
