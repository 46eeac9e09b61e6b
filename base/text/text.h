/* text.h - a growing string: for messages, stuck reports, documents in memory. It begins as {0};
 * its owner calls text_fini. What people see is added with text_add_shown. A text that could not
 * grow stays valid and is marked `failed`. */
#pragma once

#include "base/error.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct text {
    char *s; /* NUL-terminated, or NULL while empty */
    size_t len, cap;
    bool failed;
};

void text_add(struct text *t, const char *fmt, ...) PLUMB_PRINTF(2, 3);
void text_add_list(struct text *t, const char *fmt, va_list args);
void text_add_bytes(struct text *t, const char *bytes, size_t n);
/* Adds the fewest digits that read back to the same number. */
void text_add_number(struct text *t, double v);
/* Adds a text; what its arguments bring is shown (base/shown.h), and the controls in `fmt` itself
 * stay. */
void text_add_shown(struct text *t, const char *fmt, ...) PLUMB_PRINTF(2, 3);
void text_add_shown_list(struct text *t, const char *fmt, va_list args);
void text_fini(struct text *t);
const char *text_str(const struct text *t); /* "" while empty */

/* "1 run", "3 runs": the word that stands behind n. */
const char *text_noun(uint64_t n, const char *one, const char *several);

/* Parses a whole number below 2^64 that consists of digits only (hexadecimal ones may begin with
 * 0x) and moves *s past it. false: there is none. */
bool text_whole(const char **s, int base, uint64_t *v);

/* The closest of `n` names to `word` (Damerau-Levenshtein without regard to case, at most a third
 * of its length), or NULL. */
const char *text_closest(const char *word, const char *const *names, size_t n);
/* Adds the names that the word may stand for: those that begin with it ("h100-pcie or h100-sxm"),
 * else the closest; of more than four that begin with it, the closest if there is one. false: there
 * are none. */
bool text_alike(struct text *t, const char *word, const char *const *names, size_t n);
