/* help.h - texts made from the table of commands (command.h): help on a terminal, the man page,
 * completion in shells. */
#pragma once

#include "base/text/text.h"
#include "cli/command/command.h"

/* Prints one command's help; returns the exit status. */
int help_command(const struct cli_command *c);
/* Runs `plumb help [COMMAND [SUBCOMMAND]]`; argv[0] is "help". */
int help_run(int argc, char **argv);
void help_man(struct text *out);      /* the build's share/plumb.1 */
void help_markdown(struct text *out); /* docs/guide/commands.md */
void help_bash(struct text *out);     /* share/plumb.bash */
void help_zsh(struct text *out);      /* share/plumb.zsh */

/* The next paragraph of a command's text, up to its line end; NULL after the last. */
const char *help_paragraph(const char **text, size_t *length);
