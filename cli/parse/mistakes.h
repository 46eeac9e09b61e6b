/* mistakes.h - what is said of options that are not understood: one line that names the mend. */
#ifndef PLUMB_CLI_PARSE_MISTAKES_H
#define PLUMB_CLI_PARSE_MISTAKES_H

#include "cli/parse/command.h"

void mistake_missing_value(const struct cli_command *c, const struct cli_option *o);
void mistake_needless_value(const struct cli_command *c, const struct cli_option *o,
                            const char *word);
/* A word that begins with two dashes. */
void mistake_unknown_option(const struct cli_command *c, const char *word);
/* A letter within a word that begins with one dash. */
void mistake_unknown_letter(const struct cli_command *c, int letter, const char *word);
/* A value that is none of those allowed. */
void mistake_word(const struct cli_command *c, const struct cli_option *o, const char *value);
void mistake_word_in(const char *command, const struct cli_option *o, const char *value,
                     size_t length);

#endif
