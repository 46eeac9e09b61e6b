/* inputs.h - what kind of file a word names, told before a reader that wants another kind speaks of
 * unknown keys. */
#ifndef PLUMB_CLI_INPUTS_H
#define PLUMB_CLI_INPUTS_H

#include "cli/args.h"

/* Are the command's words what its row says?  false: the user has been told which is not, what it
 * is, and which argument takes it.  What is not there, or not known, is left to its reader. */
bool inputs_check(const struct cli_command *c, const struct args *a);
/* The same of one word that names a machine. */
bool inputs_is_machine(const char *command, const char *word);

#endif
