/* terminal.h - texts laid out for the width of a terminal.  Where standard output is none (a pipe,
 * a file) there is no width, and lines stay whole for other programs. */
#ifndef PLUMB_CLI_PRINT_TERMINAL_H
#define PLUMB_CLI_PRINT_TERMINAL_H

#include "base/text/text.h"

/* Columns of the terminal; UINT_MAX: there is none. */
unsigned terminal_width(void);
/* Columns of UTF-8 text: code points, not bytes. */
unsigned terminal_columns(const char *s, size_t n);
/* Words of `s` in lines of `width` at most: the first begins where `out` stands, at that column,
 * the others at `indent`. */
void terminal_wrap(struct text *out, const char *s, unsigned width, unsigned column,
                   unsigned indent);
/* Breaks the lines of prose that are wider than the terminal, under their own beginning; a line
 * with two spaces within it is a table's and stays. */
void terminal_fold(struct text *out);
/* Breaks all lines that are wider than the terminal; what follows stands at `indent`: for lists
 * whose last column is prose. */
void terminal_hang(struct text *out, unsigned indent);

#endif
