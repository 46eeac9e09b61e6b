/* terminal.h - lays out texts for the width of a terminal.  If standard output is no terminal (but
 * a pipe or a file), there is no width, and lines stay whole for other programs. */
#pragma once

#include "base/text/text.h"

/* The width of the terminal that standard output is, in columns: what the terminal says, else
 * $COLUMNS, else 80; at least 40. UINT_MAX: it is no terminal. */
unsigned terminal_width(void);
unsigned terminal_width_of(int fd); /* of another stream */
/* The columns that UTF-8 text takes where it is shown (shown.h): characters, not bytes. */
unsigned terminal_columns(const char *s, size_t n);
/* Appends the words of `s` in lines of at most `width`: `out` is at `column` already, further lines
 * begin at `indent`. */
void terminal_wrap(struct text *out, const char *s, unsigned width, unsigned column,
                   unsigned indent);
/* Breaks the lines of prose that are wider than the terminal and keeps their indentation.  A line
 * with two spaces inside it belongs to a table and stays whole. */
void terminal_fold(struct text *out);
/* Breaks the comments of a configuration, which begin with '#'; other lines stay whole, so that the
 * text can be taken for a file. */
void terminal_comments(struct text *out);
/* Breaks all lines that are wider than the terminal; continuation lines begin at `indent`.  For
 * lists whose last column is prose. */
void terminal_hang(struct text *out, unsigned indent);
