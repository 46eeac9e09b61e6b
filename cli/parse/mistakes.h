/* mistakes.h - reports options that cannot be parsed: one line that names the likely remedy. */
#pragma once

#include "cli/command/command.h"

void mistakes_missing_value(const struct cli_command *c, const struct cli_option *o);
void mistakes_needless_value(const struct cli_command *c, const struct cli_option *o,
                             const char *word);
/* Reports an unknown option that begins with two dashes. */
void mistakes_unknown_option(const struct cli_command *c, const char *word);
/* Reports an unknown letter in a word that begins with one dash. */
void mistakes_unknown_letter(const struct cli_command *c, int letter, const char *word);
/* Report a value that is none of those allowed. */
void mistakes_word(const struct cli_command *c, const struct cli_option *o, const char *value);
void mistakes_word_in(const char *command, const struct cli_option *o, const char *value,
                      size_t length);
