/* plain_text.h - what editors and other systems leave in text: the byte order mark of UTF-8 at its
 * beginning, a carriage return before each line end, or UTF-16. Everything that reads text opens it
 * with file_read or instream_open (file.h), which take the first two away and refuse the last, so
 * that no parser meets them. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Length of the byte order mark with which the text begins; 0: none. */
size_t plain_text_mark(const char *bytes, size_t n);
/* What no parser here reads: "UTF-16 or UTF-32", with or without a byte order mark, or "it holds a
 * NUL"; NULL: it is text. */
const char *plain_text_refusal(const char *bytes, size_t n);
/* Takes the mark and the carriage returns at line ends away, in place; returns the new length. */
size_t plain_text_clean(char *bytes, size_t n);
