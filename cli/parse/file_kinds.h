/* file_kinds.h - what kind of file a word names, told before a reader that wants another kind
 * speaks of unknown keys.  What is not known is left to its reader. */
#ifndef PLUMB_CLI_PARSE_FILE_KINDS_H
#define PLUMB_CLI_PARSE_FILE_KINDS_H

#include "cli/parse/args.h"

/* Is the command's first word what its row says, and are no two words swapped?  false: the user has
 * been told what the word is, and which argument takes it.  Of several words of one kind each is
 * looked at by the command, so that one fault does not hide what the others are good for. */
bool file_kinds_check(const struct cli_command *c, const struct args *a);
/* The same of one word that names a machine. */
bool file_kinds_is_machine(const char *command, const char *word);
/* The same of a program; the fault is *e's, which belongs to that program's answer. */
bool file_kinds_is_program(const char *word, struct error *e);

#endif
