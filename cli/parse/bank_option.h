/* bank_option.h - opens the bank of runs for a command that has the option --bank. */
#pragma once

#include "cli/parse/args.h"

/* Sets a->opts.bank as the option, the environment and the user's switch say; why there is none,
 * a line of stderr says, unless quiet. */
void bank_option_open(struct args *a, const struct cli_command *c);
/* Whether runs would be kept, if not by this command. */
bool bank_option_is_on(const struct args *a);
/* Tells what the bank was in trouble with, and closes it. */
void bank_option_close(struct args *a);
