/* shown.h - names, notes and messages as a person may see them.
 *
 * Texts come from files and command lines, and may hold what a terminal obeys instead of drawing:
 * ESC, carriage returns, the C1 controls (U+0080 to U+009F), marks that turn the direction of what
 * follows (U+061C, U+200E, U+200F, U+202A to U+202E, U+2066 to U+2069), line ends of their own
 * (U+2028, U+2029). Each such character, and each byte that is not UTF-8, is shown as '?', as ls
 * does. Scripts, pages, pictures and CSV have the same needs and use the same functions;
 * text_add_shown (base/text/text.h) adds to a text. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes of the character at s, which is not at its end: a sequence of UTF-8 (RFC 3629), or one byte
 * that begins none, whose code is U+FFFD. *shown: it may be drawn as it is. */
size_t shown_step(const char *s, uint32_t *code, bool *shown);
/* Whether a text is shown without a change. */
bool shown_as_is(const char *s);
/* Replaces in place what is not shown, except line ends if `lines`; returns the new length, which
 * is never larger. `bytes` has a NUL behind its n bytes, and keeps one. */
size_t shown_clean(char *bytes, size_t n, bool lines);
/* The same, but a byte that differs from the one at the same place of `own`, which has n bytes,
 * too, stays; own NULL: none does. */
size_t shown_clean_but(char *bytes, size_t n, bool lines, const char *own);
