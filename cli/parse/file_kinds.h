/* file_kinds.h - determines what kind of file a word names, so that a user who passes the wrong
 * kind reads that, rather than a message about unknown keys.  Unknown files are left to their
 * reader. */
#pragma once

#include "cli/parse/args.h"

/* Checks that the command's first word is of the kind that its row demands, and that no two words
 * are swapped.  false: the error names the word's kind and the argument that takes it.  Where a
 * command takes several words of a kind, it checks each itself, so that one error does not prevent
 * the others' results. */
bool file_kinds_check(const struct cli_command *c, const struct args *a);
/* Checks one word that names a machine. */
bool file_kinds_is_machine(const char *command, const char *word);
/* Checks one word that names a program; *e becomes that program's answer. */
bool file_kinds_is_program(const char *word, struct error *e);
