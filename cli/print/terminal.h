/* terminal.h - lays out texts for the width of a terminal.  If standard output is no terminal (but
 * a pipe or a file), there is no width, and lines stay whole for other programs. */
#pragma once

#include "base/text/text.h"

#include <stdbool.h>

/* Marks in a text that is printed: bold from STYLE_BOLD to STYLE_END, a warning's colour likewise.
 * They take no column.  cli_write (cli.h) turns them into what the terminal
 * obeys, or leaves them out; text_add_shown shows them as '?', so that no user's text has them. */
#define STYLE_BOLD "\002"
#define STYLE_WARNING "\003"
#define STYLE_END "\004"
#define STYLE_MARKS STYLE_BOLD STYLE_WARNING STYLE_END

/* Whether marks are drawn: STYLE_AUTO where the stream is a terminal that can ($TERM) and
 * $NO_COLOR is empty (https://no-color.org). */
enum style_when { STYLE_AUTO, STYLE_ALWAYS, STYLE_NEVER };
void terminal_style(enum style_when when);
/* What the terminal of `fd` gets for the mark at *s; NULL: there is no mark. */
const char *terminal_mark(int fd, const char *s);

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
