/* quote.h - texts of users inside other languages: one function for each, and no other way in.
 *
 * JSON has json.h, pictures have base/plot/gnuplot.h, a person's terminal has shown.h, which serves
 * comments, too: what it adds stays on its line. SQL gets texts as bound parameters, but names of
 * tables. */
#pragma once

#include "base/text/text.h"

/* A word of a shell's command (POSIX), in single quotes unless it is plain. A text with controls
 * stays one word, but would be drawn: see shown_as_is. */
void quote_shell(struct text *out, const char *word);
/* The same for a file's name: one that begins with '-' becomes "./-...", for no command takes that
 * for an option. */
void quote_shell_file(struct text *out, const char *name);
/* A command of a script, or that a person may copy: each %s of the format, which has no other %,
 * becomes one word by quote_shell_file (a setting PATH=VALUE does not begin with '-'). */
void quote_command(struct text *out, const char *format, ...) PLUMB_PRINTF(2, 3);
void quote_command_list(struct text *out, const char *format, va_list args);
/* A field of CSV (RFC 4180), in quotes where it needs them; shown, so that a row is a line. */
void quote_csv(struct text *out, const char *field);
/* Text of an HTML or XML element, or of an attribute in quotes of either kind; shown. */
void quote_html(struct text *out, const char *s);
/* A string of a configuration file (libconfig), with its quotes; reads back to the same bytes. */
void quote_conf(struct text *out, const char *s);
struct outfile;
void quote_conf_file(struct outfile *f, const char *s);
