/* parsed_copy.h - what was read from a user's text, as bytes beside the kept profiles.
 *
 * Parsing a calibration takes longer than an estimate, and its text seldom changes.  A copy is
 * named by the digest of the text, of what it is a copy of, and of the version of plumb, its
 * metrics and its parameters; so a changed text, or another plumb, finds none.  A damaged copy is
 * as none.  One that cannot be written costs time, and changes no answer. */
#pragma once

#include "base/text/digest.h"

#include <stdbool.h>
#include <stddef.h>

struct parsed_copy {
    struct digest text; /* of the file; 0: it cannot be read, or includes others */
    struct digest key;
    char *path; /* of the copy; NULL: none can be kept */
};

/* kind: what is read, with a version that is raised when a text is read differently. */
void parsed_copy_find(struct parsed_copy *k, const char *file, const char *kind);
void parsed_copy_fini(struct parsed_copy *k);
/* The bytes of a sound copy, to be freed with mem_free; NULL: there is none. */
void *parsed_copy_read(const struct parsed_copy *k, size_t *n);
/* Keeps two pieces as one copy. */
void parsed_copy_write(const struct parsed_copy *k, const void *first, size_t first_bytes,
                       const void *rest, size_t rest_bytes);
